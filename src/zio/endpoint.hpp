// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// The transports that ZIO messages go by here; `none` for all others that ZeroMQ may know.
enum class transport { none, tcp, ipc, inproc };

transport transport_of(std::string_view endpoint) noexcept;

/// Whether only this machine reaches what is bound there: ipc, inproc, and tcp to an address in 127.0.0.0/8, ::1 or
/// "localhost". Any other name may mean any address, so it does not count.
bool stays_here(std::string_view endpoint) noexcept;

/// Whether an address is written as one of IPv6, in brackets.
bool is_ipv6(std::string_view endpoint) noexcept;

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
