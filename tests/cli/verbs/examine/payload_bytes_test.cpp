// SPDX-License-Identifier: Apache-2.0
// Verbs that show structure and metadata read no payloads.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <string>
#include <support/builder.hpp>
#include <support/shared_data.hpp>
#include <support/temporary.hpp>
#include <tgmap/tools/disk_usage.hpp>
#include <vector>

#include "cli/messages/message_dump.hpp"
#include "reports/message_json.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(payload_bytes_test)

namespace {

/// Returns the bytes that a process has read by system calls.
std::uint64_t bytes_read(const std::string& process = "self") {
  std::ifstream in("/proc/" + process + "/io");
  std::string word;
  std::uint64_t number = 0;
  in >> word >> number;
  BOOST_TEST_REQUIRE(word == "rchar:");
  return number;
}

/// Returns the same for a run of the command.
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
  // The counters of a process remain until it is waited for.
  siginfo_t ended{};
  BOOST_TEST_REQUIRE(::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT) == 0);
  const std::uint64_t out = bytes_read(std::to_string(child));
  int status = 0;
  ::waitpid(child, &status, 0);
  BOOST_TEST(status == 0);
  return out;
}

/// An open file whose pages can be evicted from the page cache and counted there.
class pages_of {
 public:
  explicit pages_of(const std::filesystem::path& path)
      : size_(std::filesystem::file_size(path)), file_(::open(path.c_str(), O_RDONLY)) {
    at_ = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, file_, 0);
    BOOST_TEST_REQUIRE(at_ != MAP_FAILED);
    ::fsync(file_);
  }
  pages_of(const pages_of&) = delete;
  pages_of& operator=(const pages_of&) = delete;
  ~pages_of() {
    ::munmap(at_, size_);
    ::close(file_);
  }

  void evict() { ::posix_fadvise(file_, 0, 0, POSIX_FADV_DONTNEED); }

  /// Returns how many pages of [begin, end) are in memory.
  std::size_t in_memory(std::size_t begin, std::size_t end) const {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    std::vector<unsigned char> present((size_ + page - 1) / page);
    BOOST_TEST_REQUIRE(::mincore(at_, size_, present.data()) == 0);
    return static_cast<std::size_t>(std::count_if(present.begin() + begin / page, present.begin() + end / page,
                                                  [](auto p) { return (p & 1) != 0; }));
  }

 private:
  std::size_t size_;
  int file_;
  void* at_ = nullptr;
};

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

const std::vector<std::vector<std::string>> calls_without_values{
    {"info"},
    {"info", "--codecs"},
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
    {"du", "--objects", "-w", "dtype=uint8"},
    {"validate", "--quick"},
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(payloads_are_not_read, large_archive) {
  const tgmap::archive archive(path, {.io = tgmap::io_mode::read, .lookup = tgmap::object_lookup::walk});
  const tgmap::message m = archive[0];
  const std::uint64_t before = bytes_read();
  tgmap::disk_usage used;
  const tgmap::metadata_key by("name");
  used.add(m, &by);
  BOOST_TEST(used.parts["payload"].bytes == 2 * payload);
  BOOST_TEST(tgmap::cli::dump_text(m, {0, m.size()}).find("shape=[8388608]") != std::string::npos);
  tgmap::cli::output out;
  tgmap::reports::write_message_json(m, {0, m.size()}, {}, out);
  tgmap::cli::dump_frames_text(m, std::nullopt, {}, out);
  const std::uint64_t read = bytes_read() - before;
  BOOST_TEST(read < 256u << 10);  // a window or two a frame and call
  m[0].frame().body();
  BOOST_TEST(bytes_read() - before >= payload);  // the count counts
}

BOOST_FIXTURE_TEST_CASE(no_verb_reads_them_that_does_not_show_values, large_archive) {
  const std::string file = path.string();
  const std::uint64_t start = bytes_read_by({"--version"});
  for (std::vector<std::string> call : calls_without_values) {
    call.insert(call.end(), {"--io", "read", file});
    const std::uint64_t read = bytes_read_by(call);
    // Starting the program reads some bytes, too; with sanitizers a varying number.
    BOOST_TEST(read < start + (512u << 10), call[0] << " reads " << read << ", " << start << " at start");
  }
  BOOST_TEST(bytes_read_by({"validate", "--io", "read", file}) >= 2 * payload);  // the count counts
}

BOOST_FIXTURE_TEST_CASE(no_such_verb_brings_their_pages_in, large_archive) {
  pages_of file(path);
  // The middle of the first payload, since the kernel reads ahead at its ends.
  const auto brought_in = [&](std::vector<std::string> call) {
    file.evict();
    call.insert(call.end(), {"--io", "map", path.string()});
    bytes_read_by(call);
    return file.in_memory(payload / 4, payload / 4 * 3);
  };
  file.evict();
  if (file.in_memory(0, payload) != 0) return say_skipped("pages that verbs leave alone", "the file system keeps them");
  for (const auto& call : calls_without_values) {
    const std::size_t pages = brought_in(call);
    BOOST_TEST(pages == 0u, call[0] << " brings in " << pages << " pages");
  }
  static_cast<void>(read_file(path));
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  BOOST_TEST(file.in_memory(payload / 4, payload / 4 * 3) == payload / 2 / page);  // the count counts
}

BOOST_AUTO_TEST_SUITE_END()
