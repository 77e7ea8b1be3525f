// SPDX-License-Identifier: Apache-2.0
// A mapped file loses its pages between two calls: each call returns an error or the same result as before, never a
// signal.
#include <signal.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstring>
#include <optional>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <support/rounds.hpp>
#include <support/temporary.hpp>

using namespace tgmap_test;
using tgmap::compression;
using tgmap::failure;

BOOST_AUTO_TEST_SUITE(removed_pages_test)

namespace {

/// An archive, and the handles that a program may keep.
struct opened {
  explicit opened(const std::filesystem::path& path)
      : file(path), archive(path, {.io = tgmap::io_mode::map}), message(archive[1]) {
    for (std::size_t j = 0; j < message.size(); ++j) objects.push_back(message[j]);
    for (const auto& one : objects) readers.emplace_back(one);
  }

  std::filesystem::path file;
  tgmap::archive archive;
  tgmap::message message;
  std::vector<tgmap::object> objects{};
  std::vector<tgmap::part_reader> readers{};
};

using in = const opened&;

/// A call that reads the archive, and its result as text.
struct call {
  const char* name;
  std::string (*make)(in, failure&);
};

std::string text_of(std::span<const std::byte> bytes) { return std::string(view_of(bytes)); }
/// Prints the elements; of a view of the mapping only their number.
std::string text_of(const tgmap::tensor& t) { return t.is_borrowed() ? std::to_string(t.size()) : text_of(t.bytes()); }
std::string text_of(bool truth) { return truth ? "yes" : "no"; }

/// Prints the result of `one(j, why)` for each object, up to a failure.
template <class One>
std::string each(in o, failure& why, One&& one) {
  std::string all;
  for (std::size_t j = 0; !why && j < o.objects.size(); ++j) all += one(j);
  return all;
}

template <class One>
std::string each_frame(in o, failure& why, One&& one) {
  std::string all;
  auto frames = o.message.frames(why);
  for (tgmap::frame f; !why && frames.next(f, why);) all += one(f);
  return all;
}

std::string read(in o, failure& why) {
  std::vector<std::byte> out(o.message.length());
  o.archive.read(o.message.offset(), out, why);
  return text_of(out);
}

std::string read_payloads(in o, failure& why) {
  return each(o, why, [&](std::size_t j) {
    std::vector<std::byte> out(o.objects[j].payload_size());
    o.objects[j].read(0, out, why);
    return text_of(out);
  });
}

std::string decode_into(in o, failure& why) {
  tgmap::tensor out;
  return each(o, why, [&](std::size_t j) { return o.objects[j].decode_into(out, {}, why), text_of(out); });
}

std::string decode_together(in o, failure& why) {
  std::vector<std::vector<std::byte>> memory;
  each(o, why, [&](std::size_t j) { return memory.emplace_back(o.objects[j].decoded_size(why)), ""; });
  if (why) return {};
  const std::vector<std::span<std::byte>> out(memory.begin(), memory.end());
  decode_many(o.objects, out, {}, why);
  return each(o, why, [&](std::size_t j) { return text_of(memory[j]); });
}

template <tgmap::validation_mode what>
std::string validated(in o, failure& why) {
  tgmap::validation_visitor ignored;
  const auto result = validate(o.archive, {.mode = what, .threads = 1}, ignored, why);
  return std::to_string(result.errors) + ' ' + std::to_string(result.objects);
}

std::string write(in o, failure& why) {
  tgmap::memory_sink sink;
  tgmap::writer out(sink);
  out.write(o.message, why);
  return {};
}

std::string take_and_write(in o, failure& why) {
  tgmap::stored_message m;
  m.load(o.message, why);
  return why ? "" : text_of(to_bytes(m.content, m.options, why));
}

constexpr std::uint64_t start[] = {7}, count[] = {50}, stride[] = {3};
const tgmap::slab box{start, count, stride};

/// None of them reads views, which only a guard makes safe.
constexpr call calls[] = {
    {"scan", [](in o, failure& why) { return std::to_string(o.archive.scan(UINT64_MAX, {}, why).messages); }},
    {"archive::size", [](in o, failure& why) { return std::to_string(o.archive.size(why)); }},
    {"archive::at", [](in o, failure& why) { return std::to_string(o.archive.at(1, why).offset()); }},
    {"partition", [](in o, failure& why) { return std::to_string(o.archive.partition(3, why).size()); }},
    {"from_end", [](in o, failure& why) { return std::to_string(o.archive.nth_from_end(0, why).offset()); }},
    {"at_offset",
     [](in o, failure& why) { return std::to_string(o.archive.at_offset(o.message.offset(), why).length()); }},
    {"archive::read", read},
    {"refreshed", [](in o, failure& why) { return std::to_string(o.archive.reopen(why).size_bytes()); }},
    {"flags", [](in o, failure&) { return static_cast<void>(o.message.flags()), std::string(); }},
    {"layout", [](in o, failure& why) { return std::string(to_string_view(o.message.index_location(why))); }},
    {"hash_frame", [](in o, failure& why) { return text_of(o.message.hash_list(why).has_value()); }},
    {"stored_hash of frames",
     [](in o, failure& why) { return each_frame(o, why, [](auto& f) { return f.stored_hash(), "frame"; }); }},
    {"verify of frames",
     [](in o, failure& why) { return each_frame(o, why, [&](auto& f) { return to_string_view(f.verify(why)); }); }},
    {"message::size", [](in o, failure& why) { return std::to_string(o.message.size(why)); }},
    {"message::metadata", [](in o, failure& why) { return text_of(o.message.metadata(why).empty()); }},
    {"reserved", [](in o, failure& why) { return text_of(o.message.provenance(why).empty()); }},
    {"base", [](in o, failure& why) { return text_of(o.message.base(2, why).empty()); }},
    {"keys", [](in o, failure& why) { return std::to_string(o.message.summary(why).object_count); }},
    {"message::at",
     [](in o, failure& why) {
       return each(o, why, [&](auto j) { return std::to_string(o.message.at(j, why).payload_size()); });
     }},
    {"descriptor",
     [](in o, failure& why) {
       return each(o, why, [&](auto j) { return std::to_string(o.objects[j].descriptor(why).element_count); });
     }},
    {"object::metadata",
     [](in o, failure& why) { return each(o, why, [&](auto j) { return text_of(o.objects[j].metadata(why).empty()); }); }},
    {"in_place",
     [](in o, failure& why) {
       return each(o, why, [&](auto j) { return static_cast<void>(o.objects[j].why_not_in_place(tgmap::dtype::float64)), ""; });
     }},
    {"metadata_copy",
     [](in o, failure& why) {
       return each(o, why, [&](auto j) {
         const tgmap::metadata keys = o.objects[j].metadata(why);
         const tgmap::metadata_copy copy = why ? tgmap::metadata_copy() : tgmap::metadata_copy::of(keys, why);
         return std::to_string(copy.keys().get<std::uint64_t>("number").value_or(99)) + std::to_string(copy.keys().entries().size());
       });
     }},
    {"key_lookup of objects",
     [](in o, failure& why) {
       return each(o, why, [&](auto j) {
         tgmap::key_lookup keys(o.message, o.objects[j]);
         return keys.find(tgmap::metadata_key("number"), why).text() + keys.find(tgmap::metadata_key("title"), why).text();
       });
     }},
    {"key_lookup of the message",
     [](in o, failure& why) {
       tgmap::key_lookup keys(o.message);
       return keys.find(tgmap::metadata_key("title"), why).text() + keys.find(tgmap::metadata_key("absent"), why).text();
     }},
    {"selection of a message",
     [](in o, failure& why) { return text_of(tgmap::selection("number=2 and not title=x").matches(o.message, why)); }},
    {"selection of objects",
     [](in o, failure& why) {
       const tgmap::selection wanted("title=x or number<2");
       return each(o, why, [&](auto j) { return text_of(wanted.matches(o.message, o.objects[j], why)); });
     }},
    {"read_key_columns",
     [](in o, failure& why) {
       const std::vector keys{tgmap::metadata_key("number"), tgmap::metadata_key("title")};
       const auto table = tgmap::read_key_columns(o.archive, keys, {}, why);
       return std::to_string(table.columns.empty() ? 0 : table.columns[0].integers.size());
     }},
    {"object::read", read_payloads},
    {"prefetch",
     [](in o, failure& why) { return each(o, why, [&](auto j) { return why = o.archive.prefetch(o.objects[j]), ""; }); }},
    {"verify", [](in o, failure& why) { return each(o, why, [&](auto j) { return to_string_view(o.objects[j].verify(why)); }); }},
    {"stored_hash",
     [](in o, failure& why) { return each(o, why, [&](auto j) { return o.objects[j].stored_hash(), ""; }); }},
    {"masks",
     [](in o, failure& why) {
       return each(o, why, [&](auto j) { return std::to_string(o.objects[j].masks(why).size()); });
     }},
    {"decode",
     [](in o, failure& why) { return each(o, why, [&](auto j) { return text_of(o.objects[j].decode({}, why)); }); }},
    {"locate",
     [](in o, failure& why) {
       return each(o, why, [&](auto j) {
         const tgmap::located_object place = tgmap::locate(o.message, j, why);
         return why ? std::string() : text_of(place.decode(why));
       });
     }},
    {"decode_into", decode_into},
    {"decode_as",
     [](in o, failure& why) {
       return each(o, why, [&](auto j) { return text_of(o.objects[j].decode_as(tgmap::dtype::float32, {}, why)); });
     }},
    {"decode_range",
     [](in o, failure& why) {
       return each(o, why, [&](auto j) { return text_of(o.objects[j].decode_range(100, 300, {}, why)); });
     }},
    {"decode_slab",
     [](in o, failure& why) { return each(o, why, [&](auto j) { return text_of(o.objects[j].decode_slab(box, {}, why)); }); }},
    {"decode_many", decode_together},
    {"part_reader::open",
     [](in o, failure& why) {
       return each(o, why, [&](auto j) { return tgmap::part_reader::open(o.objects[j], {}, why), ""; });
     }},
    {"part_reader::range",
     [](in o, failure& why) { return each(o, why, [&](auto j) { return text_of(o.readers[j].range(5, 200, why)); }); }},
    {"part_reader::slab",
     [](in o, failure& why) { return each(o, why, [&](auto j) { return text_of(o.readers[j].slab(box, why)); }); }},
    {"validate, quick", validated<tgmap::validation_mode::quick>},
    {"validate, checksum", validated<tgmap::validation_mode::checksum>},
    {"validate, full", validated<tgmap::validation_mode::full>},
    {"writer::write", write},
    {"stored_message::take, and written", take_and_write},
    {"stored_object::of",
     [](in o, failure& why) {
       return each(o, why, [&](auto j) {
         return text_of(tgmap::stored_object::of(o.message, j, o.message.version(), why).base.encoded());
       });
     }},
    {"stored_object::of for version 3", [](in o, failure& why) {
       return each(o, why, [&](auto j) {
         return text_of(tgmap::stored_object::of(o.message, j, 3, why).descriptor.encoded());
       });
     }}};

bool has(compression which) { return tgmap::find_codec(which)->is_available; }

enum class layout { whole, streamed };  ///< streamed: metadata is in the footer

/// A message of `count` objects, stored in all ways. Its metadata takes more than a page.
bytes message_of(std::size_t count, int version, layout as = layout::whole, std::string encoder = "someone") {
  static const std::vector<double> values = [] {
    std::vector<double> out;
    for (std::size_t i = 0; i < 700; ++i) out.push_back(200 + 0.25 * static_cast<double>(i * i % 1000));
    return out;
  }();
  std::vector<tgmap::pipeline> ways{{}, {.encoding = tgmap::encoding::simple_packing}};
  if (has(compression::szip))
    ways.push_back({.encoding = tgmap::encoding::simple_packing, .compression = compression::szip});
  if (has(compression::zstd)) ways.push_back({.filter = tgmap::filter::shuffle, .compression = compression::zstd});
  if (has(compression::blosc2)) ways.push_back({.compression = compression::blosc2});
  tgmap::new_message out;
  for (std::size_t j = 0; j < count; ++j) {
    auto one = tgmap::new_object::of(std::span<const double>(values));
    one.pipeline = ways[(j + 2) % ways.size()];
    one.base = tgmap::cbor_value::map({{"number", tgmap::cbor_value(j)}});
    out.objects.emplace_back(std::move(one));
  }
  out.extra = tgmap::cbor_value::map({{"title", tgmap::cbor_value(bytes(12000, 't'))}});
  const tgmap::write_options how{.version = version,
                                 .provenance = {.encoder = std::move(encoder), .encoder_version = "0.6.1"}};
  if (as == layout::whole) return text_of(to_bytes(out, how));
  tgmap::memory_sink sink;
  tgmap::stream_writer stream(sink, out.extra, how);
  for (const auto& one : out.objects) stream.write(std::get<tgmap::new_object>(one));
  stream.finish(false);
  return text_of(sink.release());
}

/// The same by the reference before 0.7.0, which used szip flags as stored, so that readers decode other values.
bytes legacy_message_of(std::size_t count, layout as) {
  constexpr std::string_view reference = "tensogram", other = "tensogrXX";
  bytes out = message_of(count, 2, as, std::string(other));
  BOOST_REQUIRE(out.find(other) != bytes::npos);
  for (std::size_t at = out.find(other); at != bytes::npos; at = out.find(other)) out.replace(at, 9, reference);
  return out;
}

constexpr std::size_t many = 17;  // messages of so many objects are cached

struct sample {
  const char* what;
  bytes data;
};

std::vector<sample> samples() {
  const bytes first = numbered(1, 3, 9000);
  return {{"version 2, streamed, many objects of the reference", first + legacy_message_of(many, layout::streamed)},
          {"version 2, few objects of the reference", first + legacy_message_of(5, layout::whole)},
          {"version 3, many objects", first + message_of(many, 3)},
          {"version 2, many objects", first + message_of(many, 2)},
          {"version 3, streamed, many objects", first + message_of(many, 3, layout::streamed)},
          {"version 3, few objects", first + message_of(3, 3)}};
}

const char* volatile call_under_way = "";

/// Names the call that raised the signal. A guard that the program has installed gets its signals first.
void name_the_call() {
  if (tgmap::mapping_guard::is_installed()) return;
  ::signal(SIGBUS, [](int) {
    for (const char* each : {"SIGBUS in ", static_cast<const char*>(call_under_way), "\n"})
      static_cast<void>(!::write(STDERR_FILENO, each, std::strlen(each)));
    ::_exit(1);
  });
}

using outcome = std::optional<std::string>;  ///< nothing: a failure

outcome made(const call& which, in on) {
  call_under_way = which.name;
  failure why;
  std::string text = which.make(on, why);
  return why ? std::nullopt : outcome(std::move(text));
}

std::vector<outcome> made_all(in on) {
  std::vector<outcome> out;
  for (const call& one : calls) out.push_back(made(one, on));
  return out;
}

void check(std::size_t i, in on, const outcome& before) {
  const outcome now = made(calls[i], on);
  BOOST_TEST((!now || now == before), calls[i].name << " gives something else than before");
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_descriptor_depends_on_the_encoder) {
  if (!has(compression::szip)) {
    BOOST_TEST_MESSAGE("SKIPPED: szip (not built in)");
    return;
  }
  const bytes data = message_of(many, 2), by_reference = legacy_message_of(many, layout::whole);
  const tgmap::archive other = open(data), legacy = open(by_reference);
  for (int n = 0; n < 2; ++n) {  // from the file, then from the cache
    failure why, failed;
    const auto values = other[0][0].decode({}, why), odd = legacy[0][0].decode({}, failed);
    TGMAP_SUCCEEDED(why);
    BOOST_TEST((failed || text_of(values) != text_of(odd)));
  }
}

BOOST_AUTO_TEST_CASE(keys_of_any_length_are_copied) {
  tgmap::new_message message;
  const std::byte element{7};
  for (const std::size_t size : {0, 4000, 4088, 4089, 4090, 4091, 8183, 8184, 8185, 8186, 8187, 30000, 1}) {
    auto one = tgmap::new_object{.data = {&element, 1}, .shape = {1}};
    one.base = tgmap::cbor_value::map({{"text", tgmap::cbor_value(bytes(size, 'x'))}});
    message.objects.insert(message.objects.end(), 2, one);
  }
  const bytes data = text_of(to_bytes(message));
  const temporary_directory temporary;
  const tgmap::archive mapped(temporary.file("a.tgm", data), {.io = tgmap::io_mode::map}), in_memory = open(data);
  for (int n = 0; n < 2; ++n)
    for (std::size_t j = 0; j < message.objects.size(); ++j)
      BOOST_TEST((text_of(tgmap::stored_object::of(mapped[0], j).base.encoded()) ==
                  text_of(tgmap::stored_object::of(in_memory[0], j).base.encoded())),
                 j);
}

BOOST_AUTO_TEST_CASE(pages_removed_after_everything_is_cached) {
  name_the_call();
  const temporary_directory temporary;
  for (const sample& one : samples())
    for (const std::size_t pages : {std::size_t{0}, one.data.size() / 8192, one.data.size() / 4096 - 1})
      BOOST_TEST_CONTEXT(one.what << ", " << pages << " pages kept") {
        const opened on(temporary.file("a.tgm", one.data));
        const auto before = made_all(on);
        for (std::size_t i = 0; i < before.size(); ++i)
          BOOST_TEST((made(calls[i], on) == before[i]), calls[i].name << " gives something else the second time");
        std::filesystem::resize_file(on.file, pages * 4096);
        for (std::size_t i = 0; i < before.size(); ++i) check(i, on, before[i]);
        for (std::size_t i = before.size(); i-- > 0;) check(i, on, before[i]);
      }
}

BOOST_AUTO_TEST_CASE(pages_removed_between_any_two_calls) {
  name_the_call();
  const temporary_directory temporary;
  case_sampler cases(11);
  const auto all = samples();
  for (const sample& one : std::span(all).first(3)) BOOST_TEST_CONTEXT(one.what) {
      const auto before = made_all(opened(temporary.file("a.tgm", one.data)));
      for (const call& first : calls)
        for (std::size_t i = 0; i < before.size(); ++i) {
          if (!cases.takes_next()) continue;
          const opened on(temporary.file("a.tgm", one.data));
          static_cast<void>(made(first, on));
          std::filesystem::resize_file(on.file, 0);
          check(i, on, before[i]);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
