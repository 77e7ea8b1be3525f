// SPDX-License-Identifier: Apache-2.0
// Items from what lies in an archive.
#include <cstring>
#include <new>
#include <tgmap/write/cbor_value.hpp>

#include "cbor/canonical.hpp"
#include "cbor/item_access.hpp"
#include "cbor/look.hpp"
#include "cbor/prescan.hpp"
#include "wire/bytes.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

/// Why an item could not be passed over.
failure why_not_passed(std::span<const std::byte> item) noexcept {
  const failure lost{.code = errc::bad_cbor};
  const failure why = cbor::looked(lost, [&]() noexcept {
    return cbor::prescan(item, static_cast<std::uint32_t>(cbor::most_levels), cbor::rules::any);
  });
  return why ? why : lost;
}

failure copy_bytes(const cbor_view& from, std::vector<std::byte>& out) {
  if (from.bytes_to_end().data() == nullptr) {
    out.clear();
    return {};
  }
  const auto there = from.bytes();
  if (there.empty()) return why_not_passed(from.bytes_to_end());
  // Bytes under a mapping may change: what is looked at twice is looked at in a copy.
  out.resize(there.size());
  const bool copied = cbor::looked(false, [&]() noexcept {
    std::memcpy(out.data(), there.data(), there.size());
    return true;
  });
  if (!copied) return {.code = errc::bad_cbor};
  return cbor::make_canonical(out);
}

}  // namespace

failure detail::item_access::copy(const cbor_view& from, cbor_value& to) {
  const failure why = copy_bytes(from, to.encoded_);
  if (why) to.encoded_.clear();
  return why;
}

failure detail::item_access::copy_map(std::span<const std::byte> encoded, cbor_value& to) {
  constexpr std::byte no_pairs{static_cast<unsigned>(cbor::major::map) << 5};
  if (encoded.empty()) {
    to.encoded_.assign(1, no_pairs);
    return {};
  }
  if (wire::equal(encoded, to.encoded_)) return {};  // what holds for all messages is the same in most
  to.encoded_.assign(encoded.begin(), encoded.end());
  const failure why = cbor::make_canonical(to.encoded_);
  if (why) to.encoded_.clear();
  return why;
}

cbor_value cbor_value::copy(const cbor_view& from) {
  cbor_value out;
  detail::raise_if(copy_bytes(from, out.encoded_));
  return out;
}

cbor_value cbor_value::copy(const cbor_view& from, failure& why) noexcept try {
  cbor_value out;
  why = copy_bytes(from, out.encoded_);
  if (why) out.encoded_.clear();
  return out;
} catch (const std::bad_alloc&) {
  why = {.code = errc::out_of_memory};
  return {};
}

}  // namespace v0
}  // namespace tgmap
