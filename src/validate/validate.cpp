// SPDX-License-Identifier: Apache-2.0
#include <tgmap/tools/validate.hpp>

#include <algorithm>
#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "validate/batches.hpp"
#include "validate/collector.hpp"

namespace tgmap {
inline namespace v0 {

validation_visitor::~validation_visitor() = default;

namespace {

constexpr std::uint64_t slice = std::uint64_t{1} << 30;  // scanned between two looks at the stop token

class validator {
 public:
  validator(const archive& from, const validate_options& options, validation_visitor& visitor, failure& why)
      : archive_(from), options_(options), visitor_(visitor), why_(why) {}

  void run() {
    if (!archive_) {
      why_ = {.code = errc::no_archive};
      return;
    }
    out_.total_bytes = archive_.size_bytes();
    find_messages();
    if (why_ || out_.stopped) return;
    tell_passages();
    if (!why_) check_messages();
    if (!why_ && out_.errors > 0) hold_size();
  }

  const validation_result& result() const noexcept { return out_; }

 private:
  bool stopped() noexcept { return out_.stopped = out_.stopped || options_.stop.stop_requested(); }

  void find_messages() {
    while (!stopped() && !archive_.scan(slice, options_.stop, why_).is_complete && !why_) visitor_.progress(out_);
    if (why_ || stopped()) return;
    count_ = archive_.size(why_);
    if (why_.code == make_error_code(errc::damaged)) why_ = {};  // what lies behind the gap is one passage
  }

  void passage(std::uint64_t from, std::uint64_t to, bool last, bool none) {
    if (from >= to) return;
    const std::uint64_t bytes = to - from;
    std::string text = !last  ? checks::say(bytes, " unrecognized bytes at offset ", from)
                       : none ? checks::say(bytes, " bytes with no valid messages")
                              : checks::say(bytes, " trailing bytes after last message at offset ", from);
    ++out_.unclaimed_ranges;
    ++out_.errors;
    visitor_.unclaimed_bytes({.code = last ? finding_code::trailing_bytes : finding_code::unrecognized_bytes,
                              .offset = from,
                              .length = bytes,
                              .text = std::move(text)});
  }

  /// What no message covers: gaps, and tails with the incomplete message before them.
  void tell_passages() {
    if (archive_.scan_progress().gaps == 0 && !archive_.incomplete_tail()) return;  // messages tile it
    std::uint64_t at = 0;
    bool none = true;
    for (std::size_t i = 0; i < count_ && !why_; ++i) {
      const message m = archive_.at(i, why_);
      if (why_ || m.is_incomplete()) continue;
      passage(at, m.offset(), false, none);
      at = m.offset() + m.length();
      none = false;
    }
    passage(at, archive_.size_bytes(), true, none);
  }

  /// As many as are wanted, and no more than there is work for.
  std::size_t threads() const noexcept {
    if (archive_.size_bytes() <= small) return 1;
    const unsigned wanted = options_.threads != 0 ? options_.threads : std::thread::hardware_concurrency();
    return std::clamp<std::size_t>(wanted, 1,
                                   std::max<std::size_t>(checks::most_batches(count_, archive_.size_bytes()), 1));
  }

  void check_messages() {
    const std::size_t workers = threads();
    checks::dealer dealer(archive_, count_, 2 * workers + 1,
                          options_.mode == validation_mode::full ? options_.max_decoded : total_limit());
    const auto work = [&]() noexcept {
      try {
        const auto tools = std::make_unique<checks::workshop>();
        std::size_t turn = 0;
        while (const auto which = dealer.take(turn)) dealer.give(turn, check_batch(*tools, archive_, *which, options_));
      } catch (const std::bad_alloc&) {
        dealer.end({.code = errc::out_of_memory});
      }
    };
    std::vector<std::jthread> others;
    const ending end{dealer};  // before the threads are joined, whatever the visitor throws
    if (workers > 1) {
      try {
        for (std::size_t i = 0; i < workers; ++i) others.emplace_back(work);
      } catch (const std::system_error&) {
        // As many as the system allows.
      }
    }
    if (others.empty()) {
      check_alone(dealer);
    } else {
      while (const auto results = dealer.next())
        if (!show(*results)) return;
      why_ = dealer.why();
    }
    if (!why_ && !out_.stopped) why_ = dealer.beyond();
  }

  struct ending {
    checks::dealer& of;
    ~ending() { of.end(); }
  };

  void check_alone(checks::dealer& dealer) {
    const auto tools = std::make_unique<checks::workshop>();
    std::size_t turn = 0;
    while (const auto which = dealer.take(turn)) {
      dealer.give(turn, check_batch(*tools, archive_, *which, options_));
      if (!show(*dealer.next())) break;
    }
  }

  /// A file that has become shorter reads as damaged up to the end of its last page: that is no finding.
  bool hold_size() {
    failure why;
    static_cast<void>(archive_.reopen(why));
    if (why.code == make_error_code(errc::file_shrank)) why_ = why;
    return !why_;
  }

  bool show(const checks::batch& results) {
    why_ = results.why;
    if (why_) return false;
    if (results.errors > 0 && !held_) {
      held_ = true;
      if (!hold_size()) return false;
    }
    std::size_t index = results.first;
    for (const checks::message_report& report : results.reports)
      if (!show(report, index++, results.findings)) return false;
    out_.checked_bytes += results.bytes;
    visitor_.progress(out_);
    return !stopped();
  }

  bool show(const checks::message_report& report, std::size_t index, std::span<const finding> findings) {
    const message m = archive_.at(index, why_);
    if (why_) return false;
    if (m.is_incomplete()) return true;  // a passage
    ++out_.messages;
    out_.objects += report.objects;
    out_.errors += report.errors;
    out_.warnings += report.warnings;
    out_.objects_not_decoded += report.not_decoded;
    if (report.hash_verified) ++out_.messages_verified;
    visitor_.message({.index = index,
                      .message = m,
                      .objects = report.objects,
                      .hash_verified = report.hash_verified,
                      .objects_not_decoded = report.not_decoded,
                      .findings = findings.subspan(report.first, report.count)});
    return true;
  }

  static constexpr std::uint64_t small = 1 << 20;  // not worth a thread

  const archive& archive_;
  const validate_options& options_;
  validation_visitor& visitor_;
  failure& why_;
  validation_result out_;
  std::size_t count_ = 0;
  bool held_ = false;
};

}  // namespace

validation_result validate(const archive& from, const validate_options& options, validation_visitor& visitor,
                           failure& why) {
  why = {};
  validator work(from, options, visitor, why);
  try {
    work.run();
  } catch (const std::bad_alloc&) {
    why = {.code = errc::out_of_memory};
  }
  return work.result();
}

validation_result validate(const archive& from, const validate_options& options, validation_visitor& visitor) {
  failure why;
  auto out = validate(from, options, visitor, why);
  detail::raise_if(why);
  return out;
}

}  // namespace v0
}  // namespace tgmap
