// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <zmq.h>

#include "runtime/loaded_library.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

#define TGMAP_ZMQ_FUNCTIONS(F) \
  F(zmq_bind)                  \
  F(zmq_close)                 \
  F(zmq_connect)               \
  F(zmq_ctx_new)               \
  F(zmq_ctx_term)              \
  F(zmq_curve_keypair)         \
  F(zmq_curve_public)          \
  F(zmq_errno)                 \
  F(zmq_getsockopt)            \
  F(zmq_msg_close)             \
  F(zmq_msg_data)              \
  F(zmq_msg_init)              \
  F(zmq_msg_init_data)         \
  F(zmq_msg_init_size)         \
  F(zmq_msg_more)              \
  F(zmq_msg_move)              \
  F(zmq_msg_recv)              \
  F(zmq_msg_send)              \
  F(zmq_msg_size)              \
  F(zmq_poll)                  \
  F(zmq_setsockopt)            \
  F(zmq_socket)                \
  F(zmq_socket_monitor)

#ifdef TGMAP_LOADS_ZMQ
TGMAP_LOADED_LIBRARY(zmq_library, TGMAP_LOADS_ZMQ, TGMAP_ZMQ_FUNCTIONS);
#else
TGMAP_LINKED_LIBRARY(zmq_library, TGMAP_ZMQ_FUNCTIONS);
#endif

/// Returns the functions of ZeroMQ. The library must be present, which `zmq_context::make` checks.
inline const zmq_library& zmq() noexcept { return *zmq_library::get(); }

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
