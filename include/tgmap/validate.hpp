// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <tgmap/archive.hpp>
#include <tgmap/finding.hpp>

namespace tgmap {
inline namespace v0 {

/// What was found in one message.
struct message_report {
  std::size_t index = 0;
  tgmap::message message{};  ///< of the archive that is validated
  std::uint64_t objects = 0;
  bool hash_verified = false;  ///< every object has a digest that matches, and there is no error
  std::uint64_t not_decoded = 0;
  std::span<const finding> findings{};  ///< by level, then in order of the file; valid during the call
};

/// How far it is, and when it has come back, the result.
struct [[nodiscard]] validation_result {
  std::uint64_t checked_bytes = 0, total_bytes = 0;  ///< archive bytes looked at, and all
  std::uint64_t messages = 0, objects = 0;
  std::uint64_t errors = 0, warnings = 0;  ///< errors: `passages` included
  std::uint64_t unclaimed_ranges = 0;              ///< gaps and tails: bytes that belong to no message
  std::uint64_t hash_verified = 0;         ///< messages
  std::uint64_t not_decoded = 0;           ///< objects whose values `full` could not check
  bool stopped = false;                    ///< the stop_token asked for it: not all was looked at
  bool is_sound() const noexcept { return errors == 0 && !stopped; }
};

/// Takes findings as they come, always on the thread that called `validate`. What it throws ends the validation and
/// reaches the caller.
class TGMAP_API validation_visitor {
 public:
  virtual ~validation_visitor();
  /// Gaps, and what lies behind the last message, an incomplete one included: all of them first, in order.
  virtual void unclaimed_bytes(const finding&) {}
  /// Each message, in order, also where nothing was found.
  virtual void message(const message_report&) {}
  /// Now and then, for progress bars.
  virtual void progress(const validation_result&) {}
};

enum class validation_mode : std::uint8_t {
  quick,     ///< structure: lengths, order, padding, flags of frames. Payloads beyond a page are not read
  standard,  ///< structure, metadata and integrity: CBOR, descriptors, indexes held against the frames, digests
  checksum,  ///< digests of every frame, and errors of structure that stand in the way
  full,      ///< standard, and values: the message is read as programs read it, by its index; every object is reached
             ///< and decoded, to as many elements as the shape says, without a NaN or infinity that no mask tells of
};

struct validate_options {
  validation_mode mode = validation_mode::standard;
  bool check_canonical = false;             ///< also: CBOR is in its one deterministic form (RFC 8949, 4.2.1), else a warning
  unsigned threads = 0;               ///< that look at messages, as far as there is work; 0: as many as there are cores
  std::size_t max_findings = 10'000;  ///< of one message that are delivered: bounds what a hostile file can take
  std::stop_token stop{};

  /// Limits the bytes that level `full` decodes, all objects together. Default: any number of bytes.
  total_limit max_decoded{};
};

/// Looks at everything in the archive and trusts nothing in it: structure (§2), indexes and digests (§3, §4), metadata
/// (§5), descriptors and values (§6, §7). O(bytes) for levels with integrity, else O(frames).
///
/// At level `full`, sound means readable: if there is no finding, message[j] and decode() give every object, except
/// strides that no view has and objects that `not_decoded` counts.
///
/// Memory does not grow with the archive, nor with its messages, but that `full` needs the elements of one encoded
/// object for each thread, within `max_decoded_bytes`, and that the archive remembers where the objects of messages
/// with many lie; where nothing is found and keys of maps are in order, messages allocate nothing. A mapped archive is
/// read where it lies if a `mapping_guard` is installed, as one in memory is, except large messages at level `quick`,
/// of which little is read. Any other is read by windows, and nothing is held: `max_resident_bytes` does not matter. A
/// file that shrinks meanwhile is file_shrank, never a signal. Under `on_damage::stop` all behind the first gap is one
/// passage. Errors: no_archive, file_shrank, out_of_memory, io; decoded_total, after the visitor got everything before
/// that message. Faults of the content are findings.
TGMAP_API validation_result validate(const archive&, const validate_options&, validation_visitor&);
TGMAP_API validation_result validate(const archive&, const validate_options&, validation_visitor&, failure&);
inline validation_result validate(const archive& from, validation_visitor& visitor) {
  return validate(from, validate_options{}, visitor);
}
inline validation_result validate(const archive& from, validation_visitor& visitor, failure& why) {
  return validate(from, validate_options{}, visitor, why);
}

}  // namespace v0
}  // namespace tgmap
