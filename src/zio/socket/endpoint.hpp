// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// The supported transports; `none` for all others that ZeroMQ may know.
enum class transport { none, tcp, ipc, inproc };

transport transport_of(std::string_view endpoint) noexcept;

/// Returns true if an address has a supported transport and a place; for tcp a host, and a port up to 65535 or "*".
/// ZeroMQ itself accepts more, and cuts off the higher bits of larger ports.
bool is_endpoint(std::string_view) noexcept;

/// Returns true if a bound address is private: inproc, ipc to a file, and tcp to 127.0.0.0/8, ::1 or "localhost". Any
/// other name may stand for any address. An abstract ipc address, "@name", is open to every user of the machine and to
/// containers that share its network.
bool is_private(std::string_view endpoint) noexcept;

/// Returns true if a tcp address has an IPv6 address in brackets.
bool is_ipv6(std::string_view endpoint) noexcept;

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
