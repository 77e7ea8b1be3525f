// SPDX-License-Identifier: Apache-2.0
#include "cpp/writing/pipeline.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace tgmap_python {
namespace {

using tgmap::compression;
using tgmap::encoding;
using tgmap::filter;
using tgmap::mask_method;

constexpr std::array<std::string_view, 18> stage_keywords{
    "bits",      "decimal_scale", "max_error",   "reference",  "binary_scale", "shuffle_size",
    "level",     "codec",         "rsi",         "block_size", "flags",        "rate",
    "precision", "tolerance",     "error_bound", "error_mode", "mask_method",  "small_mask_bytes"};

void take_packing(keywords& from, tgmap::packing_options& out) {
  if (from.take("max_error", out.max_error)) {
    if (from.take("bits", out.bits)) throw nb::type_error("give bits or max_error, not both");
  } else {
    from.take("bits", out.bits);
  }
  from.take("decimal_scale", out.decimal_scale);
  from.take("reference", out.reference);
  from.take("binary_scale", out.binary_scale);
  if (out.reference.has_value() != out.binary_scale.has_value())
    throw nb::type_error("give both reference and binary_scale, or neither");
}

void take_zfp(keywords& from, tgmap::zfp_options& out) {
  int given = 0;
  const auto take = [&](const char* name, auto& number, tgmap::zfp_mode mode) {
    if (!from.take(name, number)) return;
    out.mode = mode;
    ++given;
  };
  take("rate", out.rate, tgmap::zfp_mode::fixed_rate);
  take("precision", out.precision, tgmap::zfp_mode::fixed_precision);
  take("tolerance", out.tolerance, tgmap::zfp_mode::fixed_accuracy);
  if (given != 1) throw nb::type_error("compression 'zfp' needs one of rate, precision and tolerance");
}

void take_sz3(keywords& from, tgmap::sz3_options& out) {
  using tgmap::sz3_bound;
  from.take<sz3_bound>(
      "error_mode", {{"absolute", sz3_bound::absolute}, {"relative", sz3_bound::relative}, {"psnr", sz3_bound::psnr}},
      out.mode);
  if (!from.take("error_bound", out.bound)) throw nb::type_error("compression 'sz3' needs error_bound");
}

void take_blosc2(keywords& from, tgmap::blosc2_options& out) {
  using tgmap::blosc2_codec;
  from.take<blosc2_codec>(
      "codec", {blosc2_codec::blosclz, blosc2_codec::lz4, blosc2_codec::lz4hc, blosc2_codec::zlib, blosc2_codec::zstd},
      out.codec);
  from.take("level", out.level);
}

void take_compression(keywords& from, tgmap::pipeline& out) {
  from.take<compression>(
      "compression",
      {compression::none, compression::szip, compression::zstd, compression::lz4, compression::blosc2, compression::zfp,
       compression::sz3, compression::rle, compression::roaring},
      out.compression);
  switch (out.compression) {
    case compression::szip:
      from.take("rsi", out.szip.rsi);
      from.take("block_size", out.szip.block_size);
      from.take("flags", out.szip.flags);
      break;
    case compression::zstd: from.take("level", out.zstd_level); break;
    case compression::blosc2: take_blosc2(from, out.blosc2); break;
    case compression::zfp: take_zfp(from, out.zfp); break;
    case compression::sz3: take_sz3(from, out.sz3); break;
    default: break;
  }
}

std::optional<mask_method> method_of(nb::handle name) {
  using method = std::optional<mask_method>;
  return choice<method>(to_text(name, "mask_method"),
                        {{"none", mask_method::none},
                         {"rle", mask_method::rle},
                         {"roaring", mask_method::roaring},
                         {"lz4", mask_method::lz4},
                         {"zstd", mask_method::zstd},
                         {"blosc2", mask_method::blosc2},
                         {"smallest", std::nullopt}},
                        "mask_method");
}

/// `given`: one name, or a mapping with a name for each kind of mask.
void set_methods(nb::handle given, tgmap::missing_options& out) {
  if (!PyDict_Check(given.ptr())) {
    out.nan = out.positive_infinity = out.negative_infinity = method_of(given);
    return;
  }
  for (const auto& [kind, name] : nb::borrow<nb::dict>(given)) {
    const std::string text = to_text(kind, "mask_method");
    (text == "nan"                 ? out.nan
     : text == "positive_infinity" ? out.positive_infinity
     : text == "negative_infinity"
         ? out.negative_infinity
         : throw nb::value_error(
               ("mask_method has nan, positive_infinity and negative_infinity, not '" + shown(text) + "'").c_str())) =
        method_of(name);
  }
}

void take_missing(keywords& from, tgmap::missing_options& out) {
  from.take("allow_nan", out.allow_nan);
  from.take("allow_infinity", out.allow_infinity);
  from.take("check_elements", out.check_elements);
  if (!out.allow_nan && !out.allow_infinity) return;  // mask_method is then not used
  const nb::object method = from.take("mask_method");
  if (!method.is_none()) set_methods(method, out);
  from.take("small_mask_bytes", out.small_mask_bytes);
}

void require_all_used(const keywords& from, const tgmap::pipeline& how) {
  const std::string name = from.first();
  if (name.empty()) return;
  if (std::find(stage_keywords.begin(), stage_keywords.end(), name) == stage_keywords.end())
    throw nb::type_error(("unexpected keyword argument '" + name + "'").c_str());
  if (name == "mask_method" || name == "small_mask_bytes")
    throw nb::type_error((name + " needs allow_nan or allow_infinity").c_str());
  const auto quoted = [](auto value) { return "'" + std::string(to_string_view(value)) + "'"; };
  throw nb::type_error((name + " is not used with encoding " + quoted(how.encoding) + ", filter " + quoted(how.filter) +
                        ", compression " + quoted(how.compression))
                           .c_str());
}

}  // namespace

pipeline_options take_pipeline(keywords& from, encoding encoding_by_default) {
  pipeline_options out;
  tgmap::pipeline& how = out.pipeline;
  how.encoding = encoding_by_default;
  from.take<encoding>("encoding", {encoding::none, encoding::simple_packing}, how.encoding);
  if (how.encoding == encoding::simple_packing) take_packing(from, how.packing);
  from.take<filter>("filter", {filter::none, filter::shuffle}, how.filter);
  if (how.filter == filter::shuffle) from.take("shuffle_size", how.shuffle_size);
  take_compression(from, how);
  take_missing(from, how.missing);
  tgmap::byte_order order{};
  if (from.take<tgmap::byte_order>("byte_order",
                                   {{"native", tgmap::native_byte_order},
                                    {"little", tgmap::byte_order::little},
                                    {"big", tgmap::byte_order::big}},
                                   order))
    out.stored_byte_order = order;
  require_all_used(from, how);
  return out;
}

}  // namespace tgmap_python
