// SPDX-License-Identifier: Apache-2.0
#include "cli/stream/incoming.hpp"

namespace tgmap::cli {

namespace {

constexpr std::chrono::seconds for_the_last_word{2};

}  // namespace

void incoming::open_flow(zio::flow_side side, std::uint64_t credit, failure& why) {
  flow_ = std::make_unique<zio::flow_taker>(*over_, zio::flow_options{.side = side, .credit = credit});
  flow_->open(silence_, stop_, why);
}

std::optional<zio::message> incoming::next(failure& why) {
  if (flow_) return flow_->get(silence_, stop_, why);
  std::optional<zio::message> out = over_->receive(silence_, stop_, why);
  if (why) out.reset();
  return out;
}

void incoming::close(failure& why) {
  why = {};
  if (flow_) flow_->finish(for_the_last_word, {}, why);
}

}  // namespace tgmap::cli
