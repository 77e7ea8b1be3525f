// SPDX-License-Identifier: Apache-2.0
#include "convert/npy.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <tgmap/array_view.hpp>
#include <tgmap/options.hpp>

#include "convert/raw.hpp"

namespace tgmap::convert {

namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t prefix_size = 8;  // magic and version

[[noreturn]] void throw_truncated(std::uint64_t needed, std::uint64_t left) {
  throw conversion_error("is truncated: " + std::to_string(needed) + " bytes are needed, " + std::to_string(left) +
                             (left == 1 ? " is left" : " are left"),
                         "save it again");
}

/// Returns the number of bytes of the elements, or nothing if it needs more than 63 bits, the limit of strides.
std::optional<std::uint64_t> bytes_of(dtype type, std::span<const std::uint64_t> shape) {
  if (std::find(shape.begin(), shape.end(), 0U) != shape.end()) return 0;
  std::uint64_t elements = 1;
  for (const std::uint64_t extent : shape)
    if (__builtin_mul_overflow(elements, extent, &elements)) return std::nullopt;
  const auto out = size_bytes(type, elements);
  return out && *out <= INT64_MAX ? out : std::nullopt;
}

std::vector<std::int64_t> strides_of(std::span<const std::uint64_t> shape, bool is_fortran_order) {
  std::vector<std::int64_t> out(shape.size());
  if (std::find(shape.begin(), shape.end(), 0U) != shape.end()) return out;  // other extents may overflow
  if (!is_fortran_order) {
    c_order_strides(shape, out);
    return out;
  }
  std::uint64_t next = 1;
  for (std::size_t d = 0; d < shape.size(); next *= shape[d++]) out[d] = static_cast<std::int64_t>(next);
  return out;
}

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string_view header_text(std::span<const std::byte> file) {
  if (!text_of(file).starts_with(magic)) throw conversion_error("is not a .npy file", "give a file of numpy.save");
  if (file.size() < prefix_size) throw_truncated(prefix_size, file.size());
  const int major = std::to_integer<int>(file[6]), minor = std::to_integer<int>(file[7]);
  if (major < 1 || major > 3 || minor != 0)
    throw conversion_error("is a .npy file of format " + std::to_string(major) + "." + std::to_string(minor) +
                               "; known formats are 1.0, 2.0 and 3.0",
                           "load it with NumPy and save it again");
  const std::size_t field = major == 1 ? 2 : 4;
  const auto rest = file.subspan(prefix_size);
  if (rest.size() < field) throw_truncated(field, rest.size());
  std::size_t length = 0;
  for (std::size_t i = field; i-- > 0;) length = length << 8 | std::to_integer<std::size_t>(rest[i]);
  if (rest.size() - field < length) throw_truncated(length, rest.size() - field);
  return text_of(rest.subspan(field, length));
}

}  // namespace

void set_data(npy_array& array, std::span<const std::byte> data, bool is_fortran_order) {
  const auto needed = bytes_of(array.elements.type, array.shape);
  if (!needed) throw conversion_error("states a shape that no memory can hold", "save it again");
  if (*needed > data.size()) throw_truncated(*needed, data.size());
  if (const std::uint64_t surplus = data.size() - *needed; surplus != 0)
    throw conversion_error(
        "has " + std::to_string(surplus) + (surplus == 1 ? " byte" : " bytes") + " after its elements",
        "save each array to its own file, or to a .npz file");
  array.data = data;
  array.strides = strides_of(array.shape, is_fortran_order);
}

npy_array read_npy(std::span<const std::byte> file) {
  const std::string_view text = header_text(file);
  npy_header header = parse_npy_header(text);
  npy_array out{.elements = parse_npy_descr(header.descr), .shape = std::move(header.shape)};
  out.offset = static_cast<std::size_t>(text.data() + text.size() - text_of(file).data());
  set_data(out, file.subspan(out.offset), header.is_fortran_order);
  return out;
}

void write_npy(const tensor& tensor, std::span<const std::uint64_t> shape, const write_function& write) {
  const storage_order order = storage_order_of(tensor.shape(), tensor.strides()).value_or(storage_order::permuted);
  const std::string header = make_npy_header(tensor.dtype(), shape, order == storage_order::fortran);
  write(std::as_bytes(std::span(header)));
  order == storage_order::permuted ? gather_elements(tensor, write) : copy_elements(tensor, write);
}

void write_npy(const tensor& tensor, const write_function& write) { write_npy(tensor, tensor.shape(), write); }

std::vector<std::byte> pack_bits(const npy_array& from) {
  if (element_size(from.elements.type) != 1)
    throw conversion_error("has elements of " + std::to_string(element_size(from.elements.type)) + " bytes, not bits",
                           "save them as bool, or as uint8 with values 0 and 1");
  std::vector<std::byte> out(from.data.size() / 8 + (from.data.size() % 8 != 0 ? 1 : 0));
  std::array<std::uint64_t, max_rank> index{};
  std::int64_t at = 0;
  for (std::size_t i = 0; i < from.data.size(); ++i) {
    const auto element = from.data[static_cast<std::size_t>(at)];
    if (element > std::byte{1})
      throw conversion_error(
          "element " + std::to_string(i) + " is " + std::to_string(std::to_integer<int>(element)) + ", not 0 or 1",
          "compare the elements first, as in x != 0");
    out[i / 8] |= element << (7 - i % 8);
    for (std::size_t d = from.shape.size(); d-- > 0;) {
      at += from.strides[d];
      if (++index[d] < from.shape[d]) break;
      at -= from.strides[d] * static_cast<std::int64_t>(from.shape[d]);
      index[d] = 0;
    }
  }
  return out;
}

}  // namespace tgmap::convert
