// SPDX-License-Identifier: Apache-2.0
// Columns of keys hold what lookups of the same keys find.
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <support/rounds.hpp>
#include <support/samples.hpp>
#include <support/selection_samples.hpp>
#include <tgmap/decode/executor.hpp>
#include <tgmap/query/key_columns.hpp>

#include "../index/indexed.hpp"
#include "random_metadata.hpp"

using namespace tgmap_test;
using tgmap::column_type;
using tgmap::errc;
using tgmap::key_column;
using tgmap::key_columns;
using tgmap::metadata_key;

BOOST_AUTO_TEST_SUITE(key_columns_test)

namespace {

std::vector<metadata_key> keys_of(std::initializer_list<std::string_view> texts) {
  std::vector<metadata_key> out;
  for (const std::string_view each : texts) out.emplace_back(each);
  return out;
}

/// Returns the value of a row as text, or "-".
std::string value_of(const key_column& in, std::size_t row) {
  if (in.type == column_type::none || (!in.is_present.empty() && in.is_present[row] == 0)) return "-";
  switch (in.type) {
    case column_type::none: break;
    case column_type::boolean: return in.booleans[row] != 0 ? "true" : "false";
    case column_type::integer: return std::to_string(in.integers[row]);
    case column_type::unsigned_integer: return std::to_string(in.unsigned_integers[row]);
    case column_type::floating: {
      const double x = in.reals[row];
      return x != x ? "NaN" : x == static_cast<int>(x) ? std::to_string(static_cast<int>(x)) : std::to_string(x);
    }
    case column_type::text: return in.texts[in.codes[row]];
  }
  return {};
}

std::string column_of(const key_column& in, std::size_t rows) {
  std::string out;
  for (std::size_t row = 0; row < rows; ++row) out += (row == 0 ? "" : " ") + value_of(in, row);
  return out;
}

/// Returns the only column of an archive whose messages have one object with this value, or none if it is empty.
key_column column_of(std::initializer_list<bytes> values) {
  bytes data;
  for (const bytes& each : values) data += each.empty() ? with_keys({}) : with_keys({cbor::key("k", each)});
  return tgmap::read_key_columns(open(data), keys_of({"k"})).columns[0];
}

bool is_null(const tgmap::key_result& found) {
  const auto* const item = std::get_if<tgmap::cbor_view>(&found.get());
  return item != nullptr && item->untagged().kind() == tgmap::cbor_kind::null;
}

/// Compares the rows with lookups. Values of numbers are compared as text only if the column is text.
void compare(const tgmap::archive& in, const key_columns& table, const std::vector<metadata_key>& keys) {
  for (std::size_t row = 0; row < table.messages.size(); ++row) {
    const tgmap::message m = in[table.messages[row]];
    auto lookup = table.objects.empty() ? tgmap::key_lookup(m) : tgmap::key_lookup(m, m[table.objects[row]]);
    for (std::size_t k = 0; k < keys.size(); ++k) {
      const tgmap::key_result found = lookup.find(keys[k]);
      const std::string expected = found && !is_null(found) ? found.text() : "-";
      const key_column& column = table.columns[k];
      const std::string value = value_of(column, row);
      if (column.type == column_type::floating && value != "-" && value != "NaN")
        BOOST_TEST(std::stod(value) == std::stod(expected));
      else if (value != expected)
        BOOST_ERROR(keys[k].text() << " of row " << row << " is " << value << ", not " << expected);
    }
  }
}

bytes random_archive(unsigned seed) {
  random_metadata random(seed);
  bytes data;
  for (unsigned i = 0; i < 1 + seed * 3; ++i) data += random.message();
  return seed % 2 == 0 ? data : data + version_1_message({payload_of(1)});
}

}  // namespace

BOOST_AUTO_TEST_CASE(columns_of_messages_and_objects) {
  const bytes data = six_messages() + two_named_objects();
  const auto archive = open(data);
  const auto keys = keys_of({"mars.param", "mars.step", "x", "ok", "name", "absent", "shape"});
  const key_columns of_objects = tgmap::read_key_columns(archive, keys);
  BOOST_TEST(of_objects.messages == (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 6, 6}));
  BOOST_TEST(of_objects.objects == (std::vector<std::uint64_t>{0, 0, 0, 0, 0, 0, 0, 1}));
  const auto& c = of_objects.columns;
  BOOST_TEST_REQUIRE(c.size() == keys.size());
  BOOST_TEST(c[0].key == "mars.param");
  BOOST_TEST(column_of(c[0], 8) == "2t 10u 2t 10u 2t 10u - -");
  BOOST_TEST((c[0].texts == std::vector<std::string>{"2t", "10u"}));
  BOOST_TEST(c[0].missing == 2u);
  BOOST_TEST((c[1].type == column_type::integer));
  BOOST_TEST(column_of(c[1], 8) == "0 0 6 6 12 12 - -");
  BOOST_TEST((c[2].type == column_type::floating));
  BOOST_TEST((c[3].type == column_type::boolean));
  BOOST_TEST(column_of(c[4], 8) == "2t 10u 2t 10u 2t 10u a b");
  BOOST_TEST(c[4].is_present.empty());
  BOOST_TEST((c[5].type == column_type::none));
  BOOST_TEST(c[5].missing == 8u);
  BOOST_TEST(column_of(c[6], 8) == "[2,3] [2,3] [2,3] [2,3] [2,3] [2,3] [2,3] [4]");

  const key_columns of_messages = tgmap::read_key_columns(archive, keys, {.of_objects = false});
  BOOST_TEST(of_messages.messages.size() == 7u);
  BOOST_TEST(of_messages.objects.empty());
  BOOST_TEST(column_of(of_messages.columns[4], 7) == "2t 10u 2t 10u 2t 10u a");
}

BOOST_AUTO_TEST_CASE(types_of_columns) {
  const auto type_of = [](std::initializer_list<bytes> values) { return column_of(values).type; };
  const bytes none, large = cbor::unsigned_integer(UINT64_MAX);
  BOOST_TEST((type_of({cbor::integer(-1), cbor::integer(2)}) == column_type::integer));
  BOOST_TEST((type_of({cbor::integer(1), large}) == column_type::unsigned_integer));
  BOOST_TEST((type_of({cbor::integer(-1), large}) == column_type::text));
  BOOST_TEST((type_of({cbor::integer(1), cbor::half(0x3e00)}) == column_type::floating));
  BOOST_TEST((type_of({cbor::integer(INT64_MAX), cbor::real(0.5)}) == column_type::text));
  BOOST_TEST((type_of({cbor::boolean(true), none}) == column_type::boolean));
  BOOST_TEST((type_of({cbor::boolean(true), cbor::integer(1)}) == column_type::text));
  BOOST_TEST((type_of({none, cbor::null()}) == column_type::none));
  BOOST_TEST((type_of({cbor::tag(1, cbor::integer(7)), cbor::integer(1)}) == column_type::integer));
  BOOST_TEST(column_of(column_of({cbor::integer(-1), large, none}), 3) == "-1 18446744073709551615 -");
  BOOST_TEST(column_of(column_of({cbor::boolean(true), cbor::real(0.5), cbor::text("a"), cbor::numbers({1, 2})}), 4) ==
             "true 0.5 a [1,2]");
  BOOST_TEST(column_of(column_of({cbor::negative(UINT64_MAX), cbor::text_in_pieces({"a", "b"})}), 2) ==
             "-18446744073709551616 ab");
}

BOOST_AUTO_TEST_CASE(random_metadata_gives_what_lookups_find) {
  const auto keys = keys_of({"a", "b", "a.b", "mars", "mars.step", "step", "c.a.b", "dtype", "version", "title",
                             "@offset", "x[0]", "extra.a", "a"});
  const auto threads = tgmap::make_thread_executor(3);
  for (unsigned seed = 1; seed <= rounds(20U); ++seed) BOOST_TEST_CONTEXT("seed " << seed) {
      const bytes data = random_archive(seed);
      const auto archive = open(data);
      for (const bool of_objects : {false, true}) {
        const key_columns table = tgmap::read_key_columns(archive, keys, {.of_objects = of_objects});
        compare(archive, table, keys);
        const key_columns same =
            tgmap::read_key_columns(archive, keys, {.of_objects = of_objects, .executor = threads.get()});
        BOOST_TEST(same.messages == table.messages);
      }
    }
}

BOOST_AUTO_TEST_CASE(threads_give_the_same_columns) {
  bytes data;
  for (int i = 0; i < 600; ++i) data += six_messages();
  const auto archive = open(data);
  const auto keys = keys_of({"mars.param", "mars.step", "x", "absent"});
  const auto threads = tgmap::make_thread_executor(4);
  const key_columns one = tgmap::read_key_columns(archive, keys);
  const key_columns many = tgmap::read_key_columns(archive, keys, {.executor = threads.get()});
  BOOST_TEST(one.messages.size() == 3600u);
  BOOST_TEST(many.messages == one.messages);
  BOOST_TEST(many.objects == one.objects);
  for (std::size_t k = 0; k < keys.size(); ++k) {
    BOOST_TEST((many.columns[k].type == one.columns[k].type));
    BOOST_TEST(column_of(many.columns[k], 3600) == column_of(one.columns[k], 3600));
    BOOST_TEST(many.columns[k].texts == one.columns[k].texts);
  }
}

BOOST_AUTO_TEST_CASE(selected_rows_with_and_without_index) {
  const temporary_directory files;
  const auto path = files.file("a.tgm", six_messages() + two_named_objects() + six_messages());
  const auto keys = keys_of({"mars.param", "mars.step"});
  const auto rows = [&](const tgmap::archive& in, std::string_view where, bool of_objects) {
    return tgmap::read_key_columns(in, keys, {.of_objects = of_objects, .where = tgmap::selection(where)}).messages;
  };
  const auto check = [&] {
    const tgmap::archive in(path);
    BOOST_TEST(rows(in, "mars.param=2t and mars.step>0", true) == (std::vector<std::uint64_t>{2, 4, 9, 11}));
    BOOST_TEST(rows(in, "name=b", true) == (std::vector<std::uint64_t>{6}));
    BOOST_TEST(rows(in, "name=b", false) == (std::vector<std::uint64_t>{6}));
    BOOST_TEST(rows(in, "name=b and not has unit", false).empty());
    BOOST_TEST(rows(in, "@objects=2", false) == (std::vector<std::uint64_t>{6}));
    BOOST_TEST(rows(in, "mars.param=none", true).empty());
  };
  check();
  write_index(path);
  BOOST_TEST(tgmap::archive(path).index_status().is_used);
  check();
}

BOOST_AUTO_TEST_CASE(rows_of_messages_have_the_keys_of_the_object_that_matches) {
  const temporary_directory files;
  object_spec named = bytes_object("abcd");
  named.more = {cbor::key("name", cbor::text("in the descriptor"))};
  const bytes with_name = message({.objects = {bytes_object("ab"), named}});
  const auto path = files.file("a.tgm", two_named_objects() + six_messages() + with_name);
  const auto keys = keys_of({"name", "unit", "title", "@object", "dtype"});
  const auto rows = [&](const tgmap::archive& in, std::string_view where) {
    const auto wanted = where.empty() ? tgmap::selection() : tgmap::selection(where);
    const key_columns found = tgmap::read_key_columns(in, keys, {.of_objects = false, .where = wanted});
    std::string out;
    for (std::size_t row = 0; row < found.messages.size(); ++row) {
      out += (row == 0 ? "" : "|") + std::to_string(found.messages[row]);
      for (const key_column& each : found.columns) out += ' ' + value_of(each, row);
    }
    return out;
  };
  const auto check = [&] {
    const tgmap::archive in(path);
    BOOST_TEST(rows(in, "title=two") == "0 a - two 0 float32");
    BOOST_TEST(rows(in, "name=b") == "0 b K two 1 uint8");
    BOOST_TEST(rows(in, "has unit") == "0 b K two 1 uint8");
    BOOST_TEST(rows(in, "dtype=uint8") == "0 b K two 1 uint8|7 - - - 0 uint8");
    BOOST_TEST(rows(in, "name=\"in the descriptor\"") == "7 in the descriptor - - 1 uint8");
    BOOST_TEST(rows(in, "@message=0/7") == "0 a - two 0 float32|7 - - - 0 uint8");
    BOOST_TEST(rows(in, "").starts_with("0 a K two - float32|"));
    BOOST_TEST(rows(in, "").ends_with("|7 in the descriptor - - - uint8"));
  };
  check();
  write_index(path);
  BOOST_TEST(tgmap::archive(path).index_status().is_used);
  check();
}

BOOST_AUTO_TEST_CASE(a_table_of_columns_reads_no_message) {
  const temporary_directory files;
  bytes data;
  for (int i = 0; i < 300; ++i) data += six_messages();
  const auto path = files.file("a.tgm", data);
  const auto keys = keys_of({"mars.param", "mars.step", "x", "absent"});
  tgmap::memory_sink to;
  tgmap::create_index(tgmap::archive(path), to, {.keys = {"absent"}});
  write_file(index_path(path), bytes(view_of(to.release())));
  // Another process empties the archive and sets its time back, so that reading a message would fail.
  const tgmap::archive in(path);
  static_cast<void>(in.size());
  const auto time = std::filesystem::last_write_time(path);
  write_file(path, bytes(data.size(), ' '));
  std::filesystem::last_write_time(path, time);
  for (const bool of_objects : {true, false}) {
    const key_columns all = tgmap::read_key_columns(in, keys, {.of_objects = of_objects});
    BOOST_TEST(all.messages.size() == 1800u);
    BOOST_TEST(all.objects.size() == (of_objects ? 1800u : 0u));
    BOOST_TEST(column_of(all.columns[0], 4) == "2t 10u 2t 10u");
    BOOST_TEST((all.columns[1].type == column_type::integer));
    BOOST_TEST(all.columns[3].missing == 1800u);
    const key_columns some = tgmap::read_key_columns(
        in, keys, {.of_objects = of_objects, .where = tgmap::selection("mars.param=10u and mars.step=6")});
    BOOST_TEST(some.messages.size() == 300u);
    BOOST_TEST(some.messages.front() == 3u);
    BOOST_TEST(column_of(some.columns[1], 3) == "6 6 6");
    BOOST_TEST(column_of(some.columns[2], 3) == "1.500000 1.500000 1.500000");
  }
  tgmap::failure why;
  tgmap::read_key_columns(in, keys_of({"mars.param", "shape"}), why);  // shape has no column
  BOOST_TEST(static_cast<bool>(why));
}

BOOST_AUTO_TEST_CASE(tables_are_the_same_with_and_without_an_index) {
  const temporary_directory files;
  const auto keys = keys_of({"a", "b", "c", "step", "mars", "name", "title", "a.b", "mars.step"});
  for (unsigned seed = 1; seed <= rounds(8U); ++seed) {
    const auto path = files.file("random" + std::to_string(seed) + ".tgm", random_archive(seed) + two_named_objects());
    write_index(path);
    const tgmap::archive with(path), without(path, {.index = tgmap::index_use::none});
    BOOST_TEST_REQUIRE(with.index_status().is_used);
    for (const metadata_key& key : keys)
      for (const char* where : {"", "has a", "not has b", "name=2t/a", "step>=1 or has name"})
        for (const bool of_objects : {true, false}) {
          const tgmap::key_columns_options how{.of_objects = of_objects,
                                               .where = *where == '\0' ? tgmap::selection() : tgmap::selection(where),
                                               .skip_unread = true};
          const key_columns one = tgmap::read_key_columns(with, std::span(&key, 1), how),
                            other = tgmap::read_key_columns(without, std::span(&key, 1), how);
          const std::string what = path.string() + " " + key.text() + " -w '" + where + "'";
          BOOST_TEST_REQUIRE(one.messages == other.messages, what);
          BOOST_TEST(one.objects == other.objects, what);
          BOOST_TEST((one.columns[0].type == other.columns[0].type), what);
          BOOST_TEST(column_of(one.columns[0], one.messages.size()) == column_of(other.columns[0], one.messages.size()),
                     what);
        }
  }
}

BOOST_AUTO_TEST_CASE(messages_that_cannot_be_read) {
  const bytes damaged = message({.objects = {bytes_object("abcd")}, .header_metadata = cbor::integer(7)});
  const bytes data = six_messages() + damaged + two_named_objects();
  const auto archive = open(data);
  const auto keys = keys_of({"name"});
  tgmap::failure why;
  const key_columns none = tgmap::read_key_columns(archive, keys, {}, why);
  TGMAP_FAILED(why, errc::bad_cbor);
  BOOST_TEST(none.columns.empty());
  TGMAP_THROWS(tgmap::read_key_columns(archive, keys), errc::bad_cbor);
  const key_columns rest = tgmap::read_key_columns(archive, keys, {.skip_unread = true});
  BOOST_TEST(rest.messages == (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 7, 7}));
  BOOST_TEST_REQUIRE(rest.unread.size() == 1u);
  BOOST_TEST(rest.unread[0].index == 6u);
  TGMAP_FAILED(rest.unread[0].cause, errc::bad_cbor);
}

BOOST_AUTO_TEST_CASE(no_archive_and_no_messages) {
  tgmap::failure why;
  static_cast<void>(tgmap::read_key_columns(tgmap::archive(), {}, {}, why));
  TGMAP_FAILED(why, errc::no_archive);
  const bytes nothing;
  const auto keys = keys_of({"a"});
  const key_columns empty = tgmap::read_key_columns(open(nothing), keys, {}, why);
  TGMAP_SUCCEEDED(why);
  BOOST_TEST(empty.messages.empty());
  BOOST_TEST((empty.columns[0].type == column_type::none));
}

BOOST_AUTO_TEST_CASE(a_stop_request_ends_the_call) {
  const bytes data = with_keys({cbor::key("k", cbor::text("v"))});
  std::stop_source stop;
  stop.request_stop();
  const auto threads = tgmap::make_thread_executor(2);
  for (tgmap::executor* const executor : {static_cast<tgmap::executor*>(nullptr), threads.get()}) {
    tgmap::failure why;
    const auto archive = open(data);
    const auto found = tgmap::read_key_columns(
        archive, keys_of({"k"}), {.skip_unread = true, .executor = executor, .stop = stop.get_token()}, why);
    BOOST_TEST((why.code == std::errc::operation_canceled));
    BOOST_TEST(found.messages.empty());
    static_cast<void>(archive.size());
    static_cast<void>(tgmap::read_key_columns(archive, keys_of({"k"}), {.stop = stop.get_token()}, why));
    BOOST_TEST((why.code == std::errc::operation_canceled));
  }
}

BOOST_AUTO_TEST_SUITE_END()
