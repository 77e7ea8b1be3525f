// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/test/unit_test.hpp>
#include <memory>
#include <support/builder.hpp>
#include <support/failures.hpp>

#include "archive/archive_state.hpp"
#include "archive/scan/parse_message_at.hpp"
#include "io/window.hpp"

namespace tgmap_test {

namespace inner = tgmap::detail;

/// Bytes in memory with a window on them.
struct looked_at {
  explicit looked_at(bytes d, const tgmap::open_options& options = {}) : data(std::move(d)) {
    tgmap::failure why;
    source = tgmap::io::source::from_memory(span_of(data), options, why);
    BOOST_REQUIRE(source != nullptr);
    window.emplace(*source);
  }
  bytes data;
  std::unique_ptr<tgmap::io::source> source{};
  std::optional<tgmap::io::window> window{};
};

/// The state of an archive without its public handles, and its only message.
struct one_message {
  explicit one_message(bytes d, const tgmap::open_options& options = {}) : data(std::move(d)) {
    tgmap::failure why;
    auto source = tgmap::io::source::from_memory(span_of(data), options, why);
    BOOST_REQUIRE(source != nullptr);
    state = std::make_unique<inner::archive_state>(std::move(source), options);
    tgmap::io::window window(state->bytes());
    const auto found = inner::parse_message_at(window, 0, options);
    BOOST_REQUIRE((found.status == inner::message_status::whole || found.status == inner::message_status::incomplete));
    message = found.message;
  }
  bytes data;
  std::unique_ptr<inner::archive_state> state{};
  tgmap::message_position message{};
};

}  // namespace tgmap_test
