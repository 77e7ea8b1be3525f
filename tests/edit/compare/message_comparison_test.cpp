// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>
#include <support/cbor.hpp>
#include <support/enum_checks.hpp>
#include <tgmap/archive.hpp>
#include <tgmap/tools/compare.hpp>

using namespace tgmap_test;
using tgmap::compare_options;
using tgmap::comparison;
using tgmap::difference_kind;

BOOST_AUTO_TEST_SUITE(messages_compared)

namespace {

/// Two archives of one message, or of the messages given as bytes.
struct two_archives {
  bytes left_bytes, right_bytes;
  tgmap::archive left = tgmap::archive::from_memory(span_of(left_bytes)),
                 right = tgmap::archive::from_memory(span_of(right_bytes));

  two_archives(bytes a, bytes b) : left_bytes(std::move(a)), right_bytes(std::move(b)) {}

  comparison compare(const compare_options& how = {}) const {
    return tgmap::compare(left, {left[0]}, right, {right[0]}, how);
  }
  comparison objects(std::size_t a, std::size_t b, const compare_options& how = {}) const {
    return tgmap::compare(left, {left[0], a}, right, {right[0], b}, how);
  }
};

bytes with_keys(const std::vector<cbor::pair>& base, const std::vector<cbor::pair>& extra = {}) {
  return message({.objects = {bytes_object("a")}, .base = {cbor::map(base)}, .extra = extra});
}

template <class T>
T get(const tgmap::difference::value& of) {
  BOOST_TEST_REQUIRE(std::holds_alternative<T>(of));
  return std::get<T>(of);
}

bool is_absent(const tgmap::difference::value& of) { return std::holds_alternative<std::monostate>(of); }

}  // namespace

BOOST_AUTO_TEST_CASE(equal_bytes_and_equal_meaning) {
  const bytes same = with_keys({cbor::key("k", cbor::integer(1))});
  BOOST_TEST(two_archives(same, same).compare().is_equal());
  const bytes wide = with_keys({cbor::key("k", cbor::wide_head(0, 1, 8))});
  BOOST_TEST(two_archives(same, wide).compare().is_equal());
}

BOOST_AUTO_TEST_CASE(metadata_as_paths_and_items) {
  const auto mars = [](std::int64_t step) { return cbor::map({cbor::key("step", cbor::integer(step))}); };
  const two_archives both(with_keys({cbor::key("mars", mars(6)), cbor::key("only", cbor::text("x"))}),
                          with_keys({cbor::key("mars", mars(12))}, {cbor::key("wide", cbor::boolean(true))}));
  const comparison found = both.compare();
  BOOST_TEST_REQUIRE(found.differences.size() == 3u);
  BOOST_TEST(found.difference_count == 3u);

  const auto& wide = found.differences[0];
  BOOST_TEST((wide.kind == difference_kind::metadata));
  BOOST_TEST(wide.key.text() == "wide");
  BOOST_TEST(!wide.left_object.has_value());
  BOOST_TEST(is_absent(wide.left));
  BOOST_TEST(get<tgmap::metadata_item>(wide.right).view().as<bool>());

  const auto& step = found.differences[1];
  BOOST_TEST(step.key.text() == "mars.step");
  BOOST_TEST(step.key.name == "step");
  BOOST_TEST((step.left_object.has_value() && *step.left_object == 0u));
  BOOST_TEST(get<tgmap::metadata_item>(step.left).view().as<int>() == 6);
  BOOST_TEST(get<tgmap::metadata_item>(step.right).view().as<int>() == 12);

  BOOST_TEST(found.differences[2].key.text() == "only");
  BOOST_TEST(is_absent(found.differences[2].right));
}

BOOST_AUTO_TEST_CASE(ignored_keys) {
  const auto reserved = [](const char* who) {
    return message({.objects = {bytes_object("a")}, .reserved = cbor::map({cbor::key("who", cbor::text(who))})});
  };
  const two_archives writers(reserved("a"), reserved("b"));
  BOOST_TEST(writers.compare().is_equal());
  const comparison all = writers.compare({.ignored_keys = {}});
  BOOST_TEST_REQUIRE(all.difference_count == 1u);
  BOOST_TEST(all.differences[0].key.text() == "_reserved_.who");

  const auto keys = [](int x, int y) {
    return with_keys(
        {cbor::key("a", cbor::map({cbor::key("b", cbor::integer(x))})), cbor::key("ab", cbor::integer(y))});
  };
  const two_archives other(keys(1, 1), keys(2, 2));
  BOOST_TEST(other.compare({.ignored_keys = {"a"}}).difference_count == 1u);  // "ab" is another key
  BOOST_TEST(other.compare({.ignored_keys = {"a.b", "ab"}}).is_equal());
}

BOOST_AUTO_TEST_CASE(objects_dtypes_and_shapes) {
  const auto float_one = numbers_object<float>("float32", {1}), float_two = numbers_object<float>("float32", {1, 2});
  const auto double_one = numbers_object<double>("float64", {1});
  const two_archives both(message({.objects = {float_one, float_one, float_one}}),
                          message({.objects = {float_two, double_one}}));
  const comparison found = both.compare();
  BOOST_TEST_REQUIRE(found.differences.size() == 3u);
  BOOST_TEST((found.differences[0].kind == difference_kind::objects));
  BOOST_TEST(get<std::uint64_t>(found.differences[0].left) == 3u);
  BOOST_TEST(get<std::uint64_t>(found.differences[0].right) == 2u);
  BOOST_TEST((found.differences[1].kind == difference_kind::shape));
  BOOST_TEST((get<std::vector<std::uint64_t>>(found.differences[1].right) == std::vector<std::uint64_t>{2}));
  BOOST_TEST((found.differences[2].kind == difference_kind::dtype));
  BOOST_TEST((get<tgmap::dtype>(found.differences[2].left) == tgmap::dtype::float32));
  BOOST_TEST((get<tgmap::dtype>(found.differences[2].right) == tgmap::dtype::float64));
  BOOST_TEST(both.objects(1, 1).difference_count == 1u);
  BOOST_TEST(both.objects(1, 1, {.any_dtype = true}).is_equal());
}

BOOST_AUTO_TEST_CASE(elements_and_tolerance) {
  const two_archives both(message({.objects = {numbers_object<float>("float32", {1, 2, 3})}}),
                          message({.objects = {numbers_object<float>("float32", {1, 2, 4})}}));
  const comparison found = both.compare();
  BOOST_TEST_REQUIRE(found.differences.size() == 1u);
  BOOST_TEST((found.differences[0].kind == difference_kind::values));
  BOOST_TEST_REQUIRE(found.differences[0].elements.has_value());
  BOOST_TEST((found.differences[0].elements->first == std::vector<std::uint64_t>{2}));
  BOOST_TEST(both.compare({.within = {.absolute = 1}}).is_equal());
  BOOST_TEST(both.compare({.compare_elements = false}).is_equal());
}

BOOST_AUTO_TEST_CASE(objects_of_other_numbers) {
  const two_archives both(message({.objects = {bytes_object("a"), bytes_object("b")}}),
                          message({.objects = {bytes_object("b"), bytes_object("c")}}));
  BOOST_TEST(both.objects(1, 0).is_equal());
  const comparison found = both.objects(0, 1);
  BOOST_TEST_REQUIRE(found.differences.size() == 1u);
  BOOST_TEST((*found.differences[0].left_object == 0u && *found.differences[0].right_object == 1u));
}

BOOST_AUTO_TEST_CASE(only_the_first_differences_are_kept) {
  const auto keys = [](int x) {
    std::vector<cbor::pair> out;
    for (const char* name : {"a", "b", "c"}) out.push_back(cbor::key(name, cbor::integer(x)));
    return with_keys(out);
  };
  const comparison found = two_archives(keys(1), keys(2)).compare({.max_differences = 2});
  BOOST_TEST(found.differences.size() == 2u);
  BOOST_TEST(found.difference_count == 3u);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_compared_is_a_failure) {
  object_spec unknown = bytes_object("a"), other = bytes_object("b");
  unknown.encoding = other.encoding = "x";
  const two_archives both(message({.objects = {unknown, bytes_object("a")}}),
                          message({.objects = {other, bytes_object("b")}}));
  const comparison found = both.compare();
  BOOST_TEST_REQUIRE(found.failures.size() == 1u);
  BOOST_TEST(!found.failures[0].is_right);
  BOOST_TEST(*found.failures[0].object == 0u);
  BOOST_TEST((found.failures[0].why.code == tgmap::errc::unknown_codec));
  BOOST_TEST(found.difference_count == 1u);  // the second objects are compared
  BOOST_TEST(!found.is_equal());
}

BOOST_AUTO_TEST_CASE(errors_of_the_call) {
  const bytes data = message({.objects = {bytes_object("a")}});
  const two_archives both(data, data);
  tgmap::failure why;
  tgmap::compare(both.left, {both.left[0], 0}, both.right, {both.right[0]}, {}, why);
  BOOST_TEST((why.code == tgmap::errc::invalid_option));
  tgmap::compare({}, {both.left[0]}, both.right, {both.right[0]}, {}, why);
  BOOST_TEST((why.code == tgmap::errc::no_archive));
  tgmap::compare(both.left, {both.left[0]}, both.right, {both.right[0]}, {}, why);
  BOOST_TEST(!why);
  BOOST_CHECK_THROW(tgmap::compare({}, {both.left[0]}, both.right, {both.right[0]}), tgmap::error);
}

BOOST_AUTO_TEST_CASE(names_of_kinds) {
  check_names<difference_kind>("difference_kind", 7);
  BOOST_TEST(to_string_view(difference_kind::only_left) == "only_left");
}

BOOST_AUTO_TEST_SUITE_END()
