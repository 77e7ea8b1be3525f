// SPDX-License-Identifier: Apache-2.0
// Both ends of flows over sockets, as tests want them: in a thread, or in a process of its own that may die.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <tgmap/zio/flow_port.hpp>

namespace tgmap_test {

namespace zio = tgmap::zio;

inline constexpr std::chrono::milliseconds until_it_came{20000};  ///< for what comes
inline constexpr std::chrono::milliseconds until_given_up{50};    ///< for what does not

/// One end of a flow.
struct flow_place {
  zio::flow_role role;
  zio::flow_side side;
  std::string endpoint{};
  std::uint64_t credit = 2;
  std::chrono::milliseconds linger{500};
};

/// The socket of that end: the server's is a ROUTER that listens.
zio::socket socket_of(const flow_place&);

zio::flow_options options_of(const flow_place&);

/// Message number `i`: its bytes are its number.
zio::message numbered(std::uint64_t i);
bool is_numbered(const zio::message&, std::uint64_t i);

/// Gives or takes messages, with this socket, until `count` of them, or the other end, is at its end. Returns how many.
std::uint64_t play(const flow_place&, zio::socket&, std::uint64_t count, tgmap::failure&);

/// The same against an end that dies: waits on as long as that is `alive`.
std::uint64_t play_to_death(const flow_place&, zio::socket&, pid_t alive, tgmap::failure&);

/// This test program as another process that is one end. It kills itself after `steps` messages and ends the flow
/// after `count`.
pid_t start_end(const flow_place&, std::uint64_t count, std::uint64_t steps = UINT64_MAX);
/// The status it ended with; 1000 + number for a signal.
int status_of(pid_t);

}  // namespace tgmap_test
