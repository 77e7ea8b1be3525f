// SPDX-License-Identifier: Apache-2.0
// What verbs read of payloads: nothing.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <fstream>
#include <string>
#include <support/builder.hpp>
#include <support/temporary.hpp>
#include <vector>

#include "cli/dump_frames.hpp"
#include "cli/dump_message.hpp"
#include "cli/usage.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(payload_bytes_test)

namespace {

/// Bytes that a process has read by system calls.
std::uint64_t bytes_read(const std::string& process = "self") {
  std::ifstream in("/proc/" + process + "/io");
  std::string word;
  std::uint64_t number = 0;
  in >> word >> number;
  BOOST_TEST_REQUIRE(word == "rchar:");
  return number;
}

/// The same of the command, run with these arguments.
std::uint64_t bytes_read_by(const std::vector<std::string>& arguments) {
  std::vector<char*> words{const_cast<char*>(TGMAP_CLI_PATH)};
  for (const auto& each : arguments) words.push_back(const_cast<char*>(each.c_str()));
  words.push_back(nullptr);
  const pid_t child = ::fork();
  BOOST_TEST_REQUIRE(child >= 0);
  if (child == 0) {
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, STDOUT_FILENO);
    ::execv(words[0], words.data());
    ::_exit(127);
  }
  // Ended but not waited for, a process still tells what it did.
  siginfo_t ended{};
  BOOST_TEST_REQUIRE(::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT) == 0);
  const std::uint64_t out = bytes_read(std::to_string(child));
  int status = 0;
  ::waitpid(child, &status, 0);
  BOOST_TEST(status == 0);
  return out;
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
  const tgmap::key by("name");
  tgmap::cli::add_usage(m, &by, used);
  BOOST_TEST(used.parts["payload"].bytes == 2 * payload);
  BOOST_TEST(tgmap::cli::dump_text(m, {0, m.size()}).find("shape=[8388608]") != std::string::npos);
  BOOST_TEST(tgmap::cli::dump_json(m, {0, m.size()}).size() > 100u);
  tgmap::cli::output out;
  tgmap::cli::dump_frames_text(m, std::nullopt, out);
  const std::uint64_t read = bytes_read() - before;
  BOOST_TEST(read < 256u << 10);  // a window or two a frame and call
  m[0].frame().body();
  BOOST_TEST(bytes_read() - before >= payload);  // the count counts
}

BOOST_FIXTURE_TEST_CASE(no_verb_reads_them_that_does_not_show_values, large_archive) {
  const std::string file = path.string();
  const std::uint64_t start = bytes_read_by({"--version"});
  for (const std::vector<std::string>& call :
       std::vector<std::vector<std::string>>{{"info"},
                                             {"ls"},
                                             {"ls", "--objects"},
                                             {"ls", "-p", "name,shape,@stored,hash", "--objects"},
                                             {"count"},
                                             {"count", "--objects", "-w", "dtype=uint8"},
                                             {"get", "-p", "@offset,shape"},
                                             {"dump"},
                                             {"dump", "-j"},
                                             {"dump", "--frames"},
                                             {"du"},
                                             {"du", "--by", "dtype"},
                                             {"validate", "--quick"}}) {
    for (const char* mode : {"read", "map"}) {
      auto arguments = call;
      arguments.insert(arguments.end(), {"--io", mode, file});
      const std::uint64_t read = bytes_read_by(arguments);
      // Starting reads something too, sanitizers now more and now less.
      BOOST_TEST(read < start + (512u << 10),
                 call[0] << " --io " << mode << " reads " << read << ", " << start << " at start");
    }
  }
  BOOST_TEST(bytes_read_by({"validate", "--io", "read", file}) >= 2 * payload);  // the count counts
}

BOOST_AUTO_TEST_SUITE_END()
