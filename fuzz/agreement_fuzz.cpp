// SPDX-License-Identifier: Apache-2.0
// One archive has one answer: forwards and backwards, mapped, read and in memory, by header index, footer index and
// walk, whole and in parts, with one thread and with two. What `validate` calls sound is readable by every way.
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "archive/scan/interleaved_scan.hpp"
#include "support/archives.hpp"
#include "support/met_failures.hpp"
#include "support/object_values.hpp"
#include "support/require.hpp"
#include "support/seeded_random.hpp"
#include "wire/frame.hpp"

using namespace tgmap_fuzz;
using tgmap::failure;

namespace {

constexpr std::size_t most_messages = 12, most_objects = 24;

constexpr tgmap::open_options by_index{.damage = tgmap::on_damage::skip, .max_decoded_bytes = most_decoded};
constexpr tgmap::open_options by_walk{
    .damage = tgmap::on_damage::skip, .lookup = tgmap::object_lookup::walk, .max_decoded_bytes = most_decoded};

/// The answer to one question about a message as text. It includes failures.
struct answer {
  std::string text{};
  met_failures met{};

  template <class... T>
  void line(const T&... parts) {
    (add(parts), ...);
    text += '\n';
  }
  void note(const char* call, const failure& why) {
    if (met.note(call, why))
      line("! ", call, " ", why.code.message(), " ", why.offset, ": ", why.expected, " ", why.found);
  }
  void metadata(const tgmap::metadata& layers, const failure& why) {
    note("metadata", why);
    for (const auto& entry : layers.entries()) line(entry.key, "=", digest(entry.value.bytes()));
  }

 private:
  void add(std::string_view part) { text += part; }
  void add(std::uint64_t number) { text += std::to_string(number); }
};

using answers = std::map<std::string, answer>;

void ask_object(const tgmap::message& m, std::size_t j, answers& out) {
  const std::string number = std::to_string(j);
  failure why;
  out["base " + number].metadata(m.base(j, why), why);
  answer& said = out["object " + number];
  const auto o = m.at(j, why);
  said.note("at", why);
  if (why) return;
  said.line("at ", o.frame().offset(), "+", o.frame().length(), " type ", static_cast<std::uint64_t>(o.frame().type()),
            " payload ", o.payload_offset(), "+", o.payload_size(), " region ", digest(o.payload_and_masks(why)));
  said.note("region", why);
  const auto what = o.descriptor(why);
  said.note("descriptor", why);
  if (!why) said.line(to_string_view(what.dtype), " elements ", what.element_count, " ", digest(what.entries.bytes()));
  said.line(to_string_view(o.verify(why)));
  said.note("verify", why);
  const auto values = o.decode({.strides = tgmap::stride_policy::ignore}, why);
  said.note("decode", why);
  said.line("decoded ", digest(values.bytes()));
  out["metadata " + number].metadata(o.metadata(why), why);
}

void ask_message(const tgmap::message& m, answers& out) {
  failure why;
  out["metadata"].metadata(m.metadata(why), why);
  out["reserved"].metadata(m.provenance(why), why);
  const auto keys = m.summary(why);
  answer& both = out["keys"];
  both.metadata(keys.message_metadata, why);
  both.metadata(keys.first_object_metadata, why);
  both.line(keys.object_count, " objects");
}

/// Asks a message everything. In which order makes no difference.
answers ask(const tgmap::message& m, bool last_first) {
  answers out;
  failure why;
  if (!last_first) ask_message(m, out);
  const std::size_t count = m.size(why), asked = std::min(count, most_objects);
  out["size"].line(count);
  out["size"].note("size", why);
  for (std::size_t i = 0; i < asked; ++i) ask_object(m, last_first ? asked - 1 - i : i, out);
  if (last_first) ask_message(m, out);
  return out;
}

std::string text_of(const answers& all) {
  std::string out;
  for (const auto& [question, said] : all) out += question + ":\n" + said.text;
  return out;
}

/// Requires that what the index answers is what the walk answers. The walk may fail where the index does not, because
/// it needs every frame of the message to be sound; but then something else must fail by the index too.
void require_index(const answers& indexed, const answers& walked, const char* what) {
  const auto failed = [](const auto& each) { return !each.second.met.none(); };
  const bool sound = std::ranges::none_of(indexed, failed);
  for (const auto& each : indexed) {
    const auto other = walked.find(each.first);
    const bool walk_failed = failed(other == walked.end() ? *walked.find("size") : *other);
    if (failed(each) || (walk_failed && !sound)) continue;
    const std::string found = other == walked.end() ? "not asked" : other->second.text;
    require_same(each.first + ": " + each.second.text, each.first + ": " + found, what);
  }
}

/// The frames and the layout of a message, which do not depend on how it is opened.
std::string structure_of(const tgmap::message& m) {
  answer out;
  failure why;
  out.line("version ", static_cast<std::uint64_t>(m.version()), " flags ", m.flags(), " bytes ", digest(m.bytes(why)));
  out.note("bytes", why);
  auto frames = m.frames(why);
  tgmap::frame f;
  while (!why && frames.next(f, why)) {
    failure bad;
    out.line("frame ", f.offset(), "+", f.length(), " type ", static_cast<std::uint64_t>(f.type()), " flags ",
             f.flags(), " padding ", f.padding(), " body ", digest(f.body(bad)), " ", to_string_view(f.verify(bad)));
    out.note("frame", bad);
  }
  out.note("frames", why);
  out.line(to_string_view(m.index_location(why)));
  out.note("layout", why);
  const auto hashes = m.hash_list(why);
  out.line(hashes ? digest(hashes->bytes()) : "no hashes");
  out.note("hash_frame", why);
  return out.text;
}

/// Where messages and damage lie, from front to back.
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

/// Several chains, or one, find the messages that the table begins with, as far as they get.
void require_chains(std::span<const std::byte> data, const tgmap::archive& archive) {
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
                "interleaved_scan find what the scan finds");
      }
  }
}

/// From the end, before and after a scan. A forged file may be read differently backwards: then the scan counts.
void require_backwards(const std::array<tgmap::archive, 3>& unscanned, const tgmap::archive& scanned) {
  const std::size_t count = scanned.size();
  for (std::size_t n = 0; n < std::min(count, most_messages); ++n) {
    failure why;
    const auto late = scanned.nth_from_end(n, why);
    require(!why && late.offset() == scanned[count - 1 - n].offset(), "a scanned archive is counted from its end");
    const auto early = unscanned[0].nth_from_end(n, why);
    require(!why, "the end can be found without a scan");
    for (const auto& other : unscanned) {
      const auto same = other.nth_from_end(n, why);
      require(!why && same.offset() == early.offset() && same.length() == early.length(), "in each mode the same end");
    }
    if (early.offset() == late.offset()) require(early.length() == late.length(), "and the same length");
  }
}

/// The same bytes, with another type for header indexes where there is one in the footer too, which is used then.
std::vector<std::byte> without_header_indexes(std::span<const std::byte> data, const tgmap::archive& archive) {
  std::vector<std::byte> out;
  failure why;
  for (std::size_t i = 0, count = std::min(archive.size(why), most_messages); i < count; ++i) {
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
  const std::size_t count = std::min(m.size(why), most_objects);
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
  require_chains(data, memory);
  require_backwards(modes, memory);
  for (const auto& each : modes) require_same(table_of(each), table, "one table of messages in each mode");
  const auto relabelled = without_header_indexes(data, walk);
  const auto footer = in_memory(relabelled, by_index);
  if (!relabelled.empty()) require_same(table_of(footer), table, "a scan does not ask for types of frames");

  met_failures met;
  const std::size_t count = memory.size();
  for (std::size_t i = 0; i < std::min(count, most_messages); ++i) {
    const answers walked = ask(walk[i], numbers.one_in(2)), indexed = ask(memory[i], false);
    const std::string text = text_of(indexed), structure = structure_of(memory[i]);
    require_same(text_of(ask(modes[1][i], true)), text, "mapped as in memory");
    require_same(text_of(ask(modes[2][i], false)), text, "read as mapped");
    require_same(structure_of(modes[1 + i % 2][i]), structure, "the same frames in each mode");
    require_index(indexed, walked, "an index that is believed is true");
    if (!relabelled.empty()) require_index(ask(footer[i], false), walked, "a footer index that is believed is true");
    for (const answers& all : {walked, indexed})
      for (const auto& [question, said] : all) met.add(said.met);
    const auto objects = objects_of_message(walk[i]);
    for (const auto& each : objects) require_one_value(each, numbers, met);
    require_same_by_many(objects, numbers, met);
  }

  const bool readable = met.none() || std::ranges::any_of(memory, [](const auto& m) { return m.version() == 1; });
  tgmap::validation_visitor nobody;
  const auto verdict = validate(
      memory, {.mode = tgmap::validation_mode::full, .threads = static_cast<unsigned>(1 + numbers.below(2))}, nobody);
  if (verdict.is_sound() && verdict.objects_not_decoded == 0 && !readable)
    require_same(met.first(), "", "what is sound is readable");
  return 0;
}
