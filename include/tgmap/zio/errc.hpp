// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <system_error>
#include <tgmap/error.hpp>
#include <type_traits>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// What is wrong with a ZIO message, a socket or a flow. Values are part of the ABI and never reused; docs/errors.md
/// describes each with its next step. Calls may also give `tgmap::errc` (memory, limits, archives, calls out of their
/// turn) and errors of the operating system.
enum class errc : int {
  // messages and single frames
  bad_prefix = 1,          ///< the first part is no prefix of a ZIO message: expected = least bytes, found = its bytes
  bad_level = 2,           ///< a level other than '0' to '8': found = the byte
  bad_coordinates = 3,     ///< the second part is not the 24 bytes of origin, granule and seqno: found = its bytes
  too_few_parts = 4,       ///< fewer parts than the two that every message has: found = parts
  part_exceeds_frame = 5,  ///< expected = stated length of the part, found = bytes left in the frame
  part_too_large = 6,      ///< more than a single frame can say: expected = the most, found = bytes of the part

  // labels and what they tell of tensors
  bad_label = 20,       ///< a label that is no JSON object: found = the byte where it stops being one
  label_too_deep = 21,  ///< expected = the limit of containers in each other
  bad_tens = 22,        ///< TENS, its tensors or an attribute is missing or of the wrong kind
  part_missing = 23,    ///< a tensor in a part that is not there: expected = parts, found = its number
  part_size = 24,       ///< expected = bytes by shape and word, found = bytes of the part
  bad_order = 25,       ///< `order` or `ascend` does not tell of every dimension once
  bad_packing = 26,     ///< a packing other than dense, or elements that lie at a pointer
  no_counterpart = 27,  ///< elements that TENS has no word for: found = `dtype`

  // sockets
  bad_endpoint = 40,       ///< an address that ZeroMQ does not take, or not for this
  insecure_endpoint = 41,  ///< bound where others reach it, without keys
  bad_curve_key = 42,      ///< a file that does not hold the key it should
  timed_out = 43,          ///< found = milliseconds waited
  stopped = 44,            ///< asked to stop
  message_limit = 45,      ///< expected = the most bytes of one message, found = bytes
  peer_gone = 46,          ///< nobody is there, or no more, whom a ROUTER could answer
  zmq_failed = 47,         ///< ZeroMQ refuses: found = its error number

  // flows
  flow_protocol = 60,  ///< the other end sent what cannot come now
  flow_credit = 61,    ///< the other end pays more than there is: expected = the most, found = credit
  flow_refused = 62,   ///< the other end answered the opening of a flow by its end
};

TGMAP_API const std::error_category& category() noexcept;
TGMAP_API std::error_code make_error_code(errc) noexcept;
/// Returns the enumerator's name, "part_missing"; empty for other numbers.
TGMAP_API std::string_view to_string_view(errc) noexcept;

}  // namespace zio
}  // namespace v0
}  // namespace tgmap

template <>
struct std::is_error_code_enum<tgmap::zio::errc> : std::true_type {};
