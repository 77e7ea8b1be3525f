// SPDX-License-Identifier: Apache-2.0
#include "constant/model/byte_buffer.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

using tgmap::constant::byte_buffer;

namespace {

bool all_zero(const byte_buffer& memory) {
  return std::all_of(memory.bytes().begin(), memory.bytes().end(), [](std::byte b) { return b == std::byte{0}; });
}

/// Returns the flags of the mapping that contains an address, such as " rd wr mr mw me ac hg ".
std::string mapping_flags(const void* address) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream smaps("/proc/self/smaps");
  bool is_inside = false;
  for (std::string line; std::getline(smaps, line);) {
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    if (std::istringstream(line) >> std::hex >> begin >> dash >> end && dash == '-')
      is_inside = begin <= wanted && wanted < end;
    else if (is_inside && line.starts_with("VmFlags:"))
      return line.substr(line.find(' ')) + ' ';
  }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(byte_buffers)

BOOST_AUTO_TEST_CASE(buffers_of_every_size_can_be_written_grown_and_moved) {
  constexpr std::size_t huge = std::size_t{2} << 20;
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{5000}, 2 * huge - 1, 2 * huge,
                                 2 * huge + 1, 3 * huge, 3 * huge + 4097}) {
    byte_buffer memory;
    BOOST_TEST(memory.allocate_zeros(size));
    BOOST_TEST(memory.size() == size);
    BOOST_TEST(all_zero(memory));
    std::fill_n(memory.data(), size, std::byte{7});
    BOOST_TEST(memory.grow(10'000));
    BOOST_TEST(memory.size() == size + 10'000);
    std::fill_n(memory.data() + size, 10'000, std::byte{8});
    BOOST_TEST(std::count(memory.bytes().begin(), memory.bytes().end(), std::byte{7}) ==
               static_cast<std::ptrdiff_t>(size));
    memory.shrink_to_fit();
    byte_buffer other(std::move(memory));
    BOOST_TEST(other.size() == size + 10'000);
    BOOST_TEST(other.allocate_zeros(size));
    BOOST_TEST(all_zero(other));
    other.shrink_to_fit();
    byte_buffer third;
    BOOST_TEST(third.allocate_zeros(3));
    third = std::move(other);
    BOOST_TEST((third.size() == size && other.size() == 3u));
    BOOST_TEST(all_zero(third));
  }
}

BOOST_AUTO_TEST_CASE(large_zeros_begin_at_a_huge_page) {
  byte_buffer memory;
  BOOST_TEST(memory.allocate_zeros(std::size_t{10} << 20));
  BOOST_TEST(reinterpret_cast<std::uintptr_t>(memory.data()) % (std::size_t{2} << 20) == 0u);
}

BOOST_AUTO_TEST_CASE(large_zeros_ask_for_huge_pages) {
  if (!std::filesystem::exists("/sys/kernel/mm/transparent_hugepage/enabled")) return;  // not in this kernel
  byte_buffer memory;
  BOOST_TEST(memory.allocate_zeros(std::size_t{10} << 20));
  const std::string flags = mapping_flags(memory.data());
  if (flags.empty()) return;  // no /proc
  BOOST_TEST(flags.find(" hg ") != flags.npos, flags);
}

BOOST_AUTO_TEST_CASE(failed_growth_changes_nothing) {
  byte_buffer memory;
  BOOST_TEST(memory.grow(100));
  std::fill_n(memory.data(), 100, std::byte{9});
  BOOST_TEST(!memory.grow(PTRDIFF_MAX));
  BOOST_TEST(!memory.grow(SIZE_MAX));
  BOOST_TEST((memory.size() == 100u && memory.data()[99] == std::byte{9}));
  BOOST_TEST(!memory.allocate_zeros(PTRDIFF_MAX));
  BOOST_TEST((memory.size() == 0u && memory.data() == nullptr));
  BOOST_TEST(memory.allocate_zeros(5));
}

BOOST_AUTO_TEST_SUITE_END()
