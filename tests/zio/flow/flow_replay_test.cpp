// SPDX-License-Identifier: Apache-2.0
// Conversations of the original, replayed with one end ours: it must say what the original's end said.
#include <boost/test/unit_test.hpp>
#include <deque>
#include <fstream>
#include <string>
#include <support/shared_data.hpp>
#include <tgmap/zio/flow.hpp>
#include <tgmap/zio/frame.hpp>
#include <tgmap/zio/label.hpp>
#include <vector>

#include "fixtures/frames.hpp"

using namespace tgmap;
using namespace tgmap_test;
using zio::flow_role;
using zio::flow_side;

BOOST_AUTO_TEST_SUITE(flow_replay_test)

namespace {

/// A message of a conversation and its sender.
struct line {
  flow_side from;
  zio::message message;
};

std::string text_at(const zio::message& m, const char* key) {
  const cbor_value label = zio::read_label(m.label);
  const auto found = label.view().find(key);
  return found ? found->text() : "";
}

/// Makes the flow of one side with the options that its first message shows.
zio::flow make_flow(const std::vector<line>& talk, flow_side side, std::uint64_t total, const zio::message*& next) {
  zio::flow_options how{.side = side, .credit = total, .echo_credit = true};
  for (const line& each : talk) {
    if (each.from != side) continue;
    how.role = text_at(each.message, "direction") == "extract" ? flow_role::giver : flow_role::taker;
    how.origin = each.message.origin;
    if (side == flow_side::client) {
      how.attributes = zio::read_label(each.message.label);
      how.credit = how.attributes.view().find("credit")->as<std::uint64_t>();
    }
    break;
  }
  how.granule = [&next](const zio::message&) { return next->granule; };
  return zio::flow(how);
}

/// Our end and the messages sent to it. The conversation was recorded on the wire, so our side may not have read all
/// earlier messages when it sent one.
struct replayed_end {
  zio::flow end;
  std::deque<zio::message> waiting{};

  template <class Until>
  void read(Until&& until) {
    for (; !until() && !waiting.empty(); waiting.pop_front()) {
      failure why;
      end.process(waiting.front(), why);
      BOOST_TEST(!why, waiting.front().label << ": " << why.text());
    }
  }

  /// Returns our message in place of the recorded one, after reading what it requires.
  zio::message make(const zio::message& m) {
    const std::string type = text_at(m, "flow");
    if (type == "BOT" && end.side() == flow_side::client) return end.open();
    if (type == "EOT") read([] { return false; });
    read([&] { return end.credit() > 0 && end.state() == zio::flow_state::open; });
    if (type == "BOT") return end.accept();
    if (type == "PAY") return end.pay();
    if (type == "EOT") return end.end();
    // An application passes messages of form TENS.
    cbor_value label = zio::read_label(m.label);
    label.erase("flow");
    zio::message tens{.form = zio::tens_form, .label = zio::write_label(label), .origin = 99, .seqno = 1234};
    tens.payload = m.payload;
    return end.give(tens);
  }

  void check_ended() {
    read([] { return false; });
    BOOST_TEST((end.state() == zio::flow_state::ended));
  }
};

/// Replays one side. `compare` receives our message and the recorded one.
template <class Compare>
void replay(const std::vector<line>& talk, flow_side ours, std::uint64_t total, Compare&& compare) {
  const zio::message* next = nullptr;
  replayed_end our{make_flow(talk, ours, total, next)};
  for (const line& each : talk) {
    next = &each.message;
    if (each.from == ours)
      compare(our.make(each.message), each.message);
    else
      our.waiting.push_back(each.message);
  }
  our.check_ended();
}

void replay_exactly(const std::vector<line>& talk, std::uint64_t server_total) {
  std::size_t compared = 0;
  for (const flow_side ours : {flow_side::client, flow_side::server})
    replay(talk, ours, server_total, [&](const zio::message& our, const zio::message& their) {
      BOOST_TEST((zio::encode(our) == zio::encode(their)), our.label << " for " << their.label);
      ++compared;
    });
  BOOST_TEST(compared == talk.size());
}

/// Returns the messages of a recording from its frames.
std::vector<line> recorded(const std::string& name) {
  std::vector<line> out;
  for (const auto& file : shared_frames("flow")) {
    const std::string stem = file.stem().string();
    if (!stem.starts_with(name + "_")) continue;
    auto bytes = std::make_shared<const std::vector<std::byte>>(bytes_of_file(file));
    out.push_back({stem.ends_with("c2s") ? flow_side::client : flow_side::server, zio::decode(*bytes, pin(bytes))});
  }
  return out;
}

std::vector<std::byte> bytes_of_hex(const std::string& hex) {
  std::vector<std::byte> out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    out.push_back(static_cast<std::byte>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  return out;
}

/// Returns the messages of a recording from the parts in its JSON. The first part is empty.
std::vector<line> recorded_parts(const std::filesystem::path& file) {
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const cbor_value all = zio::read_label(text);
  std::vector<line> out;
  all.view().visit([&](std::uint64_t, const cbor_view& each) {
    std::vector<zio::part> parts;
    each.find("raw_zmq_parts_hex")->visit([&](std::uint64_t number, const cbor_view& hex) {
      const auto bytes = std::make_shared<const std::vector<std::byte>>(bytes_of_hex(hex.text()));
      if (number > 0) parts.push_back({*bytes, pin(bytes)});
      return true;
    });
    out.push_back({each.find("dir")->text() == "c2s" ? flow_side::client : flow_side::server, zio::from_parts(parts)});
    return true;
  });
  return out;
}

/// Reads lines such as ('s2c', 1, 'ZIO0FLOW{...}', [8]).
std::vector<line> python_lines(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::vector<line> out;
  for (std::string text; std::getline(in, text);) {
    const auto begin = text.find("'ZIO0FLOW"), end = text.rfind("', [");
    if (begin == text.npos) continue;
    zio::message m{.form = zio::flow_form, .label = text.substr(begin + 9, end - begin - 9)};
    m.seqno = std::stoull(text.substr(text.find(',') + 1));
    if (text.ends_with("[8])")) m.payload.emplace_back();
    out.push_back({text.starts_with("('c2s'") ? flow_side::client : flow_side::server, m});
  }
  return out;
}

zio::message flow_message(std::uint64_t seqno, const char* label) {
  return {.form = zio::flow_form, .label = label, .seqno = seqno};
}

}  // namespace

BOOST_AUTO_TEST_CASE(recorded_conversations_of_zio) {
  for (const auto& [name, total] :
       {std::pair{"extract_credit2", 2u}, {"inject_credit3", 3u}, {"credit_offer_too_big", 2u}}) {
    const auto talk = recorded(name);
    if (talk.empty()) return;  // shared_frames has reported it
    BOOST_TEST(talk.size() >= 13u);
    replay_exactly(talk, total);
  }
}

BOOST_AUTO_TEST_CASE(recorded_conversations_over_dealer_and_router) {
  const auto root = shared_data_or_skip("conversations of the original");
  if (!root) return;
  const auto talk = recorded_parts(*root / "data/tens/flow/dealer_router.json");
  BOOST_TEST(talk.size() == 11u);
  replay_exactly(talk, 2);
}

BOOST_AUTO_TEST_CASE(recorded_conversations_of_python) {
  const auto root = shared_data_or_skip("conversations of the original");
  if (!root) return;
  const auto talk = python_lines(*root / "data/tens/flow/python_dealer_router_inject.txt");
  BOOST_TEST(talk.size() == 11u);
  // The server in Python answers with the credit that it grants, so echo_credit stays off.
  for (const flow_side ours : {flow_side::client, flow_side::server}) {
    zio::flow_options how{.role = ours == flow_side::client ? flow_role::taker : flow_role::giver, .side = ours};
    how.credit = ours == flow_side::client ? 5 : 2;
    how.attributes = cbor_value::map({{"stream", "s1"}});
    how.granule = [](const zio::message&) { return 0; };
    replayed_end we{zio::flow(how)};
    for (const line& each : talk) {
      if (each.from != ours) {
        we.waiting.push_back(each.message);
        continue;
      }
      const zio::message our = we.make(each.message);
      BOOST_TEST((zio::read_label(our.label) == zio::read_label(each.message.label)), our.label);
      BOOST_TEST(our.seqno == each.message.seqno);
      BOOST_TEST(our.payload.size() == each.message.payload.size());
    }
    we.check_ended();
  }
}

// A recorded conversation for checkouts without the shared data.
BOOST_AUTO_TEST_CASE(a_client_gives_and_ends) {
  const auto c = flow_side::client, s = flow_side::server;
  const char* tens = R"({"TENS":{"tensors":[{"dtype":"f","part":0,"shape":[2,2],"word":4}]},"flow":"DAT"})";
  replay_exactly(
      {{c, flow_message(0, R"({"credit":2,"direction":"extract","flow":"BOT","jobname":"fixture","stream":"demo"})")},
       {s, flow_message(0, R"({"credit":2,"direction":"inject","flow":"BOT","jobname":"fixture","stream":"demo"})")},
       {s, flow_message(1, R"({"credit":2,"flow":"PAY"})")},
       {c, flow_message(1, tens)},
       {c, flow_message(2, tens)},
       {s, flow_message(2, R"({"credit":1,"flow":"PAY"})")},
       {s, flow_message(3, R"({"credit":1,"flow":"PAY"})")},
       {c, flow_message(3, tens)},
       {c, flow_message(4, R"({"flow":"EOT"})")},
       {s, flow_message(4, R"({"credit":1,"flow":"PAY"})")},
       {s, flow_message(5, R"({"flow":"EOT"})")}},
      2);
}

BOOST_AUTO_TEST_SUITE_END()
