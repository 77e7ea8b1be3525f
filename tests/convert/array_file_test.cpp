// SPDX-License-Identifier: Apache-2.0
#include "convert/array_file.hpp"

#include <boost/test/unit_test.hpp>
#include <support/bytes.hpp>

#include "convert/zip_writer.hpp"
#include "convert/zlib.hpp"

using namespace tgmap_test;
using tgmap::dtype;
namespace convert = tgmap::convert;

BOOST_AUTO_TEST_SUITE(array_file)

namespace {

bytes npy_of(std::vector<std::uint64_t> shape, std::string_view data) {
  return bytes(convert::make_npy_header(dtype::uint8, shape, false)) + bytes(data);
}

bytes npz_of(const std::vector<std::pair<std::string, bytes>>& members) {
  bytes out;
  convert::zip_writer to([&](std::span<const std::byte> piece) { out += bytes(view_of(piece)); });
  for (const auto& [name, content] : members) {
    to.begin(name, content.size(), convert::crc32(span_of(content)));
    to.write(span_of(content));
  }
  to.finish();
  return out;
}

std::string error_of(const bytes& file) {
  try {
    convert::for_each_array(span_of(file), nullptr, 1 << 20, [](convert::file_array&&) {});
  } catch (const convert::conversion_error& why) {
    BOOST_TEST(!why.next_step().empty());
    return why.what();
  }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_npy_has_one_array_and_an_npz_one_for_each_member) {
  const auto owner = std::make_shared<int>(1);
  std::vector<std::string> found;
  const auto take = [&](convert::file_array&& each) {
    BOOST_TEST(each.memory.get() == owner.get());
    found.push_back(each.member + "|" + each.name + "|" + std::string(view_of(each.array.data)));
  };
  const bytes one = npy_of({3}, "abc"), two = npy_of({2}, "de");
  convert::for_each_array(span_of(one), owner, 0, take);
  const bytes both = npz_of({{"x.npy", one}, {"y.npy", two}});
  convert::for_each_array(span_of(both), owner, 0, take);
  BOOST_TEST(found == (std::vector<std::string>{"||abc", "x.npy|x|abc", "y.npy|y|de"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(errors_name_the_member) {
  BOOST_TEST(error_of(npz_of({})) == "contains no arrays");
  BOOST_TEST(error_of(npz_of({{"notes.txt", "abc"}})) == "member 'notes.txt': is not a .npy file");
  BOOST_TEST(error_of(npz_of({{"\xff.npy", "abc"}})) == "member '\xff.npy': has a name that is not UTF-8");
  BOOST_TEST(error_of(npz_of({{"x.npy", npy_of({3}, "ab")}})).starts_with("member 'x.npy': "));
}

BOOST_AUTO_TEST_CASE(an_exception_of_the_receiver_passes_unchanged) {
  const bytes file = npz_of({{"x.npy", npy_of({1}, "a")}});
  BOOST_CHECK_EXCEPTION(
      convert::for_each_array(span_of(file), nullptr, 0,
                              [](convert::file_array&&) { throw convert::conversion_error("refused", "go on"); }),
      convert::conversion_error, [](const auto& why) { return std::string(why.what()) == "refused"; });
}

BOOST_AUTO_TEST_CASE(raw_elements_become_objects) {
  const bytes data("\1\0\2\0", 4);
  convert::file_array from{.array = convert::raw_array(span_of(data), dtype::uint16, {2}, tgmap::byte_order::big)};
  const tgmap::new_object object = convert::make_object(from, false);
  BOOST_TEST((object.dtype == dtype::uint16 && object.byte_order == tgmap::byte_order::big));
  BOOST_TEST(object.data.data() == span_of(data).data());
  BOOST_CHECK_THROW(convert::raw_array(span_of(data), dtype::uint16, {3}, {}), convert::conversion_error);

  const bytes ones("\1\0\1", 3);
  convert::file_array bits{.array = convert::raw_array(span_of(ones), dtype::bitmask, {3}, {})};
  const tgmap::new_object packed = convert::make_object(bits, true);
  BOOST_TEST((packed.dtype == dtype::bitmask));
  BOOST_TEST(view_of(packed.data) == "\xa0");
  BOOST_TEST(bits.memory != nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
