// SPDX-License-Identifier: Apache-2.0
// Checks the archives with zipfile of Python.
#include "convert/zip_writer.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <support/bytes.hpp>
#include <support/temporary.hpp>

#include "convert/zlib.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(zip_writer)

namespace {

void add(tgmap::convert::zip_writer& to, const std::string& name, std::string_view contents) {
  to.begin(name, contents.size(), tgmap::convert::crc32(span_of(contents)));
  to.write(span_of(contents));
}

/// Runs the Python code with the archive as `z`.
void check(const std::filesystem::path& archive, const std::string& python) {
  const std::string command =
      "python3 -c \"import zipfile; z = zipfile.ZipFile('" + archive.string() + "'); " + python + "\"";
  BOOST_TEST(std::system(command.c_str()) == 0, python);
}

}  // namespace

BOOST_AUTO_TEST_CASE(members_are_read_back) {
  const temporary_directory files;
  const auto path = files / "a.zip";
  bytes written;
  tgmap::convert::zip_writer zip([&](std::span<const std::byte> piece) { written += view_of(piece); });
  add(zip, "first", "some bytes");
  add(zip, "empty", "");
  add(zip, "last", bytes(100000, 'x'));
  zip.finish();
  write_file(path, written);
  check(path,
        "assert z.testzip() is None; assert z.namelist() == ['first', 'empty', 'last']; "
        "assert z.read('first') == b'some bytes' and z.read('empty') == b'' and z.read('last') == b'x' * 100000");
}

BOOST_AUTO_TEST_CASE(names_beyond_ascii_are_marked_as_utf8) {
  const temporary_directory files;
  bytes written;
  tgmap::convert::zip_writer zip([&](std::span<const std::byte> piece) { written += view_of(piece); });
  add(zip, "gr\u00f6\u00dfe.npy", "1");
  add(zip, "plain.npy", "2");
  add(zip, "gr\xf6.npy", "3");  // not UTF-8
  zip.finish();
  // Bytes 6 and 7 of the local header are the flags.
  BOOST_TEST(written.substr(6, 2) == bytes("\x00\x08", 2));
  write_file(files / "a.zip", written);
  check(files / "a.zip",
        "assert [i.flag_bits for i in z.infolist()] == [0x800, 0, 0]; "
        "assert z.namelist()[:2] == ['gr\\u00f6\\u00dfe.npy', 'plain.npy'] and z.testzip() is None");
}

BOOST_AUTO_TEST_CASE(no_members) {
  const temporary_directory files;
  bytes written;
  tgmap::convert::zip_writer zip([&](std::span<const std::byte> piece) { written += view_of(piece); });
  zip.finish();
  write_file(files / "a.zip", written);
  check(files / "a.zip", "assert z.namelist() == []");
}

BOOST_AUTO_TEST_CASE(more_members_than_16_bits_count) {
  const temporary_directory files;
  bytes written;
  tgmap::convert::zip_writer zip([&](std::span<const std::byte> piece) { written += view_of(piece); });
  constexpr int count = 70000;
  for (int i = 0; i < count; ++i) add(zip, std::to_string(i), std::to_string(i * 3));
  zip.finish();
  write_file(files / "a.zip", written);
  check(files / "a.zip", "assert len(z.namelist()) == 70000 and z.read('69999') == b'209997' and z.read('0') == b'0'");
}

BOOST_AUTO_TEST_CASE(sizes_and_offsets_beyond_32_bits) {
  const temporary_directory files;
  const auto path = files / "a.zip";
  std::ofstream file(path, std::ios::binary);
  const bytes nothing(std::size_t{1} << 20, '\0');
  tgmap::convert::zip_writer zip([&](std::span<const std::byte> piece) {
    if (piece.data() == span_of(nothing).data())
      file.seekp(static_cast<std::streamoff>(piece.size()), std::ios::cur);  // a hole
    else
      file << view_of(piece);
  });
  constexpr std::uint64_t large = std::uint64_t{5} << 30;
  zip.begin("large", large, 0);  // Python checks the CRC-32 at the end, which is never read here
  for (std::uint64_t at = 0; at < large; at += nothing.size()) zip.write(span_of(nothing));
  add(zip, "behind", "found");
  zip.begin("limit", 0xffffffff, 0);  // the first size that needs 64 bits
  for (std::uint64_t at = 0xffffffff; at != 0; at -= std::min<std::uint64_t>(at, nothing.size()))
    zip.write(span_of(nothing).first(std::min<std::uint64_t>(at, nothing.size())));
  add(zip, "end", "of it");
  zip.finish();
  file.close();
  check(path,
        "assert z.namelist() == ['large', 'behind', 'limit', 'end']; "
        "assert z.getinfo('large').file_size == 5 << 30 and z.getinfo('limit').file_size == 0xffffffff; "
        "assert z.read('behind') == b'found' and z.read('end') == b'of it'; "
        "f = z.open('large'); assert f.read(1000) == bytes(1000)");
}

BOOST_AUTO_TEST_SUITE_END()
