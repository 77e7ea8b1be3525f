// SPDX-License-Identifier: Apache-2.0
#include "io/file_stamp.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "io/file.hpp"
#include "io/file_status.hpp"

namespace tgmap::io {

namespace {

constexpr std::uint64_t second = 1'000'000'000, millisecond = 1'000'000;

/// Longer than the steps of a kernel's clock.
constexpr std::uint64_t fine_margin = 20 * millisecond;
/// Longer than the steps of times in whole seconds, and than clients of a network keep attributes of a file that
/// changes.
constexpr std::uint64_t coarse_margin = 2 * second;
/// How far the clock of a server may be ahead of ours if it cannot be asked.
constexpr std::uint64_t unknown_clock_margin = 60 * second;

std::uint64_t system_time() noexcept {
  const auto time = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::nanoseconds(time).count());
}

/// Returns the folder of an open file; empty if it is not known.
std::filesystem::path folder_of(const file& of) {
  std::error_code absent;
  const auto path = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(of.descriptor()), absent);
  return absent ? std::filesystem::path() : path.parent_path();
}

/// Returns the time that a change in the file system of a file gets now. On a network this is the time of a server,
/// which a new file in the same folder has. If none can be made, the result is early enough for any usual clock.
std::uint64_t file_system_time(const file& of) {
  if (of.network_file_system() == nullptr) return system_time();
  const std::filesystem::path folder = folder_of(of);
  if (folder.empty()) return system_time() - unknown_clock_margin;
  constexpr unsigned owner_alone = 0600;
  failure why;
  detail::output_location place{.path = folder};
  place.folder = std::make_shared<const detail::output_folder>(folder, nullptr, why);
  if (why) return system_time() - unknown_clock_margin;
  detail::output_file probe(std::move(place), detail::output_file::appearance::complete, why, owner_alone);
  file_status own, its;
  const int descriptor = why ? -1 : probe.descriptor(why);
  const bool is_same_system = !why && read_status(descriptor, own) && read_status(of.descriptor(), its) &&
                              own.identity.device == its.identity.device;
  if (!is_same_system) return system_time() - unknown_clock_margin;
  constexpr std::array<::timespec, 2> now{{{0, UTIME_NOW}, {0, UTIME_NOW}}};
  if (::futimens(descriptor, now.data()) != 0 || !read_status(descriptor, own)) return 0;
  return static_cast<std::uint64_t>(own.changed_at);
}

}  // namespace

std::uint64_t resolution_of(std::uint64_t time) noexcept {
  std::uint64_t step = 1;
  while (step < second && time % (step * 10) == 0) step *= 10;
  return step;
}

bool says_something(std::uint64_t time) noexcept {
  constexpr std::array<std::uint64_t, 3> epochs{0, 315'532'800, 946'684'800};  // 1970, 1980, 2000
  const std::uint64_t seconds = time / second;
  return std::ranges::none_of(epochs, [&](std::uint64_t epoch) { return seconds >= epoch && seconds - epoch < 60; });
}

bool is_same_state(const file_stamp& a, const file_stamp& b) noexcept {
  if (a.size != b.size || !says_something(a.time) || !says_something(b.time)) return false;
  const std::uint64_t step = std::max(resolution_of(a.time), resolution_of(b.time));
  return a.time / step == b.time / step;
}

std::optional<file_stamp> settled_stamp(const file& of) {
  constexpr int attempts = 3;  // a file that changes each time is being written
  const bool is_remote = of.network_file_system() != nullptr;
  for (int i = 0; i < attempts; ++i) {
    const auto stamp = of.stamp();
    if (!stamp || !says_something(stamp->time)) return std::nullopt;
    const bool is_coarse = is_remote || resolution_of(stamp->time) >= fine_margin / 2;
    const std::uint64_t wanted = stamp->time + (is_coarse ? coarse_margin : fine_margin);
    for (std::uint64_t now = file_system_time(of); now < wanted; now = file_system_time(of)) {
      if (wanted - now > coarse_margin) return std::nullopt;  // its time is in the future
      std::this_thread::sleep_for(std::chrono::nanoseconds(wanted - now));
    }
    if (of.stamp() == stamp) return stamp;
  }
  return std::nullopt;
}

}  // namespace tgmap::io
