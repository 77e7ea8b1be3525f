// SPDX-License-Identifier: Apache-2.0
// Checks that one end of a flow follows the protocol, whatever the other end sends. The first byte selects the end and
// its credit, each other byte the next message or action; some are followed by a label.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/zio/flow.hpp>
#include <tgmap/zio/label.hpp>

#include "support/require.hpp"

using tgmap::failure;
using tgmap_fuzz::require;
namespace zio = tgmap::zio;

namespace {

constexpr std::string_view labels[] = {
    R"({"flow":"BOT","direction":"extract","credit":3})",
    R"({"flow":"BOT","direction":"inject","credit":3})",
    R"({"flow": "BOT", "direction": "inject", "credit": 2.0, "stream": "s"})",
    R"({"credit":1,"flow":"PAY"})",
    R"({"credit":2,"flow":"PAY"})",
    R"({"credit":18446744073709551615,"flow":"PAY"})",
    R"({"flow":"DAT"})",
    R"({"TENS":{"tensors":[]},"flow":"DAT"})",
    R"({"flow":"EOT"})",
    R"({"flow":["EOT"]})",
    "",
    "{",
};

/// A `checked_flow` counts the messages of both sides next to the flow.
struct checked_flow {
  zio::flow end;
  std::uint64_t next = 0, received_credit = 0, sent = 0, paid = 0, received = 0;

  void receive(const zio::message& m) {
    const zio::flow_state before = end.state();
    const std::uint64_t credit = end.credit();
    failure why;
    const zio::flow_event event = end.process(m, why);
    if (why) {
      const bool has_ended = end.state() == zio::flow_state::broken || end.state() == zio::flow_state::ended;
      require(has_ended, "a breach ends the flow");
      require(before == zio::flow_state::opening || end.credit() == credit, "a breach pays nothing");
    } else if (event == zio::flow_event::credited) {
      received_credit += end.credit() - credit;
    } else if (event == zio::flow_event::data) {
      ++received;
    }
  }

  void check_sent(const zio::message& m) {
    require(m.form == zio::flow_form, "every message has the form FLOW");
    require(m.seqno == next++, "messages have consecutive numbers");
    failure why;
    const tgmap::cbor_value label = zio::read_label(m.label, why);
    require(!why && label.view().find("flow").has_value(), "every label can be read");
  }

  void act(unsigned what) {
    failure why;
    const zio::flow_state before = end.state();
    const std::uint64_t credit = end.credit();
    zio::message m;
    switch (what % 6) {
      case 0: m = end.open(why); break;
      case 1: m = end.accept(why); break;
      case 2: m = end.give({.label = R"({"a":1})"}, why); break;
      case 3: m = end.pay(why); break;
      case 4: m = end.end(why); break;
      default: m = end.give({.form = zio::flow_form, .label = R"({"flow": "DAT"})"}, why); break;
    }
    if (why) {
      require(end.state() == before && end.credit() == credit, "a call out of order changes nothing");
      return;
    }
    require(before != zio::flow_state::ended && before != zio::flow_state::ending, "nothing is sent after the end");
    check_sent(m);
    if (what % 6 == 2 || what % 6 == 5) ++sent;
    if (what % 6 == 3) paid += credit;
  }

  void check() const {
    require(end.credit() <= end.agreed_credit(), "no more credit than agreed");
    require(sent <= received_credit, "no DAT without credit");
    require(received <= paid, "no DAT is received without credit");
    require(paid <= end.agreed_credit() + received, "no more credit is paid than agreed");
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  zio::flow_options how{.role = bytes[0] & 1 ? zio::flow_role::giver : zio::flow_role::taker,
                        .side = bytes[0] & 2 ? zio::flow_side::client : zio::flow_side::server,
                        .credit = 1u + (bytes[0] >> 2) % 8};
  how.granule = [](const zio::message&) { return 0; };
  how.echo_credit = (bytes[0] & 32) != 0;
  checked_flow checked{zio::flow(how)};
  std::string_view left(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  while (!left.empty()) {
    const auto what = static_cast<std::uint8_t>(left.front());
    left.remove_prefix(1);
    if (what < 128) {
      checked.act(what);
    } else if (what < 250) {
      checked.receive({.form = zio::flow_form, .label = std::string(labels[what % std::size(labels)])});
    } else {
      const std::string_view label = left.substr(0, left.empty() ? 0 : static_cast<std::uint8_t>(left.front()));
      left.remove_prefix(label.size());
      checked.receive({.form = what == 255 ? zio::tens_form : zio::flow_form, .label = std::string(label)});
    }
    checked.check();
  }
  return 0;
}
