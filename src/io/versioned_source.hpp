// SPDX-License-Identifier: Apache-2.0
// A byte_source with the version that was seen last. Checks its answers, and turns its exceptions into failures.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <stop_token>
#include <string>
#include <system_error>
#include <tgmap/byte_source.hpp>

namespace tgmap::io {

/// Returns the failure of a source as callers may see it. A code that means something else to them, such as
/// out_of_range, which ends an iteration, becomes source_failed.
failure checked_source_failure(failure) noexcept;

/// Calls a member of a source, which may throw anything.
template <class Call>
failure call_source(Call&& call) noexcept {
  try {
    return checked_source_failure(call());
  } catch (const std::system_error& problem) {  // also tgmap::error
    if (problem.code()) return checked_source_failure({.code = problem.code()});
  } catch (const std::bad_alloc&) {
    return {.code = errc::out_of_memory};
  } catch (...) {
  }
  return {.code = errc::source_failed};
}

/// A `versioned_source` is shared by all readers of a source. Each reads one version: the number that open() gave it.
/// Errors of all members: out_of_memory, source_failed, file_shrank, those of the source.
/// Thread safety: all members may run in any number of threads.
class versioned_source {
 public:
  /// The source must not be null.
  explicit versioned_source(std::shared_ptr<byte_source>) noexcept;

  /// Returns what requests cost, within limits.
  const source_costs& costs() const noexcept { return costs_; }

  /// Opens the source and gives the number of its version, which is another one if the version has changed.
  failure open(std::span<opening_request>, source_state&, std::uint64_t& number) noexcept;

  /// Returns whether this is the number of the version that was seen last. Waits while another thread opens the source.
  bool is_current(std::uint64_t number) noexcept;

  /// Sends requests that fit into one call. The failure names the offset of the first one. Errors: also source_changed,
  /// if the version is another one, or became another one meanwhile; operation_canceled after a stop request.
  failure send(std::span<const byte_request>, std::uint64_t number, const std::stop_token&) noexcept;

  void will_need(const byte_range&) noexcept;

 private:
  const std::shared_ptr<byte_source> source_;
  const source_costs costs_;
  std::mutex mutex_{};  ///< one open() at a time; guards `version_`
  std::atomic<bool> is_opening_{false};
  std::atomic<std::uint64_t> number_{0};
  std::string version_{};
};

}  // namespace tgmap::io
