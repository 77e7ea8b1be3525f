// SPDX-License-Identifier: Apache-2.0
#include "support/forged/random_message.hpp"

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

std::string choices::text(unsigned max_size) {
  std::string out(below(max_size + 1), '\0');
  for (char& each : out) each = static_cast<char>(byte());
  return out;
}

namespace {

constexpr std::string_view common_keys[] = {
    "a", "mars", "step", "param", "name", "a key longer than twenty-three bytes", ""};

std::string make_key(choices& choices) {
  const unsigned which = choices.below(std::size(common_keys) + 2);
  if (which < std::size(common_keys)) return std::string(common_keys[which]);
  std::string out = choices.text(5);
  for (char& each : out) each = static_cast<char>('a' + (each & 15));  // invalid UTF-8 would be repaired
  return out;
}

cbor_value make_map(choices& choices, unsigned depth) {
  cbor_value out = cbor_value::map();
  for (unsigned n = choices.below(4); n-- > 0;) {
    const std::string key = make_key(choices);
    const cbor_value::pair one[] = {{key, make_value(choices, depth)}};
    out.update(cbor_value::map(one));
  }
  return out;
}

/// Bits of a float that tell NaN and infinities.
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

/// Replaces an element that is not finite by the value that its mask restores (format §6.2).
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
Enum any_of(choices& choices, unsigned count) {
  return static_cast<Enum>(choices.below(count));
}

std::optional<tgmap::mask_method> make_method(choices& choices) {
  const unsigned which = choices.below(7);
  if (which == 6) return {};
  return static_cast<tgmap::mask_method>(which);
}

tgmap::pipeline make_pipeline(choices& choices, dtype type) {
  tgmap::pipeline out;
  if (type == dtype::float64 && choices.one_in(3)) out.encoding = tgmap::encoding::simple_packing;
  if (choices.one_in(3)) out.filter = tgmap::filter::shuffle;
  if (choices.one_in(2)) out.compression = any_of<tgmap::compression>(choices, 9);
  out.packing.bits = choices.below(66);
  out.packing.decimal_scale = static_cast<int>(choices.below(9)) - 4;
  if (choices.one_in(4)) out.packing.reference = static_cast<std::int8_t>(choices.byte());
  if (choices.one_in(4)) out.packing.binary_scale = static_cast<std::int8_t>(choices.byte()) % 20;
  if (choices.one_in(4)) out.packing.max_error = std::ldexp(1.0, -static_cast<int>(choices.below(12)));
  if (choices.one_in(8)) out.shuffle_size = choices.below(10);
  out.szip = {.rsi = 1 + choices.below(200),
              .block_size = 8U << choices.below(5),
              .flags = choices.one_in(8) ? choices.byte() : 8U};
  out.zstd_level = static_cast<int>(choices.below(6)) - 2;
  out.blosc2 = {.codec = any_of<tgmap::blosc2_codec>(choices, 5), .level = static_cast<int>(choices.below(11))};
  out.zfp = {.mode = any_of<tgmap::zfp_mode>(choices, 3),
             .rate = static_cast<double>(choices.below(66)),
             .precision = choices.below(66),
             .tolerance = std::ldexp(1.0, -static_cast<int>(choices.below(12)))};
  out.sz3 = {.mode = any_of<tgmap::sz3_bound>(choices, 3),
             .bound = std::ldexp(1.0, -static_cast<int>(choices.below(12)))};
  out.missing = {.allow_nan = choices.one_in(2),
                 .allow_infinity = choices.one_in(2),
                 .nan = make_method(choices),
                 .positive_infinity = make_method(choices),
                 .negative_infinity = make_method(choices),
                 .small_mask_bytes = choices.one_in(2) ? 0U : 128U,
                 .check_elements = !choices.one_in(4)};
  out.store_levels = !choices.one_in(4);
  return out;
}

std::vector<std::uint64_t> make_shape(choices& choices) {
  std::vector<std::uint64_t> out(choices.one_in(8) ? choices.below(9) : choices.below(4));
  std::uint64_t all = 1;
  for (auto& extent : out) {
    extent = choices.one_in(16) ? choices.below(60) : choices.below(6);
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

/// Chooses strides: axes in any order, with gaps, backwards, or with repeated elements. `room` is the number of
/// elements that they span.
void make_strides(choices& choices, tgmap::new_object& object, std::uint64_t& room) {
  const std::size_t rank = object.shape.size();
  std::vector<std::size_t> axes(rank);
  for (std::size_t d = 0; d < rank; ++d) axes[d] = d;
  for (std::size_t d = rank; d > 1; --d) std::swap(axes[d - 1], axes[choices.below(static_cast<unsigned>(d))]);
  object.strides.assign(rank, 0);
  std::uint64_t step = 1 + choices.below(2);
  room = 1;
  for (const std::size_t d : axes) {
    if (choices.one_in(10)) continue;  // stride 0 repeats elements
    const std::uint64_t extent = std::max<std::uint64_t>(object.shape[d], 1);
    const std::uint64_t reach = (extent - 1) * step;
    object.strides[d] = static_cast<std::int64_t>(step);
    if (choices.one_in(4)) {
      object.strides[d] = -object.strides[d];
      object.data_offset += reach;
    }
    room += reach;
    step = step * extent + choices.below(2);
  }
}

/// Returns the elements in C order.
std::string gather(const tgmap::new_object& object, const std::string& data) {
  const std::size_t width = tgmap::element_size(object.dtype);
  std::string out;
  for (std::uint64_t n = 0, all = count_of(object.shape); n < all; ++n) {
    std::int64_t at = static_cast<std::int64_t>(object.data_offset);
    std::uint64_t left = n;
    for (std::size_t d = object.shape.size(); d-- > 0; left /= object.shape[d])
      at += static_cast<std::int64_t>(left % object.shape[d]) * object.strides[d];
    out += data.substr(static_cast<std::size_t>(at) * width, width);
  }
  return out;
}

std::string make_elements(choices& choices, dtype type, std::uint64_t count, bool smooth) {
  std::string out(static_cast<std::size_t>(tgmap::size_bytes(type, count).value()), '\0');
  if (smooth) {
    for (std::size_t i = 0; i < count; ++i) {
      const double value = static_cast<std::int8_t>(choices.byte()) / 4.0 + static_cast<double>(i) / 16;
      std::memcpy(out.data() + 8 * i, &value, 8);
    }
  } else {
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = static_cast<char>(choices.any_left() ? choices.byte() : i * 37);
  }
  const std::size_t width = tgmap::element_size(type);
  if (type <= dtype::complex128 && count != 0)
    for (unsigned n = choices.below(6); n-- > 0;) {
      const std::size_t unit = tgmap::swap_unit(type);
      const auto [exponent, fraction] = bits_of(type);
      const std::uint64_t odd[] = {exponent, exponent | fraction, exponent | std::uint64_t{1} << (8 * unit - 1),
                                   exponent | 1};
      put_component(odd[choices.below(4)], out.data() + choices.below(static_cast<unsigned>(count)) * width, unit);
    }
  if (type == dtype::bitmask && count % 8 != 0) out.back() &= static_cast<char>(0xff << (8 - count % 8));
  return out;
}

void swap_bytes(dtype type, std::string& elements) {
  const std::size_t unit = tgmap::swap_unit(type);
  for (std::size_t at = 0; unit > 1 && at < elements.size(); at += unit)
    std::reverse(elements.data() + at, elements.data() + at + unit);
}

/// Minimum and maximum of doubles without NaN and infinities, which codecs see as zeros.
struct extremes {
  explicit extremes(const std::string& doubles) {
    for (std::size_t at = 0; at < doubles.size(); at += sizeof(double)) {
      double each = 0;
      std::memcpy(&each, doubles.data() + at, sizeof(each));
      masked |= !std::isfinite(each);
      if (!std::isfinite(each)) continue;
      min = any ? std::min(min, each) : each;
      max = any ? std::max(max, each) : each;
      any = true;
    }
  }
  double range() const { return max - min; }
  double range_with_zeros() const { return masked ? std::max(max, 0.0) - std::min(min, 0.0) : range(); }
  double magnitude() const { return std::max(std::abs(min), std::abs(max)); }

  bool any = false, masked = false;
  double min = 0, max = 0;
};

/// Returns half a step, of the given parameters or of those that spread the integers over the range. The step is a
/// power of two, so the integers use at least half of the range.
double packing_bound(const tgmap::packing_options& how, const extremes& of) {
  if (how.max_error) return *how.max_error;
  if (how.reference) return std::ldexp(std::pow(10.0, -how.decimal_scale), how.binary_scale.value_or(0)) / 2;
  return how.bits == 0 ? 0 : of.range() / (std::ldexp(1.0, static_cast<int>(how.bits)) - 1);
}

double sz3_bound_of(const tgmap::sz3_options& how, const extremes& of) {
  switch (how.mode) {
    case tgmap::sz3_bound::absolute: return how.bound;
    case tgmap::sz3_bound::relative: return how.bound * of.range_with_zeros();
    default:
      return std::sqrt(3.0) * std::pow(10.0, -how.bound / 20) * of.range_with_zeros();  // for evenly distributed errors
  }
}

/// Blocks of four elements share an exponent, and lose bits below a number of planes, and four more in the transform. A
/// rate includes 12 bits for the exponent; a plane takes at most two bits for each element.
double zfp_bound_of(const tgmap::zfp_options& how, const extremes& of) {
  if (how.mode == tgmap::zfp_mode::fixed_accuracy) return how.tolerance;
  const double planes =
      how.mode == tgmap::zfp_mode::fixed_precision ? how.precision : std::floor(std::max(4 * how.rate - 12, 0.0) / 8);
  return of.magnitude() * std::exp2(5 - planes);
}

/// Returns the largest error of a value, including rounding errors of doubles.
double bound_of(const tgmap::pipeline& how, const std::string& elements) {
  const extremes of(elements);
  const double roundings = std::ldexp(of.magnitude() + std::abs(how.packing.reference.value_or(0)) + of.range(), -49);
  if (how.encoding == tgmap::encoding::simple_packing) return packing_bound(how.packing, of) + roundings;
  return (how.compression == tgmap::compression::sz3 ? sz3_bound_of(how.sz3, of) : zfp_bound_of(how.zfp, of)) +
         roundings;
}

void make_object(choices& choices, random_message& into) {
  tgmap::new_object out;
  random_object expected;
  out.dtype = any_of<dtype>(choices, tgmap::dtype_count);
  out.shape = make_shape(choices);
  out.pipeline = make_pipeline(choices, out.dtype);
  if (tgmap::validate_pipeline(out.pipeline, out.dtype) && !choices.one_in(8)) {
    const auto missing = out.pipeline.missing;
    out.pipeline = {.missing = missing};
  }
  const auto& how = out.pipeline;
  expected.lossless = how.encoding == tgmap::encoding::none && how.compression != tgmap::compression::zfp &&
                      how.compression != tgmap::compression::sz3;
  expected.has_invalid_pipeline = static_cast<bool>(tgmap::validate_pipeline(how, out.dtype));

  std::uint64_t room = count_of(out.shape);
  const bool strided = out.dtype != dtype::bitmask && choices.one_in(3);
  if (strided) make_strides(choices, out, room);
  std::string data = make_elements(choices, out.dtype, room, !expected.lossless && out.dtype == dtype::float64);
  expected.elements = strided ? gather(out, data) : data;
  if (choices.one_in(3)) {
    out.byte_order = out.byte_order == tgmap::byte_order::little ? tgmap::byte_order::big : tgmap::byte_order::little;
    swap_bytes(out.dtype, data);
  }
  if (choices.one_in(4)) out.stored_byte_order = any_of<tgmap::byte_order>(choices, 2);
  if (choices.one_in(40) && !data.empty()) data.pop_back();  // the writer refuses it
  if (out.dtype <= dtype::complex128 && how.missing.check_elements)
    for (std::size_t at = 0; at < expected.elements.size(); at += tgmap::element_size(out.dtype))
      mask_element(out.dtype, expected.elements.data() + at);
  if (!expected.lossless && out.dtype == dtype::float64) expected.bound = bound_of(how, expected.elements);
  out.base = make_map(choices, 2);
  if (choices.one_in(4)) out.descriptor_extra = cbor_value::map({{"note", make_value(choices, 1)}});
  if (choices.one_in(40))
    (choices.one_in(2) ? out.descriptor_extra : out.base) =
        cbor_value::map({{"_reserved_", 1}, {"shape", 2}});  // the writer refuses it
  out.preceder = choices.one_in(4);
  into.memory.push_back(std::move(data));
  out.data = std::as_bytes(std::span(into.memory.back()));
  into.message.objects.emplace_back(std::move(out));
  into.objects.push_back(std::move(expected));
}

bool same_elements(const random_object& original, std::span<const std::byte> found) {
  if (found.size() != original.elements.size()) return false;
  if (std::memcmp(found.data(), original.elements.data(), found.size()) == 0) return true;
  if (original.lossless) return false;
  for (std::size_t at = 0; at < found.size(); at += sizeof(double)) {
    double expected = 0, value = 0;
    std::memcpy(&expected, original.elements.data() + at, sizeof(expected));
    std::memcpy(&value, found.data() + at, sizeof(value));
    if (std::isfinite(expected) ? !(std::abs(expected - value) <= original.bound)
                                : std::memcmp(original.elements.data() + at, found.data() + at, sizeof(value)) != 0)
      return false;
  }
  return true;
}

cbor_value keys_of_message(const tgmap::message& message) {
  cbor_value out = cbor_value::map();
  const auto keys = message.metadata();
  for (const auto& entry : keys.entries()) {
    const cbor_value::pair one[] = {{entry.key, cbor_value::copy(entry.value)}};
    out.update(cbor_value::map(one));
  }
  return out;
}

std::vector<std::byte> write_stored(const random_message& original, tgmap::failure& why) {
  tgmap::memory_sink once;
  tgmap::writer first(once, original.options);
  first.write(original.message, why);
  if (why) return {};
  const auto archive = tgmap::archive::from_memory(once.bytes());
  tgmap::new_message again{.extra = original.message.extra};
  for (std::size_t j = 0; j < original.objects.size(); ++j) {
    auto one = tgmap::stored_object::of(archive[0], j, original.options.version);
    if (j % 2 != 0) one.source = archive[0][j];
    again.objects.emplace_back(std::move(one));
  }
  tgmap::memory_sink sink;
  tgmap::writer second(sink, original.options);
  second.write(again);
  second.write(archive[0]);  // a copy of the whole message
  auto out = sink.release();
  const bool same = std::equal(once.bytes().begin(), once.bytes().end(),
                               out.end() - static_cast<std::ptrdiff_t>(once.bytes().size()));
  if (!same) why = {.code = tgmap::errc::damaged};
  out.resize(out.size() - once.bytes().size());
  return out;
}

}  // namespace

cbor_value make_value(choices& choices, unsigned depth) {
  switch (choices.below(depth == 0 ? 9 : 12)) {
    case 0: return {};
    case 1: return choices.one_in(2);
    case 2: return choices.number();
    case 3: return static_cast<std::int64_t>(choices.number());
    case 4: return cbor_value::negative(choices.number());
    case 5: {
      const std::uint64_t bits = choices.number() << choices.below(64);
      double value;
      std::memcpy(&value, &bits, sizeof(value));
      return value;
    }
    case 6: return static_cast<float>(static_cast<std::int8_t>(choices.byte())) / 8;
    case 7: return make_key(choices);
    case 8: {
      const std::string bytes = choices.text(30);
      return cbor_value::bytes(std::as_bytes(std::span(bytes)));
    }
    case 9: return cbor_value::tagged(choices.number(), make_value(choices, depth - 1));
    case 10: {
      std::vector<cbor_value> elements(choices.below(4));
      for (cbor_value& each : elements) each = make_value(choices, depth - 1);
      return cbor_value::array(std::span<const cbor_value>(elements));
    }
    default: return make_map(choices, depth - 1);
  }
}

random_message make_random_message(choices& choices) {
  random_message out;
  out.options = {.version = choices.one_in(3) ? 2 : 3,
                 .hashes = !choices.one_in(4),
                 .index = any_of<tgmap::index_placement>(choices, 3),
                 .hash_list = any_of<tgmap::index_placement>(choices, 3),
                 .payload_alignment = std::uint64_t{8} << (choices.one_in(4) ? choices.below(10) : 0)};
  if (choices.one_in(3)) out.options.provenance = tgmap::provenance::reproducible();
  out.backfill = choices.one_in(2) && out.options.version == 3;
  out.message.extra = make_map(choices, 3);
  for (unsigned n = choices.below(5); n-- > 0;) make_object(choices, out);
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

std::vector<std::byte> write_with(write_route route, const random_message& original, tgmap::failure& why) {
  if (route == write_route::as_stored) return write_stored(original, why);
  tgmap::memory_sink sink;
  if (route == write_route::buffered) {
    tgmap::writer out(sink, original.options);
    out.write(original.message, why);
    return sink.release();
  }
  tgmap::stream_writer out(sink, original.message.extra, original.options);
  for (const auto& each : original.message.objects)
    if (!why) out.write(std::get<tgmap::new_object>(each), why);
  if (why) return {};
  out.finish(original.backfill, why);
  return sink.release();
}

std::string difference(const random_message& original, const tgmap::archive& archive) {
  if (archive.size() != 1) return "not one message";
  const tgmap::message m = archive[0];
  if (m.version() != original.options.version) return "another version";
  if (m.size() != original.objects.size()) return "another number of objects";
  if (!(keys_of_message(m) == original.message.extra)) return "other keys of the message";
  for (std::size_t j = 0; j < m.size(); ++j) {
    const std::string where = "object " + std::to_string(j) + ": ";
    const auto& in = std::get<tgmap::new_object>(original.message.objects[j]);
    const tgmap::tensor found = m[j].decode();
    if (found.dtype() != in.dtype) return where + "another dtype";
    if (!std::ranges::equal(found.shape(), in.shape)) return where + "another shape";
    if (!same_elements(original.objects[j], found.bytes())) return where + "other values";
    if (!(tgmap::stored_object::of(m, j, original.options.version).base == in.base)) return where + "other keys";
    const auto hash = m[j].verify();
    const auto wanted = original.options.hashes ? tgmap::hash_result::match : tgmap::hash_result::absent;
    if (hash != wanted) return where + "hash";
  }
  return {};
}

}  // namespace tgmap_test
