// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/keys/eccodes_values.hpp"

#include <cstdio>
#include <limits>
#include <new>
#include <optional>

#include "bridge/grib/eccodes/eccodes_library.hpp"
#include "bridge/grib/keys/eccodes_failure.hpp"
#include "bridge/grib/keys/field_message.hpp"
#include "bridge/grib/sections/bitmap.hpp"
#include "bridge/grib/sections/grid_shape.hpp"
#include "bridge/grib/sections/numbers.hpp"
#include "bridge/grib/sections/packing.hpp"
#include "bridge/grib/sections/section_failure.hpp"

namespace tgmap::bridge::grib {

namespace {

/// Extents of a picture, as its header states them.
struct picture_size {
  bool is_valid = false;
  std::uint64_t width = 0, height = 0;
};

/// Reads marker SIZ of a JPEG 2000 codestream, which comes first. Spec: ISO/IEC 15444-1, A.5.1.
picture_size read_jpeg_size(byte_view data) noexcept {
  constexpr std::uint64_t start_and_size = 0xFF4FFF51;
  if (data.size() < 42 || big_endian<4>(data, 0) != start_and_size) return {};
  const std::uint64_t right = big_endian<4>(data, 8), bottom = big_endian<4>(data, 12);
  const std::uint64_t left = big_endian<4>(data, 16), top = big_endian<4>(data, 20);
  const std::uint64_t components = big_endian<2>(data, 40);
  if (components != 1 || right <= left || bottom <= top) return {};
  return {.is_valid = true, .width = right - left, .height = bottom - top};
}

/// Reads chunk IHDR, which comes first. Spec: ISO/IEC 15948, 11.2.2.
picture_size read_png_size(byte_view data) noexcept {
  constexpr std::uint64_t signature = 0x89504E470D0A1A0A, header = 0x49484452;
  if (data.size() < 24 || big_endian<8>(data, 0) != signature || big_endian<4>(data, 12) != header) return {};
  return {.is_valid = true, .width = big_endian<4>(data, 16), .height = big_endian<4>(data, 20)};
}

/// Compares the size of a picture with the values, before anything of that size is allocated.
bool check_picture(const field& of, const packing& how, failure& why) noexcept {
  const bool is_jpeg = how.kind == packing_kind::jpeg;
  if ((!is_jpeg && how.kind != packing_kind::png) || how.bits == 0) return true;
  const picture_size size = is_jpeg ? read_jpeg_size(how.data) : read_png_size(how.data);
  const byte_view section = of.sections[7];
  if (!size.is_valid) return fail(why, of, section, errc::bad_parameter, 0, 0, is_jpeg ? "jpeg header" : "png header");
  // Extents are below 2^32.
  if (size.width * size.height != how.values)
    return fail(why, of, section, errc::value_count, how.values, size.width * size.height);
  return true;
}

/// Checks a copy of a field. `points` receives the number of its values.
bool check_field(const std::vector<std::byte>& message, std::uint64_t offset, std::uint64_t& points, failure& why) {
  field_reader reader(message, offset, why);
  field copied;
  if (!reader.next(copied, why)) return false;
  points = points_of(copied, why);
  if (why) return false;
  const packing how = read_packing(copied, why);
  return !why && check_picture(copied, how, why);
}

std::vector<std::byte> checked_copy(const field& of, std::uint64_t& points, failure& why) {
  std::vector<std::byte> out = whole_message(of, why);
  if (!why && !check_field(out, of.offset, points, why)) out.clear();
  return out;
}

/// Standard error of C is another file while this lives: libpng prints there what it finds wrong, and ecCodes does not
/// tell it otherwise. Only glibc lets programs change it.
class silent_stderr {
 public:
#ifdef __GLIBC__
  silent_stderr() noexcept {
    static std::FILE* const nowhere = std::fopen("/dev/null", "we");
    if (nowhere != nullptr) stderr = nowhere;
  }
  ~silent_stderr() { stderr = original_; }
#else
  silent_stderr() noexcept = default;
#endif
  silent_stderr(const silent_stderr&) = delete;
  silent_stderr& operator=(const silent_stderr&) = delete;

 private:
  std::FILE* original_ = stderr;
};

/// Returns the template of section 5 of GRIB 2.
std::uint64_t representation_of(const field& of) noexcept { return big_endian<2>(of.sections[5], 9); }

int read_doubles(const eccodes_library& library, grib_handle* handle, bool is_png, std::vector<double>& out) {
  std::optional<silent_stderr> silence;
  if (is_png) silence.emplace();
  std::size_t size = out.size();
  const int error = library.codes_get_double_array(handle, "values", out.data(), &size);
  if (error == 0 && size < out.size()) out.resize(size);
  return error;
}

}  // namespace

std::vector<std::byte> checked_message(const field& of, failure& why) noexcept try {
  std::uint64_t points = 0;
  return checked_copy(of, points, why);
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

std::vector<double> read_values_by_eccodes(const field& of, failure& why, std::uint64_t max_values) noexcept try {
  std::uint64_t points = 0;
  const std::vector<std::byte> message = checked_copy(of, points, why);
  if (!why && points > max_values)
    why = {.code = tgmap::errc::decoded_limit, .offset = of.offset, .expected = max_values, .found = points};
  std::vector<double> out;
  const bool is_png = of.edition == 2 && (representation_of(of) == 41 || representation_of(of) == 40010);
  use_handle(message, of, why, [&](const eccodes_library& library, grib_handle* handle) {
    std::size_t size = 0;
    int error = library.codes_set_double(handle, "missingValue", std::numeric_limits<double>::quiet_NaN());
    if (error == 0) error = library.codes_get_size(handle, "values", &size);
    if (error == 0 && size == points) {
      out.resize(size);
      error = read_doubles(library, handle, is_png, out);
      size = out.size();
    }
    if (error != 0)
      fail_by_eccodes(of, error, why);
    else if (size != points)
      fail(why, of, {}, errc::value_count, points, size);
  });
  if (why) out.clear();
  return out;
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

}  // namespace tgmap::bridge::grib
