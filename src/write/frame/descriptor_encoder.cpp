// SPDX-License-Identifier: Apache-2.0
#include "write/frame/descriptor_encoder.hpp"

#include <string_view>
#include <tgmap/enum_names.hpp>

#include "cbor/prescan.hpp"
#include "cbor/text.hpp"
#include "wire/bytes.hpp"
#include "wire/descriptor_keys.hpp"
#include "write/checks.hpp"

namespace tgmap::write {

namespace {

void write_packing(const codec::packing_parameters& packing, int version, cbor::sorted_map& map) {
  // Releases before 0.19 use the names without the prefix; later ones read only those with it (§7.1).
  const bool prefix = version != 2;
  map.value(prefix ? "sp_reference_value" : "reference_value").real(packing.reference);
  map.value(prefix ? "sp_binary_scale_factor" : "binary_scale_factor").integer(std::int64_t{packing.binary_scale});
  map.value(prefix ? "sp_decimal_scale_factor" : "decimal_scale_factor").integer(std::int64_t{packing.decimal_scale});
  map.value(prefix ? "sp_bits_per_value" : "bits_per_value").integer(std::uint64_t{packing.bits});
}

void write_zfp(const zfp_options& options, cbor::sorted_map& map) {
  map.value("zfp_mode").text(to_string_view(options.mode));
  switch (options.mode) {
    case zfp_mode::fixed_rate: return map.value("zfp_rate").real(options.rate);
    case zfp_mode::fixed_precision: return map.value("zfp_precision").integer(std::uint64_t{options.precision});
    case zfp_mode::fixed_accuracy: return map.value("zfp_tolerance").real(options.tolerance);
  }
}

void write_compression(const pipeline& pipeline, const encode::encoded_object& encoded, cbor::sorted_map& map) {
  switch (encoded.compression) {
    case compression::szip:
      map.value("szip_rsi").integer(std::uint64_t{pipeline.szip.rsi});
      map.value("szip_flags").integer(std::uint64_t{pipeline.szip.flags});
      map.value("szip_block_size").integer(std::uint64_t{pipeline.szip.block_size});
      write_numbers(map.value("szip_block_offsets"), encoded.block_offsets);
      break;
    case compression::zstd:
      if (pipeline.store_levels) map.value("zstd_level").integer(std::int64_t{pipeline.zstd_level});
      break;
    case compression::blosc2:
      if (!pipeline.store_levels) break;
      map.value("blosc2_codec").text(to_string_view(pipeline.blosc2.codec));
      map.value("blosc2_clevel").integer(std::int64_t{pipeline.blosc2.level});
      break;
    case compression::zfp: write_zfp(pipeline.zfp, map); break;
    case compression::sz3:
      map.value("sz3_error_bound").real(pipeline.sz3.bound);
      map.value("sz3_error_bound_mode").text(to_string_view(pipeline.sz3.mode));
      break;
    default: break;
  }
}

void write_masks(const encode::encoded_object& encoded, cbor::sorted_map& map) {
  if (encoded.mask_count == 0) return;
  cbor::writer out = map.value("masks");
  out.map(encoded.mask_count);
  std::uint64_t offset = encoded.payload.size();
  for (std::size_t i = 0; i < encoded.mask_count; ++i) {  // nan, inf+, inf-: in the order of their keys
    const encode::encoded_mask& mask = encoded.masks[i];
    out.text(to_string_view(mask.kind));
    const bool has_params = mask.method == mask_method::blosc2;  // for other readers; tgmap does not need them
    out.map(has_params ? 4 : 3);
    out.pair("length", mask.blob.size());
    out.pair("method", to_string_view(mask.method));
    out.pair("offset", offset);
    offset += mask.blob.size();
    if (!has_params) continue;
    out.text("params");
    out.map(2);
    out.pair("codec", std::string_view("lz4"));
    out.pair("level", 5);
  }
}

/// Writes the keys that the program adds.
failure write_extra(const cbor_value& extra, cbor::sorted_map& map) {
  const cbor_view keys = extra.view();
  if (keys.kind() != cbor_kind::map) return {.code = errc::wrong_kind, .expected = std::uint64_t(cbor_kind::map)};
  failure why = cbor::prescan(extra.encoded(), max_descriptor_depth, cbor::rules::untagged);
  if (why.code == errc::bad_cbor) return {.code = errc::wrong_kind, .found = std::uint64_t(cbor_kind::tag)};
  if (why) return why;
  keys.visit([&](cbor_view key, cbor_view value) {
    const auto text = key.get<std::string_view>();
    if (!text)
      why = {.code = errc::wrong_kind, .expected = std::uint64_t(cbor_kind::text), .found = std::uint64_t(key.kind())};
    else if (wire::is_library_key(*text))
      why = {.code = errc::reserved_key};
    else
      map.value(*text).encoded(value.bytes());
    return !why;
  });
  return why;
}

}  // namespace

failure append_descriptor(const new_object& object, const encode::encoded_object& encoded, const tensor_layout& layout,
                          int version, std::optional<std::uint64_t> payload_hash, cbor::sorted_map& scratch,
                          std::vector<std::byte>& to) {
  const pipeline& pipeline = object.pipeline;
  if (object.type.empty() || !cbor::is_well_formed(object.type)) return {.code = errc::bad_descriptor};
  scratch.clear();
  if (payload_hash) {
    cbor::writer out = scratch.value("hash");
    out.map(2);
    out.pair("type", std::string_view("xxh3"));
    out.pair("value", hash_text(*payload_hash).view());
  }
  // Nearly in canonical order, so that there is little to sort.
  scratch.value("ndim").integer(std::uint64_t{layout.rank});
  scratch.value("type").text(object.type);
  scratch.value("dtype").text(to_string_view(layout.dtype));
  write_masks(encoded, scratch);
  write_numbers(scratch.value("shape"), layout.shape());
  scratch.value("filter").text(to_string_view(pipeline.filter));
  write_numbers(scratch.value("strides"), layout.strides());
  scratch.value("encoding").text(to_string_view(pipeline.encoding));
  scratch.value("byte_order").text(to_string_view(encoded.order));
  scratch.value("compression").text(to_string_view(encoded.compression));
  if (pipeline.encoding == encoding::simple_packing) write_packing(encoded.packing, version, scratch);
  if (encoded.shuffle_size != 0) scratch.value("shuffle_element_size").integer(std::uint64_t{encoded.shuffle_size});
  write_compression(pipeline, encoded, scratch);
  if (!object.descriptor_extra.empty()) {
    if (failure why = write_extra(object.descriptor_extra, scratch)) {
      scratch.clear();
      return why;
    }
  }
  scratch.finish(to);
  return {};
}

namespace {

bool is_stored_plainly(const new_object& object, const encode::encoded_object& encoded) noexcept {
  const pipeline& pipeline = object.pipeline;
  return pipeline.encoding == encoding::none && pipeline.filter == filter::none &&
         pipeline.compression == compression::none && encoded.mask_count == 0;
}

}  // namespace

std::span<const std::byte> descriptor_cache::find(const new_object& object,
                                                  const encode::encoded_object& encoded) const noexcept {
  const bool is_cached = is_stored_plainly(object, encoded) && object.dtype == dtype_ && encoded.order == order_ &&
                         object.shape == shape_ && object.type == type_ &&
                         wire::equal(object.descriptor_extra.encoded(), extra_);
  return is_cached ? std::span<const std::byte>(descriptor_) : std::span<const std::byte>();
}

void descriptor_cache::store(const new_object& object, const encode::encoded_object& encoded,
                             std::span<const std::byte> descriptor) {
  descriptor_.clear();  // stays empty, and is not found, if an allocation below fails
  if (!is_stored_plainly(object, encoded)) return;
  dtype_ = object.dtype;
  order_ = encoded.order;
  shape_ = object.shape;
  type_ = object.type;
  extra_.assign(object.descriptor_extra.encoded().begin(), object.descriptor_extra.encoded().end());
  descriptor_.assign(descriptor.begin(), descriptor.end());
}

}  // namespace tgmap::write
