// SPDX-License-Identifier: Apache-2.0
// Steps over unchecked CBOR: everything found is within the bytes.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <tgmap/cbor_view.hpp>

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void step(const tgmap::cbor_view& v, std::span<const std::byte> within, unsigned depth, unsigned& left) {
  if (left == 0 || depth > 20) return;
  --left;
  const auto own = v.bytes();
  require(own.empty() || (own.data() >= within.data() && own.data() + own.size() <= within.data() + within.size()));
  if (const auto text = v.get<std::string_view>())
    require(v.kind() == tgmap::cbor_kind::text && text->size() < own.size());
  if (const auto blob = v.get<std::span<const std::byte>>())
    require(v.kind() == tgmap::cbor_kind::bytes && blob->size() < own.size());
  if (const auto i = v.get<std::int64_t>()) require(v.text() == std::to_string(*i));
  if (const auto u = v.get<std::uint64_t>()) require(v.text() == std::to_string(*u));
  (void)v.text(), (void)v.get<bool>(), (void)v.get<double>(), (void)v.at_path("a.b[0].c.d");
  require(v.tag().has_value() == (v.kind() == tgmap::cbor_kind::tag));
  if (v.tag()) step(v.untagged(), within, depth + 1, left);

  std::uint64_t seen = 0;
  const bool whole = v.visit([&](auto, const tgmap::cbor_view& item) {
    ++seen;
    step(item, within, depth + 1, left);
    return left > 0;
  });
  const bool container = v.kind() == tgmap::cbor_kind::array || v.kind() == tgmap::cbor_kind::map;
  if (whole && container) require(seen == v.size() && !own.empty());
  if (v.kind() == tgmap::cbor_kind::array && seen > 0) require(v.at(seen - 1).has_value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto data = std::as_bytes(std::span(bytes, size));
  unsigned left = 2000;
  step(tgmap::cbor_view(data), data, 0, left);
  return 0;
}
