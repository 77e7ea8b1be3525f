// SPDX-License-Identifier: Apache-2.0
#include "validate/check_messages.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <tgmap/mapping_guard.hpp>

#include "validate/fast_structure_check.hpp"

namespace tgmap::validation {

namespace {

using enum validation_level;

bool compares_hashes(validation_mode mode) noexcept { return mode != validation_mode::quick; }

bool run_structure_check(worker_memory& memory, int version, bool with_warnings, const open_options& limits,
                         message_findings& findings, failure& why) {
  findings.drop_warnings(!with_warnings);
  const bool walked = check_structure(memory.bytes, version, limits, findings, memory.parts, why);
  findings.drop_warnings(false);
  return walked && !why;
}

void check_levels(worker_memory& memory, const tgmap::message& message, bool has_sound_structure,
                  const validate_options& options, const open_options& limits, message_findings& findings,
                  message_result& out, failure& why) {
  const bool checksum = options.mode == validation_mode::checksum, quick = options.mode == validation_mode::quick;
  if (!has_sound_structure && !run_structure_check(memory, message.version(), !checksum, limits, findings, why)) return;
  out.objects = memory.parts.objects.size();
  if (options.check_canonical || !(quick || checksum))
    check_metadata(memory.bytes, memory.parts, limits, options.check_canonical, findings, why);
  if (compares_hashes(options.mode) && !why)
    out.hash_verified = check_integrity(memory.bytes, memory.parts, limits, memory.integrity, findings, why);
  if (options.mode == validation_mode::full && !why)
    out.not_decoded = check_fidelity(memory.bytes, message, memory.parts, limits, memory.decoded, findings, why);
}

class batch_check {
 public:
  batch_check(worker_memory& memory, const archive& source, message_range range, const validate_options& options,
              batch_result& out)
      : memory_(memory),
        archive_(source),
        last_(range.last),
        options_(options),
        compares_hashes_(compares_hashes(options.mode)),
        out_(out) {}

  void run() {
    memory_.bytes.set_archive(archive_, compares_hashes_);
    is_mapped_ = memory_.bytes.is_mapped();
    starts_in_place_ = is_mapped_ && needs_only_structure_and_hashes();
    out_.results.reserve(last_ - out_.first);
    while (next() < last_ && !out_.why && !options_.stop.stop_requested()) {
      bool has_sound_structure = false;
      if (starts_in_place_ && (pass_sound_messages(has_sound_structure) || out_.why)) continue;
      check_next(has_sound_structure);
    }
  }

 private:
  std::size_t next() const noexcept { return out_.first + out_.results.size(); }

  bool needs_only_structure_and_hashes() const noexcept {
    return !options_.check_canonical &&
           (options_.mode == validation_mode::quick || options_.mode == validation_mode::checksum);
  }

  void add(std::uint64_t length, const message_result& result) {
    out_.bytes += length;
    out_.errors += result.errors;
    out_.results.push_back(result);
  }

  /// Passes a run of messages that the fast check finds sound, under one guard. Returns false if the next message needs
  /// all checks; `has_sound_structure`: all but the comparison of its hash lists.
  bool pass_sound_messages(bool& has_sound_structure) {
    const std::size_t count = gather_run();
    if (out_.why) return false;
    std::size_t sound = 0;
    fast_result last = fast_result::undecided;
    out_.why = mapping_guard::run([&]() noexcept {
      if (!compares_hashes_) touch(std::span(run_).first(count));
      for (; sound < count; ++sound) {
        last = fast_check_structure(run_[sound], compares_hashes_, memory_.parts);
        if (last != fast_result::sound || (compares_hashes_ && memory_.parts.has_hash_lists)) return;
        object_counts_[sound] = memory_.parts.objects.size();
      }
    });
    if (out_.why) return false;
    const std::size_t findings = out_.findings.size();
    for (std::size_t i = 0; i < sound; ++i)
      add(run_[i].size(), {.objects = object_counts_[i],
                           .hash_verified = compares_hashes_ && object_counts_[i] != 0,
                           .first_finding = findings});
    if (sound == count) return count != 0;
    if (last == fast_result::no_room) {
      memory_.parts.reserve_more();
      return true;
    }
    has_sound_structure = last == fast_result::sound;
    return false;
  }

  /// Collects the next messages as long as they are complete, of version 3, and read in place. Returns their number.
  std::size_t gather_run() {
    for (std::size_t n = 0; n < max_run && next() + n < last_; ++n) {
      const tgmap::message message = archive_.at(next() + n, out_.why);
      if (out_.why || message.version() != 3 || message.is_incomplete() || !is_read_in_place(message)) return n;
      if (mapping_ == nullptr) mapping_ = message.bytes(out_.why).data() - message.offset();
      if (out_.why) return n;
      run_[n] = {mapping_ + message.offset(), static_cast<std::size_t>(message.length())};
    }
    return std::min(max_run, last_ - next());
  }

  /// Loads the cache lines that the checks will read of small messages, all at once. Otherwise each check waits for one
  /// line after another, since the processor sees no pattern. Prefetches do not help: they are dropped where the page
  /// was not used lately. Comparing hashes needs no help: whole payloads are a pattern.
  static void touch(std::span<const std::span<const std::byte>> messages) noexcept {
    constexpr std::size_t line = 64, front = 6 * line;
    unsigned sum = 0;
    for (const auto& message : messages) {
      for (std::size_t at = 0; at < std::min(front, message.size()); at += line)
        sum += std::to_integer<unsigned>(message[at]);
      sum += std::to_integer<unsigned>(message[message.size() - std::min(line, message.size())]);
      sum += std::to_integer<unsigned>(message.back());
    }
    asm volatile("" ::"r"(sum));  // keeps the loads
  }

  /// Returns true if the mapping is read. For a missing page the kernel also reads the pages around it, which are
  /// payloads in large messages; those are read in place only if hashes need them.
  bool is_read_in_place(const tgmap::message& message) const noexcept {
    return compares_hashes_ || message.length() <= memory_.bytes.small_size();
  }

  void check_next(bool has_sound_structure) {
    const std::size_t index = next();
    const tgmap::message message = archive_.at(index, out_.why);
    if (out_.why) return;
    message_result result{.first_finding = out_.findings.size()};
    if (!message.is_incomplete()) {
      if (message.version() != 1) out_.why = memory_.bytes.open(message, end_of_small_messages(message, index));
      if (!out_.why && !has_sound_structure && message.version() == 3) has_sound_structure = passes_fast_check(message);
      if (out_.why) return;
      result = check_message(memory_, message, index, has_sound_structure, options_, archive_.options(), out_.findings,
                             out_.why);
    }
    if (!out_.why) add(message.length(), result);
  }

  bool passes_fast_check(const tgmap::message& message) {
    for (;;) {
      fast_result result = fast_result::undecided;
      if (memory_.bytes.is_buffered()) {
        result = fast_check_structure(memory_.bytes.buffered(), compares_hashes_, memory_.parts);
      } else if (is_mapped_ && is_read_in_place(message)) {
        const auto bytes = message.bytes(out_.why);
        if (!out_.why)
          out_.why = mapping_guard::run(
              [&]() noexcept { result = fast_check_structure(bytes, compares_hashes_, memory_.parts); });
        if (out_.why) return false;
      }
      if (result != fast_result::no_room) return result == fast_result::sound;
      memory_.parts.reserve_more();
    }
  }

  /// Returns the end of the run of small messages that begins with `first`, so that one copy has them all. Returns the
  /// end of `first` if most messages are checked in place.
  std::uint64_t end_of_small_messages(const tgmap::message& first, std::size_t index) const noexcept {
    const std::uint64_t begin = first.offset(), small = memory_.bytes.small_size();
    std::uint64_t end = begin + first.length();
    if (starts_in_place_ || first.length() > small || memory_.bytes.is_in_window(begin, end - begin)) return end;
    failure why;
    for (std::size_t i = index + 1; i < last_; ++i) {
      const tgmap::message message = archive_.at(i, why);
      if (message.offset() != end || message.length() > small ||
          end + message.length() - begin > message_bytes::window_capacity)
        break;
      end += message.length();
    }
    return end;
  }

  static constexpr std::size_t max_run = 16;

  worker_memory& memory_;
  const archive& archive_;
  std::size_t last_;
  const validate_options& options_;
  bool is_mapped_ = false, compares_hashes_;
  bool starts_in_place_ = false;  ///< the fast check comes first, on the mapping
  batch_result& out_;

  const std::byte* mapping_ = nullptr;  ///< of the archive; read only under a guard
  std::array<std::span<const std::byte>, max_run> run_{};
  std::array<std::size_t, max_run> object_counts_{};
};

}  // namespace

message_result check_message(worker_memory& memory, const tgmap::message& message, std::size_t index,
                             bool has_sound_structure, const validate_options& options, const open_options& limits,
                             std::vector<finding>& out, failure& why) {
  message_result result{.first_finding = out.size()};
  message_findings findings(out, message.offset(), index, options.max_findings);
  if (message.version() == 1)
    findings.warning(finding_code::version_1, structure, {},
                     "version 1: known by its place, its content cannot be checked");
  else
    check_levels(memory, message, has_sound_structure, options, limits, findings, result, why);
  findings.finish();
  result.errors = findings.errors();
  result.warnings = findings.warnings();
  result.hash_verified = result.hash_verified && result.errors == 0;
  result.finding_count = out.size() - result.first_finding;
  return result;
}

batch_result check_batch(worker_memory& memory, const archive& source, message_range range,
                         const validate_options& options) noexcept {
  batch_result out;
  out.first = range.first;
  try {
    batch_check(memory, source, range, options, out).run();
  } catch (const std::bad_alloc&) {
    out.why = {.code = errc::out_of_memory};
  }
  return out;
}

}  // namespace tgmap::validation
