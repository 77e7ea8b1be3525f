// SPDX-License-Identifier: Apache-2.0
#include "operations/scan_floors.hpp"

#include <fcntl.h>
#include <sys/mman.h>

#include <functional>
#include <string>
#include <thread>
#include <utility>

#include "floors/file.hpp"
#include "floors/scan_loops.hpp"
#include "operations/operations.hpp"

namespace tgmap_bench {

namespace {

constexpr std::size_t small_block = std::size_t{256} << 10, large_block = std::size_t{1} << 20;

/// Collects loops that must all find the same number of messages.
class adder {
 public:
  adder(std::vector<floor_loop>& out, std::uint64_t messages, std::filesystem::path mapped)
      : out_(out), messages_(messages), mapped_(std::move(mapped)) {}

  template <class F>
  void operator()(std::string name, F loop, unsigned threads = 1) const {
    const auto checked = [loop, messages = messages_] { expect(loop() == messages, "a floor lost messages"); };
    out_.push_back({.name = std::move(name), .run = checked, .threads = threads});
  }

  /// A loop that only reads. If views need a mapping, it also creates one, without accessing it.
  template <class F>
  void by_reads(std::string name, F loop) const {
    if (mapped_.empty()) return (*this)(std::move(name), loop);
    (*this)(std::move(name), [loop, path = mapped_] {
      const mapped_file for_views(path);
      return loop();
    });
  }

 private:
  std::vector<floor_loop>& out_;
  std::uint64_t messages_;
  std::filesystem::path mapped_;
};

bool states_no_length(shape which) { return which == shape::streamed || which == shape::many_footer; }

}  // namespace

std::vector<floor_loop> warm_scan_floors(const std::filesystem::path& path, shape which, std::uint64_t messages,
                                         tgmap::io_mode mode) {
  std::vector<floor_loop> out;
  const bool mapped = mode == tgmap::io_mode::map;
  const adder add(out, messages, mapped ? path : "");
  if (states_no_length(which)) {
    if (mapped) add("frame walk", [=] { return walk_frames_mapped(path, MADV_NORMAL); });
    add.by_reads("frames in blocks", [=] { return walk_frames_in_blocks(path, small_block, POSIX_FADV_NORMAL); });
    return out;
  }
  if (mapped) {
    add("one chain", [=] { return scan_one_chain(path, MADV_NORMAL); });
    add("both ends", [=] { return scan_both_ends(path); });
    if (messages > 1) add("16 chains", [=] { return scan_many_chains(path, 16, 1); });
    if (messages > 1 && std::thread::hardware_concurrency() > 1)
      add(
          "2 threads × 4", [=] { return scan_many_chains(path, 8, 2); }, 2);
  }
  add.by_reads("pread windows", [=] { return scan_windows(path, POSIX_FADV_NORMAL); });
  add.by_reads("blocks of 256 KiB", [=] { return scan_blocks(path, small_block, POSIX_FADV_NORMAL); });
  return out;
}

std::vector<floor_loop> cold_scan_floors(const std::filesystem::path& path, shape which, std::uint64_t messages,
                                         tgmap::io_mode mode) {
  std::vector<floor_loop> out;
  const bool mapped = mode == tgmap::io_mode::map;
  const adder add(out, messages, mapped ? path : "");
  if (states_no_length(which)) {
    if (mapped) add("frames streamed", [=] { return walk_frames_mapped(path, MADV_SEQUENTIAL); });
    add.by_reads("frames in blocks", [=] { return walk_frames_in_blocks(path, large_block, POSIX_FADV_SEQUENTIAL); });
    return out;
  }
  if (which != shape::large)
    add.by_reads("streaming", [=] { return scan_blocks(path, large_block, POSIX_FADV_SEQUENTIAL); });
  if (which == shape::small && mapped) add("streamed chain", [=] { return scan_one_chain(path, MADV_SEQUENTIAL); });
  if (which != shape::small) {  // it would wait for the device a million times
    add.by_reads("predicted windows", [=] { return scan_predicted(path); });
    add.by_reads("pread windows", [=] { return scan_windows(path, POSIX_FADV_RANDOM); });
  }
  if (which == shape::large && mapped) add("one chain, random", [=] { return scan_one_chain(path, MADV_RANDOM); });
  return out;
}

}  // namespace tgmap_bench
