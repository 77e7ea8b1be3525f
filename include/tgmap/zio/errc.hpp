// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <system_error>
#include <tgmap/error.hpp>
#include <type_traits>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// An `errc` is an error of ZIO messages, sockets and flows.
///
/// The values are part of the ABI and are never reused. docs/errors.md describes each error and its next step.
/// The calls of this component also return `tgmap::errc` (memory, limits, archives, calls out of order) and errors of
/// the operating system. `expected` and `found` below are members of `failure`.
enum class errc : int {
  // messages and single frames
  bad_prefix = 1,          ///< the first part is not a ZIO prefix: expected = min bytes, found = bytes of the part
  bad_level = 2,           ///< the level is not '0' to '8': found = the byte
  bad_coordinates = 3,     ///< the second part does not have 24 bytes: expected = 24, found = bytes of the part
  too_few_parts = 4,       ///< a message has at least two parts: found = number of parts
  part_exceeds_frame = 5,  ///< expected = stated length of a part, found = bytes left in the frame
  part_too_large = 6,      ///< too large for a single frame: expected = max bytes, found = bytes of the part

  // labels and the tensors that they describe
  bad_label = 20,       ///< the label is not a JSON object: found = position of the first wrong byte
  label_too_deep = 21,  ///< containers are nested too deep: expected = the limit
  bad_tens = 22,        ///< `TENS`, `tensors` or an attribute is missing or of the wrong type
  part_missing = 23,    ///< a tensor lies in an absent part: expected = number of parts, found = index of the part
  part_size = 24,       ///< wrong size of a part: expected = bytes by shape and word, found = bytes of the part
  bad_order = 25,       ///< `order` or `ascend` does not list every dimension once
  bad_packing = 26,     ///< `packing` is not dense, or the elements lie at a `pointer`
  no_counterpart = 27,  ///< TENS has no name for the dtype: found = the `dtype`

  // sockets
  bad_endpoint = 40,       ///< ZeroMQ does not accept the address, or not for this use
  insecure_endpoint = 41,  ///< bound without keys to an address that others reach
  bad_curve_key = 42,      ///< a file or an option does not hold the key that is needed
  timed_out = 43,          ///< found = milliseconds waited
  stopped = 44,            ///< a stop token was signalled
  message_limit = 45,      ///< the message is too large: expected = max bytes, found = bytes
  peer_gone = 46,          ///< the peer of a ROUTER is unknown or has disconnected
  zmq_failed = 47,         ///< another error of ZeroMQ: found = its error number
  zmq_absent = 48,         ///< the library of ZeroMQ, libzmq, is not installed

  // flows
  flow_protocol = 60,  ///< the peer sent a message that is not allowed now
  flow_credit = 61,    ///< the peer pays too much credit: expected = max, found = the credit
  flow_refused = 62,   ///< the peer answered our BOT with an EOT
};

/// Returns the category of these errors.
TGMAP_API const std::error_category& category() noexcept;
/// Returns the error as a `std::error_code`; an `errc` converts implicitly.
TGMAP_API std::error_code make_error_code(errc) noexcept;
/// Returns the name of the enumerator, such as "part_missing"; empty for other numbers.
TGMAP_API std::string_view to_string_view(errc) noexcept;

}  // namespace zio
}  // namespace v0
}  // namespace tgmap

template <>
struct std::is_error_code_enum<tgmap::zio::errc> : std::true_type {};
