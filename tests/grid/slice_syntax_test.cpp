// SPDX-License-Identifier: Apache-2.0
#include "grid/slice_syntax.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(slice_syntax)

using namespace tgmap::grids;

namespace {

using numbers_of = std::vector<std::uint64_t>;

void is_box(const std::string& text, const numbers_of& shape, const numbers_of& start, const numbers_of& count,
            const numbers_of& stride, const numbers_of& result) {
  tgmap::failure why;
  const slice_spec spec = parse_slice(text, why);
  BOOST_TEST(!why, text);
  const slice found = resolve(spec, shape, why);
  BOOST_TEST_CONTEXT(text) {
    BOOST_TEST(!why);
    const tgmap::slab box = found.slab();
    BOOST_TEST(box.start == start, boost::test_tools::per_element());
    BOOST_TEST(box.count == count, boost::test_tools::per_element());
    BOOST_TEST(box.stride == stride, boost::test_tools::per_element());
    BOOST_TEST(found.shape() == result, boost::test_tools::per_element());
  }
}

/// Returns the part of the text that is wrong, and the mistake.
std::pair<std::string, slice_mistake> mistake_in(const std::string& text) {
  tgmap::failure why;
  const slice_spec spec = parse_slice(text, why);
  BOOST_TEST((why.code == tgmap::errc::invalid_option), text);
  return {spec.text.substr(why.offset, why.found), static_cast<slice_mistake>(why.expected)};
}

void is_mistake(const std::string& text, const std::string& part, slice_mistake what) {
  BOOST_TEST((mistake_in(text) == std::pair(part, what)), text << ": '" << mistake_in(text).first << "'");
}

}  // namespace

BOOST_AUTO_TEST_CASE(ranges_and_indices) {
  is_box("[1:3]", {4, 5}, {1, 0}, {2, 5}, {1, 1}, {2, 5});
  is_box("[ 1 : 3 , -1 ]", {4, 5}, {1, 4}, {2, 1}, {1, 1}, {2});
  is_box("[::2,1::3]", {4, 5}, {0, 1}, {2, 2}, {2, 3}, {2, 2});
  is_box("[-3:-1]", {4}, {1}, {2}, {1}, {2});
  is_box("[0,0,0]", {4, 5, 6}, {0, 0, 0}, {1, 1, 1}, {1, 1, 1}, {});
  is_box("[:]", {4}, {0}, {4}, {1}, {4});
  is_box("[-4]", {4}, {0}, {1}, {1}, {});
}

BOOST_AUTO_TEST_CASE(the_rest) {
  is_box("[...]", {4, 5}, {0, 0}, {4, 5}, {1, 1}, {4, 5});
  is_box("[...]", {}, {}, {}, {}, {});
  is_box("[...,2]", {4, 5, 6}, {0, 0, 2}, {4, 5, 1}, {1, 1, 1}, {4, 5});
  is_box("[1,...,2]", {4, 5, 6}, {1, 0, 2}, {1, 5, 1}, {1, 1, 1}, {5});
  is_box("[1,2,...]", {4, 5}, {1, 2}, {1, 1}, {1, 1}, {});  // of nothing
}

BOOST_AUTO_TEST_CASE(ranges_clip) {
  is_box("[2:100]", {4}, {2}, {2}, {1}, {2});
  is_box("[-100:2]", {4}, {0}, {2}, {1}, {2});
  is_box("[100:200]", {4}, {0}, {0}, {1}, {0});
  is_box("[3:1]", {4}, {0}, {0}, {1}, {0});
  is_box("[:]", {0}, {0}, {0}, {1}, {0});
  is_box("[1:4:1000000000000]", {4}, {1}, {1}, {1}, {1});
  is_box("[-99999999999999999999999:99999999999999999999999:9223372036854775807]", {4}, {0}, {1}, {1}, {1});
  is_box("[1:]", {UINT64_MAX}, {1}, {UINT64_MAX - 1}, {1}, {UINT64_MAX - 1});
}

BOOST_AUTO_TEST_CASE(brackets_may_be_left_out) {
  is_box("1:3", {4, 5}, {1, 0}, {2, 5}, {1, 1}, {2, 5});
  is_box(" [1, ...] ", {4, 5}, {1, 0}, {1, 5}, {1, 1}, {5});
}

BOOST_AUTO_TEST_CASE(mistakes_have_a_position) {
  is_mistake("[1, x]", "x", slice_mistake::item);
  is_mistake("[1:2:3:4]", "1:2:3:4", slice_mistake::item);
  is_mistake("[1,,2]", "", slice_mistake::empty_item);
  is_mistake("[]", "", slice_mistake::empty_item);
  is_mistake("[0, ::-1]", "::-1", slice_mistake::step);
  is_mistake("[..., 1, ...]", "...", slice_mistake::second_rest);
  is_mistake("[1", "[1", slice_mistake::bracket);
  is_mistake("1]", "1]", slice_mistake::bracket);
  is_mistake("[", "[", slice_mistake::bracket);
  tgmap::failure why;
  (void)parse_slice("[..., 1, ...]", why);
  BOOST_TEST(why.offset == 9u);
}

BOOST_AUTO_TEST_CASE(slices_that_do_not_fit) {
  const auto why = [](const std::string& text, const numbers_of& shape) {
    tgmap::failure out;
    (void)resolve(parse_slice(text, out), shape, out);
    return out;
  };
  const auto index = why("[...,-7]", {4, 5, 6});
  BOOST_TEST((index.code == tgmap::errc::out_of_range));
  BOOST_TEST(index.argument == std::string("index"));
  BOOST_TEST(index.offset == 2u);
  BOOST_TEST(index.expected == 6u);
  BOOST_TEST(static_cast<std::int64_t>(index.found) == -7);
  const auto rank = why("[0,0,0]", {4, 5});
  BOOST_TEST((rank.code == tgmap::errc::out_of_range && rank.expected == 2u && rank.found == 3u));
}

BOOST_AUTO_TEST_SUITE_END()
