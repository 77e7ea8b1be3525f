// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// The transports that ZIO messages go by here; `none` for all others that ZeroMQ may know.
enum class transport { none, tcp, ipc, inproc };

transport transport_of(std::string_view endpoint) noexcept;

/// Whether it is written as an address may be: a transport and a place; of tcp a host and a port up to 65535 or "*".
/// ZeroMQ itself takes more, and of larger ports the lower bits.
bool is_endpoint(std::string_view) noexcept;

/// Whether only this machine reaches what is bound there: ipc to a file, inproc, and tcp to an address in 127.0.0.0/8,
/// ::1 or "localhost". Any other name may mean any address, so it does not count. Nor does ipc to an abstract name, "@"
/// and what follows it: every user of the machine reaches it, and so do containers that share its network.
bool stays_here(std::string_view endpoint) noexcept;

/// Whether an address is written as one of IPv6, in brackets.
bool is_ipv6(std::string_view endpoint) noexcept;

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
