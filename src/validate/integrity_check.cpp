// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/text/hex.hpp"
#include "validate/descriptor_check.hpp"
#include "validate/level_checks.hpp"

namespace tgmap::validation {

namespace {

using enum validation_level;

enum class hash_outcome : std::uint8_t { verified, absent, failed };

/// Reads a hash: sixteen hexadecimal digits. Those of descriptors may be upper case.
std::optional<std::uint64_t> parse_hash(std::string_view text) noexcept {
  std::uint64_t out = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), out, 16);
  if (text.size() != 16 || code != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return out;
}

/// Compares a hash with its text in lower case. Parses the text, which takes less time than to write the hash.
bool is_text_of(std::string_view text, std::uint64_t hash) noexcept {
  if (text.size() != 16) return false;
  std::uint64_t parsed = 0;
  for (const char c : text) {
    const auto digit = core::hex_value(c);
    if (!digit || (c >= 'A' && c <= 'F')) return false;
    parsed = parsed << 4 | *digit;
  }
  return parsed == hash;
}

class integrity_check {
 public:
  integrity_check(message_bytes& source, const message_parts& parts, const open_options& limits,
                  integrity_buffers& buffers, message_findings& findings, failure& why) noexcept
      : source_(source),
        parts_(parts),
        limits_(limits),
        findings_(findings),
        why_(why),
        hashes_(buffers.hashes),
        lists_(buffers.hash_lists) {
    hashes_.clear();
    lists_.clear();
  }

  bool run() {
    if (parts_.hashes_match && !parts_.has_hash_lists) return !parts_.objects.empty();
    const auto has_flag = [](const frame_part& frame) { return (frame.flags & wire::hash_present_flag) != 0; };
    frames_have_flags_ = std::any_of(parts_.frames.begin(), parts_.frames.end(), has_flag) ||
                         std::any_of(parts_.objects.begin(), parts_.objects.end(), has_flag);
    for (const frame_part& frame : parts_.frames) {
      if (frame.type == wire::header_hash_frame || frame.type == wire::footer_hash_frame) load_hash_list(frame);
      if (!why_ && parts_.version == 3) check_frame(frame);
      if (why_) return false;
    }
    hashes_.resize(parts_.objects.size());
    for (std::size_t i = 0; i < parts_.objects.size(); ++i) {
      const hash_outcome outcome = parts_.version == 3 ? check_object(i) : check_version_2_object(i);
      if (why_) return false;
      all_verified_ = all_verified_ && outcome == hash_outcome::verified;
    }
    check_hash_lists();
    return all_verified_ && !why_ && !parts_.objects.empty();
  }

 private:
  /// Returns the hash in the tail of a frame, if the frame has the flag. Releases 0.17 to 0.20 set the flag of the
  /// message only: if no frame has its flag, a hash that is not zero counts.
  std::optional<std::uint64_t> stored_hash(const frame_part& frame) const noexcept {
    const bool is_present = frames_have_flags_
                                ? (frame.flags & wire::hash_present_flag) != 0
                                : (parts_.flags & wire::hashes_present_flag) != 0 && frame.hash_slot != 0;
    return is_present ? std::optional(frame.hash_slot) : std::nullopt;
  }

  hash_outcome compare(const frame_part& frame, std::uint64_t stored, optional_index object) {
    if (parts_.hashes_match) return hash_outcome::verified;
    const std::uint64_t hash = source_.hash(frame.body_offset, frame.body_size, why_);
    if (why_) return hash_outcome::failed;
    if (hash == stored) return hash_outcome::verified;
    findings_.error(finding_code::hash_mismatch, integrity, {frame.offset, object},
                    concat("frame hash mismatch (expected ", hash_text(stored), ", got ", hash_text(hash), ")"));
    return hash_outcome::failed;
  }

  void check_frame(const frame_part& frame) {
    const auto stored = stored_hash(frame);
    if (!stored) return;
    if (compare(frame, *stored, std::nullopt) == hash_outcome::failed) all_verified_ = false;
  }

  hash_outcome check_object(std::size_t i) {
    const object_part& object = parts_.objects[i];
    const location where{object.offset, i};
    const auto stored = stored_hash(object);
    if ((parts_.flags & wire::hashes_present_flag) == 0)
      findings_.warning(finding_code::no_hash_available, integrity, where,
                        "HASHES_PRESENT flag is clear — message was encoded without hashes; cannot verify integrity");
    else if (!stored)
      findings_.error(finding_code::hash_verification_error, integrity, where,
                      concat("frame hash verification error: object ", i, " has no inline hash recorded"));
    if (!stored) return hash_outcome::absent;
    hashes_[i] = *stored;
    return compare(object, *stored, where.object);
  }

  /// Checks an object of version 2, whose descriptor states the hash of the payload. For objects with masks, streaming
  /// encoders hash the masks too: either hash is accepted.
  hash_outcome check_version_2_object(std::size_t i) {
    const object_part& object = parts_.objects[i];
    if (!object.is_usable) return hash_outcome::absent;
    const location where{object.offset, i};
    descriptor_fields fields;
    const std::string problem = load_descriptor(source_, object, parts_.version, limits_, fields, why_);
    if (why_) return hash_outcome::failed;
    if (!problem.empty()) {
      findings_.error(finding_code::hash_verification_error, integrity, where,
                      concat("failed to parse descriptor: ", problem));
      return hash_outcome::failed;
    }
    if (!fields.hash) {
      findings_.warning(finding_code::no_hash_available, integrity, where,
                        "the descriptor holds no hash; cannot verify integrity");
      return hash_outcome::absent;
    }
    const auto stored = descriptor_hash(fields.hash, where);
    if (!stored) return hash_outcome::absent;
    hashes_[i] = *stored;
    const std::uint64_t payload = fields.payload_size(object);
    const std::uint64_t hash = source_.hash(object.region_offset, payload, why_);
    const bool matches =
        !why_ && (hash == *stored || (payload != object.region_size &&
                                      source_.hash(object.region_offset, object.region_size, why_) == *stored));
    if (matches || why_) return matches ? hash_outcome::verified : hash_outcome::failed;
    findings_.error(finding_code::hash_mismatch, integrity, where,
                    concat("payload hash mismatch (expected ", hash_text(*stored), ", got ", hash_text(hash), ")"));
    return hash_outcome::failed;
  }

  /// Returns the hash that a descriptor of version 2 states; nothing if its algorithm is unknown.
  std::optional<std::uint64_t> descriptor_hash(cbor_item hash, location where) {
    const std::string algorithm(hash.find("type").text(storage_));
    const auto out = parse_hash(hash.find("value").text(storage_));
    if (algorithm == "xxh3" && out) return out;
    findings_.warning(finding_code::unknown_hash_algorithm, integrity, where,
                      concat("unknown hash algorithm '", algorithm, "', the digest cannot be verified"));
    return std::nullopt;
  }

  /// Reads a hash frame. Its hashes are compared once those of all objects are known.
  void load_hash_list(const frame_part& frame) {
    const cbor_body loaded = load_cbor(source_, frame.body_offset, frame.body_size, limits_, false, why_);
    if (why_) return;
    hash_list list;
    const std::string problem =
        loaded.problem.empty() ? read_hash_list(loaded.root, parts_.version, list) : loaded.problem;
    if (!problem.empty()) {
      all_verified_ = false;
      findings_.error(finding_code::hash_frame_cbor_parse_failed, integrity, {.offset = frame.offset},
                      concat("failed to parse hash frame CBOR: ", problem));
    } else if (list.algorithm != "xxh3") {
      findings_.warning(finding_code::unknown_hash_algorithm, integrity, {.offset = frame.offset},
                        concat("unknown hash algorithm '", list.algorithm,
                               "' in HashFrame, aggregate entries cannot be verified (inline slots still checked)"));
    } else {
      lists_.push_back({&frame, std::move(list)});
    }
  }

  void check_hash_lists() {
    for (auto& [frame, list] : lists_) {
      if (!source_.is_buffered()) {  // later loads replaced the list
        const cbor_body loaded = load_cbor(source_, frame->body_offset, frame->body_size, limits_, false, why_);
        if (why_ || !loaded.problem.empty() || !read_hash_list(loaded.root, parts_.version, list).empty()) return;
      }
      list.hashes.for_each_element([&](std::uint64_t i, cbor_item entry) {
        if (i >= hashes_.size()) return false;
        if (hashes_[i] && !is_text_of(entry.text(storage_), *hashes_[i])) {
          all_verified_ = false;
          findings_.error(finding_code::hash_mismatch, integrity, {parts_.objects[i].offset, i},
                          concat("HashFrame aggregate[", i, "] = ", entry.text(storage_), " disagrees with frame ", i,
                                 " inline slot = ", hash_text(*hashes_[i])));
        }
        return true;
      });
    }
  }

  message_bytes& source_;
  const message_parts& parts_;
  const open_options& limits_;
  message_findings& findings_;
  failure& why_;
  std::vector<std::optional<std::uint64_t>>& hashes_;
  std::vector<std::pair<const frame_part*, hash_list>>& lists_;

  bool all_verified_ = true;
  bool frames_have_flags_ = false;  ///< some frame has its flag for a hash
  std::string storage_;
};

}  // namespace

bool check_integrity(message_bytes& source, const message_parts& parts, const open_options& limits,
                     integrity_buffers& buffers, message_findings& findings, failure& why) {
  return integrity_check(source, parts, limits, buffers, findings, why).run();
}

}  // namespace tgmap::validation
