// SPDX-License-Identifier: Apache-2.0
// One end of a flow holds to the protocol whatever the other end says: the first byte tells which end and its credit,
// each other what is said or done next; some take a label from the bytes behind them.
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

constexpr std::string_view sayings[] = {
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

/// Keeps count beside the flow, of what both sides have said.
struct watched {
  zio::flow end;
  std::uint64_t next = 0, paid_to_us = 0, given = 0, paid = 0, taken = 0;

  void took(const zio::message& m) {
    const zio::flow_state before = end.state();
    const std::uint64_t credit = end.credit();
    failure why;
    const zio::flow_event event = end.process(m, why);
    if (why) {
      const bool over = end.state() == zio::flow_state::broken || end.state() == zio::flow_state::ended;
      require(over, "a breach ends the flow");
      require(before == zio::flow_state::opening || end.credit() == credit, "a breach pays nothing");
    } else if (event == zio::flow_event::credited) {
      paid_to_us += end.credit() - credit;
    } else if (event == zio::flow_event::data) {
      ++taken;
    }
  }

  void said(const zio::message& m) {
    require(m.form == zio::flow_form, "everything is of form FLOW");
    require(m.seqno == next++, "messages are numbered one by one");
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
      require(end.state() == before && end.credit() == credit, "what is out of turn changes nothing");
      return;
    }
    require(before != zio::flow_state::ended && before != zio::flow_state::ending, "nothing comes behind an end");
    said(m);
    if (what % 6 == 2 || what % 6 == 5) ++given;
    if (what % 6 == 3) paid += credit;
  }

  void check() const {
    require(end.credit() <= end.agreed_credit(), "no more credit than was agreed on");
    require(given <= paid_to_us, "no DAT without credit");
    require(taken <= paid, "no DAT is taken that was not paid for");
    require(paid <= end.agreed_credit() + taken, "no more is paid than there is room for");
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
  watched watching{zio::flow(how)};
  std::string_view left(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  while (!left.empty()) {
    const auto what = static_cast<std::uint8_t>(left.front());
    left.remove_prefix(1);
    if (what < 128) {
      watching.act(what);
    } else if (what < 250) {
      watching.took({.form = zio::flow_form, .label = std::string(sayings[what % std::size(sayings)])});
    } else {
      const std::string_view label = left.substr(0, left.empty() ? 0 : static_cast<std::uint8_t>(left.front()));
      left.remove_prefix(label.size());
      watching.took({.form = what == 255 ? zio::tens_form : zio::flow_form, .label = std::string(label)});
    }
    watching.check();
  }
  return 0;
}
