// SPDX-License-Identifier: Apache-2.0
#include "convert/zip_reader.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "convert/crc32.hpp"
#include "convert/inflate.hpp"
#include "convert/refusal.hpp"
#include "convert/zip_records.hpp"

namespace tgmap::convert {

namespace {

constexpr std::uint16_t as_stored = 0, as_deflated = 8;
constexpr std::uint16_t encrypted = 1 << 0, patched = 1 << 5, names_hidden = 1 << 13;

[[noreturn]] void refuse_member(const std::string& name, const std::string& what) {
  throw refusal("member '" + name + "' " + what, "save it again with numpy.savez");
}

void check_entry(const zip_entry& entry) {
  if (entry.name.empty()) throw refusal("a member has no name", "save it again with numpy.savez");
  if ((entry.flags & (encrypted | patched | names_hidden)) != 0) refuse_member(entry.name, "is encrypted, or a patch");
  if (entry.method != as_stored && entry.method != as_deflated)
    refuse_member(entry.name, "is compressed by method " + std::to_string(entry.method) + ", not stored or deflated");
  if (entry.method == as_stored && entry.packed != entry.size)
    refuse_member(entry.name, "is stored, but in another size");
}

void refuse_same_names(const std::vector<zip_member>& all) {
  std::unordered_set<std::string_view> seen;
  for (const zip_member& each : all)
    if (!seen.insert(each.name).second) refuse_member(each.name, "is there twice");
}

using member_extent = std::tuple<std::uint64_t, std::uint64_t, const zip_entry*>;  // begin, end

void refuse_shared_bytes(std::vector<member_extent> all) {
  std::sort(all.begin(), all.end());
  for (std::size_t i = 1; i < all.size(); ++i)
    if (std::get<0>(all[i]) < std::get<1>(all[i - 1]))
      refuse_member(std::get<2>(all[i])->name, "shares bytes with '" + std::get<2>(all[i - 1])->name + "'");
}

}  // namespace

zip_reader::zip_reader(std::span<const std::byte> archive) {
  const zip_directory directory = read_zip_directory(archive);
  std::vector<member_extent> extents;
  for (const zip_entry& each : directory.entries) {
    check_entry(each);
    const auto packed = find_zip_member(archive, directory, each);
    const auto end = static_cast<std::uint64_t>(packed.data() + packed.size() - archive.data());
    extents.emplace_back(each.header, end, &each);
    members_.push_back({each.name, each.size, each.crc, each.method == as_deflated, packed});
  }
  refuse_same_names(members_);
  refuse_shared_bytes(std::move(extents));
}

zip_contents zip_reader::read(const zip_member& member, std::uint64_t limit) const {
  zip_contents out{.bytes = member.packed};
  if (member.deflated) {
    if (member.size > limit)
      throw refusal("member '" + member.name + "' inflates to " + std::to_string(member.size) + " bytes, beyond the " +
                        std::to_string(limit) + " that are allowed",
                    "save it with numpy.savez, which does not compress, or allow more with --max-decoded");
    if (!can_inflate_to(member.packed.size(), member.size))
      refuse_member(member.name, "cannot inflate to the size it states");
    const auto size = static_cast<std::size_t>(member.size);
    out.own = std::unique_ptr<std::byte[]>(new std::byte[size]);
    const std::span<std::byte> into(out.own.get(), size);
    if (!inflate(member.packed, into)) refuse_member(member.name, "does not inflate to the size it states");
    out.bytes = into;
  }
  crc32 sum;
  sum.add(out.bytes);
  if (sum.value() != member.crc)
    refuse_member(member.name, "has changed since it was written: its CRC-32 does not match");
  return out;
}

}  // namespace tgmap::convert
