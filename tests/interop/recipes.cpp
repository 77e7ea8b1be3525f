// SPDX-License-Identifier: Apache-2.0
#include "recipes.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace tgmap_interop {

using tgmap::compression;
using tgmap::dtype;
using tgmap::encoding;
using tgmap::filter;
using tgmap::mask_method;
using tgmap::pipeline;

namespace {

using shape = std::vector<std::uint64_t>;

constexpr tgmap::byte_order foreign_order =
    tgmap::native_byte_order == tgmap::byte_order::little ? tgmap::byte_order::big : tgmap::byte_order::little;

bool computes(const pipeline& how) {
  return how.encoding == encoding::simple_packing || how.compression == compression::zfp ||
         how.compression == compression::sz3;
}

/// Returns the error bound for the values of elements_of, which are within 280 ± 20.1.
double bound_of(const pipeline& how) {
  constexpr double range = 40.2;
  if (how.encoding == encoding::simple_packing) {
    if (how.packing.max_error) return *how.packing.max_error;
    if (how.packing.bits == 0) return range;
    const double steps = static_cast<double>((std::uint64_t{1} << std::min(how.packing.bits, 63U)) - 1);
    if (how.packing.reference) return 64 / steps;
    return range / steps + 1e-12;  // half a step; steps are powers of two
  }
  if (how.compression == compression::sz3)
    return how.sz3.mode == tgmap::sz3_bound::absolute ? how.sz3.bound : range / 100;
  if (how.compression == compression::zfp)
    return how.zfp.mode == tgmap::zfp_mode::fixed_accuracy ? how.zfp.tolerance : range / 100;
  return 0;
}

recipe make(std::string name, dtype type, shape extents, const pipeline& how, tgmap::byte_order order,
            unsigned not_finite = finite) {
  recipe out;
  out.name = std::move(name);
  out.is_smooth = computes(how);
  const auto count = std::accumulate(extents.begin(), extents.end(), std::uint64_t{1}, std::multiplies<>());
  out.expected = elements_of(type, count, out.is_smooth, not_finite, static_cast<unsigned>(count) + 7);
  out.elements = order == tgmap::native_byte_order ? out.expected : swapped(type, out.expected);
  out.object.dtype = type;
  out.object.shape = std::move(extents);
  out.object.byte_order = order;
  out.object.pipeline = how;
  out.bound = bound_of(how);
  return out;
}

struct named_pipeline {
  std::string name;
  pipeline how;
};

std::vector<named_pipeline> compressions() {
  std::vector<named_pipeline> out = {{"none", {}}};
  out.push_back({"szip", {.compression = compression::szip}});
  out.push_back({"szip-64", {.compression = compression::szip, .szip = {.rsi = 2, .block_size = 64, .flags = 9}}});
  out.push_back({"zstd", {.compression = compression::zstd}});
  out.push_back({"zstd-1", {.compression = compression::zstd, .zstd_level = 1}});
  out.push_back({"lz4", {.compression = compression::lz4}});
  for (const auto codec : {tgmap::blosc2_codec::blosclz, tgmap::blosc2_codec::lz4, tgmap::blosc2_codec::lz4hc,
                           tgmap::blosc2_codec::zlib, tgmap::blosc2_codec::zstd})
    out.push_back(
        {"blosc2-" + std::to_string(static_cast<int>(codec)),
         {.compression = compression::blosc2, .blosc2 = {.codec = codec, .level = 9 - static_cast<int>(codec)}}});
  out.push_back({"rle", {.compression = compression::rle}});
  out.push_back({"roaring", {.compression = compression::roaring}});
  return out;
}

std::vector<named_pipeline> computing() {
  std::vector<named_pipeline> out;
  const auto zfp = [&](std::string name, tgmap::zfp_options how) {
    out.push_back({"zfp-" + name, {.compression = compression::zfp, .zfp = how}});
  };
  zfp("rate", {.mode = tgmap::zfp_mode::fixed_rate, .rate = 32});
  zfp("precision", {.mode = tgmap::zfp_mode::fixed_precision, .precision = 30});
  zfp("accuracy", {.mode = tgmap::zfp_mode::fixed_accuracy, .tolerance = 1e-3});
  const auto sz3 = [&](std::string name, tgmap::sz3_options how) {
    out.push_back({"sz3-" + name, {.compression = compression::sz3, .sz3 = how}});
  };
  sz3("absolute", {.mode = tgmap::sz3_bound::absolute, .bound = 1e-3});
  sz3("relative", {.mode = tgmap::sz3_bound::relative, .bound = 1e-3});
  sz3("psnr", {.mode = tgmap::sz3_bound::psnr, .bound = 80});
  for (const auto& each : compressions())
    for (const bool shuffled : {false, true})
      for (const unsigned bits : {0U, 1U, 8U, 12U, 16U, 24U, 32U, 53U}) {
        named_pipeline one = each;
        one.name = "packed-" + std::to_string(bits) + (shuffled ? "-shuffle-" : "-") + each.name;
        one.how.encoding = encoding::simple_packing;
        one.how.filter = shuffled ? filter::shuffle : filter::none;
        one.how.packing.bits = bits;
        const bool nothing = bits == 0 && each.how.compression == compression::blosc2;  // c-blosc2 rejects empty input
        if (!nothing && !tgmap::validate_pipeline(one.how, dtype::float64)) out.push_back(std::move(one));
      }
  out.push_back({"packed-error", {.encoding = encoding::simple_packing, .packing = {.max_error = 0.01}}});
  out.push_back(
      {"packed-decimal", {.encoding = encoding::simple_packing, .packing = {.bits = 20, .decimal_scale = 2}}});
  for (const unsigned bits : {13U, 20U, 32U})
    out.push_back({"packed-given",
                   {.encoding = encoding::simple_packing,
                    .packing = {.bits = bits, .reference = 259.0, .binary_scale = 6 - static_cast<int>(bits)}}});
  return out;
}

/// Adds recipes in both byte orders, if the pipeline accepts the dtype.
void add(group& to, const std::string& name, const pipeline& how, dtype type, const shape& extents) {
  if (tgmap::validate_pipeline(how, type)) return;
  for (const auto order : {tgmap::native_byte_order, foreign_order})
    to.recipes.push_back(make(name + "/" + std::string(tgmap::to_string_view(type)), type, extents, how, order));
}

template <class F>
void for_every_dtype(F&& f) {
  for (std::size_t i = 0; i < tgmap::dtype_count; ++i) f(static_cast<dtype>(i));
}

std::vector<group> lossless_groups() {
  std::vector<group> out;
  for (const auto& each : compressions())
    for (const bool shuffled : {false, true}) {
      pipeline how = each.how;
      how.filter = shuffled ? filter::shuffle : filter::none;
      group one{.name = (shuffled ? "shuffle-" : "") + each.name};
      for_every_dtype([&](dtype type) { add(one, one.name, how, type, {4, 16}); });
      if (!one.recipes.empty()) out.push_back(std::move(one));
    }
  return out;
}

/// Returns every shape without a codec, and with one codec of each kind if it accepts the number of elements.
std::vector<group> shape_groups() {
  const std::vector<shape> extents = {{},
                                      {1},
                                      {0},
                                      {3, 0, 2},
                                      {17},
                                      {1, 1},
                                      {2, 3, 4},
                                      {5, 1, 2, 2},
                                      {1, 2, 1, 3, 1, 2, 1, 2},
                                      {0, 0, 0, 0, 0, 0, 0, 0}};
  group plain{.name = "shapes"}, coded{.name = "shapes-coded"};
  for (const auto& each : extents) {
    for (const auto type : {dtype::bitmask, dtype::uint8, dtype::int16, dtype::float32, dtype::complex128})
      add(plain, "shape", {}, type, each);
    const bool none = std::ranges::count(each, 0U) != 0;
    for (const auto which : {compression::szip, compression::zstd, compression::lz4, compression::blosc2}) {
      if (none && which == compression::blosc2) continue;  // c-blosc2 rejects empty input
      add(coded, "shape", {.compression = which}, dtype::int32, each);
    }
    add(coded, "shape", {.filter = filter::shuffle}, dtype::int64, each);
    add(coded, "shape", {.encoding = encoding::simple_packing}, dtype::float64, each);
    if (!none) add(coded, "shape", {.compression = compression::zfp}, dtype::float64, each);
  }
  return {plain, coded, {.name = "no-objects"}};
}

/// Returns NaN and infinities of every float dtype, alone and together, with and without the exception for small masks.
std::vector<group> mask_groups() {
  std::vector<group> out;
  const std::pair<const char*, std::optional<mask_method>> methods[] = {
      {"none", mask_method::none}, {"rle", mask_method::rle},   {"roaring", mask_method::roaring},
      {"lz4", mask_method::lz4},   {"zstd", mask_method::zstd}, {"blosc2", mask_method::blosc2},
      {"smallest", std::nullopt},
  };
  for (const auto& [name, method] : methods) {
    group one{.name = std::string("mask-") + name};
    pipeline how;
    how.missing = {.allow_nan = true,
                   .allow_infinity = true,
                   .nan = method,
                   .positive_infinity = method,
                   .negative_infinity = method};
    for (const std::uint64_t small : {0U, 128U}) {
      how.missing.small_mask_bytes = small;
      for_every_dtype([&](dtype type) {
        if (!is_float(type)) return;
        for (const unsigned which : {nan, positive, negative, every_kind})
          one.recipes.push_back(make(one.name + "/" + std::string(tgmap::to_string_view(type)), type, {3, 50}, how,
                                     which == nan ? foreign_order : tgmap::native_byte_order, which));
      });
    }
    how.compression = compression::zstd;
    one.recipes.push_back(make(one.name + "/zstd", dtype::float32, {1500}, how, tgmap::native_byte_order, every_kind));
    out.push_back(std::move(one));
  }
  return out;
}

/// Returns masks with packed values, among which the masked ones are zeros.
group masked_packing() {
  group out{.name = "mask-packed"};
  pipeline how{.encoding = encoding::simple_packing, .packing = {.bits = 24, .reference = 0.0, .binary_scale = -14}};
  how.missing = {.allow_nan = true, .allow_infinity = true};
  for (const unsigned which : {nan, every_kind}) {
    out.recipes.push_back(make("mask/packed", dtype::float64, {300}, how, tgmap::native_byte_order, which));
    out.recipes.back().bound = 0x1p-15;
  }
  return out;
}

}  // namespace

std::vector<group> groups(int version) {
  std::vector<group> out = lossless_groups();
  for (auto& each : shape_groups()) out.push_back(std::move(each));
  group lossy{.name = "computed"};
  for (const auto& each : computing()) {
    const bool all_alike = each.how.encoding == encoding::simple_packing && each.how.packing.bits == 0;
    add(lossy, each.name, each.how, dtype::float64, {all_alike ? 1U : 1008U});
  }
  out.push_back(std::move(lossy));
  if (version == 2) {
    // Releases that read version 2 know neither masks nor these codecs, and lose bits that were shuffled before szip.
    for (group& each : out)
      std::erase_if(each.recipes, [](const recipe& r) {
        const auto how = r.object.pipeline.compression;
        return how == compression::rle || how == compression::roaring ||
               (how == compression::szip && r.object.dtype == dtype::bitmask);
      });
    std::erase_if(out, [](const group& g) { return g.recipes.empty() && g.name != "no-objects"; });
    return out;
  }
  for (auto& each : mask_groups()) out.push_back(std::move(each));
  out.push_back(masked_packing());
  return out;
}

}  // namespace tgmap_interop
