// SPDX-License-Identifier: Apache-2.0
#include "validate/integrity.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "validate/body.hpp"
#include "validate/descriptor_check.hpp"

namespace tgmap::checks {

namespace {

using enum validation_level;

enum class outcome : std::uint8_t { verified, absent, failed };

class integrity_check {
 public:
  integrity_check(raw_message& raw, const message_parts& parts, const open_options& limits, integrity_scratch& scratch,
                  collector& found, failure& why) noexcept
      : raw_(raw),
        parts_(parts),
        limits_(limits),
        found_(found),
        why_(why),
        digests_(scratch.digests),
        lists_(scratch.hash_lists) {
    digests_.clear();
    lists_.clear();
  }

  bool run() {
    if (parts_.digests_match && !parts_.lists) return !parts_.objects.empty();
    const auto marked = [](const frame_part& frame) { return (frame.flags & wire::hash_present_flag) != 0; };
    marked_ = std::any_of(parts_.frames.begin(), parts_.frames.end(), marked) ||
              std::any_of(parts_.objects.begin(), parts_.objects.end(), marked);
    for (const frame_part& frame : parts_.frames) {
      if (frame.type == wire::header_hash_frame || frame.type == wire::footer_hash_frame) hold_list(frame);
      if (!why_ && parts_.version == 3) hold_frame(frame);
      if (why_) return false;
    }
    digests_.resize(parts_.objects.size());
    for (std::size_t i = 0; i < parts_.objects.size(); ++i) {
      const optional_index number = i;
      const outcome came = parts_.version == 3 ? hold_object(i, number) : hold_old_object(i, number);
      if (why_) return false;
      all_ = all_ && came == outcome::verified;
    }
    hold_lists();
    return all_ && !why_ && !parts_.objects.empty();
  }

 private:
  /// A digest in the tail of a frame: there when its own flag says so, or, as 0.17 to 0.20 wrote it, when no frame has
  /// that flag, the message's says so, and it is not zero.
  std::optional<std::uint64_t> slot_of(const frame_part& frame) const noexcept {
    const bool there = marked_ ? (frame.flags & wire::hash_present_flag) != 0
                               : (parts_.flags & wire::hashes_present_flag) != 0 && frame.slot != 0;
    return there ? std::optional(frame.slot) : std::nullopt;
  }

  outcome compare(const frame_part& frame, std::uint64_t stored, optional_index object) {
    if (parts_.digests_match) return outcome::verified;
    const std::uint64_t hash = raw_.hash(frame.body_at, frame.body_size, why_);
    if (why_) return outcome::failed;
    if (hash == stored) return outcome::verified;
    found_.error(finding_code::hash_mismatch, integrity, {frame.at, object},
                 say("frame hash mismatch (expected ", hexadecimal(stored), ", got ", hexadecimal(hash), ")"));
    return outcome::failed;
  }

  void hold_frame(const frame_part& frame) {
    const auto stored = slot_of(frame);
    if (!stored) return;
    if (compare(frame, *stored, std::nullopt) == outcome::failed) all_ = false;
  }

  outcome hold_object(std::size_t i, optional_index number) {
    const object_part& object = parts_.objects[i];
    const auto stored = slot_of(object);
    if ((parts_.flags & wire::hashes_present_flag) == 0)
      found_.warning(finding_code::no_hash_available, integrity, {object.at, number},
                     "HASHES_PRESENT flag is clear — message was encoded without hashes; cannot verify integrity");
    else if (!stored)
      found_.error(finding_code::hash_verification_error, integrity, {object.at, number},
                   say("frame hash verification error: object ", i, " has no inline hash recorded"));
    if (!stored) return outcome::absent;
    digests_[i] = *stored;
    return compare(object, *stored, number);
  }

  /// Version 2: in the descriptor, over the payload. With masks, buffered encoders took the payload and streaming ones
  /// all of the region: either will do.
  outcome hold_old_object(std::size_t i, optional_index number) {
    const object_part& object = parts_.objects[i];
    if (!object.usable) return outcome::absent;
    const about where{object.at, number};
    descriptor_facts what;
    const std::string problem = load_descriptor(raw_, object, parts_.version, limits_, what, why_);
    if (why_) return outcome::failed;
    if (!problem.empty()) {
      found_.error(finding_code::hash_verification_error, integrity, where,
                   say("failed to parse descriptor: ", problem));
      return outcome::failed;
    }
    if (!what.hash) {
      found_.warning(finding_code::no_hash_available, integrity, where,
                     "the descriptor holds no hash; cannot verify integrity");
      return outcome::absent;
    }
    const auto stored = stated(what.hash, where);
    if (!stored) return outcome::absent;
    digests_[i] = *stored;
    std::uint64_t payload = object.region_size;
    for (const auto& mask : what.masks)
      if (mask) payload = std::min(payload, mask->offset);
    const std::uint64_t hash = raw_.hash(object.region_at, payload, why_);
    const bool matches =
        !why_ && (hash == *stored ||
                  (payload != object.region_size && raw_.hash(object.region_at, object.region_size, why_) == *stored));
    if (matches || why_) return matches ? outcome::verified : outcome::failed;
    found_.error(finding_code::hash_mismatch, integrity, where,
                 say("payload hash mismatch (expected ", hexadecimal(*stored), ", got ", hexadecimal(hash), ")"));
    return outcome::failed;
  }

  /// The digest that a version 2 descriptor states, when it is one that can be compared.
  std::optional<std::uint64_t> stated(item hash, about where) {
    std::string storage;
    const std::string algorithm(hash.find("type").text(storage)), text(hash.find("value").text(storage));
    std::uint64_t out = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), out, 16);
    if (algorithm == "xxh3" && text.size() == 16 && code == std::errc{} && end == text.data() + text.size()) return out;
    found_.warning(finding_code::unknown_hash_algorithm, integrity, where,
                   say("unknown hash algorithm '", algorithm, "', the digest cannot be verified"));
    return std::nullopt;
  }

  /// A hash frame is read once the digests are known; here only whether it can be.
  void hold_list(const frame_part& frame) {
    const body loaded = load_body(raw_, frame.body_at, frame.body_size, limits_, false, why_);
    if (why_) return;
    hash_list list;
    const std::string problem =
        loaded.problem.empty() ? read_hashes(loaded.item, parts_.version, list) : loaded.problem;
    if (!problem.empty()) {
      all_ = false;
      found_.error(finding_code::hash_frame_cbor_parse_failed, integrity, {.at = frame.at},
                   say("failed to parse hash frame CBOR: ", problem));
    } else if (list.algorithm != "xxh3") {
      found_.warning(finding_code::unknown_hash_algorithm, integrity, {.at = frame.at},
                     say("unknown hash algorithm '", list.algorithm,
                         "' in HashFrame, aggregate entries cannot be verified (inline slots still checked)"));
    } else {
      lists_.push_back({&frame, std::move(list)});
    }
  }

  void hold_lists() {
    for (auto& [frame, list] : lists_) {
      if (!raw_.whole()) {  // frames behind it took the memory
        const body loaded = load_body(raw_, frame->body_at, frame->body_size, limits_, false, why_);
        if (why_ || !loaded.problem.empty() || !read_hashes(loaded.item, parts_.version, list).empty()) return;
      }
      list.hashes.elements([&](std::uint64_t i, item entry) {
        if (i >= digests_.size()) return false;
        if (digests_[i] && !says(entry, *digests_[i])) {
          all_ = false;
          found_.error(finding_code::hash_mismatch, integrity, {parts_.objects[i].at, i},
                       say("HashFrame aggregate[", i, "] = ", std::string(entry.text(storage_)),
                           " disagrees with frame ", i, " inline slot = ", hexadecimal(*digests_[i])));
        }
        return true;
      });
    }
  }

  bool says(item entry, std::uint64_t digest) {
    const std::string_view text = entry.text(storage_);
    std::uint64_t number = 0;
    if (text.size() != 16) return false;
    for (const char c : text) {
      const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
      if (digit < 0) return false;
      number = number << 4 | static_cast<unsigned>(digit);
    }
    return number == digest;
  }

  raw_message& raw_;
  const message_parts& parts_;
  const open_options& limits_;
  collector& found_;
  failure& why_;
  std::vector<std::optional<std::uint64_t>>& digests_;
  std::vector<std::pair<const frame_part*, hash_list>>& lists_;

  bool all_ = true;
  bool marked_ = false;  ///< some frame says that it has a digest
  std::string storage_;
};

}  // namespace

bool check_integrity(raw_message& raw, const message_parts& parts, const open_options& limits,
                     integrity_scratch& scratch, collector& found, failure& why) {
  return integrity_check(raw, parts, limits, scratch, found, why).run();
}

}  // namespace tgmap::checks
