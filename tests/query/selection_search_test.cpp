// SPDX-License-Identifier: Apache-2.0
// A search visits what a selection matches, with an index and without.
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <support/selection_samples.hpp>
#include <tgmap/query/selection_search.hpp>

#include "../index/indexed.hpp"

using namespace tgmap_test;
using tgmap::errc;
using tgmap::index_answer;
using tgmap::key_lookup;
using tgmap::metadata_key;
using tgmap::search_purpose;
using tgmap::selection;

BOOST_AUTO_TEST_SUITE(selection_search)

namespace {

/// Returns two objects a and b, message-wide keys alone, and an object without a name.
bytes several_kinds() {
  return two_named_objects() + message({.extra = {cbor::key("title", cbor::text("two"))}}) + numbered(3);
}

/// A receiver that writes what it gets: "0 2:1 ", and "(damaged) ".
struct listing {
  std::string text{};
  std::size_t most = SIZE_MAX;

  tgmap::match_receiver receiver() {
    return [this](const tgmap::search_match& found, const tgmap::failure& why) {
      BOOST_TEST((found.keys == nullptr) == bool(why));
      text += std::to_string(found.message.index().value());
      if (found.index) text += ":" + std::to_string(*found.index);
      if (found.object != nullptr) BOOST_TEST(found.object->index() == *found.index);
      text += why ? "(" + std::string(why.code.message()) + ") " : " ";
      return --most != 0;
    };
  }
};

std::string found(const tgmap::archive& in, std::string_view wanted, const tgmap::search_options& options = {}) {
  listing out;
  tgmap::search_counts counts;
  const tgmap::selection_search search(in, wanted.empty() ? selection() : selection(wanted), options);
  BOOST_TEST(search.visit_messages(0, SIZE_MAX, out.receiver(), counts));
  return out.text + std::to_string(counts.taken) + "/" + std::to_string(counts.seen);
}

}  // namespace

BOOST_AUTO_TEST_CASE(messages_or_objects_are_visited) {
  const bytes data = several_kinds();
  const auto in = open(data);
  BOOST_TEST(found(in, "name=b") == "0 1/3");
  BOOST_TEST(found(in, "title=two") == "0 1 2/3");
  BOOST_TEST(found(in, "title=two", {.of_objects = true}) == "0:0 0:1 2/3");
  BOOST_TEST(found(in, "not name=b", {.of_objects = true}) == "0:0 2:0 2/3");
  BOOST_TEST(found(in, "", {.of_objects = true}) == "0:0 0:1 2:0 3/3");
  BOOST_TEST(found(in, "title=three") == "0/3");
}

BOOST_AUTO_TEST_CASE(an_index_rules_out_what_is_not_seen) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", several_kinds());
  write_index(file);
  const tgmap::archive in(file);
  BOOST_TEST(found(in, "name=b", {.of_objects = true}) == "0:1 1/1");
  BOOST_TEST(found(in, "title=two", {.of_objects = true}) == "0:0 0:1 2/2");
  BOOST_TEST(found(in, "title=two") == "0 1 2/2");
  BOOST_TEST(found(in, "title=three") == "0/0");
  BOOST_TEST(found(in, "title=three", {.use_index = false}) == "0/3");
}

BOOST_AUTO_TEST_CASE(a_count_leaves_out_what_the_index_knows) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", six_messages());
  write_index(file);
  const tgmap::archive in(file);
  const tgmap::selection_search count(in, selection("mars.param=2t"), {.purpose = search_purpose::count});
  BOOST_TEST(count.known().count(index_answer::yes) == 3);
  BOOST_TEST(count.next(0) == 6);
  const tgmap::selection_search visit(in, selection("mars.param=10u"), {});
  BOOST_TEST(visit.next(0) == 1);
  BOOST_TEST(visit.next(2) == 3);
  BOOST_TEST(found(in, "mars.param=2t", {.purpose = search_purpose::count}) == "0/0");
  BOOST_TEST(found(in, "mars.param=2t", {.purpose = search_purpose::count, .use_index = false}) == "0 2 4 3/6");
}

BOOST_AUTO_TEST_CASE(any_part_is_visited) {
  const bytes data = six_messages();
  const auto in = open(data);
  const tgmap::selection_search search(in, selection("mars.param=2t"));
  listing out;
  tgmap::search_counts counts;
  tgmap::failure why;
  BOOST_TEST(search.visit_messages(1, 4, out.receiver(), counts, why));
  BOOST_TEST(out.text == "2 ");
  BOOST_TEST(search.visit(in[4], out.receiver(), counts));
  BOOST_TEST(out.text == "2 4 ");
  BOOST_TEST(counts.seen == 4);
  tgmap::search_counts sum = counts;
  sum += counts;
  BOOST_TEST(sum.taken == 4);

  const bytes named = two_named_objects();
  const auto two = open(named);
  const tgmap::selection_search objects(two, selection("title=two"), {.of_objects = true});
  listing of_objects;
  BOOST_TEST(objects.visit(two[0], 1, 2, of_objects.receiver(), counts));
  BOOST_TEST(objects.visit(two[0], two[0][0], of_objects.receiver(), counts));
  BOOST_TEST(of_objects.text == "0:1 0:0 ");
  BOOST_TEST(!tgmap::selection_search().visit_messages(0, 1, out.receiver(), counts, why));
  BOOST_TEST((why.code == errc::no_archive));
}

BOOST_AUTO_TEST_CASE(the_receiver_ends_the_visit) {
  const bytes data = six_messages();
  const auto in = open(data);
  listing out{.most = 2};
  tgmap::search_counts counts;
  BOOST_TEST(!tgmap::selection_search(in, {}).visit_messages(0, SIZE_MAX, out.receiver(), counts));
  BOOST_TEST(out.text == "0 1 ");
  BOOST_TEST(counts.taken == 2);
}

BOOST_AUTO_TEST_CASE(the_receiver_gets_the_keys_of_the_first_object_that_matches) {
  const bytes data = two_named_objects();
  const auto in = open(data);
  std::string units;
  const auto take = [&](const tgmap::search_match& match, const tgmap::failure&) {
    units += match.keys->find(metadata_key("unit")).text();
    return true;
  };
  tgmap::search_counts counts;
  tgmap::selection_search(in, selection("name=b")).visit_messages(0, SIZE_MAX, take, counts);
  tgmap::selection_search(in, selection("name=a")).visit_messages(0, SIZE_MAX, take, counts);
  BOOST_TEST(units == "K");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_read_is_given_with_its_failure) {
  bytes data = six_messages();
  data[data.find("param", data.size() / 3) - 1] = '\xff';  // the head of a key of message 2
  const auto in = open(data);
  listing out;
  tgmap::search_counts counts;
  BOOST_TEST(
      tgmap::selection_search(in, selection("mars.param=2t")).visit_messages(0, SIZE_MAX, out.receiver(), counts));
  BOOST_TEST(out.text.starts_with("0 2("));
  BOOST_TEST(out.text.ends_with(") 4 "));
  BOOST_TEST(counts.taken == 2);
  BOOST_TEST(counts.seen == 6);
}

BOOST_AUTO_TEST_CASE(an_answer_that_the_archive_denies_is_a_failure) {
  const temporary_directory temporary;
  bytes data = six_messages();
  const auto file = temporary.file("a.tgm", data);
  write_index(file);
  const tgmap::archive in(file, {.io = tgmap::io_mode::read});
  const tgmap::selection_search search(in, selection("mars.param=2t"));
  data[data.find("2t", data.find("param")) + 1] = 'z';
  const auto time = std::filesystem::last_write_time(file);
  std::filesystem::resize_file(file, data.size());
  write_file(file, data);
  std::filesystem::last_write_time(file, time);
  for (const bool of_objects : {false, true}) {
    std::size_t denied = 0;
    tgmap::search_counts counts;
    const auto take = [&](const tgmap::search_match&, const tgmap::failure& why) {
      denied += why.code == errc::index_mismatch;
      return true;
    };
    const tgmap::selection_search all(in, selection("mars.param=2t"), {.of_objects = of_objects});
    all.visit_messages(0, SIZE_MAX, take, counts);
    BOOST_TEST(denied == 1);
    BOOST_TEST(counts.taken == 2);
  }
}

BOOST_AUTO_TEST_CASE(the_index_alone_may_have_the_values) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", six_messages());
  const std::vector<metadata_key> step{metadata_key("mars.step")};
  BOOST_TEST(!tgmap::selection_search(tgmap::archive(file), selection("mars.param=2t")).indexed_values(step));
  write_index(file);
  const tgmap::archive in(file);
  const auto values = tgmap::selection_search(in, selection("mars.param=2t")).indexed_values(step);
  BOOST_TEST_REQUIRE(bool(values));
  BOOST_TEST(values.find(0, 2).text() == "6");
  BOOST_TEST(bool(tgmap::selection_search(in, {}, {.of_objects = true}).indexed_values(step)));
  BOOST_TEST(!tgmap::selection_search(in, selection("@offset=0")).indexed_values(step));
  BOOST_TEST(!tgmap::selection_search(in, {}).indexed_values(std::vector{metadata_key("@hash")}));
  const auto offsets = tgmap::selection_search(in, {}).indexed_values(std::vector{metadata_key("@offset")});
  BOOST_TEST_REQUIRE(bool(offsets));
  BOOST_TEST(offsets.find(0, 2).text() == std::to_string(in[2].offset()));
}

BOOST_AUTO_TEST_SUITE_END()
