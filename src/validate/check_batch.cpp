// SPDX-License-Identifier: Apache-2.0
#include "validate/check_batch.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <tgmap/mapping_guard.hpp>

#include "validate/first_look.hpp"

namespace tgmap::checks {

namespace {

class batch_check {
 public:
  batch_check(workshop& tools, const archive& from, range which, const validate_options& options, batch& out)
      : tools_(tools),
        from_(from),
        last_(which.last),
        options_(options),
        digests_(wants_digests(options.mode)),
        out_(out) {}

  void run() {
    tools_.raw.begin(from_, digests_);
    mapped_ = tools_.raw.mapped();
    in_place_ = mapped_ && frames_and_digests_alone();
    out_.reports.reserve(last_ - out_.first);
    while (next() < last_ && !out_.why && !options_.stop.stop_requested()) {
      bool looked_over = false;
      if (in_place_ && (pass_over_fine(looked_over) || out_.why)) continue;
      check_next(looked_over);
    }
  }

 private:
  std::size_t next() const noexcept { return out_.first + out_.reports.size(); }

  bool frames_and_digests_alone() const noexcept {
    return !options_.check_canonical &&
           (options_.mode == validation_mode::quick || options_.mode == validation_mode::checksum);
  }

  void add(std::uint64_t length, const message_report& report) {
    out_.bytes += length;
    out_.errors += report.errors;
    out_.reports.push_back(report);
  }

  /// Messages one after another that a first look finds fine, under one guard. False: the next one is to be looked at
  /// more closely; `looked_over`: in the lists of digests that it has, all else is fine.
  bool pass_over_fine(bool& looked_over) {
    const std::size_t count = gather();
    if (out_.why) return false;
    std::size_t fine = 0;
    first_look last = first_look::closer;
    out_.why = mapping_guard::run([&]() noexcept {
      if (!digests_) touch(std::span(run_).first(count));
      for (; fine < count; ++fine) {
        last = look_over(run_[fine], digests_, tools_.parts);
        if (last != first_look::fine || (digests_ && tools_.parts.lists)) return;
        objects_[fine] = tools_.parts.objects.size();
      }
    });
    if (out_.why) return false;
    const std::size_t before = out_.findings.size();
    for (std::size_t i = 0; i < fine; ++i)
      add(run_[i].size(), {.objects = objects_[i], .hash_verified = digests_ && objects_[i] != 0, .first = before});
    if (fine == count) return count != 0;
    if (last == first_look::no_room) {
      make_room();
      return true;
    }
    looked_over = last == first_look::fine;
    return false;
  }

  /// The next messages, as many as there are of version 3 in a row. Returns how many.
  std::size_t gather() {
    for (std::size_t n = 0; n < most && next() + n < last_; ++n) {
      const tgmap::message one = from_.at(next() + n, out_.why);
      if (out_.why || one.version() != 3 || one.is_incomplete() || !where_it_lies(one)) return n;
      if (mapping_ == nullptr) mapping_ = one.bytes(out_.why).data() - one.offset();
      if (out_.why) return n;
      run_[n] = {mapping_ + one.offset(), static_cast<std::size_t>(one.length())};
    }
    return std::min(most, last_ - next());
  }

  /// Reads what the walks will read of small messages, all at once: each walk waits for one line after another, and
  /// the processor sees no pattern in them. Digests need no such help, whole payloads are a pattern. (Prefetches do not
  /// do it: they are dropped where the page was not used lately.)
  static void touch(std::span<const std::span<const std::byte>> messages) noexcept {
    constexpr std::size_t line = 64, front = 6 * line;
    unsigned sum = 0;
    for (const auto& each : messages) {
      for (std::size_t at = 0; at < std::min(front, each.size()); at += line)
        sum += std::to_integer<unsigned>(each[at]);
      sum += std::to_integer<unsigned>(each[each.size() - std::min(line, each.size())]);
      sum += std::to_integer<unsigned>(each.back());
    }
    asm volatile("" ::"r"(sum));  // so that it is done
  }

  /// Whether the mapping is looked at: where a page is missing the kernel reads far around it, and of large messages
  /// that are payloads nobody asked for.
  bool where_it_lies(const tgmap::message& m) const noexcept { return digests_ || m.length() <= tools_.raw.small(); }

  void make_room() {
    tools_.parts.frames.make_room();
    tools_.parts.objects.make_room();
  }

  void check_next(bool looked_over) {
    const std::size_t index = next();
    const tgmap::message message = from_.at(index, out_.why);
    if (out_.why) return;
    message_report report{.first = out_.findings.size()};
    if (!message.is_incomplete()) {
      if (message.version() != 1) out_.why = tools_.raw.open(message, end_of_small(message, index));
      if (!out_.why && !looked_over && message.version() == 3) looked_over = is_fine(message);
      if (out_.why) return;
      report = check_message(tools_, message, index, looked_over, options_, from_.options(), out_.findings, out_.why);
    }
    if (!out_.why) add(message.length(), report);
  }

  bool is_fine(const tgmap::message& message) {
    for (;;) {
      first_look seen = first_look::closer;
      if (tools_.raw.whole()) {
        seen = look_over(tools_.raw.bytes(), digests_, tools_.parts);
      } else if (mapped_ && where_it_lies(message)) {
        const auto bytes = message.bytes(out_.why);
        if (!out_.why)
          out_.why = mapping_guard::run([&]() noexcept { seen = look_over(bytes, digests_, tools_.parts); });
        if (out_.why) return false;
      }
      if (seen != first_look::no_room) return seen == first_look::fine;
      make_room();
    }
  }

  /// Where the small messages end of which this may be the first: so far one copy may reach. Not where the others are
  /// mostly looked at in place.
  std::uint64_t end_of_small(const tgmap::message& first, std::size_t index) const noexcept {
    const std::uint64_t begin = first.offset();
    std::uint64_t end = begin + first.length();
    if (in_place_ || first.length() > tools_.raw.small() || tools_.raw.holds(begin, end - begin)) return end;
    failure why;
    for (std::size_t i = index + 1; i < last_; ++i) {
      const tgmap::message m = from_.at(i, why);
      if (m.offset() != end || m.length() > tools_.raw.small() ||
          m.offset() + m.length() - begin > raw_message::most_ahead)
        break;
      end += m.length();
    }
    return end;
  }

  static constexpr std::size_t most = 16;

  workshop& tools_;
  const archive& from_;
  std::size_t last_;
  const validate_options& options_;
  bool mapped_ = false, digests_;
  bool in_place_ = false;  ///< messages are looked over where they lie first
  batch& out_;

  const std::byte* mapping_ = nullptr;  ///< of the archive; touched under a guard only
  std::array<std::span<const std::byte>, most> run_{};
  std::array<std::size_t, most> objects_{};
};

}  // namespace

batch check_batch(workshop& tools, const archive& from, range which, const validate_options& options) noexcept {
  batch out;
  out.first = which.first;
  try {
    batch_check(tools, from, which, options, out).run();
  } catch (const std::bad_alloc&) {
    out.why = {.code = errc::out_of_memory};
  }
  return out;
}

}  // namespace tgmap::checks
