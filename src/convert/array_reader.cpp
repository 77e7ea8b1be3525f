// SPDX-License-Identifier: Apache-2.0
#include "convert/array_reader.hpp"

#include <string_view>
#include <utility>

#include "convert/npy.hpp"
#include "convert/zip_reader.hpp"
#include "core/text/utf8.hpp"

namespace tgmap::convert {

namespace {

/// Checks that the array has the dtype to be stored, or one that can stand for it.
void check_dtype(const npy_dtype& elements, const array_rules& rules) {
  using kind = dtype_conflict::kind;
  if (!rules.dtype && !elements.is_exact)
    throw dtype_conflict(elements.type == dtype::uint8 ? kind::boolean : kind::opaque, elements.type);
  if (rules.dtype && rules.dtype != dtype::bitmask && *rules.dtype != elements.type)
    throw dtype_conflict(kind::other, elements.type);
}

void set_object(const npy_array& from, const array_rules& rules, read_array& into) {
  check_dtype(from.elements, rules);
  new_object& object = into.object;
  object.shape = from.shape;
  if (rules.dtype == dtype::bitmask) {
    const auto packed = std::make_shared<const std::vector<std::byte>>(pack_bits(from));
    object.dtype = dtype::bitmask;
    object.data = *packed;
    into.memory = packed;
    return;
  }
  object.dtype = from.elements.type;
  object.byte_order = from.elements.order;
  object.data = from.data;
  object.strides = from.strides;
}

npy_array raw_array(std::span<const std::byte> file, const array_rules& rules) try {
  const dtype type = rules.dtype.value_or(dtype::uint8);
  npy_array out{.elements = {.type = type == dtype::bitmask ? dtype::uint8 : type}, .shape = *rules.shape};
  out.elements.order = rules.order.value_or(byte_order::little);
  set_data(out, file, false);
  return out;
} catch (const conversion_error& why) {
  throw array_error(why.what(), why.next_step());
}

std::string name_of(std::string_view member) {
  constexpr std::string_view extension = ".npy";
  if (!member.ends_with(extension))
    throw conversion_error("is not a .npy file", "save it again with numpy.savez, which puts arrays alone into it");
  const std::string_view name = member.substr(0, member.size() - extension.size());
  if (!core::is_utf8(name)) throw conversion_error("has a name that is not UTF-8", "save it again with numpy.savez");
  return std::string(name);
}

read_array read_member(const zip_reader& archive, const zip_member& member, const std::shared_ptr<const void>& memory,
                       const array_rules& rules, std::uint64_t max_decoded) try {
  read_array out{.member = member.name, .name = name_of(member.name), .memory = memory};
  zip_contents contents = archive.read(member, max_decoded);
  if (contents.owned) out.memory = std::shared_ptr<const std::byte[]>(std::move(contents.owned));
  set_object(read_npy(contents.bytes), rules, out);
  return out;
} catch (dtype_conflict& why) {
  why.member = member.name;
  throw;
} catch (const conversion_error& why) {
  throw array_error("member '" + member.name + "': " + why.what(), why.next_step());
}

}  // namespace

void read_arrays(std::span<const std::byte> file, const std::shared_ptr<const void>& memory, const array_rules& rules,
                 std::uint64_t max_decoded, const std::function<void(read_array&&)>& take) {
  const std::string_view start(reinterpret_cast<const char*>(file.data()), file.size());
  if (!rules.shape && start.starts_with("PK")) {
    const zip_reader archive(file);
    if (archive.members().empty()) throw array_error("contains no arrays", "leave it out");
    for (const zip_member& member : archive.members()) take(read_member(archive, member, memory, rules, max_decoded));
    return;
  }
  read_array out{.memory = memory};
  set_object(rules.shape ? raw_array(file, rules) : read_npy(file), rules, out);
  take(std::move(out));
}

}  // namespace tgmap::convert
