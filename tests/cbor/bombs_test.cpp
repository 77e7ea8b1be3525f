// SPDX-License-Identifier: Apache-2.0
// Items made to be expensive: none takes memory, or more time than a test may (quadratic work would take hours).
#include <boost/test/unit_test.hpp>
#include <support/cbor.hpp>
#include <tgmap/cbor_view.hpp>

#include "cbor/prescan.hpp"
#include "cbor/structure/descriptor.hpp"
#include "cbor/structure/index_frame.hpp"
#include "cbor/walk.hpp"
#include "counting_new.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(bombs_test)

namespace {

constexpr std::size_t million = 1000000;

/// Runs `body`, which must not allocate.
template <class F>
auto cheaply(const char* what, F&& body) {
  const long before = allocations();
  auto out = body();
  const long taken = allocations() - before;
  BOOST_TEST(taken == 0, what << " allocates " << taken << " times");
  return out;
}

tgmap::failure scan(const bytes& data) {
  return cheaply("prescan", [&] { return tgmap::cbor::prescan(span_of(data), 256, tgmap::cbor::rules::any); });
}

std::size_t skip(const bytes& data) {
  return cheaply("skip", [&] {
    const auto span = span_of(data);
    const std::byte* behind = tgmap::cbor::skip(span.data(), span.data() + span.size());
    return behind == nullptr ? std::size_t{0} : static_cast<std::size_t>(behind - span.data());
  });
}

bytes repeated(std::string_view piece, std::size_t times) {
  bytes out;
  out.reserve(piece.size() * times);
  for (std::size_t i = 0; i < times; ++i) out += piece;
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_counter_counts) {
  const long before = allocations();
  ::operator delete(::operator new(1));  // calls, unlike new-expressions, are never optimised away
  BOOST_TEST(allocations() == before + 1);
}

BOOST_AUTO_TEST_CASE(a_million_tags) {
  const bytes data = bytes(million, '\xc1') + cbor::integer(1);
  BOOST_TEST(!scan(data));
  BOOST_TEST(skip(data) == data.size());
  BOOST_TEST((scan(bytes(million, '\xc1')).code == tgmap::errc::bad_cbor));
  BOOST_TEST(skip(bytes(million, '\xc1')) == 0u);
}

BOOST_AUTO_TEST_CASE(containers_with_too_large_counts) {
  for (const unsigned type : {2u, 3u, 4u, 5u})
    for (const unsigned shift : {20u, 32u, 60u, 63u}) {
      const bytes data = cbor::head(type, std::uint64_t{1} << shift) + bytes(1000, '\0');
      BOOST_TEST((scan(data).code == tgmap::errc::bad_cbor));
      BOOST_TEST(skip(data) == 0u);
    }
}

BOOST_AUTO_TEST_CASE(nested_containers_with_the_largest_possible_counts) {
  bytes data;
  for (unsigned i = 0; i < 200000; ++i) data += cbor::wide_head(4, 1u << 20, 4);
  BOOST_TEST(scan(data).code == (tgmap::errc::bad_cbor));
  BOOST_TEST(skip(data) == 0u);
}

BOOST_AUTO_TEST_CASE(a_million_containers_inside_each_other) {
  for (const std::string_view open : {std::string_view("\x81"), std::string_view("\x9f"), std::string_view("\xa1\x01"),
                                      std::string_view("\xbf\x01"), std::string_view("\xa1")}) {
    const bytes data = repeated(open, million);
    BOOST_TEST((scan(data).code == tgmap::errc::cbor_too_deep));
    BOOST_TEST(skip(data) == 0u);
  }
}

BOOST_AUTO_TEST_CASE(a_million_pieces_of_a_string) {
  const bytes data = "\x5f" + bytes(million, '\x40') + "\xff";
  BOOST_TEST(!scan(data));
  BOOST_TEST(skip(data) == data.size());
}

BOOST_AUTO_TEST_CASE(a_million_empty_containers_in_a_row) {
  const bytes data = cbor::head(4, million) + bytes(million, '\x80');
  BOOST_TEST(!scan(data));
  BOOST_TEST(skip(data) == data.size());
}

BOOST_AUTO_TEST_CASE(steps_over_a_value_take_no_memory) {
  const bytes data = cbor::map(
      {cbor::key("a", bytes(100000, '\xc1') + cbor::integer(1)), cbor::key("b", cbor::array({cbor::text("x")}))});
  const tgmap::cbor_view top(span_of(data));
  BOOST_TEST(cheaply("find", [&] { return top.find("b").has_value(); }));
  BOOST_TEST(cheaply("at_path", [&] { return top.at_path("b[0]").has_value(); }));
  BOOST_TEST(cheaply("bytes", [&] { return top.bytes().size(); }) == data.size());
  BOOST_TEST(cheaply("get", [&] { return top.at_path("b[0]")->get<std::string_view>() == "x"; }));
}

BOOST_AUTO_TEST_CASE(a_path_of_a_thousand_steps_takes_no_memory) {
  bytes core = cbor::integer(7);
  std::string path;
  for (unsigned i = 0; i < 500; ++i) {
    core = cbor::map({cbor::key("k", cbor::array({core}))});
    path += i == 0 ? "k[0]" : ".k[0]";
  }
  const tgmap::cbor_view top(span_of(core));
  BOOST_TEST((cheaply("at_path", [&] { return top.at_path(path)->get<std::int64_t>(); }) == 7));
}

BOOST_AUTO_TEST_CASE(index_frames_and_descriptors_are_read_without_memory) {
  std::vector<std::uint64_t> numbers(100000);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = 400 + 64 * i;
  const bytes index =
      cbor::map({cbor::key("lengths", cbor::numbers(numbers)), cbor::key("offsets", cbor::numbers(numbers))});
  tgmap::cbor::index_view view;
  BOOST_TEST(!cheaply("read_index", [&] { return tgmap::cbor::read_index(span_of(index), view); }));
  BOOST_TEST(view.count == numbers.size());

  const bytes masks = cbor::map(
      {cbor::key("masks", cbor::map({})), cbor::key("junk", cbor::array(std::vector<bytes>(million, cbor::null())))});
  const auto read = [&] {
    tgmap::failure why;
    static_cast<void>(tgmap::cbor::read_descriptor(span_of(masks), 0, 256, why));
    return why;
  };
  BOOST_TEST((cheaply("read_descriptor", read).code == tgmap::errc::bad_descriptor));
}

BOOST_AUTO_TEST_CASE(text_of_a_million_tags_needs_no_stack) {
  const bytes data = bytes(million, '\xc1') + cbor::text("core");
  BOOST_TEST(!scan(data));
  BOOST_TEST(tgmap::cbor_view(span_of(data)).text() == "core");
}

BOOST_AUTO_TEST_SUITE_END()
