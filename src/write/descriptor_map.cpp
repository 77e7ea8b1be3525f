// SPDX-License-Identifier: Apache-2.0
#include "write/descriptor_map.hpp"

#include <string_view>

#include "cbor/prescan.hpp"
#include "cbor/text.hpp"
#include "encode/library_keys.hpp"

namespace tgmap::write {

namespace {

constexpr std::string_view encoding_names[] = {"none", "simple_packing"};
constexpr std::string_view filter_names[] = {"none", "shuffle"};
constexpr std::string_view mask_method_names[] = {"none", "rle", "roaring", "lz4", "zstd", "blosc2"};
constexpr std::string_view blosc2_names[] = {"blosclz", "lz4", "lz4hc", "zlib", "zstd"};
constexpr std::string_view zfp_names[] = {"fixed_rate", "fixed_precision", "fixed_accuracy"};
constexpr std::string_view sz3_names[] = {"abs", "rel", "psnr"};

template <class Enum, std::size_t N>
std::string_view name_of(const std::string_view (&names)[N], Enum which) noexcept {
  const auto at = static_cast<std::size_t>(which);
  return at < N ? names[at] : std::string_view();
}

void put_packing(const codec::packing_parameters& what, int version, cbor::sorted_map& to) {
  // Releases before 0.19 have the names without the prefix, later ones read only those with it (§7.1).
  const bool prefix = version != 2;
  to.value(prefix ? "sp_reference_value" : "reference_value").real(what.reference);
  to.value(prefix ? "sp_binary_scale_factor" : "binary_scale_factor").integer(std::int64_t{what.binary_scale});
  to.value(prefix ? "sp_decimal_scale_factor" : "decimal_scale_factor").integer(std::int64_t{what.decimal_scale});
  to.value(prefix ? "sp_bits_per_value" : "bits_per_value").integer(std::uint64_t{what.bits});
}

void put_zfp(const zfp_options& what, cbor::sorted_map& to) {
  to.value("zfp_mode").text(name_of(zfp_names, what.mode));
  switch (what.mode) {
    case zfp_mode::fixed_rate: return to.value("zfp_rate").real(what.rate);
    case zfp_mode::fixed_precision: return to.value("zfp_precision").integer(std::uint64_t{what.precision});
    case zfp_mode::fixed_accuracy: return to.value("zfp_tolerance").real(what.tolerance);
  }
}

void put_compression(const pipeline& how, const encode::encoded_object& what, cbor::sorted_map& to) {
  switch (how.compression) {
    case compression::szip:
      to.value("szip_rsi").integer(std::uint64_t{how.szip.rsi});
      to.value("szip_flags").integer(std::uint64_t{how.szip.flags});
      to.value("szip_block_size").integer(std::uint64_t{how.szip.block_size});
      put_numbers(to.value("szip_block_offsets"), what.block_offsets);
      break;
    case compression::zstd:
      if (how.store_levels) to.value("zstd_level").integer(std::int64_t{how.zstd_level});
      break;
    case compression::blosc2:
      if (!how.store_levels) break;
      to.value("blosc2_codec").text(name_of(blosc2_names, how.blosc2.codec));
      to.value("blosc2_clevel").integer(std::int64_t{how.blosc2.level});
      break;
    case compression::zfp: put_zfp(how.zfp, to); break;
    case compression::sz3:
      to.value("sz3_error_bound").real(how.sz3.bound);
      to.value("sz3_error_bound_mode").text(name_of(sz3_names, how.sz3.mode));
      break;
    default: break;
  }
}

void put_masks(const encode::encoded_object& what, cbor::sorted_map& to) {
  if (what.mask_count == 0) return;
  cbor::writer out = to.value("masks");
  out.map(what.mask_count);
  std::uint64_t at = what.payload.size();
  for (std::size_t i = 0; i < what.mask_count; ++i) {  // nan, inf+, inf-: the order of their keys
    const encode::encoded_mask& mask = what.masks[i];
    out.text(to_string_view(mask.kind));
    const bool codec = mask.method == mask_method::blosc2;  // which says more than any reader asks for
    out.map(codec ? 4 : 3);
    out.pair("length", mask.blob.size());
    out.pair("method", name_of(mask_method_names, mask.method));
    out.pair("offset", at);
    at += mask.blob.size();
    if (!codec) continue;
    out.text("params");
    out.map(2);
    out.pair("codec", std::string_view("lz4"));
    out.pair("level", 5);
  }
}

/// Keys that the caller adds.
failure put_more(const cbor_value& more, cbor::sorted_map& to) {
  const cbor_view from = more.view();
  if (from.kind() != cbor_kind::map) return {.code = errc::wrong_kind, .expected = std::uint64_t(cbor_kind::map)};
  failure why = cbor::prescan(more.encoded(), deepest_descriptor, cbor::rules::untagged);
  if (why.code == errc::bad_cbor) return {.code = errc::wrong_kind, .found = std::uint64_t(cbor_kind::tag)};
  if (why) return why;
  from.visit([&](cbor_view key, cbor_view entry) {
    const auto text = key.get<std::string_view>();
    if (!text)
      why = {.code = errc::wrong_kind, .expected = std::uint64_t(cbor_kind::text), .found = std::uint64_t(key.kind())};
    else if (encode::is_library_key(*text))
      why = {.code = errc::reserved_key};
    else
      to.value(*text).encoded(entry.bytes());
    return !why;
  });
  return why;
}

}  // namespace

failure put_descriptor(const new_object& what, const encode::encoded_object& encoded, const tensor_facts& facts,
                       int version, std::optional<std::uint64_t> payload_hash, cbor::sorted_map& scratch,
                       std::vector<std::byte>& to) {
  const pipeline& how = what.pipeline;
  if (what.type.empty() || !cbor::is_well_formed(what.type)) return {.code = errc::bad_descriptor};
  scratch.clear();
  if (payload_hash) {
    cbor::writer out = scratch.value("hash");
    out.map(2);
    out.pair("type", std::string_view("xxh3"));
    out.pair("value", digest_text(*payload_hash).view());
  }
  scratch.value("ndim").integer(std::uint64_t{facts.rank});
  scratch.value("type").text(what.type);
  scratch.value("dtype").text(to_string_view(facts.dtype));
  put_masks(encoded, scratch);
  put_numbers(scratch.value("shape"), facts.shape());
  scratch.value("filter").text(name_of(filter_names, how.filter));
  put_numbers(scratch.value("strides"), facts.strides());
  scratch.value("encoding").text(name_of(encoding_names, how.encoding));
  scratch.value("byte_order").text(to_string_view(encoded.order));
  scratch.value("compression").text(to_string_view(how.compression));
  if (how.encoding == encoding::simple_packing) put_packing(encoded.packing, version, scratch);
  if (encoded.shuffle_size != 0) scratch.value("shuffle_element_size").integer(std::uint64_t{encoded.shuffle_size});
  put_compression(how, encoded, scratch);
  if (!what.descriptor_extra.empty()) {
    if (failure why = put_more(what.descriptor_extra, scratch)) {
      scratch.clear();
      return why;
    }
  }
  scratch.finish(to);
  return {};
}

}  // namespace tgmap::write
