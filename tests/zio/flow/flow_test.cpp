// SPDX-License-Identifier: Apache-2.0
#include <tgmap/zio/flow.hpp>

#include <boost/test/unit_test.hpp>
#include <optional>
#include <string>
#include <tgmap/zio/label.hpp>
#include <vector>

using namespace tgmap;
using zio::flow_event;
using zio::flow_options;
using zio::flow_role;
using zio::flow_side;
using zio::flow_state;

BOOST_AUTO_TEST_SUITE(flow_test)

namespace {

std::uint64_t no_time(const zio::message&) { return 0; }

flow_options options_of(flow_role role, flow_side side, std::uint64_t credit) {
  return {.role = role, .side = side, .credit = credit, .granule = no_time};
}

zio::message said(std::string label, std::uint64_t seqno = 0) {
  return {.form = zio::flow_form, .label = std::move(label), .seqno = seqno};
}

const std::string bot_extract = R"({"flow":"BOT","direction":"extract","credit":2})";
const std::string bot_inject = R"({"flow":"BOT","direction":"inject","credit":2})";
const std::string pay_one = R"({"flow":"PAY","credit":1})", dat = R"({"flow":"DAT"})", eot = R"({"flow":"EOT"})";

zio::flow giver(flow_side side = flow_side::client, std::uint64_t credit = 2) {
  return zio::flow(options_of(flow_role::giver, side, credit));
}
zio::flow taker(flow_side side = flow_side::client, std::uint64_t credit = 2) {
  return zio::flow(options_of(flow_role::taker, side, credit));
}

/// Makes a flow of a role and side in a state.
zio::flow brought(flow_role role, flow_side side, flow_state to) {
  zio::flow out(options_of(role, side, 2));
  const zio::message bot = said(role == flow_role::giver ? bot_inject : bot_extract);
  if (to == flow_state::closed) return out;
  if (side == flow_side::client)
    out.open();
  else
    out.process(bot);
  if (to == flow_state::opening || to == flow_state::requested) return out;
  if (side == flow_side::client)
    out.process(bot);
  else
    out.accept();
  if (role == flow_role::taker) out.pay();
  if (to == flow_state::ending || to == flow_state::ended) out.end();
  if (to == flow_state::ended) out.process(said(eot));
  if (to == flow_state::peer_ended) out.process(said(eot));
  if (to == flow_state::broken) {
    failure why;
    out.process(said(R"({"flow":"BOT"})"), why);
  }
  BOOST_TEST_REQUIRE((out.state() == to));
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_short_flow_is_that_of_the_reference) {
  flow_options of_giver = options_of(flow_role::giver, flow_side::client, 2);
  of_giver.attributes = cbor_value::map({{"stream", "demo"}, {"jobname", "fixture"}});
  of_giver.origin = 2002;
  zio::flow client(of_giver), server = taker(flow_side::server, 9);

  zio::message m = client.open();
  BOOST_TEST(m.label == R"({"credit":2,"direction":"extract","flow":"BOT","jobname":"fixture","stream":"demo"})");
  BOOST_TEST((m.form == zio::flow_form));
  BOOST_TEST(m.origin == 2002u);
  BOOST_TEST(m.seqno == 0u);
  BOOST_TEST((server.process(m) == flow_event::requested));
  BOOST_TEST(server.opening_label().view().find("stream")->text() == "demo");
  m = server.accept();
  BOOST_TEST(m.label == R"({"credit":2,"direction":"inject","flow":"BOT","jobname":"fixture","stream":"demo"})");
  BOOST_TEST((client.process(m) == flow_event::opened));
  BOOST_TEST(client.credit() == 0u);
  BOOST_TEST(server.credit() == 2u);
  m = server.pay();
  BOOST_TEST(m.label == R"({"credit":2,"flow":"PAY"})");
  BOOST_TEST(m.seqno == 1u);
  BOOST_TEST(server.credit() == 0u);
  BOOST_TEST((client.process(m) == flow_event::credited));
  BOOST_TEST(client.credit() == 2u);

  const std::vector<std::byte> data(16);
  zio::message tens{.form = zio::tens_form, .label = R"({"TENS":{"tensors":[]}})", .origin = 7, .granule = 8};
  tens.payload.push_back({.bytes = data});
  for (const std::uint64_t number : {1u, 2u}) {
    m = client.give(tens);
    BOOST_TEST(m.label == R"({"TENS":{"tensors":[]},"flow":"DAT"})");
    BOOST_TEST((m.form == zio::flow_form));
    BOOST_TEST(m.seqno == number);
    BOOST_TEST(m.origin == 2002u);
    BOOST_TEST(static_cast<const void*>(m.payload.at(0).bytes.data()) == static_cast<const void*>(data.data()));
    BOOST_TEST((server.process(m) == flow_event::data));
  }
  failure why;
  client.give(tens, why);
  BOOST_TEST(why.code == errc::call_out_of_order);
  BOOST_TEST(server.credit() == 2u);

  m = client.end();
  BOOST_TEST(m.label == eot);
  BOOST_TEST(m.seqno == 3u);
  BOOST_TEST((client.process(server.pay()) == flow_event::late));
  BOOST_TEST((server.process(m) == flow_event::peer_ended));
  m = server.end();
  BOOST_TEST(m.seqno == 3u);
  BOOST_TEST((client.process(m) == flow_event::ended));
  BOOST_TEST((client.state() == flow_state::ended));
  BOOST_TEST((server.state() == flow_state::ended));
}

BOOST_AUTO_TEST_CASE(a_server_lowers_the_credit_and_a_client_adopts_it) {
  zio::flow client = taker(flow_side::client, 9), server = giver(flow_side::server, 3);
  server.process(client.open());
  const zio::message answer = server.accept();
  BOOST_TEST(answer.label == R"({"credit":3,"direction":"extract","flow":"BOT"})");
  client.process(answer);
  BOOST_TEST(client.agreed_credit() == 3u);
  BOOST_TEST((server.process(client.pay()) == flow_event::credited));
  BOOST_TEST(server.credit() == 3u);

  zio::flow wants_less = taker(flow_side::client, 1), grants_more = giver(flow_side::server, 3);
  grants_more.process(wants_less.open());
  wants_less.process(grants_more.accept());
  BOOST_TEST(grants_more.agreed_credit() == 1u);
}

BOOST_AUTO_TEST_CASE(a_server_that_echoes_the_offer_grants_no_more_than_it_has) {
  flow_options echoing = options_of(flow_role::giver, flow_side::server, 2);
  echoing.echo_credit = true;
  zio::flow server(echoing), client = taker(flow_side::client, 9);
  server.process(client.open());
  const zio::message answer = server.accept();
  BOOST_TEST(answer.label == R"({"credit":9,"direction":"extract","flow":"BOT"})");
  client.process(answer);
  failure why;
  server.process(client.pay(), why);
  BOOST_TEST(why.code == zio::errc::flow_credit);
  BOOST_TEST(why.expected == 2u);
  BOOST_TEST(why.found == 9u);
  BOOST_TEST((server.state() == flow_state::broken));
  BOOST_TEST(server.end().label == eot);
  BOOST_TEST((server.state() == flow_state::ended));
}

BOOST_AUTO_TEST_CASE(a_taker_refuses_an_answer_of_more_than_it_offered) {
  failure why;
  zio::flow client = taker();
  client.open();
  client.process(said(R"({"flow":"BOT","direction":"extract","credit":3})"), why);
  BOOST_TEST(why.code == zio::errc::flow_protocol);
  // A giver may have more.
  zio::flow gives = giver();
  gives.open();
  gives.process(said(R"({"flow":"BOT","direction":"inject","credit":3})"));
  BOOST_TEST(gives.agreed_credit() == 3u);
}

BOOST_AUTO_TEST_CASE(an_eot_in_answer_to_a_bot_is_a_refusal) {
  zio::flow client = giver(), server = taker(flow_side::server);
  server.process(client.open());
  const zio::message answer = server.end();
  BOOST_TEST(answer.seqno == 0u);
  BOOST_TEST((server.state() == flow_state::ended));
  failure why;
  client.process(answer, why);
  BOOST_TEST(why.code == zio::errc::flow_refused);
  BOOST_TEST((client.state() == flow_state::ended));
}

BOOST_AUTO_TEST_CASE(a_client_may_end_before_it_was_answered) {
  zio::flow client = taker(), server = giver(flow_side::server);
  server.process(client.open());
  const zio::message end = client.end();
  BOOST_TEST((client.process(server.accept()) == flow_event::late));
  BOOST_TEST((server.process(end) == flow_event::peer_ended));
  BOOST_TEST((client.process(server.end()) == flow_event::ended));
  // Before the server has answered.
  zio::flow early = taker(), slow = giver(flow_side::server);
  slow.process(early.open());
  BOOST_TEST((slow.process(early.end()) == flow_event::peer_ended));
  BOOST_TEST((early.process(slow.end()) == flow_event::ended));
}

BOOST_AUTO_TEST_CASE(both_may_end_at_once) {
  zio::flow client = brought(flow_role::giver, flow_side::client, flow_state::open);
  zio::flow server = brought(flow_role::taker, flow_side::server, flow_state::open);
  const zio::message message = client.end(), two = server.end();
  BOOST_TEST((client.process(two) == flow_event::ended));
  BOOST_TEST((server.process(message) == flow_event::ended));
}

BOOST_AUTO_TEST_CASE(every_message_in_every_state_is_an_event_or_a_violation) {
  using state = flow_state;
  using event = flow_event;
  struct row {
    flow_role role;
    flow_side side;
    state at;
    std::optional<event> bot, pay, dat, eot;  // nothing: a violation
  };
  constexpr std::nullopt_t no = std::nullopt;
  const auto gives = flow_role::giver, takes = flow_role::taker;
  const auto client = flow_side::client, server = flow_side::server;
  std::vector<row> rows{
      {gives, client, state::opening, event::opened, no, no, no},
      {takes, client, state::opening, event::opened, no, no, no},
      {gives, server, state::closed, event::requested, no, no, no},
      {takes, server, state::closed, event::requested, no, no, no},
      {gives, server, state::requested, no, no, no, event::peer_ended},
      {takes, server, state::requested, no, no, no, event::peer_ended},
      {gives, client, state::closed, no, no, no, no},
      {takes, client, state::closed, no, no, no, no},
  };
  for (const flow_side side : {client, server}) {
    rows.push_back({gives, side, state::open, no, event::credited, no, event::peer_ended});
    rows.push_back({takes, side, state::open, no, no, event::data, event::peer_ended});
    rows.push_back({gives, side, state::ending, no, event::late, no, event::ended});
    rows.push_back({takes, side, state::ending, no, no, event::late, event::ended});
    for (const state at : {state::peer_ended, state::ended}) {
      rows.push_back({gives, side, at, no, no, no, no});
      rows.push_back({takes, side, at, no, no, no, no});
    }
  }
  for (const row& r : rows) {
    const std::string bot = r.role == gives ? bot_inject : bot_extract;
    const std::pair<std::string, std::optional<flow_event>> all[] = {
        {bot, r.bot},          {pay_one, r.pay}, {dat, r.dat}, {eot, r.eot}, {R"({"flow":"XYZ"})", no},
        {R"({"flow":3})", no}, {"[]", no},       {"", no},     {"{", no}};
    for (const auto& [text, wanted] : all) {
      zio::flow end = brought(r.role, r.side, r.at);
      failure why;
      const flow_event came = end.process(said(text), why);
      const std::string where = text + " in state " + std::to_string(static_cast<int>(r.at)) + " of role " +
                                std::to_string(static_cast<int>(r.role)) + std::to_string(static_cast<int>(r.side));
      BOOST_TEST(!why == wanted.has_value(), where << ": " << why.text());
      if (wanted) {
        BOOST_TEST((came == *wanted), where);
        continue;
      }
      if (r.at == state::opening && text == eot) {
        BOOST_TEST(why.code == zio::errc::flow_refused, where);
        continue;
      }
      BOOST_TEST(why.code == (text == "{" ? zio::errc::bad_label : zio::errc::flow_protocol),
                 where << ": " << why.text());
      BOOST_TEST((end.state() == (r.at == state::ended ? state::ended : state::broken)), where);
      // Messages after a violation are ignored.
      if (end.state() == state::broken) {
        end.process(said(eot), why);
        BOOST_TEST(why.code == errc::call_out_of_order, where);
        BOOST_TEST(end.end().label == eot, where);
      }
      end.give({}, why);
      BOOST_TEST(why.code == errc::call_out_of_order, where);
      end.pay(why);
      BOOST_TEST(why.code == errc::call_out_of_order, where);
    }
  }
}

BOOST_AUTO_TEST_CASE(calls_out_of_order_change_nothing) {
  using enum flow_state;
  for (const auto role : {flow_role::giver, flow_role::taker})
    for (const auto side : {flow_side::client, flow_side::server})
      for (const auto at : {closed, opening, requested, open, ending, peer_ended, ended}) {
        if (at == opening && side == flow_side::server) continue;
        if (at == requested && side == flow_side::client) continue;
        zio::flow end = brought(role, side, at);
        failure why;
        const auto refused = [&] { return why.code == errc::call_out_of_order && end.state() == at; };
        if (at != closed || side == flow_side::server) BOOST_TEST((end.open(why), refused()));
        if (at != requested) BOOST_TEST((end.accept(why), refused()));
        BOOST_TEST((end.give(said(dat), why), refused()));  // without credit even when open
        BOOST_TEST((end.pay(why), refused()));
        if (at == closed || at == ending || at == ended) BOOST_TEST((end.end(why), refused()));
      }
}

BOOST_AUTO_TEST_CASE(a_dat_that_was_not_paid_for_is_a_violation) {
  zio::flow end = brought(flow_role::taker, flow_side::client, flow_state::open);
  end.process(said(dat));
  end.process(said(dat));
  failure why;
  end.process(said(dat), why);
  BOOST_TEST(why.code == zio::errc::flow_protocol);
}

BOOST_AUTO_TEST_CASE(credit_may_be_a_floating_point_number) {
  zio::flow server = giver(flow_side::server, 3);
  server.process(said(R"({"flow": "BOT", "direction": "inject", "credit": 2.0})"));
  BOOST_TEST(server.accept().label == R"({"credit":2,"direction":"extract","flow":"BOT"})");
  server.process(said(R"({"flow": "PAY", "credit": 1e0})"));
  BOOST_TEST(server.credit() == 1u);
}

BOOST_AUTO_TEST_CASE(invalid_credits_are_violations) {
  for (const char* credit : {"0", "-1", "1.5", "\"2\"", "null", "1e300"}) {
    const std::string bot = R"({"flow":"BOT","direction":"inject","credit":)" + std::string(credit) + "}";
    failure why;
    zio::flow server = giver(flow_side::server);
    server.process(said(bot), why);
    BOOST_TEST(why.code == zio::errc::flow_protocol, bot);
    if (credit == std::string("0")) continue;  // a PAY of 0 is allowed
    zio::flow open = brought(flow_role::giver, flow_side::client, flow_state::open);
    open.process(said(R"({"flow":"PAY","credit":)" + std::string(credit) + "}"), why);
    BOOST_TEST(why.code == zio::errc::flow_protocol, credit);
  }
  for (const char* bot : {R"({"flow":"BOT","direction":"inject"})", R"({"flow":"BOT","credit":2})",
                          R"({"flow":"BOT","direction":"extract","credit":2})"}) {
    failure why;
    zio::flow server = giver(flow_side::server);
    server.process(said(bot), why);
    BOOST_TEST(why.code == zio::errc::flow_protocol, bot);
  }
  failure why;
  zio::flow open = brought(flow_role::giver, flow_side::client, flow_state::open);
  open.process(said(R"({"flow":"PAY","credit":18446744073709551615})"), why);
  BOOST_TEST(why.code == zio::errc::flow_credit);
  zio::flow(options_of(flow_role::giver, flow_side::client, 0), why);
  BOOST_TEST(why.code == errc::invalid_option);
}

BOOST_AUTO_TEST_CASE(messages_of_other_forms_are_violations) {
  zio::flow end = brought(flow_role::taker, flow_side::client, flow_state::open);
  zio::message other = said(dat);
  other.form = zio::tens_form;
  failure why;
  end.process(other, why);
  BOOST_TEST(why.code == zio::errc::flow_protocol);
}

BOOST_AUTO_TEST_CASE(labels_of_dats_keep_their_keys) {
  zio::flow end = brought(flow_role::giver, flow_side::client, flow_state::open);
  const auto given = [&](const std::string& label) {
    if (end.credit() == 0) end.process(said(R"({"flow":"PAY","credit":2})"));
    failure why;
    const zio::message out = end.give(said(label), why);
    return why ? why.text() : out.label;
  };
  // The label of a DAT is sent unchanged, whatever its format.
  const std::string python = R"({"TENS": {"tensors": [], "metadata": {}}, "flow": "DAT"})";
  BOOST_TEST(given(python) == python);
  BOOST_TEST(given("") == dat);
  BOOST_TEST(given("null\n") == dat);
  BOOST_TEST(given(R"({"x": 1.0, "a": [1,2]})") == R"({"a":[1,2],"flow":"DAT","x":1.0})");
  BOOST_TEST(given(R"({"flow":"EOT"})") == dat);
  const std::uint64_t left = end.credit();
  for (const char* label : {"[1]", "text", "3"}) {
    failure why;
    end.give(said(label), why);
    BOOST_TEST(why.code == zio::errc::bad_label, label);
  }
  BOOST_TEST(end.credit() == left);
  BOOST_TEST(given("{}") == dat);
}

BOOST_AUTO_TEST_CASE(rollback_undoes_a_message) {
  zio::flow end = brought(flow_role::giver, flow_side::client, flow_state::open);
  end.process(said(pay_one));
  const zio::message first = end.give(said(""));
  BOOST_TEST(end.credit() == 0u);
  end.rollback();
  BOOST_TEST(end.credit() == 1u);
  BOOST_TEST(end.give(said("")).seqno == first.seqno);
  const zio::message last = end.end();
  end.rollback();
  BOOST_TEST((end.state() == flow_state::open));
  BOOST_TEST(end.end().seqno == last.seqno);
}

BOOST_AUTO_TEST_CASE(granules_come_from_the_given_clock) {
  flow_options how = options_of(flow_role::giver, flow_side::client, 2);
  how.granule = [](const zio::message& m) { return m.granule == 0 ? 5 : m.granule; };
  zio::flow end(how);
  BOOST_TEST(end.open().granule == 5u);
  end.process(said(bot_inject));
  end.process(said(pay_one));
  zio::message data = said("");
  data.granule = 77;
  BOOST_TEST(end.give(data).granule == 77u);
  BOOST_TEST(zio::flow(flow_options{}).open().granule > 1'600'000'000'000'000u);
}

BOOST_AUTO_TEST_CASE(an_empty_dat_marks_the_end_of_the_stream) {
  BOOST_TEST(zio::is_end_of_stream(said(dat)));
  BOOST_TEST(zio::is_end_of_stream(said(R"({"flow": "DAT"})")));
  BOOST_TEST(!zio::is_end_of_stream(said(R"({"TENS":{},"flow":"DAT"})")));
  BOOST_TEST(!zio::is_end_of_stream(said(eot)));
  zio::message full = said(dat);
  full.payload.emplace_back();
  BOOST_TEST(!zio::is_end_of_stream(full));
}

BOOST_AUTO_TEST_SUITE_END()
