// SPDX-License-Identifier: Apache-2.0
#include "convert/array_reader.hpp"

#include <boost/test/unit_test.hpp>

#include "convert/zip_writer.hpp"
#include "convert/zlib.hpp"

BOOST_AUTO_TEST_SUITE(array_readers)

using namespace tgmap::convert;
using tgmap::dtype;

namespace {

std::shared_ptr<const std::string> npy(const std::string& descr, const std::string& data) {
  std::string header = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (2,), }";
  header.append(63 - (10 + header.size()) % 64, ' ').push_back('\n');
  const std::string size{static_cast<char>(header.size()), static_cast<char>(header.size() >> 8)};
  return std::make_shared<const std::string>("\x93NUMPY" + std::string("\x01\x00", 2) + size + header + data);
}

std::vector<read_array> read(const std::shared_ptr<const std::string>& file, const array_rules& rules = {}) {
  std::vector<read_array> out;
  read_arrays(std::as_bytes(std::span(*file)), file, rules, 1 << 20,
              [&](read_array&& each) { out.push_back(std::move(each)); });
  return out;
}

std::string bytes_of(const read_array& of) {
  return {reinterpret_cast<const char*>(of.object.data.data()), of.object.data.size()};
}

dtype_conflict::kind conflict(const std::string& descr, const std::string& data, const array_rules& rules) {
  try {
    read(npy(descr, data), rules);
  } catch (const dtype_conflict& why) {
    BOOST_TEST(why.member == "");
    return why.what_kind();
  }
  throw std::logic_error("the array is taken");
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_array_of_a_file) {
  const auto all = read(npy("<i2", "abcd"));
  BOOST_TEST_REQUIRE(all.size() == 1u);
  BOOST_TEST((all[0].object.dtype == dtype::int16));
  BOOST_TEST((all[0].object.shape == std::vector<std::uint64_t>{2}));
  BOOST_TEST(bytes_of(all[0]) == "abcd");
  BOOST_TEST(all[0].name == "");
  BOOST_TEST(all[0].memory.use_count() == 1);  // the file stays with the array
}

BOOST_AUTO_TEST_CASE(raw_elements) {
  const auto file = std::make_shared<const std::string>("abcd");
  array_rules rules{.dtype = dtype::uint16, .shape = std::vector<std::uint64_t>{2}};
  BOOST_TEST((read(file, rules).at(0).object.byte_order == tgmap::byte_order::little));
  rules.order = tgmap::byte_order::big;
  BOOST_TEST((read(file, rules).at(0).object.byte_order == tgmap::byte_order::big));
  rules.shape = {3};
  BOOST_CHECK_THROW(read(file, rules), array_error);
}

BOOST_AUTO_TEST_CASE(bits_are_packed) {
  const array_rules rules{.dtype = dtype::bitmask, .shape = std::vector<std::uint64_t>{3}};
  const auto all = read(std::make_shared<const std::string>("\x01\x00\x01", 3), rules);
  BOOST_TEST((all.at(0).object.dtype == dtype::bitmask));
  BOOST_TEST(bytes_of(all.at(0)) == "\xa0");
  BOOST_CHECK_THROW(read(std::make_shared<const std::string>("\x01\x02\x01", 3), rules), conversion_error);
}

BOOST_AUTO_TEST_CASE(elements_of_another_dtype) {
  using kind = dtype_conflict::kind;
  const std::string two("\x01\x00", 2);
  BOOST_TEST((conflict("|b1", two, {}) == kind::boolean));
  BOOST_TEST((conflict("<i2", two + two, {.dtype = dtype::float32}) == kind::other));
  BOOST_TEST((conflict("|V2", two + two, {}) == kind::opaque));
  BOOST_TEST((read(npy("|b1", two), {.dtype = dtype::uint8}).at(0).object.dtype == dtype::uint8));
}

BOOST_AUTO_TEST_CASE(members_of_an_archive) {
  const auto first = npy("|u1", "ab"), second = npy("|b1", std::string("\x01\x00", 2));
  const auto archive_of = [&](const std::string& name) {
    std::string out;
    zip_writer zip([&](std::span<const std::byte> piece) {
      out.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    });
    for (const auto& [member, file] : {std::pair(std::string("a.npy"), first), std::pair(name, second)}) {
      const auto bytes = std::as_bytes(std::span(*file));
      zip.begin(member, file->size(), crc32(bytes));
      zip.write(bytes);
    }
    zip.finish();
    return std::make_shared<const std::string>(std::move(out));
  };
  const auto all = read(archive_of("b.npy"), {.dtype = dtype::uint8});
  BOOST_TEST_REQUIRE(all.size() == 2u);
  BOOST_TEST(all[0].name == "a");
  BOOST_TEST(all[1].member == "b.npy");
  BOOST_TEST(bytes_of(all[1]) == std::string("\x01\x00", 2));
  try {
    read(archive_of("b.npy"));
    BOOST_ERROR("bool is taken");
  } catch (const dtype_conflict& why) {
    BOOST_TEST(why.member == "b.npy");
  }
  try {
    read(archive_of("b.txt"));
    BOOST_ERROR("text is taken");
  } catch (const array_error& why) {
    BOOST_TEST(std::string(why.what()) == "member 'b.txt': is not a .npy file");
  }
}

BOOST_AUTO_TEST_CASE(a_file_of_another_kind) {
  const auto file = std::make_shared<const std::string>("no array");
  try {
    read(file);
    BOOST_ERROR("the file is taken");
  } catch (const array_error&) {
    BOOST_ERROR("the kind of the file is in doubt");
  } catch (const conversion_error& why) {
    BOOST_TEST(std::string(why.what()) == "is not a .npy file");
  }
}

BOOST_AUTO_TEST_SUITE_END()
