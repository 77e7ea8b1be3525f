// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <tgmap/zio/flow_port.hpp>
#include <tgmap/zio/socket.hpp>

namespace tgmap::cli {

/// Messages as they come in: from a socket, or out of a flow over it. The socket must live longer.
class incoming {
 public:
  incoming(zio::socket& over, std::stop_token stop, std::chrono::milliseconds silence)
      : over_(&over), stop_(std::move(stop)), silence_(silence) {}

  /// Takes messages out of a flow: opens it. Errors: those of flow_port::open.
  void open_flow(zio::flow_side, std::uint64_t credit, failure&);

  /// The next one. Nothing without a failure: the other end of the flow says that there are no more.
  std::optional<zio::message> next(failure&);

  /// Ends a flow that is on.
  void close(failure&);

 private:
  zio::socket* over_;
  std::stop_token stop_;
  std::chrono::milliseconds silence_;
  std::unique_ptr<zio::flow_taker> flow_{};
};

}  // namespace tgmap::cli
