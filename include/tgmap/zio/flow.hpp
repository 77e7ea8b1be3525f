// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <tgmap/write/cbor_value.hpp>
#include <tgmap/zio/message.hpp>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// A `flow_role` is the direction in which this end passes DATs: a giver sends them, a taker receives them.
enum class flow_role : std::uint8_t { giver, taker };

/// A `flow_side` is the part of this end in the opening: the client sends the first BOT, the server answers it.
enum class flow_side : std::uint8_t { client, server };

/// A `flow_state` is the state of one end of a flow.
enum class flow_state : std::uint8_t {
  closed,      ///< nothing was exchanged yet: a client calls `open()`, a server waits for a BOT
  opening,     ///< a client has sent its BOT and waits for the answer
  requested,   ///< a server has received a BOT: it answers with `accept()` or `end()`
  open,        ///< DAT and PAY may be exchanged
  ending,      ///< we have sent an EOT and wait for the answer
  peer_ended,  ///< the peer has sent an EOT: `end()` answers it
  ended,       ///< the flow is over
  broken,      ///< the peer has violated the protocol: only `end()` is still allowed, once
};

/// A `flow_event` is the meaning of a received message.
enum class flow_event : std::uint8_t {
  requested,   ///< a BOT that a server has to answer
  opened,      ///< a BOT that answers ours
  credited,    ///< a PAY: this giver has more credit
  data,        ///< a DAT; see `is_end_of_stream` for the last one of Wire-Cell
  late,        ///< a message that crossed our EOT; ignore it
  peer_ended,  ///< an EOT: `end()` answers it
  ended,       ///< an EOT after ours: the answer to it, or sent at the same time
};

/// Options of one end of a flow.
struct flow_options {
  /// The direction. `flow_giver` and `flow_taker` set it. Default: giver.
  flow_role role = flow_role::giver;
  /// The side that opens. Default: client.
  flow_side side = flow_side::client;
  /// Maximum number of DATs in transit, at least 1. A client offers it, a server grants at most this many. Default: 5.
  std::uint64_t credit = 5;
  /// Additional keys in the BOT of a client, a map of texts by convention. A server returns them in its answer.
  /// Default: none.
  cbor_value attributes = cbor_value::map();
  /// The origin of every message of this end. Default: 0.
  std::uint64_t origin = 0;
  /// Returns the granule of a message that is about to be sent. All other members are set; a DAT still has the granule
  /// that it was given with. Must not throw. Default: none, which stands for the current time in microseconds since
  /// 1970.
  std::function<std::uint64_t(const message&)> granule{};
  /// A server answers with the credit that was offered, as ZIO's C++ server does, even if it grants less.
  /// Default: false, so that the client learns the credit that counts.
  bool echo_credit = false;
};

/// A `flow` is the state machine of one end of a FLOW, without a socket.
///
/// It makes the messages to send and interprets the messages received. DATs go from a giver to a taker. The taker pays
/// for each DAT that it can take, so at most the agreed credit is in transit. A BOT opens a flow, a PAY gives credit,
/// an EOT from either end closes the flow. Messages are numbered from the BOT, which is 0. The sequence numbers of the
/// peer are not checked, nor is the JSON formatting of its labels.
///
/// Errors: every function that returns a message may fail with out_of_memory, or with call_out_of_order if the state
/// does not allow the call. The flow is then unchanged.
/// Thread safety: one thread at a time.
class TGMAP_API flow {
 public:
  /// Makes a closed flow.
  /// Errors: invalid_option (credit is 0; attributes are not a map, or not representable as JSON).
  explicit flow(flow_options = {});
  flow(flow_options, failure&) noexcept;
  explicit flow(failure&) noexcept;

  /// Returns the BOT of a client.
  message open();
  message open(failure&) noexcept;

  /// Returns the BOT of a server that answers the client's. The smaller credit counts. To refuse, call `end()` instead.
  message accept();
  message accept(failure&) noexcept;

  /// Returns a message as a DAT: form FLOW, "flow":"DAT" added to its label, its payload shared.
  ///
  /// A label that has this key already is kept as it is. An empty label and `null` count as {}. Uses one credit.
  /// Errors: bad_label (the label is not a JSON object), label_too_deep; call_out_of_order also without `credit()`.
  message give(const message&);
  message give(const message&, failure&) noexcept;

  /// Returns a PAY of all the credit that this taker holds.
  /// Errors: call_out_of_order also without `credit()`.
  message pay();
  message pay(failure&) noexcept;

  /// Returns the EOT that ends the flow, answers an EOT, refuses a BOT, or reports a protocol violation.
  message end();
  message end(failure&) noexcept;

  /// Returns an EOT with number 0 for a client that asks for another flow meanwhile. This flow does not change.
  message refusal(failure&) const noexcept;

  /// Undoes the last message that was made, because it could not be sent: its number and credit are free again.
  ///
  /// Call it before any other message is made or processed.
  void rollback() noexcept;

  /// Interprets a received message and updates the state.
  ///
  /// Errors that leave the flow broken, or ended if it was: flow_protocol (not allowed now, or not a message of a flow;
  /// an offer or an answer without credit; an answer to a taker of more than it offered; a DAT that was not paid for);
  /// flow_credit (a PAY of more than is owed); bad_label, label_too_deep.
  /// Errors that end the flow: flow_refused (an EOT answers our BOT).
  /// Errors that leave it unchanged: out_of_memory; call_out_of_order (the flow is broken already).
  flow_event process(const message&);
  flow_event process(const message&, failure&) noexcept;

  /// Returns the current state.
  flow_state state() const noexcept { return current_.state; }
  flow_role role() const noexcept { return options_.role; }
  flow_side side() const noexcept { return options_.side; }

  /// Returns the number of DATs that a giver may send now, or the credit that the next PAY of a taker gives.
  std::uint64_t credit() const noexcept { return current_.credit; }
  /// Returns the credit that both ends have agreed on; before that, `flow_options::credit`.
  std::uint64_t agreed_credit() const noexcept { return current_.total; }

  /// Returns the label of the peer's BOT with its attributes; null before it was received.
  /// Lifetime: until the next call of `process()`.
  const cbor_value& opening_label() const noexcept TGMAP_LIFETIMEBOUND { return peer_bot_; }

 private:
  message make_message(std::string label, std::uint64_t seqno) const;
  message make(std::string label);
  std::string make_bot_label(cbor_value attributes, std::uint64_t credit) const;
  const std::string& dat_label(const std::string&);
  bool allow(bool is_allowed, failure&) const noexcept;
  flow_event process_bot(const cbor_value&, failure&);
  flow_event process_pay(const cbor_value&, failure&) noexcept;
  flow_event process_dat(failure&) noexcept;
  flow_event process_eot(failure&) noexcept;
  bool is_giver() const noexcept { return options_.role == flow_role::giver; }

  struct snapshot {
    flow_state state = flow_state::closed;
    std::uint64_t total = 0, credit = 0, next = 0;
  };

  flow_options options_;
  snapshot current_{}, previous_{};
  cbor_value peer_bot_{};
  std::string last_label_{}, last_dat_label_{};  ///< caches one label: most messages of a stream repeat it
};

/// Returns true for the DAT by which Wire-Cell announces the end of its stream: no payload, and no key in the label but
/// "flow". The flow itself stays open. A label that cannot be read gives false.
TGMAP_API bool is_end_of_stream(const message&) noexcept;

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
