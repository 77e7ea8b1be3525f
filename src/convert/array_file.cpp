// SPDX-License-Identifier: Apache-2.0
#include "convert/array_file.hpp"

#include <string_view>
#include <utility>

#include "convert/zip_reader.hpp"
#include "core/text/utf8.hpp"

namespace tgmap::convert {

namespace {

std::string name_of(std::string_view member) {
  constexpr std::string_view extension = ".npy";
  if (!member.ends_with(extension))
    throw conversion_error("is not a .npy file", "save it again with numpy.savez, which puts arrays alone into it");
  const std::string_view name = member.substr(0, member.size() - extension.size());
  if (!core::is_utf8(name)) throw conversion_error("has a name that is not UTF-8", "save it again with numpy.savez");
  return std::string(name);
}

file_array read_member(const zip_reader& archive, const zip_member& member, const std::shared_ptr<const void>& memory,
                       std::uint64_t max_decoded) try {
  file_array out{.member = member.name, .name = name_of(member.name), .memory = memory};
  zip_contents contents = archive.read(member, max_decoded);
  if (contents.owned) out.memory = std::shared_ptr<const std::byte[]>(std::move(contents.owned));
  out.array = read_npy(contents.bytes);
  return out;
} catch (const conversion_error& why) {
  throw conversion_error("member '" + member.name + "': " + why.what(), why.next_step());
}

}  // namespace

void for_each_array(std::span<const std::byte> file, const std::shared_ptr<const void>& memory,
                    std::uint64_t max_decoded, const std::function<void(file_array&&)>& take) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  if (!text.starts_with("PK")) return take({.array = read_npy(file), .memory = memory});
  const zip_reader archive(file);
  if (archive.members().empty()) throw conversion_error("contains no arrays", "leave it out");
  for (const zip_member& member : archive.members()) take(read_member(archive, member, memory, max_decoded));
}

npy_array raw_array(std::span<const std::byte> file, dtype type, std::vector<std::uint64_t> shape, byte_order order) {
  npy_array out{.elements = {.type = type == dtype::bitmask ? dtype::uint8 : type, .order = order},
                .shape = std::move(shape)};
  set_data(out, file, false);
  return out;
}

new_object make_object(file_array& from, bool as_bits) {
  new_object out{.shape = from.array.shape};
  if (as_bits) {
    const auto packed = std::make_shared<const std::vector<std::byte>>(pack_bits(from.array));
    out.dtype = dtype::bitmask;
    out.data = *packed;
    from.memory = packed;
    return out;
  }
  out.dtype = from.array.elements.type;
  out.byte_order = from.array.elements.order;
  out.data = from.array.data;
  out.strides = from.array.strides;
  return out;
}

}  // namespace tgmap::convert
