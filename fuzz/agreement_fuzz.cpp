// SPDX-License-Identifier: Apache-2.0
// Checks that an archive has the same content forwards and backwards, mapped, read and in memory, by header index,
// footer index and walk, whole and in parts, with one thread and with two. An archive that `validate` finds sound is
// readable in every way.
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "archive/scan/interleaved_scan.hpp"
#include "support/archives.hpp"
#include "support/first_failure.hpp"
#include "support/object_values.hpp"
#include "support/require.hpp"
#include "support/seeded_random.hpp"
#include "wire/frame.hpp"

using namespace tgmap_fuzz;
using tgmap::failure;

namespace {

constexpr std::size_t max_messages = 12, max_objects = 24;

constexpr tgmap::open_options by_index{.damage = tgmap::on_damage::skip, .max_decoded_bytes = max_decoded_bytes};
constexpr tgmap::open_options by_walk{
    .damage = tgmap::on_damage::skip, .lookup = tgmap::object_lookup::walk, .max_decoded_bytes = max_decoded_bytes};

/// The result of one group of calls on a message as text, failures included.
struct result_text {
  std::string text{};
  first_failure failures{};

  template <class... T>
  void line(const T&... parts) {
    (add(parts), ...);
    text += '\n';
  }
  void note(const char* call, const failure& why) {
    if (failures.note(call, why))
      line("! ", call, " ", why.code.message(), " ", why.offset, ": ", why.expected, " ", why.found);
  }
  void metadata(const tgmap::metadata& layers, const failure& why) {
    note("metadata", why);
    for (const auto& entry : layers.entries()) line(entry.key, "=", fingerprint(entry.value.bytes()));
  }

 private:
  void add(std::string_view part) { text += part; }
  void add(std::uint64_t number) { text += std::to_string(number); }
};

using results = std::map<std::string, result_text>;

void read_object(const tgmap::message& m, std::size_t j, results& out) {
  const std::string number = std::to_string(j);
  failure why;
  out["base " + number].metadata(m.base(j, why), why);
  result_text& result = out["object " + number];
  const auto o = m.at(j, why);
  result.note("at", why);
  if (why) return;
  result.line("at ", o.frame().offset(), "+", o.frame().length(), " type ",
              static_cast<std::uint64_t>(o.frame().type()), " payload ", o.payload_offset(), "+", o.payload_size(),
              " region ", fingerprint(o.payload_and_masks(why)));
  result.note("region", why);
  const auto what = o.descriptor(why);
  result.note("descriptor", why);
  if (!why)
    result.line(to_string_view(what.dtype), " elements ", what.element_count, " ", fingerprint(what.entries.bytes()));
  result.line(to_string_view(o.verify(why)));
  result.note("verify", why);
  const auto values = o.decode({.strides = tgmap::stride_policy::ignore}, why);
  result.note("decode", why);
  result.line("decoded ", fingerprint(values.bytes()));
  out["metadata " + number].metadata(o.metadata(why), why);
}

void read_message(const tgmap::message& m, results& out) {
  failure why;
  out["metadata"].metadata(m.metadata(why), why);
  out["reserved"].metadata(m.provenance(why), why);
  const auto keys = m.summary(why);
  result_text& both = out["keys"];
  both.metadata(keys.message_metadata, why);
  both.metadata(keys.first_object_metadata, why);
  both.line(keys.object_count, " objects");
}

/// Reads everything of a message. The order must make no difference.
results read_all(const tgmap::message& m, bool last_first) {
  results out;
  failure why;
  if (!last_first) read_message(m, out);
  const std::size_t count = m.size(why), used = std::min(count, max_objects);
  out["size"].line(count);
  out["size"].note("size", why);
  for (std::size_t i = 0; i < used; ++i) read_object(m, last_first ? used - 1 - i : i, out);
  if (last_first) read_message(m, out);
  return out;
}

std::string text_of(const results& all) {
  std::string out;
  for (const auto& [name, result] : all) out += name + ":\n" + result.text;
  return out;
}

/// Requires that the index and the walk have the same results. The walk may fail alone, because it needs every frame of
/// the message to be sound; then some other call must fail by the index, too.
void require_index(const results& indexed, const results& walked, const char* what) {
  const auto failed = [](const auto& each) { return !each.second.failures.none(); };
  const bool is_sound = std::ranges::none_of(indexed, failed);
  for (const auto& each : indexed) {
    const auto other = walked.find(each.first);
    const bool walk_failed = failed(other == walked.end() ? *walked.find("size") : *other);
    if (failed(each) || (walk_failed && !is_sound)) continue;
    const std::string found = other == walked.end() ? "not read" : other->second.text;
    require_same(each.first + ": " + each.second.text, each.first + ": " + found, what);
  }
}

/// Returns the frames and the layout of a message, which do not depend on how it is opened.
std::string structure_of(const tgmap::message& m) {
  result_text out;
  failure why;
  out.line("version ", static_cast<std::uint64_t>(m.version()), " flags ", m.flags(), " bytes ",
           fingerprint(m.bytes(why)));
  out.note("bytes", why);
  auto frames = m.frames(why);
  tgmap::frame f;
  while (!why && frames.next(f, why)) {
    failure bad;
    out.line("frame ", f.offset(), "+", f.length(), " type ", static_cast<std::uint64_t>(f.type()), " flags ",
             f.flags(), " padding ", f.padding(), " body ", fingerprint(f.body(bad)), " ",
             to_string_view(f.verify(bad)));
    out.note("frame", bad);
  }
  out.note("frames", why);
  out.line(to_string_view(m.index_location(why)));
  out.note("layout", why);
  const auto hashes = m.hash_list(why);
  out.line(hashes ? fingerprint(hashes->bytes()) : "no hashes");
  out.note("hash_list", why);
  return out.text;
}

/// Returns the ranges of messages and damage in order.
std::string table_of(const tgmap::archive& archive) {
  std::string out;
  const auto put = [&](const char* what, std::uint64_t begin, std::uint64_t end, const failure& why) {
    out +=
        std::string(what) + " " + std::to_string(begin) + "-" + std::to_string(end) + " " + why.code.message() + "\n";
  };
  for (const tgmap::message& m : archive)
    put(m.is_incomplete() ? "incomplete"
        : m.is_streamed() ? "stream"
                          : "message",
        m.offset(), m.offset() + m.length(), {});
  for (const auto& gap : archive.gaps()) put("gap", gap.begin, gap.end, gap.cause);
  if (const auto tail = archive.incomplete_tail()) put("tail", tail->begin, tail->end, tail->cause);
  return out;
}

/// Requires that interleaved scans of any number of chains find the first messages of the table.
void require_interleaved_scans(std::span<const std::byte> data, const tgmap::archive& archive) {
  failure why;
  const auto source = tgmap::io::source::from_memory(data, by_index, why);
  for (const std::size_t count : {std::size_t{1}, std::size_t{3}, tgmap::detail::interleaved_scan::max_chains}) {
    static tgmap::detail::interleaved_scan scan;  // keeps its memory from one input to the next
    tgmap::detail::interleaved_scan::result found;
    if (data.empty() || scan.walk(*source, 0, data.size(), count, found)) return;
    std::size_t i = 0;
    for (std::size_t k = 0; k < found.count; ++k)
      for (const auto& entry : found.parts[k]) {
        const auto m = archive.at(i++, why);
        require(!why && m.offset() == entry.offset && m.length() == entry.length && m.is_streamed() == entry.streamed,
                "interleaved scans find the messages of the scan");
      }
  }
}

/// Checks lookups from the end, before and after a scan. If they disagree on a forged file, the scan wins.
void require_backwards(const std::array<tgmap::archive, 3>& unscanned, const tgmap::archive& scanned) {
  const std::size_t count = scanned.size();
  for (std::size_t n = 0; n < std::min(count, max_messages); ++n) {
    failure why;
    const auto late = scanned.nth_from_end(n, why);
    require(!why && late.offset() == scanned[count - 1 - n].offset(), "a scanned archive is counted from its table");
    const auto early = unscanned[0].nth_from_end(n, why);
    require(!why, "the end can be found without a scan");
    for (const auto& other : unscanned) {
      const auto same = other.nth_from_end(n, why);
      require(!why && same.offset() == early.offset() && same.length() == early.length(),
              "every mode finds the same message from the end");
    }
    if (early.offset() == late.offset()) require(early.length() == late.length(), "the scan finds the same length");
  }
}

/// Returns a copy in which header indexes have another type if there is also a footer index, which is used then.
std::vector<std::byte> without_header_indexes(std::span<const std::byte> data, const tgmap::archive& archive) {
  std::vector<std::byte> out;
  failure why;
  for (std::size_t i = 0, count = std::min(archive.size(why), max_messages); i < count; ++i) {
    if (archive[i].index_location(why) != tgmap::index_location::both) continue;
    if (out.empty()) out.assign(data.begin(), data.end());
    auto frames = archive[i].frames(why);
    for (tgmap::frame f; frames.next(f, why);)
      if (f.type() == tgmap::frame_type::header_index)
        tgmap::wire::store_be(out.data() + f.offset() + 2, std::uint16_t{tgmap::wire::header_hash_frame});
  }
  return out;
}

std::vector<tgmap::object> objects_of_message(const tgmap::message& m) {
  std::vector<tgmap::object> out;
  failure why;
  const std::size_t count = std::min(m.size(why), max_objects);
  for (std::size_t j = 0; j < count; ++j)
    if (const auto o = m.at(j, why); !why) out.push_back(o);
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto data = std::as_bytes(std::span(bytes, size));
  seeded_random numbers(data);
  const auto memory = in_memory(data, by_index), walk = in_memory(data, by_walk);
  const std::array modes{in_memory(data, by_index), in_file(data, tgmap::io_mode::map, by_index),
                         in_file(data, tgmap::io_mode::read, by_index)};
  const std::string table = table_of(memory);
  require_interleaved_scans(data, memory);
  require_backwards(modes, memory);
  for (const auto& each : modes) require_same(table_of(each), table, "every mode has the same table of messages");
  const auto without_header = without_header_indexes(data, walk);
  const auto footer = in_memory(without_header, by_index);
  if (!without_header.empty()) require_same(table_of(footer), table, "a scan does not depend on types of frames");

  first_failure failures;
  const std::size_t count = memory.size();
  for (std::size_t i = 0; i < std::min(count, max_messages); ++i) {
    const results walked = read_all(walk[i], numbers.one_in(2)), indexed = read_all(memory[i], false);
    const std::string text = text_of(indexed), structure = structure_of(memory[i]);
    require_same(text_of(read_all(modes[1][i], true)), text, "mapped equals in memory");
    require_same(text_of(read_all(modes[2][i], false)), text, "read equals in memory");
    require_same(structure_of(modes[1 + i % 2][i]), structure, "every mode has the same frames");
    require_index(indexed, walked, "an accepted index is right");
    if (!without_header.empty()) require_index(read_all(footer[i], false), walked, "an accepted footer index is right");
    for (const results& all : {walked, indexed})
      for (const auto& [name, result] : all) failures.add(result.failures);
    const auto objects = objects_of_message(walk[i]);
    for (const auto& each : objects) require_one_value(each, numbers, failures);
    require_same_by_decode_many(objects, numbers, failures);
  }

  const bool readable = failures.none() || std::ranges::any_of(memory, [](const auto& m) { return m.version() == 1; });
  tgmap::validation_visitor ignored;
  const auto validated = validate(
      memory, {.mode = tgmap::validation_mode::full, .threads = static_cast<unsigned>(1 + numbers.below(2))}, ignored);
  if (validated.is_sound() && validated.objects_not_decoded == 0 && !readable)
    require_same(failures.text(), "", "a sound archive is readable");
  return 0;
}
