// SPDX-License-Identifier: Apache-2.0
#include <tgmap/zio/curve_keys.hpp>

#include <boost/test/unit_test.hpp>
#include <support/temporary.hpp>

#include "fixtures/sockets.hpp"

using namespace tgmap;
using namespace tgmap_test;

namespace {

const zio::message& greeting() {
  static const zio::message out{.form = "TEXT", .label = "hello", .seqno = 5};
  return out;
}

zio::socket guarded(const zio::curve_keys& keys, zio::socket_kind kind = zio::socket_kind::pull) {
  auto options = socket_of(kind, "tcp://127.0.0.1:*", true);
  options.keys = keys;
  return zio::socket(options);
}

zio::socket_options towards(const zio::socket& server, const std::string& key,
                            zio::socket_kind kind = zio::socket_kind::push) {
  auto out = socket_of(kind, server.endpoint(), false);
  out.server_key = key;
  return out;
}

constexpr const char* certificate_of_pyzmq =
    "#   ****  Generated on 2026-11-22 by pyzmq  ****\n"
    "#   ZeroMQ CURVE **Secret** Certificate\n"
    "\n"
    "metadata\n"
    "    name = \"public-key = x\"\n"
    "curve\n"
    "    public-key = \"Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID\"\n"
    "    secret-key = \"D:)Q[IlAW!ahhC2ac:9*A}h:p?([4%wOTJ%JR%cs\"\n";

}  // namespace

BOOST_AUTO_TEST_SUITE(curve_keys_test)

BOOST_AUTO_TEST_CASE(the_right_key_connects) {
  const auto server = zio::make_curve_keys();
  for (const bool own : {false, true}) {
    zio::socket pull = guarded(server);
    auto options = towards(pull, server.public_key);
    if (own) options.keys = zio::make_curve_keys();
    zio::socket push(options);
    push.send(greeting(), patient);
    BOOST_TEST(same(pull.receive(patient), greeting()));
  }
}

BOOST_AUTO_TEST_CASE(a_wrong_key_or_none_is_refused) {
  zio::socket pull = guarded(zio::make_curve_keys());
  for (const std::string& key : {zio::make_curve_keys().public_key, std::string()}) {
    zio::socket push(towards(pull, key));
    failure why;
    push.send(greeting(), soon, {}, why);
    const auto before = pull.statistics().refused;
    for (int i = 0; i < 50 && pull.statistics().refused == before; ++i) {
      pull.receive(soon, {}, why);
      BOOST_TEST(why.code == zio::errc::timed_out);
    }
    BOOST_TEST(pull.statistics().refused > before);
    BOOST_TEST(pull.statistics().connected == 0u);
    BOOST_TEST(push.statistics().connected == 0u);
    BOOST_TEST(push.statistics().bytes_in_flight > 0u);
  }
}

BOOST_AUTO_TEST_CASE(a_socket_with_keys_refuses_plain_connections) {
  zio::socket pull = bound(zio::socket_kind::pull);
  zio::socket push(towards(pull, zio::make_curve_keys().public_key));
  failure why;
  push.send(greeting(), soon, {}, why);
  pull.receive(std::chrono::milliseconds(200), {}, why);
  BOOST_TEST(why.code == zio::errc::timed_out);
}

BOOST_AUTO_TEST_CASE(with_keys_public_addresses_are_allowed) {
  auto options = socket_of(zio::socket_kind::pull, "tcp://*:*", true);
  options.keys = zio::make_curve_keys();
  failure why;
  const zio::socket pull(options, why);
  BOOST_TEST(!why, why.text());
}

BOOST_AUTO_TEST_CASE(unused_or_invalid_keys_are_refused) {
  const auto keys = zio::make_curve_keys();
  failure why;
  auto options = socket_of(zio::socket_kind::push, "tcp://127.0.0.1:5", false);
  options.keys = keys;
  zio::socket(options, why);
  BOOST_TEST(why.code == errc::invalid_option);
  options.server_key = "too short";
  zio::socket(options, why);
  BOOST_TEST(why.code == zio::errc::bad_curve_key);
  options = socket_of(zio::socket_kind::push, "tcp://127.0.0.1:*", true);
  options.server_key = keys.public_key;
  zio::socket(options, why);
  BOOST_TEST(why.code == errc::invalid_option);
  options.server_key.clear();
  options.keys = {{keys.public_key, std::string(40, '~')}};
  zio::socket(options, why);
  BOOST_TEST(why.code == zio::errc::bad_curve_key);
}

BOOST_AUTO_TEST_CASE(key_files_are_read) {
  const temporary_directory folder;
  const auto keys = zio::make_curve_keys();
  const auto pair = folder.file("pair", zio::curve_certificate(keys));
  BOOST_TEST(zio::read_curve_keys(pair).secret_key == keys.secret_key);
  BOOST_TEST(zio::read_curve_keys(pair).public_key == keys.public_key);
  BOOST_TEST(zio::read_curve_public_key(pair) == keys.public_key);
  const auto shown = folder.file("public", zio::curve_certificate({keys.public_key, {}}));
  BOOST_TEST(zio::read_curve_public_key(shown) == keys.public_key);
  BOOST_TEST(zio::read_curve_keys(folder.file("bare", keys.secret_key + "\n")).public_key == keys.public_key);
  BOOST_TEST(zio::read_curve_public_key(folder.file("bare", keys.public_key)) == keys.public_key);
  const auto of_pyzmq = zio::read_curve_keys(folder.file("pyzmq", certificate_of_pyzmq));
  BOOST_TEST(of_pyzmq.public_key == "Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID");
}

BOOST_AUTO_TEST_CASE(invalid_key_files_are_refused) {
  const temporary_directory folder;
  const auto keys = zio::make_curve_keys(), other = zio::make_curve_keys();
  failure why;
  for (const std::string& text :
       {std::string(), std::string("abc"), std::string(40, '~'), zio::curve_certificate({keys.public_key, {}}),
        zio::curve_certificate({other.public_key, keys.secret_key}), "secret-key = \"" + keys.secret_key + "\"\n"}) {
    zio::read_curve_keys(folder.file("key", text), why);
    BOOST_TEST(why.code == zio::errc::bad_curve_key, text);
  }
  zio::read_curve_public_key(folder.file("key", "curve\n  secret-key = \"" + keys.secret_key + "\"\n"), why);
  BOOST_TEST(why.code == zio::errc::bad_curve_key);
  zio::read_curve_keys(folder / "absent", why);
  BOOST_TEST(why.code.value() == ENOENT);
  zio::read_curve_keys(folder.path(), why);
  BOOST_TEST(why.code.value() == EISDIR);
}

BOOST_AUTO_TEST_SUITE_END()
