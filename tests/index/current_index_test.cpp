// SPDX-License-Identifier: Apache-2.0
// An index answers for the bytes that it was made of: archives that are rewritten, in every way, give what they give
// without an index.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <map>
#include <support/samples.hpp>
#include <tgmap/query/key_columns.hpp>
#include <tgmap/query/selection.hpp>
#include <tgmap/write/appender.hpp>
#include <tgmap/write/writer.hpp>
#include <thread>

#include "indexed.hpp"

using namespace tgmap_test;
using tgmap::index_use;
namespace fs = std::filesystem;

BOOST_AUTO_TEST_SUITE(current_index_test)

namespace {

constexpr std::size_t messages = 40;
constexpr std::size_t changed = 17;  ///< the message that is rewritten

/// An archive of small messages of equal size; message `i` has mars.step `i` and mars.expver `expver`.
bytes archive_of(std::size_t count, std::string_view of_changed = "0001") {
  tgmap::memory_sink to;
  tgmap::writer out(to, {.provenance = tgmap::provenance::reproducible()});
  const std::array<float, 4> elements{1, 2, 3, 4};
  for (std::size_t i = 0; i < count; ++i) {
    auto field = tgmap::new_object::of(std::span(elements), {2, 2});
    field.base = tgmap::cbor_value::map(
        {{"mars", tgmap::cbor_value::map({{"expver", tgmap::cbor_value(i == changed ? of_changed : "0001")},
                                          {"step", tgmap::cbor_value(std::uint64_t{i + 100})}})}});
    tgmap::new_message message;
    message.objects.emplace_back(field);
    out.write(message);
  }
  const auto all = to.release();
  return {reinterpret_cast<const char*>(all.data()), all.size()};
}

/// Overwrites the bytes of a file without a new one.
void overwrite(const fs::path& file, std::string_view contents, off_t at = 0) {
  const int descriptor = ::open(file.c_str(), O_WRONLY);
  BOOST_REQUIRE(::pwrite(descriptor, contents.data(), contents.size(), at) == static_cast<ssize_t>(contents.size()));
  BOOST_REQUIRE(::close(descriptor) == 0);
}

void replace(const fs::path& file, std::string_view contents) {
  const fs::path other = file.string() + ".new";
  write_file(other, contents);
  fs::rename(other, file);
}

/// Returns all that the interface says of an archive with these options, selections and columns of keys included.
std::string answers(const fs::path& file, const tgmap::open_options& options) {
  const tgmap::archive in(file, options);
  std::string out = survey_of(in).text;
  for (const char* const text : {"mars.expver=0077", "mars.expver!=0001", "not mars.step<110", "has mars.step",
                                 "mars.step=117 and mars.expver=0077"}) {
    const tgmap::selection wanted(text);
    out += std::string("\n") + text + ":";
    for (const auto& each : in.find(wanted)) out += " " + std::to_string(each.index);
    for (const auto& each : in.objects(wanted)) out += " o" + std::to_string(each.message_index);
    const std::array keys{tgmap::metadata_key("mars.expver"), tgmap::metadata_key("mars.step")};
    for (const bool of_objects : {true, false}) {
      const auto table = tgmap::read_key_columns(in, keys, {.of_objects = of_objects, .where = wanted});
      for (const std::uint64_t row : table.messages) out += " r" + std::to_string(row);
      for (const auto& column : table.columns)
        for (const auto& value : column.texts) out += " " + value;
    }
  }
  return out;
}

tgmap::index_status index_state(const fs::path& file, const tgmap::open_options& options = {}) {
  return tgmap::archive(file, options).index_status();
}

void check_answers(const fs::path& file, const std::string& what) {
  const auto expected = answers(file, {.damage = tgmap::on_damage::skip, .index = index_use::none});
  for (const auto use : {index_use::use, index_use::checked})
    BOOST_TEST(answers(file, {.damage = tgmap::on_damage::skip, .index = use}) == expected, what);
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_index_that_was_just_made_is_current) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", archive_of(messages));
  tgmap::write_index(file);
  BOOST_TEST(index_state(file).is_current);
  BOOST_TEST(tgmap::archive(file).scan_progress().messages == messages);
  check_answers(file, "untouched");
}

BOOST_AUTO_TEST_CASE(an_archive_that_was_rewritten_answers_as_without_an_index) {
  const bytes old = archive_of(messages), edited = archive_of(messages, "0077");
  BOOST_REQUIRE(old.size() == edited.size());
  const auto message_size = old.size() / messages;
  using rewrite = std::function<void(const fs::path&)>;
  const std::map<std::string, rewrite> ways{
      {"in place", [&](const fs::path& f) { overwrite(f, edited); }},
      {"one message in place",
       [&](const fs::path& f) {
         const auto at = changed * message_size;
         overwrite(f, edited.substr(at, message_size), static_cast<off_t>(at));
       }},
      {"truncated and written", [&](const fs::path& f) { write_file(f, edited); }},
      {"by rename", [&](const fs::path& f) { replace(f, edited); }},
      {"grown", [&](const fs::path& f) { append_file(f, archive_of(3, "0077")); }},
      {"grown by rename", [&](const fs::path& f) { replace(f, old + archive_of(30, "0077")); }},
      {"shrunk", [&](const fs::path& f) { fs::resize_file(f, 7 * message_size); }},
      {"cut", [&](const fs::path& f) { fs::resize_file(f, 7 * message_size + 100); }},
      {"shrunk and grown",
       [&](const fs::path& f) {
         fs::resize_file(f, message_size);
         append_file(f, edited.substr(message_size));
       }},
      {"emptied", [&](const fs::path& f) { write_file(f, ""); }},
      {"damaged", [&](const fs::path& f) { overwrite(f, "XXXX", static_cast<off_t>(changed * message_size)); }},
      {"touched", [&](const fs::path& f) { fs::last_write_time(f, fs::file_time_type::clock::now()); }},
  };
  for (const auto& [what, change] : ways) {
    const temporary_directory temporary;
    const auto file = temporary.file("a.tgm", old);
    tgmap::write_index(file);
    BOOST_REQUIRE(index_state(file).is_current);
    change(file);
    BOOST_TEST(!index_state(file).is_current, what);
    check_answers(file, what);
    // What is written anew is current again.
    tgmap::failure why;
    tgmap::write_index(file, {}, why);
    BOOST_TEST(!why, what << ": " << why.text());
    BOOST_TEST(index_state(file).is_current, what);
    check_answers(file, what + ", with a new index");
  }
}

BOOST_AUTO_TEST_CASE(a_change_within_the_same_tick_is_noticed) {
  const bytes old = archive_of(messages), edited = archive_of(messages, "0077");
  for (int round = 0; round < 20; ++round) {
    const temporary_directory temporary;
    const auto file = temporary.file("a.tgm", old);
    tgmap::write_index(file);
    overwrite(file, edited);
    BOOST_REQUIRE(!index_state(file).is_current);
  }
}

BOOST_AUTO_TEST_CASE(copies_with_their_time_keep_a_current_index) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", archive_of(messages));
  tgmap::write_index(file);
  const auto time = fs::last_write_time(file);
  const auto copy = temporary / "b.tgm";
  fs::copy_file(file, copy);
  fs::copy_file(index_path(file), index_path(copy));
  BOOST_TEST(!index_state(copy).is_current);  // as cp
  check_answers(copy, "cp");
  fs::last_write_time(copy, time);
  BOOST_TEST(index_state(copy).is_current);  // as cp -p
  // A file system that keeps whole seconds.
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  fs::last_write_time(copy, seconds);
  BOOST_TEST(index_state(copy).is_current);
  fs::last_write_time(copy, seconds + std::chrono::seconds(1));
  BOOST_TEST(!index_state(copy).is_current);
}

BOOST_AUTO_TEST_CASE(a_check_stamps_the_index_of_a_copy) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", archive_of(messages));
  tgmap::write_index(file);
  const auto old = fs::last_write_time(file);
  fs::last_write_time(file, old - std::chrono::hours(1));
  BOOST_TEST(!index_state(file).is_current);
  BOOST_TEST(tgmap::check_index(tgmap::archive(file), index_path(file)).is_stamped);
  BOOST_TEST(index_state(file).is_current);
  fs::last_write_time(file, old);
  BOOST_TEST(index_state(file).is_current, "the first stamp is kept");
  // Also after messages were appended, which are then scanned.
  append_file(file, archive_of(2));
  BOOST_TEST(tgmap::check_index(tgmap::archive(file), index_path(file)).messages == messages);
  BOOST_TEST(index_state(file).is_current);
  BOOST_TEST(tgmap::archive(file).size() == messages + 2);
  check_answers(file, "appended");
  // A check that fails stamps nothing.
  overwrite(file, archive_of(messages, "0077"));
  tgmap::failure why;
  BOOST_TEST(!tgmap::check_index(tgmap::archive(file), index_path(file), {}, why).is_stamped);
  BOOST_TEST(static_cast<bool>(why));
  BOOST_TEST(!index_state(file).is_current);
}

BOOST_AUTO_TEST_CASE(a_stamp_holds_for_one_place_in_a_file) {
  const temporary_directory temporary;
  const bytes one = archive_of(messages), other = archive_of(messages, "0077");
  const auto file = temporary.file("a.tgm", one + other);
  const std::string index = (temporary / "part.tgx").string();
  const tgmap::open_options first{.index_path = index, .length = one.size()},
      second{.index_path = index, .offset = one.size(), .length = other.size()};
  const auto scanned = [&](tgmap::open_options options) {
    options.index = index_use::none;
    options.index_path = {};
    return tgmap::archive(file, options);
  };
  tgmap::memory_sink to;
  BOOST_TEST(tgmap::create_index(scanned(first), to).is_stamped);
  const auto made = to.release();
  write_file(index, {reinterpret_cast<const char*>(made.data()), made.size()});
  BOOST_TEST(index_state(file, first).is_current);
  tgmap::failure why;
  const auto wrong = tgmap::archive::open(file, second, why);
  BOOST_TEST((why || !wrong.index_status().is_current));
  // The same bytes at another place: the check passes, and stamps nothing.
  write_file(file, other + one);
  const tgmap::open_options moved{.index_path = index, .offset = other.size(), .length = one.size()};
  BOOST_TEST(!tgmap::check_index(scanned(moved), index).is_stamped);
  BOOST_TEST(!index_state(file, moved).is_current);
  BOOST_TEST(!index_state(file, moved).refusal);
}

BOOST_AUTO_TEST_CASE(times_that_say_nothing_never_match) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", archive_of(messages));
  for (const ::time_t seconds : {0, 1, 315'532'800, 946'684'800}) {
    const ::timespec both[] = {{seconds, 0}, {seconds, 0}};
    BOOST_REQUIRE(::utimensat(AT_FDCWD, file.c_str(), both, 0) == 0);
    BOOST_TEST(!tgmap::write_index(file).is_stamped);
    BOOST_TEST(!index_state(file).is_current);
    BOOST_TEST(index_state(file).is_used);
    check_answers(file, "fixed time");
  }
}

BOOST_AUTO_TEST_CASE(a_torn_page_of_stamps_means_not_current) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", archive_of(messages));
  tgmap::write_index(file);
  bytes index = read_file(index_path(file));
  index[index.size() - 2 * 4096 + 24] ^= 1;
  write_file(index_path(file), index);
  BOOST_TEST(index_state(file).is_used);
  BOOST_TEST(!index_state(file).is_current);
  check_answers(file, "torn");
  BOOST_TEST(tgmap::check_index(tgmap::archive(file), index_path(file)).is_stamped);
  BOOST_TEST(index_state(file).is_current);
}

BOOST_AUTO_TEST_CASE(an_index_of_version_2_is_never_used) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", archive_of(messages));
  tgmap::write_index(file);
  bytes index = read_file(index_path(file));
  index[index.size() - 4096 + 8] = 2;
  write_file(index_path(file), index);
  TGMAP_FAILED(index_state(file).refusal, tgmap::errc::unknown_index_version);
  BOOST_TEST(!index_state(file).is_current);
}

BOOST_AUTO_TEST_CASE(selections_of_an_open_archive_notice_a_change) {
  const temporary_directory temporary;
  const bytes edited = archive_of(messages, "0077");
  const auto file = temporary.file("a.tgm", archive_of(messages));
  tgmap::write_index(file);
  const tgmap::archive opened(file);
  const tgmap::selection wanted("mars.expver=0077");
  BOOST_TEST(tgmap::indexed_selection::of_messages(opened, wanted).count(tgmap::index_answer::unknown) == 0u);
  overwrite(file, edited);
  BOOST_TEST(!opened.index_status().is_current);
  BOOST_TEST(tgmap::indexed_selection::of_messages(opened, wanted).count(tgmap::index_answer::no) == 0u);
  // The messages are still those of the index: each is compared when it is used, and none is left out silently.
  std::size_t found = 0;
  tgmap::failure why;
  auto range = opened.find(wanted);
  for (tgmap::selected_message each; range.next(each, why);) found += each.index == changed;
  BOOST_TEST((found == 1u || why.code == make_error_code(tgmap::errc::index_mismatch)));
  const tgmap::archive again = opened.reopen();
  found = 0;
  for (const auto& each : again.find(wanted)) found += each.index == changed;
  BOOST_TEST(found == 1u);
  BOOST_TEST(!again.index_status().is_current);
  BOOST_TEST(again.size() == messages);
}

BOOST_AUTO_TEST_CASE(reopening_looks_again) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", archive_of(messages));
  tgmap::write_index(file);
  const tgmap::archive opened(file);
  append_file(file, archive_of(2, "0077"));
  const tgmap::archive grown = opened.reopen();
  BOOST_TEST(!grown.index_status().is_current);
  BOOST_TEST(grown.size() == messages + 2);
  BOOST_TEST(grown.reopen().size() == messages + 2);
  BOOST_TEST(tgmap::check_index(grown, index_path(file)).is_stamped);
  const tgmap::archive stamped = grown.reopen();
  BOOST_TEST(stamped.index_status().is_current);
  BOOST_TEST(stamped.size() == messages + 2);
  BOOST_TEST(survey_of(stamped).text == survey_of(tgmap::archive(file, {.index = index_use::none})).text);
}

BOOST_AUTO_TEST_CASE(an_appender_extends_an_index_that_was_current) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", archive_of(messages));
  const bytes more = archive_of(3, "0077");
  const auto source = tgmap::archive::from_memory(std::as_bytes(std::span(more)));
  tgmap::write_index(file);
  {
    tgmap::appender to(file);
    for (const tgmap::message& each : source) to.write(each);
    BOOST_TEST(!index_state(file).is_current);  // before it is closed, readers scan
    check_answers(file, "appending");
    tgmap::failure why;
    to.close(why);
    BOOST_TEST(!why, why.text());
    to.write(source[0], why);
    TGMAP_FAILED(why, tgmap::errc::call_out_of_order);
    to.close(why);
    BOOST_TEST(!why);
  }
  BOOST_TEST(index_state(file).is_current);
  BOOST_TEST(index_state(file).messages == messages + 3);
  check_answers(file, "appended");
  tgmap::appender(file).write(source[1]);  // the destructor extends it, too
  BOOST_TEST(index_state(file).is_current);
  BOOST_TEST(index_state(file).messages == messages + 4);
  TGMAP_SUCCEEDED([&] {
    tgmap::failure why;
    tgmap::check_index(tgmap::archive(file), index_path(file), {}, why);
    return why;
  }());
}

BOOST_AUTO_TEST_CASE(an_appender_makes_no_index_and_leaves_others_as_they_are) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", archive_of(messages));
  const bytes more = archive_of(3, "0077");
  const auto source = tgmap::archive::from_memory(std::as_bytes(std::span(more)));
  tgmap::appender(file).write(source[0]);
  BOOST_TEST(!fs::exists(index_path(file)));
  tgmap::write_index(file);
  append_file(file, more);  // by another program
  const bytes before = read_file(index_path(file));
  tgmap::appender(file).write(source[0]);
  BOOST_TEST((read_file(index_path(file)) == before));
  BOOST_TEST(!index_state(file).is_current);
  check_answers(file, "appended by two programs");
}

BOOST_AUTO_TEST_CASE(a_link_finds_the_index_of_its_target) {
  const temporary_directory temporary;
  fs::create_directory(temporary / "data");
  const auto file = temporary.file("data/a.tgm", archive_of(messages));
  tgmap::write_index(file);
  const auto link = temporary / "link.tgm", chain = temporary / "chain.tgm";
  fs::create_symlink("data/a.tgm", link);
  fs::create_symlink("link.tgm", chain);
  for (const auto& each : {link, chain}) {
    BOOST_TEST(fs::equivalent(tgmap::index_path(each), index_path(file)));
    BOOST_TEST(index_state(each).is_current);
    BOOST_TEST(tgmap::write_index(each).is_stamped);
  }
  BOOST_TEST(!fs::exists(index_path(link)));
  // An index beside the link comes first.
  fs::copy_file(index_path(file), index_path(link));
  BOOST_TEST(tgmap::index_path(link) == index_path(link));
  BOOST_TEST(index_state(link).is_current);
}

BOOST_AUTO_TEST_CASE(the_index_of_a_replaced_archive_is_removed) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", archive_of(messages));
  tgmap::write_index(file);
  tgmap::file_sink(file).close();
  BOOST_TEST(!fs::exists(index_path(file)));
  BOOST_TEST(!tgmap::remove_index(file));
  write_file(index_path(file), "not an index, and longer than its magic");
  BOOST_TEST(!tgmap::remove_index(file));
  tgmap::file_sink(file).close();
  BOOST_TEST(fs::exists(index_path(file)));
}

BOOST_AUTO_TEST_SUITE_END()
