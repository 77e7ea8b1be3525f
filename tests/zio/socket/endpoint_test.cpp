// SPDX-License-Identifier: Apache-2.0
#include "zio/socket/endpoint.hpp"

#include <boost/test/unit_test.hpp>

using namespace tgmap;

BOOST_AUTO_TEST_SUITE(endpoint_test)

BOOST_AUTO_TEST_CASE(private_addresses_are_recognized) {
  for (const char* here : {"tcp://127.0.0.1:5", "tcp://127.255.0.9:*", "tcp://localhost:5", "tcp://[::1]:5", "ipc://x",
                           "ipc:///tmp/@x", "ipc://x@y", "ipc://*", "inproc://x", "tcp://::1:5"})
    BOOST_TEST(zio::is_private(here), here);
  for (const char* open :
       {"tcp://*:5", "tcp://0.0.0.0:5", "tcp://[::]:5", "tcp://lo:5", "tcp://128.0.0.1:5",
        "tcp://127.0.0.1.example.org:5", "tcp://localhost.example.org:5", "tcp://127.1:5", "tcp://:5", "ipc://@x",
        "ipc://@", "tcp://", "tcp://[127.0.0.1:5", "pgm://127.0.0.1:5", "", "tcp://[fe80::1]:5",
        "tcp://127.0.0.1000000000000000000000000000000000000000000000000000000:5"})
    BOOST_TEST(!zio::is_private(open), open);
}

BOOST_AUTO_TEST_CASE(endpoints_have_a_transport_and_a_place) {
  for (const char* good : {"tcp://127.0.0.1:65535", "tcp://*:*", "tcp://[::1]:5", "ipc://x", "inproc://x"})
    BOOST_TEST(zio::is_endpoint(good), good);
  for (const char* bad :
       {"", "tcp", "tcp://", "tcp://:5", "tcp://host", "tcp://host:", "tcp://host:5x", "tcp://host:-5",
        "tcp://host:65536", "tcp://host:99999999999", "ipc://", "inproc://", "udp://host:5", "host:5"})
    BOOST_TEST(!zio::is_endpoint(bad), bad);
}

BOOST_AUTO_TEST_CASE(brackets_mean_ipv6) {
  BOOST_TEST(zio::is_ipv6("tcp://[::1]:5"));
  BOOST_TEST(!zio::is_ipv6("tcp://127.0.0.1:5"));
  BOOST_TEST(!zio::is_ipv6("ipc://[x"));
}

BOOST_AUTO_TEST_SUITE_END()
