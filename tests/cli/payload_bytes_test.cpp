// SPDX-License-Identifier: Apache-2.0
// What dump and du read of payloads: nothing.
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <string>
#include <support/builder.hpp>
#include <support/temporary.hpp>

#include "cli/dump_frames.hpp"
#include "cli/dump_message.hpp"
#include "cli/usage.hpp"

using namespace tgmap_test;

namespace {

/// Bytes that this process has read by system calls.
std::uint64_t bytes_read() {
  std::ifstream in("/proc/self/io");
  std::string word;
  std::uint64_t number = 0;
  in >> word >> number;
  BOOST_TEST_REQUIRE(word == "rchar:");
  return number;
}

constexpr std::size_t payload = 8 << 20;

struct large_archive {
  temporary_directory directory;
  std::filesystem::path path;
  large_archive() {
    object_spec first = bytes_object(bytes(payload, 'x')), second = first;
    second.cbor_first = true;
    path = directory.file("large.tgm", message({.objects = {first, second}, .base = {cbor::map({})}}));
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(payloads_are_not_read, large_archive) {
  const tgmap::archive archive(path, {.io = tgmap::io_mode::read, .lookup = tgmap::object_lookup::walk});
  const tgmap::message m = archive[0];
  const std::uint64_t before = bytes_read();
  tgmap::cli::usage used;
  tgmap::cli::add_usage(m, "name", used);
  BOOST_TEST(used.parts["payload"].bytes == 2 * payload);
  BOOST_TEST(tgmap::cli::dump_text(m, {0, m.size()}).find("shape=[8388608]") != std::string::npos);
  BOOST_TEST(tgmap::cli::dump_json(m, {0, m.size()}).size() > 100u);
  tgmap::cli::output out;
  tgmap::cli::dump_frames_text(m, out);
  const std::uint64_t read = bytes_read() - before;
  BOOST_TEST(read < 256u << 10);  // a window or two a frame and call
  m[0].frame().body();
  BOOST_TEST(bytes_read() - before >= payload);  // the count counts
}
