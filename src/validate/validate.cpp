// SPDX-License-Identifier: Apache-2.0
#include <tgmap/tools/validate.hpp>

#include <algorithm>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <string>
#include <tgmap/decode/executor.hpp>
#include <tgmap/tools/index.hpp>
#include <vector>

#include "validate/findings.hpp"
#include "validate/message_batches.hpp"

namespace tgmap {
inline namespace v0 {

validation_visitor::~validation_visitor() = default;

namespace {

constexpr std::uint64_t scan_step = std::uint64_t{1} << 30;             // scanned before progress is reported
constexpr std::uint64_t min_size_for_threads = std::uint64_t{1} << 20;  // checking less is faster than a thread starts

/// A `checking_round` checks a few batches for each thread. The calling thread reports their results before the next
/// round, so that threads wait for one another once in a round only.
class checking_round {
 public:
  /// Uses at most `max_workers` of the threads; null: the calling thread alone.
  checking_round(const archive& source, const validate_options& options, validation::message_batches& batches,
                 executor* threads, std::size_t max_workers)
      : archive_(source), options_(options), batches_(batches), threads_(threads) {
    const std::size_t most = threads != nullptr ? std::min<std::size_t>(threads->concurrency(), max_workers) : 1;
    const std::size_t workers = std::max<std::size_t>(most, 1);
    memories_ = std::vector<validation::worker_memory>(workers);
    results_.resize(workers == 1 ? 1 : batches_per_worker * workers);
  }

  /// Checks the next batches. Returns false if there are none.
  bool run() {
    begun_ = 0;
    if (memories_.size() > 1)
      threads_->run(
          memories_.size(),
          {[](void* self, std::size_t worker) noexcept { static_cast<checking_round*>(self)->work(worker); }, this});
    else
      work(0);
    return begun_ != 0;
  }

  /// Returns the results of the last round, in order of the messages.
  std::span<const validation::batch_result> results() const noexcept { return std::span(results_).first(begun_); }

 private:
  static constexpr std::size_t batches_per_worker = 4;  // enough that threads seldom wait for the last batch

  void work(std::size_t worker) noexcept {
    for (;;) {
      std::unique_lock lock(mutex_);
      if (begun_ == results_.size()) return;
      const auto range = batches_.next();
      if (!range) return;
      validation::batch_result& to = results_[begun_++];
      lock.unlock();
      to = check_batch(memories_[worker], archive_, *range, options_);
    }
  }

  const archive& archive_;
  const validate_options& options_;
  std::mutex mutex_;  // guards `batches_` and `begun_`
  validation::message_batches& batches_;
  executor* const threads_;
  std::size_t begun_ = 0;  ///< number of batches of this round
  std::vector<validation::worker_memory> memories_;
  std::vector<validation::batch_result> results_;
};

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

  /// Checks rounds of batches, and reports the results of each round in order.
  void check_messages() {
    validation::message_batches batches(archive_, message_count_,
                                        options_.mode == validation_mode::full ? options_.max_decoded : total_limit());
    const std::uint64_t size = archive_.size_bytes();
    const std::size_t max_workers = size > min_size_for_threads ? validation::max_batch_count(message_count_, size) : 1;
    std::unique_ptr<executor> own_threads;
    if (options_.executor == nullptr && max_workers > 1 && options_.threads != 1)
      own_threads = make_thread_executor(options_.threads);
    checking_round round(archive_, options_, batches,
                         options_.executor != nullptr ? options_.executor : own_threads.get(), max_workers);
    while (round.run())
      for (const validation::batch_result& each : round.results())
        if (!report(each)) return;
    if (!why_ && !result_.stopped) why_ = batches.decoded_limit_failure();
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
