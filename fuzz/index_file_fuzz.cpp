// SPDX-License-Identifier: Apache-2.0
// An index file of any archive: as it was made, it gives the result of a scan. Changed in any way, with checksums that
// are right, it gives messages, objects and parts within the archive, or errors.
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <map>
#include <string>
#include <support/survey.hpp>
#include <tgmap/query/selection.hpp>
#include <tgmap/tools/index.hpp>
#include <vector>

#include "index_file/format.hpp"
#include "support/archives.hpp"
#include "support/require.hpp"
#include "support/seeded_random.hpp"

using namespace tgmap_fuzz;
using tgmap::index_file::page_size;

namespace {

/// A file in memory that has a path.
class memory_file {
 public:
  explicit memory_file(std::span<const std::byte> contents)
      : descriptor_(::memfd_create("tgmap", MFD_CLOEXEC)), path_("/proc/self/fd/" + std::to_string(descriptor_)) {
    rewrite(contents);
    // A time in the past, so that an index gets its stamp without waiting.
    const ::timespec past[] = {{1'600'000'000, 5}, {1'600'000'000, 5}};
    require(::futimens(descriptor_, past) == 0, "the file gets a time");
  }
  ~memory_file() { ::close(descriptor_); }
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;

  const std::string& path() const { return path_; }
  void rewrite(std::span<const std::byte> contents) {
    const auto written = ::pwrite(descriptor_, contents.data(), contents.size(), 0);
    require(written == static_cast<ssize_t>(contents.size()), "the file is written");
  }

 private:
  int descriptor_;
  std::string path_;
};

using index_bytes = std::vector<std::byte>;

/// Changes a few numbers of an index, mostly to numbers near those that are there, and renews the checksums.
void change(index_bytes& index, seeded_random& random, std::uint64_t archive_size) {
  const std::size_t pages = index.size() / page_size;
  for (std::uint64_t k = 0; k <= random.below(4); ++k) {
    // Half of the changes in the trailer and the page runs.
    const std::size_t page = random.one_in(2) ? pages - 1 : static_cast<std::size_t>(random.below(pages));
    const std::size_t at = page * page_size + static_cast<std::size_t>(random.below(random.one_in(2) ? 40 : 511)) * 8;
    const auto was = tgmap::wire::load_le<std::uint64_t>(&index[at]);
    const std::uint64_t numbers[] = {0,
                                     was + 1,
                                     was - 1,
                                     was ^ std::uint64_t{1} << random.below(64),
                                     archive_size,
                                     random.below(archive_size + 1),
                                     UINT64_MAX,
                                     random.next()};
    std::uint64_t number = numbers[random.below(std::size(numbers))];
    // The highest bits of a message's offset are its flags, which must be right before anything else is compared.
    constexpr std::uint64_t offset = tgmap::index_file::listed_message::max_offset;
    if (random.one_in(2)) number = (was & ~offset) | (number & offset);
    tgmap::wire::store_le(&index[at], number);
  }
  const auto identity = tgmap::wire::load_le<std::uint64_t>(&index[(pages - 1) * page_size + 16]);
  for (std::size_t page = 0; page < pages; ++page)
    tgmap::index_file::seal_page(tgmap::index_file::page_bytes(&index[page * page_size], page_size), identity, page);
}

void check_places(const tgmap::archive& archive) {
  tgmap::failure why;
  const std::uint64_t size = archive.size_bytes();
  const auto within = [&](std::uint64_t at, std::uint64_t length) { return at <= size && length <= size - at; };
  for (std::size_t i = 0; i < std::min<std::size_t>(archive.size(why), 1000); ++i) {
    const tgmap::message m = archive.at(i, why);
    if (why) continue;
    require(within(m.offset(), m.length()), "a message is within the archive");
    require(m.index() == i, "a message has its number");
    const std::size_t objects = m.size(why);
    for (std::size_t j = 0; j < std::min<std::size_t>(objects, 100); ++j) {
      const tgmap::object o = m.at(j, why);
      if (why) continue;
      require(within(o.payload_offset(), o.payload_size()), "a payload is within the archive");
      (void)o.descriptor(why);
      (void)o.metadata(why);
      (void)o.payload(why);
    }
  }
}

/// Checks that parts are in order, and that parts which are not the end have their messages.
void check_parts(const tgmap::archive& archive, std::span<const std::byte> data, bool is_right) {
  for (const std::size_t count : {2u, 3u, 17u}) {
    tgmap::failure why;
    const auto parts = archive.partition(count, why);
    require(parts.size() <= count, "there are not too many parts");
    require(!is_right || !why, "an archive is divided");
    std::uint64_t at = 0;
    for (const tgmap::archive_part& each : parts) {
      require(each.begin == at && each.end > at && each.end <= data.size(), "parts are in order");
      require(each.messages > 0, "a part has messages");
      at = each.end;
      if (!is_right) continue;
      auto options = skip;
      options.offset = each.begin;
      options.length = each.end - each.begin;
      const auto part = tgmap::archive::from_memory(data, options);
      require(part.size() == each.messages, "a part has as many messages on its own");
      for (std::size_t i = 0; i < each.messages; ++i) {
        const tgmap::message whole = archive[each.first_message + i], alone = part[i];
        require(alone.offset() + each.begin == whole.offset() && alone.length() == whole.length(),
                "a part has the same messages");
      }
    }
    require(parts.empty() || at == data.size(), "parts have all bytes");
  }
}

/// Returns the keys of metadata; none if they take too much memory.
std::map<std::string, std::string> keys_of(const tgmap::metadata& from) {
  try {
    return tgmap::flatten(from);
  } catch (const tgmap::error&) {
    return {};
  }
}

/// Returns conditions on keys of the first messages.
std::vector<tgmap::selection> selections_of(const tgmap::archive& archive) {
  std::vector<tgmap::selection> out;
  tgmap::failure why;
  for (std::size_t i = 0; i < 3 && out.size() < 12; ++i) {
    const tgmap::message m = archive.at(i, why);
    const tgmap::metadata keys = why || m.version() == 1 ? tgmap::metadata() : m.base(0, why);
    for (const auto& [key, value] : why ? std::map<std::string, std::string>() : keys_of(keys)) {
      if (out.size() >= 12 || key.empty() || key.find('"') != key.npos || value.find('"') != value.npos) continue;
      for (const std::string& text : {'"' + key + "\"=\"" + value + '"', "not has \"" + key + '"'}) {
        const auto parsed = tgmap::selection::parse(text, tgmap::selection_syntax::full, why);
        if (!why) out.push_back(parsed);
      }
    }
  }
  return out;
}

/// Returns the numbers of the messages that a selection finds, and those of failures. Each must match.
std::string found_in(const tgmap::archive& archive, const tgmap::selection& wanted) {
  std::string out;
  auto range = archive.find(wanted);
  tgmap::selected_message each;
  tgmap::failure why;
  for (int k = 0; k < 1000; ++k) {
    const bool more = range.next(each, why);
    if (!more && (!why || k > 200)) break;
    require(!more || wanted.matches(each.message, why), "a message that is found matches");
    out += more ? std::to_string(each.index) + ' ' : std::to_string(why.code.value()) + "! ";
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto data = std::as_bytes(std::span(bytes, size));
  const auto scanned = in_memory(data);
  const memory_file archive_file(data);
  tgmap::open_options without = skip;
  without.index = tgmap::index_use::none;
  tgmap::memory_sink to;
  tgmap::failure why;
  const auto summary = tgmap::create_index(tgmap::archive::open(archive_file.path(), without, why), to, {}, why);
  if (why) return 0;  // a gap whose reason an index cannot hold
  require(summary.is_stamped, "an index of a file that does not change is stamped");
  const index_bytes made = to.release();

  memory_file index(made);
  tgmap::open_options with = skip;
  with.index_path = index.path();
  const auto indexed = tgmap::archive::open(archive_file.path(), with, why);
  require(!why && indexed.index_status().is_current, "an index that was just made is current");
  require_same(tgmap_test::survey_of(indexed).text, tgmap_test::survey_of(scanned).text,
               "an index gives the result of a scan");
  tgmap::check_index(scanned, index.path(), {}, why);
  require(!why, "an index that was just made is sound");
  const index_bytes same = indexed.index_bytes();
  require(same == made, "the bytes of an index are those of its file");
  const auto shared = tgmap::archive::open(archive_file.path(), same, skip, why);
  require(!why && shared.size() == scanned.size(), "the bytes of an index are used");
  require(shared.partition(5) == scanned.partition(5), "an index gives the parts of a scan");
  check_parts(scanned, data, true);

  const auto selections = selections_of(scanned);
  for (const tgmap::selection& each : selections)
    require_same(found_in(indexed, each), found_in(scanned, each), "a selection finds the same with an index");

  seeded_random random(data);
  for (int k = 0; k < 8; ++k) {
    index_bytes changed = made;
    change(changed, random, size);
    index.rewrite(changed);
    const auto wrong = tgmap::archive::open(archive_file.path(), with, why);
    if (!why) {
      check_places(wrong);
      check_parts(wrong, data, false);
      for (const tgmap::selection& each : selections) static_cast<void>(found_in(wrong, each));
    }
    tgmap::check_index(scanned, index.path(), {}, why);
    static_cast<void>(tgmap::describe_index(index.path(), why));
  }
  return 0;
}
