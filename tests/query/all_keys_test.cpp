// SPDX-License-Identifier: Apache-2.0
// Tables of all keys, their different values, and lists of keys: by messages and by an index.
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <support/process/read_bytes.hpp>
#include <support/rounds.hpp>
#include <support/samples.hpp>
#include <support/selection_samples.hpp>
#include <tgmap/decode/executor.hpp>
#include <tgmap/query/key_listing.hpp>

#include "../index/indexed.hpp"
#include "random_metadata.hpp"

using namespace tgmap_test;
using tgmap::cbor_kind;
using tgmap::key_column;
using tgmap::key_columns;
using tgmap::metadata_key;

BOOST_AUTO_TEST_SUITE(all_keys_test)

namespace {

std::string text_of(const tgmap::distinct_value& value) {
  const std::string kind(to_string_view(value.kind));
  return kind + ' ' +
         std::visit(
             [](const auto& each) -> std::string {
               if constexpr (std::same_as<std::decay_t<decltype(each)>, std::string>)
                 return each;
               else
                 return std::to_string(each);
             },
             value.value);
}

/// Returns the values of the rows with their kinds, or "-".
std::string values_of(const key_column& in) {
  std::string out;
  for (const std::int32_t code : in.value_codes)
    out += (out.empty() ? "" : "|") + (code < 0 ? "-" : text_of(in.values.at(static_cast<std::size_t>(code))));
  return out;
}

/// Returns a table as text: a line for each column, by their names.
std::string text_of(const key_columns& table) {
  std::string out;
  for (const key_column& each : table.columns) out += each.key + ": " + values_of(each) + '\n';
  for (const std::string& each : table.omitted) out += "omitted " + each + '\n';
  return out;
}

/// Returns the first lines that differ; empty if none do.
std::string first_difference(std::string_view a, std::string_view b) {
  while (!a.empty() || !b.empty()) {
    const auto one = a.substr(0, a.find('\n')), other = b.substr(0, b.find('\n'));
    if (one != other) return std::string(one) + "\n" + std::string(other);
    a.remove_prefix(std::min(a.size(), one.size() + 1));
    b.remove_prefix(std::min(b.size(), other.size() + 1));
  }
  return {};
}

std::string text_of(const tgmap::key_listing& all) {
  std::string out;
  for (const tgmap::key_summary& each : all.keys) {
    out += each.key + ' ' + std::to_string(each.messages) + ' ' + std::to_string(each.values) +
           (each.has_more_values ? "+" : "");
    for (const cbor_kind kind : each.kinds) out += ' ' + std::string(to_string_view(kind));
    out += '\n';
  }
  return out;
}

const std::vector<metadata_key> no_keys;
constexpr auto everything = [](auto&& more) {
  tgmap::key_columns_options out{.all_keys = true, .distinct_values = true};
  more(out);
  return out;
};
tgmap::key_columns_options all_keys() {
  return everything([](auto&) {});
}

/// Writes an archive and its index. Empties the archive if it is not to be read, and sets its time back.
struct indexed_file {
  temporary_directory files{};
  std::filesystem::path path;
  explicit indexed_file(const bytes& data, const std::vector<std::string>& keys = {})
      : path(files.file("a.tgm", data)) {
    age(path);
    tgmap::memory_sink to;
    tgmap::create_index(tgmap::archive(path, {.index = tgmap::index_use::none}), to, {.keys = keys});
    write_file(index_path(path), bytes(view_of(to.release())));
  }
  tgmap::archive opened_and_emptied(std::size_t size) const {
    tgmap::archive in(path);
    static_cast<void>(in.size());
    const auto time = std::filesystem::last_write_time(path);
    write_file(path, bytes(size, ' '));
    std::filesystem::last_write_time(path, time);
    return in;
  }
};

bytes level(const bytes& value) { return with_keys({cbor::key("level", value)}); }

}  // namespace

BOOST_AUTO_TEST_CASE(values_keep_their_types) {
  const bytes data = level(cbor::integer(500)) + level(cbor::text("500")) + level(cbor::real(500)) + with_keys({}) +
                     level(cbor::numbers({1, 2})) + level(cbor::text("[1,2]")) + level(cbor::null()) +
                     level(cbor::unsigned_integer(UINT64_MAX)) + level(cbor::negative(UINT64_MAX)) +
                     level(cbor::boolean(true)) + level(cbor::blob("\x01\xff")) +
                     level(cbor::map({cbor::key("a", cbor::integer(1))})) + level(cbor::tag(1, cbor::integer(500)));
  const std::array keys{metadata_key("level")};
  const auto table = tgmap::read_key_columns(open(data), keys, {.distinct_values = true});
  BOOST_TEST(values_of(table.columns[0]) ==
             "integer 500|text 500|floating 500.000000|-|array [1,2]|text [1,2]|-|integer 18446744073709551615|"
             "integer -18446744073709551616|boolean 1|bytes 01ff|map {\"a\":1}|integer 500");
  BOOST_TEST((table.columns[0].type == tgmap::column_type::text));
  BOOST_TEST(tgmap::read_key_columns(open(data), keys).columns[0].values.empty(), "only if they are asked for");
}

BOOST_AUTO_TEST_CASE(all_keys_of_all_objects_are_columns) {
  const bytes rare =
      with_keys({cbor::key("rare", cbor::map({cbor::key("a", cbor::integer(1)), cbor::key("b.c", cbor::integer(2))})),
                 cbor::key("shape", cbor::text("hidden")), cbor::key("_x", cbor::null())});
  const bytes data = six_messages() + two_named_objects() + rare;
  const auto archive = open(data);
  const auto table = tgmap::read_key_columns(archive, no_keys, all_keys());
  BOOST_TEST(text_of(table) ==
             "mars.class: text od|text od|text od|text od|text od|text od|-|-|-\n"
             "mars.levelist: array [500,850]|array [500,850]|array [500,850]|array [500,850]|array [500,850]|array "
             "[500,850]|-|-|-\n"
             "mars.param: text 2t|text 10u|text 2t|text 10u|text 2t|text 10u|-|-|-\n"
             "mars.step: integer 0|integer 0|integer 6|integer 6|integer 12|integer 12|-|-|-\n"
             "name: text 2t|text 10u|text 2t|text 10u|text 2t|text 10u|text a|text b|-\n"
             "ok: boolean 1|boolean 1|boolean 1|boolean 1|boolean 1|boolean 1|-|-|-\n"
             "rare.a: -|-|-|-|-|-|-|-|integer 1\n"
             "rare.b.c: -|-|-|-|-|-|-|-|integer 2\n"
             "source: text demo|text demo|text demo|text demo|text demo|text demo|-|-|-\n"
             "title: -|-|-|-|-|-|text two|text two|-\n"
             "unit: -|-|-|-|-|-|-|text K|-\n"
             "x: floating 1.500000|floating 1.500000|floating 1.500000|floating 1.500000|floating 1.500000|floating "
             "1.500000|-|-|-\n");
  const std::array asked{metadata_key("unit"), metadata_key("@object"), metadata_key("mars")};
  const auto some = tgmap::read_key_columns(
      archive, asked,
      everything([](auto& how) { how.wants_key = [](std::string_view key) { return key.starts_with("rare."); }; }));
  std::string names;
  for (const key_column& each : some.columns) names += each.key + ' ';
  BOOST_TEST(names == "unit @object mars rare.a rare.b.c ");
  BOOST_TEST(some.columns[2].values.size() == 6u);  // maps as JSON: params and steps
}

BOOST_AUTO_TEST_CASE(keys_in_the_last_value_of_a_repeated_key_are_found) {
  const bytes data =
      with_keys({cbor::key("c", cbor::blob("abc")), cbor::key("c", cbor::map({cbor::key("x", cbor::integer(4))}))}) +
      with_keys({cbor::key("d", cbor::map({cbor::key("y", cbor::integer(5))})), cbor::key("d", cbor::integer(6))});
  constexpr auto expected = "c.x: integer 4|-\nd: -|integer 6\n";
  BOOST_TEST(text_of(tgmap::read_key_columns(open(data), no_keys, all_keys())) == expected);
  const indexed_file file(data);
  BOOST_TEST(text_of(tgmap::read_key_columns(tgmap::archive(file.path), no_keys, all_keys())) == expected);
}

BOOST_AUTO_TEST_CASE(lists_of_keys_count_messages_and_values) {
  const bytes data = six_messages() + two_named_objects() + level(cbor::integer(1)) + level(cbor::real(1)) +
                     level(cbor::null()) + level(cbor::numbers({1}));
  constexpr auto expected =
      "level 4 3 null integer floating array\n"
      "mars.class 6 1 text\nmars.levelist 6 1 array\nmars.param 6 2 text\nmars.step 6 3 integer\n"
      "name 7 4 text\nok 6 1 boolean\nsource 6 1 text\ntitle 1 1 text\nunit 1 1 text\nx 6 1 floating\n";
  const auto by_messages = tgmap::list_keys(open(data));
  BOOST_TEST(text_of(by_messages) == expected);
  BOOST_TEST(!by_messages.is_by_index);
  const indexed_file file(data);
  const auto by_index = tgmap::list_keys(file.opened_and_emptied(data.size()));
  BOOST_TEST(text_of(by_index) == expected);
  BOOST_TEST(by_index.is_by_index);
}

BOOST_AUTO_TEST_CASE(a_table_by_an_index_reads_no_message) {
  bytes data;
  for (int i = 0; i < 40; ++i)
    data += six_messages() + with_keys({cbor::key("uuid", cbor::text("u" + std::to_string(i)))}) + two_named_objects();
  const indexed_file file(data);
  const std::vector<metadata_key> keys{metadata_key("@shape"),  metadata_key("@dtype"),     metadata_key("@kind"),
                                       metadata_key("@offset"), metadata_key("@stored"),    metadata_key("absent"),
                                       metadata_key("@object"), metadata_key("@strides[0]")};
  const auto how =
      everything([](auto& options) { options.wants_key = [](std::string_view key) { return key != "uuid"; }; });
  const auto expected = text_of(tgmap::read_key_columns(open(data), keys, how));
  BOOST_TEST(expected.find("mars.levelist: array [500,850]|") != expected.npos);
  const tgmap::archive emptied = file.opened_and_emptied(data.size());
  BOOST_TEST(text_of(tgmap::read_key_columns(emptied, keys, how)) == expected);
  // What the index does not know is read: uuid is nearly unique and has no column.
  tgmap::failure why;
  tgmap::read_key_columns(emptied, keys, all_keys(), why);
  BOOST_TEST(static_cast<bool>(why));
}

BOOST_AUTO_TEST_CASE(only_messages_with_unknown_values_are_read) {
  bytes data;
  for (int i = 0; i < 300; ++i) {
    const bytes keys = i == 7 ? cbor::map({cbor::key("note", cbor::text(std::string(300, 'n')))})  // in no column
                              : cbor::map({cbor::key("step", cbor::integer(i % 9))});
    data += message({.objects = {bytes_object(bytes(4000, 'x'))}, .base = {keys}});
  }
  const indexed_file file(data);
  const std::array keys{metadata_key("step"), metadata_key("note"), metadata_key("@shape")};
  const auto bytes_of = [&](tgmap::index_use use) {
    const tgmap::archive in(file.path, {.io = tgmap::io_mode::read, .index = use});
    static_cast<void>(in.size());
    const std::uint64_t before = bytes_read();
    const auto table = tgmap::read_key_columns(in, keys);
    BOOST_TEST_REQUIRE(table.messages.size() == 300u);
    BOOST_TEST(table.columns[0].integers[8] == 8);
    BOOST_TEST(table.columns[0].missing == 1u);
    BOOST_TEST(table.columns[1].missing == 299u);
    BOOST_TEST(table.columns[1].texts.at(0).size() == 300u);
    BOOST_TEST(table.columns[2].texts.at(0) == "[4000]");
    return bytes_read() - before;
  };
  const std::uint64_t with = bytes_of(tgmap::index_use::use), without = bytes_of(tgmap::index_use::none);
  if (without == 0) return;  // the system does not count
  BOOST_TEST(without > 300u * 100);
  BOOST_TEST(with < 100'000u, with);
}

BOOST_AUTO_TEST_CASE(random_archives_give_the_same_with_and_without_an_index) {
  const auto threads = tgmap::make_thread_executor(3);
  for (unsigned seed = 1; seed <= rounds(10U); ++seed) BOOST_TEST_CONTEXT("seed " << seed) {
      random_metadata random(seed);
      bytes data = two_named_objects();
      for (unsigned i = 0; i < 2 + seed * 7; ++i) data += random.message();
      const indexed_file file(data);
      const tgmap::archive with(file.path), without(file.path, {.index = tgmap::index_use::none});
      BOOST_TEST_REQUIRE(with.index_status().is_current);
      const std::vector<metadata_key> keys{metadata_key("name"),    metadata_key("@kind"),    metadata_key("@shape"),
                                           metadata_key("@length"), metadata_key("@objects"), metadata_key("mars"),
                                           metadata_key("@masks"),  metadata_key("@decoded"), metadata_key("@version")};
      for (const bool of_objects : {true, false})
        for (const char* where : {"", "has a", "name=a or step>=1"}) {
          const auto how = everything([&](auto& options) {
            options.of_objects = of_objects;
            options.where = *where == '\0' ? tgmap::selection() : tgmap::selection(where);
            options.skip_unread = true;
          });
          const auto expected = text_of(tgmap::read_key_columns(without, keys, how));
          BOOST_TEST(first_difference(text_of(tgmap::read_key_columns(with, keys, how)), expected) == "");
          const auto parallel = everything([&](auto& options) {
            options = how;
            options.executor = threads.get();
          });
          BOOST_TEST(first_difference(text_of(tgmap::read_key_columns(without, keys, parallel)), expected) == "");
        }
      tgmap::failure why;
      tgmap::check_index(without, index_path(file.path), {}, why);
      TGMAP_SUCCEEDED(why);
    }
}

/// Compares each value with a lookup.
BOOST_AUTO_TEST_CASE(all_keys_have_the_values_that_lookups_find) {
  for (unsigned seed = 1; seed <= rounds(12U); ++seed) BOOST_TEST_CONTEXT("seed " << seed) {
      random_metadata random(seed + 100);
      bytes data;
      for (unsigned i = 0; i < 3 * seed; ++i) data += random.message();
      const auto in = open(data);
      const auto table = tgmap::read_key_columns(in, no_keys, everything([](auto& how) { how.skip_unread = true; }));
      for (const key_column& column : table.columns) {
        const metadata_key key(column.key);
        for (std::size_t row = 0; row < table.messages.size(); ++row) {
          const tgmap::message m = in[table.messages[row]];
          tgmap::key_lookup lookup(m, m[table.objects[row]]);
          const tgmap::key_result found = lookup.find(key);
          const auto* const item = std::get_if<tgmap::cbor_view>(&found.get());
          const auto kind = item == nullptr ? cbor_kind::null : item->untagged().kind();
          const std::int32_t code = column.value_codes[row];
          // A path that is a map in some rows has no value there.
          if (kind == cbor_kind::map && code < 0) continue;
          BOOST_TEST((code >= 0) == (kind != cbor_kind::null), column.key << " of row " << row);
          if (code < 0) continue;
          const auto& value = column.values[static_cast<std::size_t>(code)];
          BOOST_TEST((value.kind == kind), column.key << " of row " << row);
          if (const auto* const text = std::get_if<std::string>(&value.value)) BOOST_TEST(*text == found.text());
        }
      }
    }
}

BOOST_AUTO_TEST_CASE(one_table_of_several_archives) {
  const bytes first = six_messages(), second = two_named_objects() + level(cbor::integer(5));
  const bytes damaged = message({.objects = {bytes_object("abcd")}, .header_metadata = cbor::integer(7)});
  const std::vector<tgmap::archive> all{open(first), tgmap::archive(), open(second), open(damaged)};
  const std::array keys{metadata_key("name")};
  const auto threads = tgmap::make_thread_executor(3);
  for (tgmap::executor* const executor : {static_cast<tgmap::executor*>(nullptr), threads.get()}) {
    tgmap::key_columns_reader reader(keys, everything([&](auto& how) { how.executor = executor; }));
    const auto failures = reader.add(all);
    BOOST_TEST_REQUIRE(failures.size() == 4u);
    BOOST_TEST(!failures[0]);
    TGMAP_FAILED(failures[1], tgmap::errc::no_archive);
    BOOST_TEST(!failures[2]);
    TGMAP_FAILED(failures[3], tgmap::errc::bad_cbor);
    const auto table = reader.finish();
    BOOST_TEST(table.archives == (std::vector<std::uint64_t>{0, 0, 0, 0, 0, 0, 2, 2, 2}));
    BOOST_TEST(table.messages == (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 0, 0, 1}));
    BOOST_TEST(values_of(table.columns[0]) == "text 2t|text 10u|text 2t|text 10u|text 2t|text 10u|text a|text b|-");
    BOOST_TEST(values_of(table.columns[1]) == "-|-|-|-|-|-|-|-|integer 5");
    BOOST_TEST(table.columns[1].key == "level");
    BOOST_TEST(reader.finish().messages.empty());
  }
}

// A file may have other keys in each message. Their columns would take the square of its size.
BOOST_AUTO_TEST_CASE(keys_of_few_rows_are_left_out_if_they_are_many) {
  bytes data;
  constexpr int messages = 6000;
  for (int i = 0; i < messages; ++i)
    data += with_keys({cbor::key("k" + std::to_string(i), cbor::integer(i)), cbor::key("step", cbor::integer(i))});
  const auto archive = open(data);
  const auto table = tgmap::read_key_columns(archive, no_keys, all_keys());
  BOOST_TEST(table.messages.size() == 6000u);
  BOOST_TEST(table.columns.size() * 6000 <= (1u << 24));
  BOOST_TEST(table.columns.back().key == "step");
  BOOST_TEST(table.columns.back().missing == 0u);
  BOOST_TEST(table.omitted.size() == 6001 - table.columns.size());
  BOOST_TEST(!table.omits_more);
  BOOST_TEST(tgmap::list_keys(archive).keys.size() == 6001u);
}

BOOST_AUTO_TEST_CASE(keys_are_found_up_to_a_limit) {
  bytes data;
  for (int i = 0; i < 90; ++i) {
    std::vector<cbor::pair> keys;
    for (int k = 0; k < 200; ++k)
      keys.push_back(cbor::key("k" + std::to_string(i) + "_" + std::to_string(k), cbor::integer(k)));
    data += with_keys(keys);
  }
  const auto archive = open(data);
  const auto table = tgmap::read_key_columns(archive, no_keys, all_keys());
  BOOST_TEST(table.columns.size() > 16380u);
  BOOST_TEST(table.columns.size() <= 16384u);
  BOOST_TEST(table.omits_more);
  const auto listed = tgmap::list_keys(archive);
  BOOST_TEST(listed.keys.size() > 16380u);
  BOOST_TEST(listed.keys.size() <= 16384u);
  BOOST_TEST(listed.omits_more);
}

BOOST_AUTO_TEST_CASE(an_index_that_was_extended_lists_the_keys_of_all_parts) {
  const temporary_directory files;
  const auto path = files.file("a.tgm", six_messages());
  write_index(path);
  write_file(path, six_messages() + level(cbor::integer(3)) + two_named_objects());
  age(path);
  tgmap::write_index(path);
  const tgmap::archive with(path), without(path, {.index = tgmap::index_use::none});
  BOOST_TEST_REQUIRE(with.index_status().is_current);
  const auto expected = text_of(tgmap::read_key_columns(without, no_keys, all_keys()));
  BOOST_TEST(text_of(tgmap::read_key_columns(with, no_keys, all_keys())) == expected);
  std::string names;
  for (const auto& each : tgmap::list_keys(with).keys) names += each.key + ' ';
  BOOST_TEST(names == "level mars.class mars.levelist mars.param mars.step name ok source title unit x ");
  BOOST_TEST(tgmap::check_index(without, index_path(path)).messages == 8u);
}

BOOST_AUTO_TEST_CASE(a_stop_request_ends_the_listing) {
  std::stop_source stop;
  stop.request_stop();
  tgmap::failure why;
  const bytes data = six_messages();
  const auto archive = open(data);
  static_cast<void>(archive.size());
  BOOST_TEST(tgmap::list_keys(archive, {.stop = stop.get_token()}, why).keys.empty());
  BOOST_TEST((why.code == std::errc::operation_canceled));
  const bytes damaged = message({.objects = {bytes_object("abcd")}, .header_metadata = cbor::integer(7)});
  static_cast<void>(tgmap::list_keys(open(damaged), {}, why));
  TGMAP_FAILED(why, tgmap::errc::bad_cbor);
  const auto rest = tgmap::list_keys(open(damaged), {.skip_unread = true});
  BOOST_TEST(rest.unread.size() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
