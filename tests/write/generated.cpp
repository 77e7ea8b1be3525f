// SPDX-License-Identifier: Apache-2.0
#include "write/generated.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tgmap_test {

using tgmap::cbor_value;
using tgmap::dtype;

std::uint8_t choices::byte() noexcept {
  if (left_.empty()) return 0;
  const std::uint8_t out = left_.front();
  left_ = left_.subspan(1);
  return out;
}

std::uint64_t choices::number() noexcept {
  std::uint64_t out = 0;
  for (unsigned n = byte() % 9; n-- > 0;) out = out << 8 | byte();
  return out;
}

std::string choices::text(unsigned most) {
  std::string out(below(most + 1), '\0');
  for (char& each : out) each = static_cast<char>(byte());
  return out;
}

namespace {

constexpr std::string_view usual_keys[] = {"a", "mars", "step", "param", "name", "a key longer than twenty-three bytes",
                                           ""};

std::string make_key(choices& of) {
  const unsigned which = of.below(std::size(usual_keys) + 2);
  if (which < std::size(usual_keys)) return std::string(usual_keys[which]);
  std::string out = of.text(5);
  for (char& each : out) each = static_cast<char>('a' + (each & 15));  // what is no UTF-8 is repaired: item_fuzz
  return out;
}

cbor_value make_map(choices& of, unsigned depth) {
  cbor_value out = cbor_value::map();
  for (unsigned n = of.below(4); n-- > 0;) {
    const std::string key = make_key(of);
    const cbor_value::pair one[] = {{key, make_item(of, depth)}};
    out.update(cbor_value::map(one));
  }
  return out;
}

/// Components of floats: which bits say that they are no number.
struct float_bits {
  std::uint64_t exponent, fraction;
};

float_bits bits_of(dtype type) {
  switch (type) {
    case dtype::float16: return {0x7c00, 0x03ff};
    case dtype::bfloat16: return {0x7f80, 0x007f};
    case dtype::float32:
    case dtype::complex64: return {0x7f800000, 0x007fffff};
    default: return {0x7ff0000000000000, 0x000fffffffffffff};
  }
}

std::uint64_t component(const char* at, std::size_t unit) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < unit; ++i)
    out |= std::uint64_t{static_cast<unsigned char>(
               at[tgmap::native_byte_order == tgmap::byte_order::little ? i : unit - 1 - i])}
           << (8 * i);
  return out;
}

void put_component(std::uint64_t value, char* at, std::size_t unit) {
  for (std::size_t i = 0; i < unit; ++i)
    at[tgmap::native_byte_order == tgmap::byte_order::little ? i : unit - 1 - i] = static_cast<char>(value >> (8 * i));
}

/// An element that is not finite becomes what its mask says (format §6.2).
void mask_element(dtype type, char* element) {
  const auto [exponent, fraction] = bits_of(type);
  const std::size_t unit = tgmap::swap_unit(type), width = tgmap::element_size(type);
  const std::uint64_t sign = std::uint64_t{1} << (8 * unit - 1);
  bool nan = false, positive = false, negative = false;
  for (std::size_t at = 0; at < width; at += unit) {
    const std::uint64_t bits = component(element + at, unit);
    if ((bits & exponent) != exponent) continue;
    nan |= (bits & fraction) != 0;
    positive |= (bits & fraction) == 0 && (bits & sign) == 0;
    negative |= (bits & fraction) == 0 && (bits & sign) != 0;
  }
  if (!nan && !positive && !negative) return;
  const std::uint64_t canonical = nan ? exponent | (fraction + 1) >> 1 : positive ? exponent : exponent | sign;
  for (std::size_t at = 0; at < width; at += unit) put_component(canonical, element + at, unit);
}

template <class Enum>
Enum any_of(choices& of, unsigned count) {
  return static_cast<Enum>(of.below(count));
}

std::optional<tgmap::mask_method> make_method(choices& of) {
  const unsigned which = of.below(7);
  if (which == 6) return {};
  return static_cast<tgmap::mask_method>(which);
}

tgmap::pipeline make_pipeline(choices& of, dtype type) {
  tgmap::pipeline out;
  if (type == dtype::float64 && of.one_in(3)) out.encoding = tgmap::encoding::simple_packing;
  if (of.one_in(3)) out.filter = tgmap::filter::shuffle;
  if (of.one_in(2)) out.compression = any_of<tgmap::compression>(of, 9);
  out.packing.bits = of.below(66);
  out.packing.decimal_scale = static_cast<int>(of.below(9)) - 4;
  if (of.one_in(4)) out.packing.reference = static_cast<std::int8_t>(of.byte());
  if (of.one_in(4)) out.packing.binary_scale = static_cast<std::int8_t>(of.byte()) % 20;
  if (of.one_in(4)) out.packing.max_error = std::ldexp(1.0, -static_cast<int>(of.below(12)));
  if (of.one_in(8)) out.shuffle_size = of.below(10);
  out.szip = {.rsi = 1 + of.below(200), .block_size = 8U << of.below(5), .flags = of.one_in(8) ? of.byte() : 8U};
  out.zstd_level = static_cast<int>(of.below(6)) - 2;
  out.blosc2 = {.codec = any_of<tgmap::blosc2_codec>(of, 5), .level = static_cast<int>(of.below(11))};
  out.zfp = {.mode = any_of<tgmap::zfp_mode>(of, 3),
             .rate = static_cast<double>(of.below(66)),
             .precision = of.below(66),
             .tolerance = std::ldexp(1.0, -static_cast<int>(of.below(12)))};
  out.sz3 = {.mode = any_of<tgmap::sz3_bound>(of, 3), .bound = std::ldexp(1.0, -static_cast<int>(of.below(12)))};
  out.missing = {.allow_nan = of.one_in(2),
                 .allow_infinity = of.one_in(2),
                 .nan = make_method(of),
                 .positive_infinity = make_method(of),
                 .negative_infinity = make_method(of),
                 .small_mask_bytes = of.one_in(2) ? 0U : 128U,
                 .check_elements = !of.one_in(4)};
  out.store_levels = !of.one_in(4);
  return out;
}

std::vector<std::uint64_t> make_shape(choices& of) {
  std::vector<std::uint64_t> out(of.one_in(8) ? of.below(9) : of.below(4));
  std::uint64_t all = 1;
  for (auto& extent : out) {
    extent = of.one_in(16) ? of.below(60) : of.below(6);
    if (all * extent > 3000) extent = 1;
    all *= extent;
  }
  return out;
}

std::uint64_t count_of(const std::vector<std::uint64_t>& shape) {
  std::uint64_t out = 1;
  for (const auto extent : shape) out *= extent;
  return out;
}

/// Strides of a layout that holds every element: axes in any order, gaps, backwards, or the same again.
void make_strides(choices& of, tgmap::new_object& to, std::uint64_t& room) {
  const std::size_t rank = to.shape.size();
  std::vector<std::size_t> axes(rank);
  for (std::size_t d = 0; d < rank; ++d) axes[d] = d;
  for (std::size_t d = rank; d > 1; --d) std::swap(axes[d - 1], axes[of.below(static_cast<unsigned>(d))]);
  to.strides.assign(rank, 0);
  std::uint64_t step = 1 + of.below(2);
  room = 1;
  for (const std::size_t d : axes) {
    if (of.one_in(10)) continue;  // 0: the same elements again
    const std::uint64_t extent = std::max<std::uint64_t>(to.shape[d], 1);
    const std::uint64_t reach = (extent - 1) * step;
    to.strides[d] = static_cast<std::int64_t>(step);
    if (of.one_in(4)) {
      to.strides[d] = -to.strides[d];
      to.data_offset += reach;
    }
    room += reach;
    step = step * extent + of.below(2);
  }
}

/// The elements at their indices, one after the other.
std::string gathered(const tgmap::new_object& from, const std::string& data) {
  const std::size_t width = tgmap::element_size(from.dtype);
  std::string out;
  for (std::uint64_t n = 0, all = count_of(from.shape); n < all; ++n) {
    std::int64_t at = static_cast<std::int64_t>(from.data_offset);
    std::uint64_t left = n;
    for (std::size_t d = from.shape.size(); d-- > 0; left /= from.shape[d])
      at += static_cast<std::int64_t>(left % from.shape[d]) * from.strides[d];
    out += data.substr(static_cast<std::size_t>(at) * width, width);
  }
  return out;
}

std::string make_elements(choices& of, dtype type, std::uint64_t count, bool smooth) {
  std::string out(static_cast<std::size_t>(tgmap::size_bytes(type, count).value()), '\0');
  if (smooth) {
    for (std::size_t i = 0; i < count; ++i) {
      const double value = static_cast<std::int8_t>(of.byte()) / 4.0 + static_cast<double>(i) / 16;
      std::memcpy(out.data() + 8 * i, &value, 8);
    }
  } else {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<char>(of.any_left() ? of.byte() : i * 37);
  }
  const std::size_t width = tgmap::element_size(type);
  if (type <= dtype::complex128 && count != 0)
    for (unsigned n = of.below(6); n-- > 0;) {
      const std::size_t unit = tgmap::swap_unit(type);
      const auto [exponent, fraction] = bits_of(type);
      const std::uint64_t odd[] = {exponent, exponent | fraction, exponent | std::uint64_t{1} << (8 * unit - 1),
                                   exponent | 1};
      put_component(odd[of.below(4)], out.data() + of.below(static_cast<unsigned>(count)) * width, unit);
    }
  if (type == dtype::bitmask && count % 8 != 0) out.back() &= static_cast<char>(0xff << (8 - count % 8));
  return out;
}

void swap_bytes(dtype type, std::string& elements) {
  const std::size_t unit = tgmap::swap_unit(type);
  for (std::size_t at = 0; unit > 1 && at < elements.size(); at += unit)
    std::reverse(elements.data() + at, elements.data() + at + unit);
}

/// Of doubles as codecs see them: what is masked is zero, and NaN and infinities among the others do not count.
struct extremes {
  explicit extremes(const std::string& doubles) {
    for (std::size_t at = 0; at < doubles.size(); at += sizeof(double)) {
      double each = 0;
      std::memcpy(&each, doubles.data() + at, sizeof(each));
      masked |= !std::isfinite(each);
      if (!std::isfinite(each)) continue;
      least = any ? std::min(least, each) : each;
      greatest = any ? std::max(greatest, each) : each;
      any = true;
    }
  }
  double range() const { return greatest - least; }
  double range_with_zeros() const { return masked ? std::max(greatest, 0.0) - std::min(least, 0.0) : range(); }
  double magnitude() const { return std::max(std::abs(least), std::abs(greatest)); }

  bool any = false, masked = false;
  double least = 0, greatest = 0;
};

/// Half a step: of given parameters, or of those that spread the integers over the range, which a power of two as step
/// at most halves.
double packing_bound(const tgmap::packing_options& how, const extremes& of) {
  if (how.max_error) return *how.max_error;
  if (how.reference) return std::ldexp(std::pow(10.0, -how.decimal_scale), how.binary_scale.value_or(0)) / 2;
  return how.bits == 0 ? 0 : of.range() / (std::ldexp(1.0, static_cast<int>(how.bits)) - 1);
}

double sz3_bound_of(const tgmap::sz3_options& how, const extremes& of) {
  switch (how.mode) {
    case tgmap::sz3_bound::absolute: return how.bound;
    case tgmap::sz3_bound::relative: return how.bound * of.range_with_zeros();
    default: return std::sqrt(3.0) * std::pow(10.0, -how.bound / 20) * of.range_with_zeros();  // of an even error
  }
}

/// Blocks of four have a common exponent, and lose what is below so many bits of it, and four more in the transform. Of
/// a rate, 12 bits are for the exponent; a plane of bits takes no more than two for each element.
double zfp_bound_of(const tgmap::zfp_options& how, const extremes& of) {
  if (how.mode == tgmap::zfp_mode::fixed_accuracy) return how.tolerance;
  const double planes =
      how.mode == tgmap::zfp_mode::fixed_precision ? how.precision : std::floor(std::max(4 * how.rate - 12, 0.0) / 8);
  return of.magnitude() * std::exp2(5 - planes);
}

/// How far a value may be from what it was, with what arithmetic in doubles adds.
double bound_of(const tgmap::pipeline& how, const std::string& elements) {
  const extremes of(elements);
  const double roundings = std::ldexp(of.magnitude() + std::abs(how.packing.reference.value_or(0)) + of.range(), -49);
  if (how.encoding == tgmap::encoding::simple_packing) return packing_bound(how.packing, of) + roundings;
  return (how.compression == tgmap::compression::sz3 ? sz3_bound_of(how.sz3, of) : zfp_bound_of(how.zfp, of)) +
         roundings;
}

void make_object(choices& of, made_message& into) {
  tgmap::new_object out;
  made_object made;
  out.dtype = any_of<dtype>(of, tgmap::dtype_count);
  out.shape = make_shape(of);
  out.pipeline = make_pipeline(of, out.dtype);
  if (tgmap::validate_pipeline(out.pipeline, out.dtype) && !of.one_in(8)) {
    const auto missing = out.pipeline.missing;
    out.pipeline = {.missing = missing};
  }
  const auto& how = out.pipeline;
  made.lossless = how.encoding == tgmap::encoding::none && how.compression != tgmap::compression::zfp &&
                  how.compression != tgmap::compression::sz3;
  made.refused_early = static_cast<bool>(tgmap::validate_pipeline(how, out.dtype));

  std::uint64_t room = count_of(out.shape);
  const bool strided = out.dtype != dtype::bitmask && of.one_in(3);
  if (strided) make_strides(of, out, room);
  std::string data = make_elements(of, out.dtype, room, !made.lossless && out.dtype == dtype::float64);
  made.elements = strided ? gathered(out, data) : data;
  if (of.one_in(3)) {
    out.byte_order = out.byte_order == tgmap::byte_order::little ? tgmap::byte_order::big : tgmap::byte_order::little;
    swap_bytes(out.dtype, data);
  }
  if (of.one_in(4)) out.stored_byte_order = any_of<tgmap::byte_order>(of, 2);
  if (of.one_in(40) && !data.empty()) data.pop_back();  // is refused
  if (out.dtype <= dtype::complex128 && how.missing.check_elements)
    for (std::size_t at = 0; at < made.elements.size(); at += tgmap::element_size(out.dtype))
      mask_element(out.dtype, made.elements.data() + at);
  if (!made.lossless && out.dtype == dtype::float64) made.bound = bound_of(how, made.elements);
  out.base = make_map(of, 2);
  if (of.one_in(4)) out.descriptor_extra = cbor_value::map({{"note", make_item(of, 1)}});
  if (of.one_in(40))
    (of.one_in(2) ? out.descriptor_extra : out.base) =
        cbor_value::map({{"_reserved_", 1}, {"shape", 2}});  // is refused
  out.preceder = of.one_in(4);
  into.memory.push_back(std::move(data));
  out.data = std::as_bytes(std::span(into.memory.back()));
  into.message.objects.emplace_back(std::move(out));
  into.objects.push_back(std::move(made));
}

bool same_elements(const made_object& made, std::span<const std::byte> found) {
  if (found.size() != made.elements.size()) return false;
  if (std::memcmp(found.data(), made.elements.data(), found.size()) == 0) return true;
  if (made.lossless) return false;
  for (std::size_t at = 0; at < found.size(); at += sizeof(double)) {
    double was = 0, is = 0;
    std::memcpy(&was, made.elements.data() + at, sizeof(was));
    std::memcpy(&is, found.data() + at, sizeof(is));
    if (std::isfinite(was) ? !(std::abs(was - is) <= made.bound)
                           : std::memcmp(made.elements.data() + at, found.data() + at, sizeof(is)) != 0)
      return false;
  }
  return true;
}

cbor_value keys_of_message(const tgmap::message& from) {
  cbor_value out = cbor_value::map();
  const auto keys = from.metadata();
  for (const auto& entry : keys.entries()) {
    const cbor_value::pair one[] = {{entry.key, cbor_value::copy(entry.value)}};
    out.update(cbor_value::map(one));
  }
  return out;
}

std::vector<std::byte> write_stored(const made_message& made, tgmap::failure& why) {
  tgmap::memory_sink once;
  tgmap::writer first(once, made.options);
  first.write(made.message, why);
  if (why) return {};
  const auto archive = tgmap::archive::from_memory(once.bytes());
  tgmap::new_message again{.extra = made.message.extra};
  for (std::size_t j = 0; j < made.objects.size(); ++j) {
    auto one = tgmap::stored_object::of(archive[0], j, made.options.version);
    if (j % 2 != 0) one.source = archive[0][j];
    again.objects.emplace_back(std::move(one));
  }
  tgmap::memory_sink to;
  tgmap::writer second(to, made.options);
  second.write(again);
  second.write(archive[0]);  // as it lies
  auto out = to.release();
  const bool same = std::equal(once.bytes().begin(), once.bytes().end(),
                               out.end() - static_cast<std::ptrdiff_t>(once.bytes().size()));
  if (!same) why = {.code = tgmap::errc::damaged};
  out.resize(out.size() - once.bytes().size());
  return out;
}

}  // namespace

cbor_value make_item(choices& of, unsigned depth) {
  switch (of.below(depth == 0 ? 9 : 12)) {
    case 0: return {};
    case 1: return of.one_in(2);
    case 2: return of.number();
    case 3: return static_cast<std::int64_t>(of.number());
    case 4: return cbor_value::negative(of.number());
    case 5: {
      const std::uint64_t bits = of.number() << of.below(64);
      double value;
      std::memcpy(&value, &bits, sizeof(value));
      return value;
    }
    case 6: return static_cast<float>(static_cast<std::int8_t>(of.byte())) / 8;
    case 7: return make_key(of);
    case 8: {
      const std::string bytes = of.text(30);
      return cbor_value::bytes(std::as_bytes(std::span(bytes)));
    }
    case 9: return cbor_value::tagged(of.number(), make_item(of, depth - 1));
    case 10: {
      std::vector<cbor_value> elements(of.below(4));
      for (cbor_value& each : elements) each = make_item(of, depth - 1);
      return cbor_value::array(std::span<const cbor_value>(elements));
    }
    default: return make_map(of, depth - 1);
  }
}

made_message make_message(choices& of) {
  made_message out;
  out.options = {.version = of.one_in(3) ? 2 : 3,
                 .hashes = !of.one_in(4),
                 .index = any_of<tgmap::index_placement>(of, 3),
                 .hash_list = any_of<tgmap::index_placement>(of, 3),
                 .payload_alignment = std::uint64_t{8} << (of.one_in(4) ? of.below(10) : 0)};
  if (of.one_in(3)) out.options.provenance = tgmap::provenance::reproducible();
  out.backfill = of.one_in(2) && out.options.version == 3;
  out.message.extra = make_map(of, 3);
  for (unsigned n = of.below(5); n-- > 0;) make_object(of, out);
  return out;
}

bool is_refusal(const tgmap::failure& why) noexcept {
  using tgmap::errc;
  constexpr errc all[] = {errc::bad_combination,
                          errc::unsupported_dtype,
                          errc::unsupported_sample_bits,
                          errc::bad_parameter,
                          errc::codec_absent,
                          errc::non_finite,
                          errc::not_representable,
                          errc::unsupported_wire_version,
                          errc::payload_size_mismatch,
                          errc::invalid_strides,
                          errc::wrong_kind,
                          errc::reserved_key,
                          errc::too_large};
  return std::ranges::any_of(all, [&](errc each) { return why.code == each; });
}

std::vector<std::byte> write_by(write_route route, const made_message& made, tgmap::failure& why) {
  if (route == write_route::as_stored) return write_stored(made, why);
  tgmap::memory_sink to;
  if (route == write_route::buffered) {
    tgmap::writer out(to, made.options);
    out.write(made.message, why);
    return to.release();
  }
  tgmap::stream_writer out(to, made.message.extra, made.options);
  for (const auto& each : made.message.objects)
    if (!why) out.write(std::get<tgmap::new_object>(each), why);
  if (why) return {};
  out.finish(made.backfill, why);
  return to.release();
}

std::string difference(const made_message& made, const tgmap::archive& from) {
  if (from.size() != 1) return "not one message";
  const tgmap::message m = from[0];
  if (m.version() != made.options.version) return "another version";
  if (m.size() != made.objects.size()) return "another number of objects";
  if (!(keys_of_message(m) == made.message.extra)) return "other keys of the message";
  for (std::size_t j = 0; j < m.size(); ++j) {
    const std::string where = "object " + std::to_string(j) + ": ";
    const auto& in = std::get<tgmap::new_object>(made.message.objects[j]);
    const tgmap::tensor found = m[j].decode();
    if (found.dtype() != in.dtype) return where + "another dtype";
    if (!std::ranges::equal(found.shape(), in.shape)) return where + "another shape";
    if (!same_elements(made.objects[j], found.bytes())) return where + "other values";
    if (!(tgmap::stored_object::of(m, j, made.options.version).base == in.base)) return where + "other keys";
    const auto hash = m[j].verify();
    const bool some = made.options.hashes;
    if (hash != (some ? tgmap::hash_result::match : tgmap::hash_result::absent)) return where + "digest";
  }
  return {};
}

}  // namespace tgmap_test
