// SPDX-License-Identifier: Apache-2.0
// Writes encoded objects with the message writer of the tests, and reads them with the library.
#pragma once

#include <boost/test/unit_test.hpp>
#include <encode/encoded.hpp>
#include <string>
#include <support/builder.hpp>
#include <support/decoded.hpp>
#include <support/numbered.hpp>

namespace tgmap_test {

inline std::string method_name(tgmap::mask_method method) {
  constexpr const char* names[] = {"none", "rle", "roaring", "lz4", "zstd", "blosc2"};
  return names[static_cast<std::size_t>(method)];
}

/// Returns the parameters of the codecs as in descriptors. Spec: §7.3.
inline std::vector<cbor::pair> parameters_of(const tgmap::pipeline& how, const tgmap::encode::encoded_object& what) {
  using cbor::text, cbor::integer, cbor::real;
  std::vector<cbor::pair> out;
  if (how.encoding == tgmap::encoding::simple_packing) {
    out.emplace_back(text("sp_reference_value"), real(what.packing.reference));
    out.emplace_back(text("sp_binary_scale_factor"), integer(what.packing.binary_scale));
    out.emplace_back(text("sp_decimal_scale_factor"), integer(what.packing.decimal_scale));
    out.emplace_back(text("sp_bits_per_value"), integer(what.packing.bits));
  }
  if (how.filter == tgmap::filter::shuffle)
    out.emplace_back(text("shuffle_element_size"), integer(static_cast<std::int64_t>(what.shuffle_size)));
  if (how.compression == tgmap::compression::szip) {
    out.emplace_back(text("szip_rsi"), integer(how.szip.rsi));
    out.emplace_back(text("szip_block_size"), integer(how.szip.block_size));
    out.emplace_back(text("szip_flags"), integer(how.szip.flags));
    std::vector<bytes> offsets;
    for (const auto each : what.block_offsets) offsets.push_back(cbor::unsigned_integer(each));
    out.emplace_back(text("szip_block_offsets"), cbor::array(offsets));
  }
  if (how.compression == tgmap::compression::zfp) {
    out.emplace_back(text("zfp_mode"), text("fixed_accuracy"));
    out.emplace_back(text("zfp_tolerance"), real(how.zfp.tolerance));
  }
  return out;
}

inline bytes message_of(const tgmap::new_object& in, const tgmap::encode::encoded_object& out) {
  constexpr const char* encodings[] = {"none", "simple_packing"};
  constexpr const char* filters[] = {"none", "shuffle"};
  object_spec spec{
      .dtype = std::string(to_string_view(in.dtype)), .shape = in.shape, .payload = bytes(view_of(out.payload))};
  spec.byte_order = std::string(to_string_view(out.order));
  spec.encoding = encodings[static_cast<std::size_t>(in.pipeline.encoding)];
  spec.filter = filters[static_cast<std::size_t>(in.pipeline.filter)];
  const auto compression = out.compression;
  spec.compression = compression == tgmap::compression::none ? "none" : std::string(to_string_view(compression));
  for (std::size_t i = 0; i < out.mask_count; ++i)
    spec.masks.push_back({std::string(to_string_view(out.masks[i].kind)), method_name(out.masks[i].method),
                          bytes(view_of(out.masks[i].blob))});
  spec.more = parameters_of(in.pipeline, out);
  return message({.objects = {spec}});
}

/// Returns the native elements that the library reads.
inline bytes read_back(const tgmap::new_object& in, const tgmap::encode::encoded_object& out) {
  const bytes data = message_of(in, out);
  const auto archive = open(data);
  const auto object = archive[0][0];
  return bytes_of(object.decode());
}

}  // namespace tgmap_test
