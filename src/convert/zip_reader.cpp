// SPDX-License-Identifier: Apache-2.0
#include "convert/zip_reader.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "convert/conversion.hpp"
#include "convert/zip_format.hpp"
#include "convert/zlib.hpp"
#include "core/seeded_hash.hpp"

namespace tgmap::convert {

namespace {

using namespace zip;

constexpr const char* save_with_savez = "save it again with numpy.savez";

/// An entry of the directory, not yet checked against the member.
struct zip_entry {
  std::string name{};
  std::uint16_t flags = 0, method = 0;
  std::uint32_t crc = 0;
  std::uint64_t packed_size = 0, size = 0;  ///< bytes in the archive, and of the file
  std::uint64_t header_offset = 0;          ///< of the member's own header
};

/// The directory of an archive, and its offset, which is the end of the members.
struct zip_directory {
  std::vector<zip_entry> entries;
  std::uint64_t offset = 0;
};

[[noreturn]] void refuse_archive(const std::string& what) { throw conversion_error(what, save_with_savez); }

/// A `cursor` reads bytes in order and never past their end.
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
    if (size > rest_.size()) refuse_archive("a record of the .npz file is truncated");
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

/// Returns the bytes [offset, offset + size). `what` names them in the error.
std::span<const std::byte> part(std::span<const std::byte> of, std::uint64_t offset, std::uint64_t size,
                                const char* what) {
  if (offset > of.size() || size > of.size() - offset)
    refuse_archive(std::string(what) + " of the .npz file is past its end");
  return of.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
}

/// Returns the offset of the last record. A comment may follow it.
std::size_t find_end(std::span<const std::byte> archive) {
  if (archive.size() >= end_size) {
    const std::size_t last = archive.size() - end_size;
    for (std::size_t comment = 0; comment <= std::min<std::size_t>(last, max_16); ++comment) {
      cursor record(archive.subspan(last - comment));
      if (record.number_32() != end_signature) continue;
      record.take(end_size - 4 - 2);
      if (record.number_16() == comment) return last - comment;
    }
  }
  throw conversion_error("is not a .npz file, or is truncated: it does not end as a ZIP archive", save_with_savez);
}

struct directory_extent {
  std::uint64_t count = 0, size = 0, offset = 0;
};

/// Reads the 64-bit record if its locator precedes the last record, and moves `end` to it.
std::optional<directory_extent> find_directory_64(std::span<const std::byte> archive, std::size_t& end) {
  if (end < locator_size) return std::nullopt;
  cursor locator(archive.subspan(end - locator_size));
  if (locator.number_32() != locator_signature) return std::nullopt;
  locator.take(4);  // the disk
  const std::uint64_t record_offset = locator.number(8);
  cursor record(part(archive.first(end - locator_size), record_offset, end_64_size, "the last record"));
  if (record.number_32() != end_64_signature) refuse_archive("the .npz file has no 64-bit record at the stated offset");
  record.take(8 + 2 + 2);  // size and versions
  if (record.number_32() != 0 || record.number_32() != 0) refuse_archive("the .npz file is split into several disks");
  directory_extent out;
  const std::uint64_t entries_on_disk = record.number(8);
  out.count = record.number(8);
  if (entries_on_disk != out.count) refuse_archive("the .npz file is split into several disks");
  out.size = record.number(8);
  out.offset = record.number(8);
  end = static_cast<std::size_t>(record_offset);
  return out;
}

/// Finds the directory. A value that does not fit its field is in the 64-bit record; otherwise both records must agree.
directory_extent find_directory(std::span<const std::byte> archive) {
  std::size_t end = find_end(archive);
  cursor record(archive.subspan(end));
  record.take(4);
  const bool one_disk = record.number_16() == 0 && record.number_16() == 0;
  const std::uint64_t entries_on_disk = record.number_16();
  directory_extent out{.count = record.number_16(), .size = record.number_32(), .offset = record.number_32()};
  const auto large = find_directory_64(archive, end);
  if (large) {
    const auto agree = [](std::uint64_t small, std::uint64_t all_ones, std::uint64_t wide) {
      return small == all_ones || small == wide;
    };
    if (!agree(out.count, max_16, large->count) || !agree(out.size, max_32, large->size) ||
        !agree(out.offset, max_32, large->offset))
      refuse_archive("the two last records of the .npz file contradict each other");
    out = *large;
  } else if (!one_disk || entries_on_disk != out.count) {
    refuse_archive("the .npz file is split into several disks");
  }
  if (out.offset > end || end - out.offset != out.size)
    refuse_archive("the directory of the .npz file is not at the stated offset");
  return out;
}

/// Replaces the values that did not fit by those of the 64-bit extra field, in the order of the format.
void read_extra_64(zip_entry& entry, std::span<const std::byte> extra) {
  const bool has_packed_size = entry.packed_size == max_32, has_size = entry.size == max_32,
             has_header_offset = entry.header_offset == max_32;
  for (cursor fields(extra); fields.left() >= 4;) {
    const std::uint16_t kind = fields.number_16(), length = fields.number_16();
    cursor field(fields.take(length));
    if (kind != extra_64) continue;
    if (has_size) entry.size = field.number(8);
    if (has_packed_size) entry.packed_size = field.number(8);
    if (has_header_offset) entry.header_offset = field.number(8);
    return;
  }
}

zip_entry read_entry(cursor& cursor) {
  if (cursor.number_32() != central_signature)
    refuse_archive("the directory of the .npz file has something other than entries");
  cursor.take(2 + 2);  // versions
  zip_entry out{.flags = cursor.number_16()};
  out.method = cursor.number_16();
  cursor.take(4);  // time
  out.crc = cursor.number_32();
  out.packed_size = cursor.number_32();
  out.size = cursor.number_32();
  const std::uint16_t name = cursor.number_16(), extra = cursor.number_16(), comment = cursor.number_16();
  if (cursor.number_16() != 0) refuse_archive("the .npz file is split into several disks");
  cursor.take(2 + 4);  // attributes
  out.header_offset = cursor.number_32();
  out.name = string_of(cursor.take(name));
  read_extra_64(out, cursor.take(extra));
  cursor.take(comment);
  return out;
}

zip_directory read_directory(std::span<const std::byte> archive) {
  const directory_extent extent = find_directory(archive);
  cursor cursor(part(archive, extent.offset, extent.size, "the directory"));
  if (extent.count > extent.size / central_size)
    refuse_archive("the directory of the .npz file is too small for its entries");
  zip_directory out{.entries = {}, .offset = extent.offset};
  out.entries.reserve(static_cast<std::size_t>(extent.count));
  for (std::uint64_t i = 0; i < extent.count; ++i) out.entries.push_back(read_entry(cursor));
  if (cursor.left() != 0) refuse_archive("the directory of the .npz file is larger than its entries");
  return out;
}

/// Returns the bytes of a member. Its own header must agree with the directory.
std::span<const std::byte> find_member(std::span<const std::byte> archive, const zip_directory& directory,
                                       const zip_entry& entry) {
  const auto members = archive.first(static_cast<std::size_t>(directory.offset));
  cursor header(part(members, entry.header_offset, local_size, "a member"));
  if (header.number_32() != local_signature)
    refuse_archive("a member of the .npz file is not at the offset that its directory states");
  header.take(2);  // version
  const std::uint16_t flags = header.number_16(), method = header.number_16();
  header.take(4 + 4 + 4 + 4);  // time; CRC-32 and sizes, which may follow the member
  const std::uint16_t name = header.number_16(), extra = header.number_16();
  const std::uint64_t name_offset = entry.header_offset + local_size;
  const std::string own_name = string_of(part(members, name_offset, name, "a member"));
  if (own_name != entry.name || method != entry.method || ((flags ^ entry.flags) & 1) != 0)
    refuse_archive("a member of the .npz file contradicts its directory");
  return part(members, name_offset + name + extra, entry.packed_size, "a member");
}

[[noreturn]] void refuse_member(const std::string& name, const std::string& what) {
  throw conversion_error("member '" + name + "' " + what, save_with_savez);
}

void check_entry(const zip_entry& entry) {
  if (entry.name.empty()) throw conversion_error("a member has no name", save_with_savez);
  if ((entry.flags & (flag_encrypted | flag_patch | flag_masked_headers)) != 0)
    refuse_member(entry.name, "is encrypted, or a patch");
  if (entry.method != method_stored && entry.method != method_deflated)
    refuse_member(entry.name, "is compressed by method " + std::to_string(entry.method) + ", not stored or deflated");
  if (entry.method == method_stored && entry.packed_size != entry.size)
    refuse_member(entry.name, "is stored with another size");
}

void check_names(const std::vector<zip_member>& all) {
  core::text_set<std::string_view> seen;
  for (const zip_member& each : all)
    if (!seen.insert(each.name).second) refuse_member(each.name, "occurs twice");
}

using member_extent = std::tuple<std::uint64_t, std::uint64_t, const zip_entry*>;  // begin, end

void check_overlaps(std::vector<member_extent> all) {
  std::sort(all.begin(), all.end());
  for (std::size_t i = 1; i < all.size(); ++i)
    if (std::get<0>(all[i]) < std::get<1>(all[i - 1]))
      refuse_member(std::get<2>(all[i])->name, "shares bytes with '" + std::get<2>(all[i - 1])->name + "'");
}

}  // namespace

zip_reader::zip_reader(std::span<const std::byte> archive) {
  const zip_directory directory = read_directory(archive);
  std::vector<member_extent> extents;
  for (const zip_entry& each : directory.entries) {
    check_entry(each);
    const auto packed = find_member(archive, directory, each);
    const auto end = static_cast<std::uint64_t>(packed.data() + packed.size() - archive.data());
    extents.emplace_back(each.header_offset, end, &each);
    members_.push_back({each.name, each.size, each.crc, each.method == method_deflated, packed});
  }
  check_names(members_);
  check_overlaps(std::move(extents));
}

zip_contents zip_reader::read(const zip_member& member, std::uint64_t limit) const {
  zip_contents out{.bytes = member.packed};
  if (member.is_deflated) {
    if (member.size > limit)
      throw conversion_error(
          "member '" + member.name + "' inflates to " + std::to_string(member.size) + " bytes; the limit is " +
              std::to_string(limit),
          "save it with numpy.savez, which does not compress, or raise the limit with --max-decoded");
    if (!can_inflate_to(member.packed.size(), member.size))
      refuse_member(member.name, "cannot inflate to the stated size");
    const auto size = static_cast<std::size_t>(member.size);
    out.owned = std::unique_ptr<std::byte[]>(new std::byte[size]);
    const std::span<std::byte> into(out.owned.get(), size);
    if (!inflate(member.packed, into)) refuse_member(member.name, "does not inflate to the stated size");
    out.bytes = into;
  }
  if (crc32(out.bytes) != member.crc) refuse_member(member.name, "is damaged: its CRC-32 does not match");
  return out;
}

}  // namespace tgmap::convert
