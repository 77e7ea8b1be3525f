// SPDX-License-Identifier: Apache-2.0
#include "convert/zip_records.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "convert/refusal.hpp"

namespace tgmap::convert {

namespace {

constexpr std::uint64_t all_ones_16 = 0xffff, all_ones_32 = 0xffffffff;  // the value is in a 64-bit record
constexpr std::uint32_t local_mark = 0x04034b50, central_mark = 0x02014b50, end_mark = 0x06054b50,
                        end_64_mark = 0x06064b50, locator_mark = 0x07064b50;
constexpr std::size_t local_size = 30, central_size = 46, end_size = 22, end_64_size = 56, locator_size = 20;
constexpr std::uint16_t wide_fields = 1;

[[noreturn]] void refuse_archive(const std::string& what) { throw refusal(what, "save it again with numpy.savez"); }

/// Bytes read in order, never beyond their end.
class cursor {
 public:
  explicit cursor(std::span<const std::byte> bytes) : rest_(bytes) {}

  std::uint64_t number(std::size_t width) {
    std::uint64_t out = 0;
    const auto bytes = take(width);
    for (std::size_t i = width; i-- > 0;) out = out << 8 | std::to_integer<std::uint64_t>(bytes[i]);
    return out;
  }
  std::uint16_t number_16() { return static_cast<std::uint16_t>(number(2)); }
  std::uint32_t number_32() { return static_cast<std::uint32_t>(number(4)); }

  std::span<const std::byte> take(std::uint64_t size) {
    if (size > rest_.size()) refuse_archive("a record of the .npz is cut");
    const auto out = rest_.first(static_cast<std::size_t>(size));
    rest_ = rest_.subspan(out.size());
    return out;
  }

  std::size_t left() const noexcept { return rest_.size(); }

 private:
  std::span<const std::byte> rest_;
};

std::string string_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// What lies at [offset, offset + size).
std::span<const std::byte> part(std::span<const std::byte> of, std::uint64_t offset, std::uint64_t size,
                                const char* what) {
  if (offset > of.size() || size > of.size() - offset)
    refuse_archive(std::string(what) + " of the .npz lies beyond its end");
  return of.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
}

/// Where the last record begins: a comment of any length may stand behind it.
std::size_t find_end(std::span<const std::byte> archive) {
  if (archive.size() >= end_size) {
    const std::size_t last = archive.size() - end_size;
    for (std::size_t comment = 0; comment <= std::min<std::size_t>(last, all_ones_16); ++comment) {
      cursor record(archive.subspan(last - comment));
      if (record.number_32() != end_mark) continue;
      record.take(end_size - 4 - 2);
      if (record.number_16() == comment) return last - comment;
    }
  }
  throw refusal("is no .npz file, or is cut: it does not end as a ZIP archive", "save it again with numpy.savez");
}

struct directory_place {
  std::uint64_t count = 0, size = 0, offset = 0;
};

/// The 64-bit record, where its locator stands before the last record.
std::optional<directory_place> place_64(std::span<const std::byte> archive, std::size_t& end) {
  if (end < locator_size) return std::nullopt;
  cursor locator(archive.subspan(end - locator_size));
  if (locator.number_32() != locator_mark) return std::nullopt;
  locator.take(4);  // the disk
  const std::uint64_t at = locator.number(8);
  cursor record(part(archive.first(end - locator_size), at, end_64_size, "the last record"));
  if (record.number_32() != end_64_mark) refuse_archive("the .npz has no 64-bit record where it says");
  record.take(8 + 2 + 2);  // its size, versions
  if (record.number_32() != 0 || record.number_32() != 0) refuse_archive("the .npz is on several disks");
  directory_place out;
  const std::uint64_t here = record.number(8);
  out.count = record.number(8);
  if (here != out.count) refuse_archive("the .npz is on several disks");
  out.size = record.number(8);
  out.offset = record.number(8);
  end = static_cast<std::size_t>(at);
  return out;
}

/// Where the directory is. What a field cannot hold is in the 64-bit record; both agree otherwise.
directory_place find_directory(std::span<const std::byte> archive) {
  std::size_t end = find_end(archive);
  cursor record(archive.subspan(end));
  record.take(4);
  const bool one_disk = record.number_16() == 0 && record.number_16() == 0;
  const std::uint64_t here = record.number_16();
  directory_place out{.count = record.number_16(), .size = record.number_32(), .offset = record.number_32()};
  const auto large = place_64(archive, end);
  if (large) {
    const auto agree = [](std::uint64_t small, std::uint64_t all_ones, std::uint64_t wide) {
      return small == all_ones || small == wide;
    };
    if (!agree(out.count, all_ones_16, large->count) || !agree(out.size, all_ones_32, large->size) ||
        !agree(out.offset, all_ones_32, large->offset))
      refuse_archive("the two last records of the .npz disagree");
    out = *large;
  } else if (!one_disk || here != out.count) {
    refuse_archive("the .npz is on several disks");
  }
  if (out.offset > end || end - out.offset != out.size)
    refuse_archive("the directory of the .npz is not where it should be");
  return out;
}

/// Takes the values that are all ones from the entry's 64-bit field, in the order in which the format has them.
void widen(zip_entry& entry, std::span<const std::byte> extra) {
  const bool packed = entry.packed == all_ones_32, size = entry.size == all_ones_32, at = entry.header == all_ones_32;
  for (cursor fields(extra); fields.left() >= 4;) {
    const std::uint16_t kind = fields.number_16(), length = fields.number_16();
    cursor field(fields.take(length));
    if (kind != wide_fields) continue;
    if (size) entry.size = field.number(8);
    if (packed) entry.packed = field.number(8);
    if (at) entry.header = field.number(8);
    return;
  }
}

zip_entry read_entry(cursor& from) {
  if (from.number_32() != central_mark)
    refuse_archive("the directory of the .npz has something else among its entries");
  from.take(2 + 2);  // versions
  zip_entry out{.flags = from.number_16()};
  out.method = from.number_16();
  from.take(4);  // time
  out.crc = from.number_32();
  out.packed = from.number_32();
  out.size = from.number_32();
  const std::uint16_t name = from.number_16(), extra = from.number_16(), comment = from.number_16();
  if (from.number_16() != 0) refuse_archive("the .npz is on several disks");
  from.take(2 + 4);  // attributes
  out.header = from.number_32();
  out.name = string_of(from.take(name));
  widen(out, from.take(extra));
  from.take(comment);
  return out;
}

}  // namespace

zip_directory read_zip_directory(std::span<const std::byte> archive) {
  const directory_place place = find_directory(archive);
  cursor from(part(archive, place.offset, place.size, "the directory"));
  if (place.count > place.size / central_size) refuse_archive("the directory of the .npz has no room for its entries");
  zip_directory out{.entries = {}, .begin = place.offset};
  out.entries.reserve(static_cast<std::size_t>(place.count));
  for (std::uint64_t i = 0; i < place.count; ++i) out.entries.push_back(read_entry(from));
  if (from.left() != 0) refuse_archive("the directory of the .npz has more than its entries");
  return out;
}

std::span<const std::byte> find_zip_member(std::span<const std::byte> archive, const zip_directory& directory,
                                           const zip_entry& entry) {
  const auto members = archive.first(static_cast<std::size_t>(directory.begin));
  cursor header(part(members, entry.header, local_size, "a member"));
  if (header.number_32() != local_mark) refuse_archive("a member of the .npz does not begin where its directory says");
  header.take(2);  // version
  const std::uint16_t flags = header.number_16(), method = header.number_16();
  header.take(4 + 4 + 4 + 4);  // time; CRC-32 and sizes, which may follow the member
  const std::uint16_t name = header.number_16(), extra = header.number_16();
  const std::uint64_t behind = entry.header + local_size;
  const std::string named = string_of(part(members, behind, name, "a member"));
  if (named != entry.name || method != entry.method || ((flags ^ entry.flags) & 1) != 0)
    refuse_archive("a member of the .npz is not what its directory says");
  return part(members, behind + name + extra, entry.packed, "a member");
}

}  // namespace tgmap::convert
