// SPDX-License-Identifier: Apache-2.0
// Reading files that are mapped, pipes, or compressed.
#include <sys/stat.h>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <support/temporary.hpp>
#include <tgmap/constant/read.hpp>
#include <thread>

#include "constant/binary/lz4_text.hpp"

#if defined(TGMAP_LZ4)
#include <lz4frame.h>
#endif

namespace constant = tgmap::constant;
using constant::read_file;
using constant::read_options;
using constant::tensor_type;

namespace {

struct scratch_folder : tgmap_test::temporary_directory {
  std::filesystem::path put(const char* name, const std::string& bytes) const { return file(name, bytes); }
};

const read_options two_cells{.type = tensor_type::parse("tensor(x[2])")};

std::string first_problem(const std::filesystem::path& path, const read_options& options = two_cells) {
  constant::report report;
  read_file(path, options, report);
  return report ? report.problems.front().text() : "";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(json_files)

BOOST_AUTO_TEST_CASE(plain_files) {
  const scratch_folder folder;
  BOOST_TEST(read_file(folder.put("a.json", "[1,2]"), two_cells).value(1) == 2.0);
  BOOST_TEST(read_file(folder.put("whatever", "[1,2]"), two_cells).value(1) == 2.0);
  // a text that ends at the end of its last page
  const std::string page = "[1," + std::string(4096 - 5, ' ') + "2]";
  BOOST_TEST(page.size() == 4096u);
  BOOST_TEST(read_file(folder.put("page.json", page), two_cells).value(1) == 2.0);
  BOOST_TEST(first_problem(folder.put("empty.json", "")) ==
             "1:1: expected an array or an object, found the end of the text");
  BOOST_TEST(first_problem(folder.put("bad.json", "[1,\n true]")) == "2:2: [1]: expected a number, found true");
  BOOST_TEST((first_problem(folder.path() / "absent.json") != ""));
  BOOST_TEST((first_problem(folder.path()) != ""));
  BOOST_CHECK_THROW(read_file(folder.path() / "absent.json", two_cells), tgmap::error);
  constant::report report;
  read_file(folder.path() / "absent.json", two_cells, report);
  BOOST_TEST((report.first().code == std::errc::no_such_file_or_directory));
}

BOOST_AUTO_TEST_CASE(pipes_are_read) {
  const scratch_folder folder;
  const auto path = folder.path() / "pipe";
  BOOST_REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  std::thread writer([&] { std::ofstream(path) << "[1," << std::string(200'000, ' ') << "2]"; });
  const auto read = read_file(path, two_cells);
  writer.join();
  BOOST_TEST(read.value(1) == 2.0);
}

#if defined(TGMAP_LZ4)

namespace {

std::string compressed(const std::string& text) {
  std::string out(LZ4F_compressFrameBound(text.size(), nullptr), '\0');
  out.resize(LZ4F_compressFrame(out.data(), out.size(), text.data(), text.size(), nullptr));
  return out;
}

bool without_lz4() {
  tgmap::v0::constant::byte_buffer into;
  const auto why = constant::read_lz4({}, false, 0, into);
  return why.code == constant::errc::unsupported_lz4;
}

}  // namespace

BOOST_AUTO_TEST_CASE(compressed_files) {
  if (without_lz4()) return;
  const scratch_folder folder;
  const std::string spaces(1'000'000, ' ');
  BOOST_TEST(read_file(folder.put("a.json.lz4", compressed("[1," + spaces + "2]")), two_cells).value(1) == 2.0);
  BOOST_TEST(read_file(folder.put("b.lz4", compressed("[1,") + compressed("2]")), two_cells).value(1) == 2.0);
  BOOST_TEST(first_problem(folder.put("c.lz4", compressed("[1,\n\"a\"]"))) ==
             "2:1: [1]: expected a number, found \"a\"");
  const std::string whole = compressed("[1," + spaces + "2]");
  const auto code = [&](const std::string& bytes) {
    constant::report report;
    read_file(folder.put("d.lz4", bytes), two_cells, report);
    return std::string(to_string_view(static_cast<constant::errc>(report.first().code.value())));
  };
  for (std::size_t size = 0; size < whole.size(); size += size < 64 ? 1 : 97)
    BOOST_TEST(code(whole.substr(0, size)) == "bad_lz4");
  BOOST_TEST(code("[1,2]") == "bad_lz4");
  BOOST_TEST(code(whole + "x") == "bad_lz4");
  std::string damaged = whole;
  damaged[10] = static_cast<char>(damaged[10] ^ 1);
  BOOST_TEST(code(damaged) != "");
}

BOOST_AUTO_TEST_CASE(decompressed_size_is_limited) {
  if (without_lz4()) return;
  const std::string frame = compressed(std::string(50'000'000, ' '));
  constant::byte_buffer into;
  const auto why = constant::read_lz4(std::as_bytes(std::span(frame)), false, 1'000'000, into);
  BOOST_TEST((why.code == constant::errc::too_large));
  BOOST_TEST(into.size() < 1'200'000u);
}

#endif

BOOST_AUTO_TEST_SUITE_END()
