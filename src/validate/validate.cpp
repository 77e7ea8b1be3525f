// SPDX-License-Identifier: Apache-2.0
#include <tgmap/tools/validate.hpp>

#include <algorithm>
#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <tgmap/tools/index.hpp>
#include <thread>
#include <vector>

#include "validate/batch_queue.hpp"
#include "validate/findings.hpp"

namespace tgmap {
inline namespace v0 {

validation_visitor::~validation_visitor() = default;

namespace {

using validation::batch_queue;

constexpr std::uint64_t scan_step = std::uint64_t{1} << 30;             // scanned before progress is reported
constexpr std::uint64_t min_size_for_threads = std::uint64_t{1} << 20;  // checking less is faster than a thread starts

class validator {
 public:
  validator(const archive& source, const validate_options& options, validation_visitor& visitor, failure& why)
      : archive_(without_index(source, why)), options_(options), visitor_(visitor), why_(why) {}

  void run() {
    if (why_) return;
    result_.total_bytes = archive_.size_bytes();
    find_messages();
    if (why_ || result_.stopped) return;
    report_unclaimed_bytes();
    if (!why_) check_messages();
    if (!why_ && result_.errors > 0) check_file_size();
  }

  const validation_result& result() const noexcept { return result_; }

 private:
  struct queue_stopper {
    batch_queue& queue;
    ~queue_stopper() { queue.stop(); }
  };

  bool stop_requested() noexcept { return result_.stopped = result_.stopped || options_.stop.stop_requested(); }

  void find_messages() {
    while (!stop_requested() && !archive_.scan(scan_step, options_.stop, why_).is_complete && !why_)
      visitor_.progress(result_);
    if (why_ || stop_requested()) return;
    message_count_ = archive_.size(why_);
    if (why_.code == make_error_code(errc::damaged)) why_ = {};  // reported as unclaimed bytes
  }

  /// Reports gaps, and the incomplete tail.
  void report_unclaimed_bytes() {
    if (archive_.scan_progress().gaps == 0 && !archive_.incomplete_tail()) return;
    std::uint64_t end = 0;  // of the message before
    bool has_messages = false;
    for (std::size_t i = 0; i < message_count_ && !why_; ++i) {
      const message m = archive_.at(i, why_);
      if (why_ || m.is_incomplete()) continue;
      if (end < m.offset())
        report_unclaimed(finding_code::unrecognized_bytes, end, m.offset(),
                         validation::concat(m.offset() - end, " unrecognized bytes at offset ", end));
      end = m.offset() + m.length();
      has_messages = true;
    }
    const std::uint64_t size = archive_.size_bytes();
    if (end < size)
      report_unclaimed(finding_code::trailing_bytes, end, size,
                       has_messages
                           ? validation::concat(size - end, " trailing bytes after last message at offset ", end)
                           : validation::concat(size - end, " bytes with no valid messages"));
  }

  void report_unclaimed(finding_code code, std::uint64_t begin, std::uint64_t end, std::string text) {
    ++result_.unclaimed_ranges;
    ++result_.errors;
    visitor_.unclaimed_bytes({.code = code, .offset = begin, .length = end - begin, .text = std::move(text)});
  }

  /// Returns the number of threads: as many as are wanted, but not more than there are batches.
  std::size_t thread_count() const noexcept {
    if (archive_.size_bytes() <= min_size_for_threads) return 1;
    const unsigned wanted = options_.threads != 0 ? options_.threads : std::thread::hardware_concurrency();
    const std::size_t batches = validation::max_batch_count(message_count_, archive_.size_bytes());
    return std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(batches, 1));
  }

  void check_messages() {
    const std::size_t workers = thread_count();
    batch_queue queue(archive_, message_count_, 2 * workers + 1,
                      options_.mode == validation_mode::full ? options_.max_decoded : total_limit());
    const auto work = [&]() noexcept {
      try {
        const auto memory = std::make_unique<validation::worker_memory>();
        std::size_t number = 0;
        while (const auto range = queue.next_range(number))
          queue.add_result(number, check_batch(*memory, archive_, *range, options_));
      } catch (const std::bad_alloc&) {
        queue.stop({.code = errc::out_of_memory});
      }
    };
    std::vector<std::jthread> threads;
    const queue_stopper stopper{queue};  // before the threads are joined, also if the visitor throws
    if (workers > 1) {
      try {
        for (std::size_t i = 0; i < workers; ++i) threads.emplace_back(work);
      } catch (const std::system_error&) {
        // The system allows no more threads: continue with those that run.
      }
    }
    if (threads.empty()) {
      check_in_this_thread(queue);
    } else {
      while (const auto batch = queue.next_result())
        if (!report(*batch)) return;
      why_ = queue.stop_reason();
    }
    if (!why_ && !result_.stopped) why_ = queue.decoded_limit_failure();
  }

  void check_in_this_thread(batch_queue& queue) {
    const auto memory = std::make_unique<validation::worker_memory>();
    std::size_t number = 0;
    while (const auto range = queue.next_range(number)) {
      queue.add_result(number, check_batch(*memory, archive_, *range, options_));
      if (!report(*queue.next_result())) break;
    }
  }

  /// Fails if the file has shrunk. The rest of its last page then reads as zeros, which must not become findings.
  bool check_file_size() {
    failure why;
    static_cast<void>(archive_.reopen(why));
    if (why.code == make_error_code(errc::file_shrank)) why_ = why;
    return !why_;
  }

  bool report(const validation::batch_result& batch) {
    why_ = batch.why;
    if (why_) return false;
    if (batch.errors > 0 && !has_checked_size_) {
      has_checked_size_ = true;
      if (!check_file_size()) return false;
    }
    std::size_t index = batch.first;
    for (const validation::message_result& each : batch.results)
      if (!report(each, index++, batch.findings)) return false;
    result_.checked_bytes += batch.bytes;
    visitor_.progress(result_);
    return !stop_requested();
  }

  bool report(const validation::message_result& checked, std::size_t index, std::span<const finding> findings) {
    const message m = archive_.at(index, why_);
    if (why_) return false;
    if (m.is_incomplete()) return true;  // already reported as unclaimed bytes
    ++result_.messages;
    result_.objects += checked.objects;
    result_.errors += checked.errors;
    result_.warnings += checked.warnings;
    result_.objects_not_decoded += checked.not_decoded;
    if (checked.hash_verified) ++result_.messages_verified;
    visitor_.message({.index = index,
                      .message = m,
                      .objects = checked.objects,
                      .hash_verified = checked.hash_verified,
                      .objects_not_decoded = checked.not_decoded,
                      .findings = findings.subspan(checked.first_finding, checked.finding_count)});
    return true;
  }

  const archive archive_;  // its messages and gaps are those of a scan, whatever an index says
  const validate_options& options_;
  validation_visitor& visitor_;
  failure& why_;
  validation_result result_;
  std::size_t message_count_ = 0;
  bool has_checked_size_ = false;  ///< once errors were found
};

}  // namespace

validation_result validate(const archive& source, const validate_options& options, validation_visitor& visitor,
                           failure& why) {
  validator work(source, options, visitor, why);
  try {
    work.run();
  } catch (const std::bad_alloc&) {
    why = {.code = errc::out_of_memory};
  }
  return work.result();
}

validation_result validate(const archive& source, const validate_options& options, validation_visitor& visitor) {
  failure why;
  auto out = validate(source, options, visitor, why);
  detail::raise_if(why);
  return out;
}

}  // namespace v0
}  // namespace tgmap
