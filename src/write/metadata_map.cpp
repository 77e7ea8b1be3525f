// SPDX-License-Identifier: Apache-2.0
#include "write/metadata_map.hpp"

#include <array>

#include "cbor/canonical.hpp"
#include "cbor/canonical_map.hpp"
#include "cbor/writer.hpp"

namespace tgmap::write {

namespace {

constexpr std::string_view reserved = "_reserved_";
constexpr std::uint32_t max_metadata_depth = 256;  // containers in containers that readers take

}  // namespace

namespace {

/// Also finds the place of `_reserved_`.
failure check_map(const cbor_value& keys, std::uint32_t around, cbor::key_place& place) noexcept {
  const auto type = keys.kind();
  if (type != cbor_kind::map)
    return {.code = errc::wrong_kind, .expected = std::uint64_t(cbor_kind::map), .found = std::uint64_t(type)};
  const auto encoded = keys.encoded();
  if (!cbor::find_in_text_map(encoded, reserved, place))
    return {
        .code = errc::wrong_kind, .expected = std::uint64_t(cbor_kind::text), .found = std::uint64_t(cbor_kind::map)};
  // A container takes a byte: what is shorter cannot be too deep.
  const std::uint32_t most = max_metadata_depth - around;
  if (encoded.size() <= most || cbor::nesting_depth(encoded) <= most) return {};
  return {.code = errc::cbor_too_deep, .expected = max_metadata_depth};
}

}  // namespace

failure check_map(const cbor_value& keys, std::uint32_t around) noexcept {
  cbor::key_place place;
  return check_map(keys, around, place);
}

failure check_keys(const cbor_value& keys, std::uint32_t around) noexcept {
  cbor::key_place place;
  return check_keys(keys, around, place);
}

failure check_keys(const cbor_value& keys, std::uint32_t around, cbor::key_place& place) noexcept {
  if (failure why = check_map(keys, around, place)) return why;
  return place.there ? failure{.code = errc::reserved_key} : failure{};
}

void put_tensor(const tensor_facts& what, std::vector<std::byte>& to) {
  cbor::writer out(to);
  out.map(1);
  out.text("tensor");
  out.map(4);
  out.pair("ndim", what.rank);
  out.pair("dtype", to_string_view(what.dtype));
  out.text("shape");
  put_numbers(out, what.shape());
  out.text("strides");
  put_numbers(out, what.strides());
}

void put_base_entry(const cbor_value& keys, const cbor::key_place& place, std::span<const std::byte> tensor,
                    std::vector<std::byte>& to) {
  cbor::writer entry(to);
  cbor::write_with(entry, keys.encoded(), place, reserved, tensor);
}

std::size_t put_metadata(std::span<const std::byte> entries, std::uint64_t count, const cbor_value& extra, int version,
                         provenance_source* who, std::vector<std::byte>& to, bool apart) {
  const bool base = count != 0, more = !extra.empty(), provenance = who != nullptr && !who->empty();
  cbor::writer out(to);
  out.map((base ? 1U : 0U) + (more ? 1U : 0U) + (version == 2 ? 1U : 0U) + (provenance ? 1U : 0U));
  if (base) {
    out.text("base");
    out.array(count);
  }
  const std::size_t at = to.size();
  if (base && !apart) out.encoded(entries);
  if (more) {
    out.text("_extra_");
    out.encoded(extra.encoded());
  }
  if (version == 2) out.pair("version", 2);
  if (provenance) {
    out.text(reserved);
    who->put(out);
  }
  return at;
}

void put_preceder(const cbor_value& keys, int version, std::vector<std::byte>& to) {
  put_metadata(keys.encoded(), 1, cbor_value::map(), version, nullptr, to);
}

}  // namespace tgmap::write
