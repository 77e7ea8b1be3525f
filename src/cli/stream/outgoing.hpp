// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <tgmap/zio/flow_port.hpp>
#include <tgmap/zio/socket.hpp>

namespace tgmap::cli {

/// Messages on their way out: by a socket, or into a flow over it. The socket must live longer.
class outgoing {
 public:
  /// `look` is called now and then while there is something to wait for.
  outgoing(zio::socket& over, std::stop_token stop, std::chrono::milliseconds silence, std::function<void()> look)
      : over_(&over), stop_(std::move(stop)), silence_(silence), look_(std::move(look)) {}

  /// Gives messages into a flow: opens it. Errors: those of flow_port::open.
  void open_flow(zio::flow_side, std::uint64_t credit, failure&);

  /// False without a failure: the other end of the flow wants no more.
  bool put(const zio::message&, failure&);

  /// Waits until a time. Errors: stopped.
  void wait(std::chrono::steady_clock::time_point until, failure&);

  /// Waits until nothing is lent any more.
  void drain(failure&);

  /// Ends a flow that is on.
  void close(failure&);

 private:
  template <class Try>
  void persist(Try&&, failure&);

  zio::socket* over_;
  std::stop_token stop_;
  std::chrono::milliseconds silence_;
  std::function<void()> look_;
  std::unique_ptr<zio::flow_giver> flow_{};
};

}  // namespace tgmap::cli
