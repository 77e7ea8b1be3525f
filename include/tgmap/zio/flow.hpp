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

/// Which way the DATs of a flow go, seen from one end of it.
enum class flow_role : std::uint8_t { giver, taker };

/// The client opens a flow, the server answers.
enum class flow_side : std::uint8_t { client, server };

/// Where one end of a flow stands.
enum class flow_state : std::uint8_t {
  closed,     ///< nothing has come or gone: a client open()s, a server waits for a BOT
  opening,    ///< a client waits for the answer
  requested,  ///< a server has a BOT to answer: accept() or end()
  open,
  ending,      ///< our EOT has gone, the answer to it has not come
  peer_ended,  ///< the other's EOT has come: end() answers it
  ended,
  broken,  ///< the other end sent what cannot come: nothing goes any more but one EOT by end()
};

/// What a message that came means.
enum class flow_event : std::uint8_t {
  requested,   ///< a BOT: a server answers it
  opened,      ///< the answer to ours
  credited,    ///< a PAY: there is credit
  data,        ///< a DAT. One without payload and without TENS is how Wire-Cell says that no more will come
  late,        ///< a PAY or DAT that crossed our EOT: dropped
  peer_ended,  ///< an EOT: end() answers it
  ended,       ///< the answer to our EOT, or its twin
};

struct flow_options {
  flow_role role = flow_role::giver;
  flow_side side = flow_side::client;
  std::uint64_t credit = 5;  ///< DATs on their way at most: what a client offers, what a server grants; 1 or more
  /// A client's: they ride along with its BOT, and a server gives them back. By convention a map of text.
  cbor_value attributes = cbor_value::map();
  std::uint64_t origin = 0;  ///< of every message
  /// The granule of a message that goes, of which everything else is set, but of a DAT the granule that it had. None:
  /// microseconds since 1970, now. Must not throw.
  std::function<std::uint64_t(const message&)> granule{};
  /// A server answers with the credit that was offered, as ZIO's own does, and not with the less that it grants.
  bool echo_credit = false;
};

/// One end of a flow, without any socket: tells what to send, and what it means that something came.
///
/// FLOW carries DATs one way, from a giver to a taker, who pays for each that it can take: so no more of them are on
/// their way than the credit both have agreed on. BOT opens, PAY gives credit, EOT ends, from either end. Messages are
/// numbered from the BOT, 0. Of the other end's numbers, and of how it spells labels, nothing is asked.
///
/// Of functions that give a message: errors out_of_memory; writer_state, when it is not its turn. Then nothing has
/// changed. One thread at a time.
class TGMAP_API flow {
 public:
  /// Errors: invalid_option (credit of 0, attributes that are no map or have no JSON).
  explicit flow(flow_options = {});
  flow(flow_options, failure&) noexcept;
  explicit flow(failure&) noexcept;

  /// A client's BOT.
  message open();
  message open(failure&) noexcept;

  /// A server's answer to a BOT: takes the lesser of both credits. end() refuses it.
  message accept();
  message accept(failure&) noexcept;

  /// A message as a DAT: of form FLOW, its label with "flow":"DAT" in it, its payload shared. A label that says so
  /// already goes as it stands. Errors besides: bad_label, label_too_deep (the label is no JSON object; an empty one
  /// and null count as {}). Needs credit().
  message give(const message&);
  message give(const message&, failure&) noexcept;

  /// A PAY of all credit that a taker holds. Needs credit().
  message pay();
  message pay(failure&) noexcept;

  /// The EOT that ends a flow, answers the other's, refuses a BOT, or tells of a breach.
  message end();
  message end(failure&) noexcept;

  /// An EOT, numbered 0, for who asks for another flow while there is this one. Changes nothing.
  message refusal(failure&) const noexcept;

  /// What was made last has not gone out, and is as if it had never been made: its number is free again, its credit
  /// too. Only before anything else is made or taken in.
  void rollback() noexcept;

  /// Takes in what came. Errors, after which the flow is broken: flow_protocol (it cannot come now, or is no message of
  /// a flow; also an offer or an answer of no credit, an answer to a taker of more than it offered, a DAT that was not
  /// paid for); flow_credit (a PAY of more than there is); bad_label, label_too_deep. flow_refused: an EOT answers our
  /// BOT, and the flow has ended. out_of_memory: nothing has changed.
  flow_event process(const message&);
  flow_event process(const message&, failure&) noexcept;

  flow_state state() const noexcept { return now_.state; }
  flow_role role() const noexcept { return options_.role; }
  flow_side side() const noexcept { return options_.side; }

  /// Of a giver, DATs that it may send now; of a taker, what the next PAY pays.
  std::uint64_t credit() const noexcept { return now_.credit; }
  /// What both have agreed on. Before, what this end has in mind.
  std::uint64_t agreed_credit() const noexcept { return now_.total; }

  /// Label of the other end's BOT, with its attributes; null before.
  const cbor_value& opening_label() const noexcept TGMAP_LIFETIMEBOUND { return greeting_; }

 private:
  message told(std::string label, std::uint64_t seqno) const;
  message make(std::string label);
  std::string bot(cbor_value attributes, std::uint64_t credit) const;
  const std::string& dat_label(const std::string&);
  bool turn(bool, failure&) const noexcept;
  flow_event take_bot(const cbor_value&, failure&);
  flow_event take_pay(const cbor_value&, failure&) noexcept;
  flow_event take_dat(failure&) noexcept;
  flow_event take_eot(failure&) noexcept;
  bool giver() const noexcept { return options_.role == flow_role::giver; }

  struct standing {
    flow_state state = flow_state::closed;
    std::uint64_t total = 0, credit = 0, next = 0;
  };

  flow_options options_;
  standing now_{}, before_{};
  cbor_value greeting_{};
  std::string last_label_{}, last_dat_{};  ///< most messages of a stream have the label of the one before
};

/// Whether a DAT is Wire-Cell's way to say that no more will come: no payload, and a label of nothing but "flow".
TGMAP_API bool is_end_of_stream(const message&) noexcept;

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
