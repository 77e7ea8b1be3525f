// SPDX-License-Identifier: Apache-2.0
#include "convert/npy_read.hpp"

#include <string>
#include <string_view>

#include "convert/array_layout.hpp"
#include "convert/npy_literal.hpp"
#include "convert/refusal.hpp"

namespace tgmap::convert {

namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t version_end = 8;  // of magic and version

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string_view header_of(std::span<const std::byte> file) {
  if (!text_of(file).starts_with(magic)) throw refusal("is no .npy file", "take one that numpy.save has written");
  if (file.size() < version_end) refuse_cut(version_end, file.size());
  const int major = std::to_integer<int>(file[6]), minor = std::to_integer<int>(file[7]);
  if (major < 1 || major > 3 || minor != 0)
    throw refusal("is an .npy file of format " + std::to_string(major) + "." + std::to_string(minor) +
                      ", of which there are 1.0, 2.0 and 3.0",
                  "load it with NumPy and save it again");
  const std::size_t field = major == 1 ? 2 : 4;
  const auto rest = file.subspan(version_end);
  if (rest.size() < field) refuse_cut(field, rest.size());
  std::size_t length = 0;
  for (std::size_t i = field; i-- > 0;) length = length << 8 | std::to_integer<std::size_t>(rest[i]);
  if (rest.size() - field < length) refuse_cut(length, rest.size() - field);
  return text_of(rest.subspan(field, length));
}

}  // namespace

npy_array npy_read(std::span<const std::byte> file) {
  const std::string_view header = header_of(file);
  npy_literal said = parse_npy_literal(header);
  npy_array out{.elements = npy_elements_of(said.descr), .shape = std::move(said.shape)};
  out.offset = static_cast<std::size_t>(header.data() + header.size() - text_of(file).data());

  lay_out(out, file.subspan(out.offset), said.fortran_order);
  return out;
}

}  // namespace tgmap::convert
