// SPDX-License-Identifier: Apache-2.0
// The lifetime of the memory of messages that ZeroMQ holds.
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zmq.h>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <optional>
#include <support/temporary.hpp>
#include <thread>

#include "fixtures/raw_peer.hpp"
#include "fixtures/sockets.hpp"

using namespace tgmap;
using namespace tgmap_test;

namespace {

zio::message message_of(zio::part part) {
  zio::message out{.form = zio::tens_form, .label = "{}"};
  out.payload.push_back(std::move(part));
  return out;
}

std::uint64_t anonymous_kilobytes() {
  std::ifstream in("/proc/self/status");
  for (std::string word; in >> word;)
    if (word == "RssAnon:") {
      std::uint64_t out = 0;
      in >> out;
      return out;
    }
  return 0;
}

/// A mapped sparse file.
zio::part mapped_zeros(const temporary_directory& folder, std::size_t bytes) {
  const auto path = folder.file("zeros", "");
  std::filesystem::resize_file(path, bytes);
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  void* at = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, 0);
  ::close(file);
  const std::shared_ptr<const void> keeps(at, [bytes](const void* p) { ::munmap(const_cast<void*>(p), bytes); });
  return {{static_cast<const std::byte*>(at), bytes}, pin(keeps)};
}

/// A process that receives messages with PULL until it is killed. Start it before this process has threads.
class taker {
 public:
  taker() {
    int ends[2];
    BOOST_REQUIRE(::pipe(ends) == 0);
    process_ = ::fork();
    if (process_ == 0) {
      void* context = ::zmq_ctx_new();
      void* pull = ::zmq_socket(context, ZMQ_PULL);
      ::zmq_bind(pull, "tcp://127.0.0.1:*");
      char endpoint[64] = {};
      std::size_t size = sizeof endpoint;
      ::zmq_getsockopt(pull, ZMQ_LAST_ENDPOINT, endpoint, &size);
      if (::write(ends[1], endpoint, sizeof endpoint) != sizeof endpoint) ::_exit(1);
      zmq_msg_t part;
      ::zmq_msg_init(&part);
      while (::zmq_msg_recv(&part, pull, 0) >= 0) {
      }
      ::_exit(0);
    }
    char endpoint[64] = {};
    BOOST_REQUIRE(::read(ends[0], endpoint, sizeof endpoint) == sizeof endpoint);
    ::close(ends[0]);
    ::close(ends[1]);
    endpoint_ = endpoint;
  }
  ~taker() { kill(); }
  void kill() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = 0;
  }
  const std::string& endpoint() const { return endpoint_; }

 private:
  pid_t process_ = 0;
  std::string endpoint_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(buffer_pool_test)

BOOST_AUTO_TEST_CASE(sending_a_large_mapping_allocates_no_memory) {
  const temporary_directory folder;
  const taker other;
  constexpr std::size_t bytes = std::size_t{128} << 20;
  const auto big = message_of(mapped_zeros(folder, bytes));
  auto options = socket_of(zio::socket_kind::push, other.endpoint(), false);
  zio::socket push(options);
  push.send(message_of(owned_part(20000)), patient);  // the first message allocates more than the others
  push.drain(patient);
  const auto before = anonymous_kilobytes();
  push.send(big, patient);
  push.drain(patient);
  const auto after = anonymous_kilobytes();
  BOOST_TEST(after <= before + 1024, after << " kB after, " << before << " before");
  BOOST_TEST(push.statistics().bytes_copied == 0u);
  BOOST_TEST(push.statistics().bytes_sent == bytes + 20000);
}

BOOST_AUTO_TEST_CASE(owners_are_kept_until_the_bytes_are_sent) {
  raw_peer nobody;  // accepts the connection and sends nothing
  auto part = owned_part(100000);
  const auto watched = std::make_shared<int>(0);
  part.owner = pin(std::make_shared<std::pair<pin, std::shared_ptr<int>>>(part.owner, watched));
  {
    zio::socket push(socket_of(zio::socket_kind::push, nobody.endpoint(), false));
    push.send(message_of(std::move(part)), patient);
    BOOST_TEST(watched.use_count() == 2);
    BOOST_TEST(push.statistics().bytes_in_flight > 100000u);
    failure why;
    push.drain(soon, {}, why);
    BOOST_TEST(why.code == zio::errc::timed_out);
    BOOST_TEST(watched.use_count() == 2);
  }
  BOOST_TEST(watched.use_count() == 1);  // the socket is closed and has dropped its messages
}

BOOST_AUTO_TEST_CASE(parts_are_copied_without_an_owner_or_on_request) {
  for (const bool copy : {false, true})
    for (const std::size_t bytes : {std::size_t{33}, std::size_t{5000}, std::size_t{100000}}) {
      zio::socket pull = bound(zio::socket_kind::pull);
      auto options = socket_of(zio::socket_kind::push, pull.endpoint(), false);
      options.copy_payloads = copy;
      zio::socket push(options);
      std::vector<std::byte> memory(bytes, std::byte{1});
      const auto owned = std::make_shared<int>(0);
      const auto sent = message_of({memory, copy ? pin(owned) : pin()});
      push.send(sent, patient);
      BOOST_TEST(owned.use_count() == (copy ? 2 : 1));  // here and in the message
      memory.assign(bytes, std::byte{2});
      BOOST_TEST((pull.receive(patient).payload.at(0).bytes.back() == std::byte{1}));
      BOOST_TEST(push.statistics().bytes_copied == bytes);
    }
}

BOOST_AUTO_TEST_CASE(bytes_in_flight_are_bounded) {
  raw_peer nobody;
  auto options = socket_of(zio::socket_kind::push, nobody.endpoint(), false);
  options.max_in_flight_bytes = 100000;
  zio::socket push(options);
  failure why;
  push.send(message_of(owned_part(150000)), soon, {}, why);  // one message may always wait
  BOOST_TEST(!why);
  push.send(message_of(owned_part(1)), soon, {}, why);
  BOOST_TEST(why.code == zio::errc::timed_out);
  BOOST_TEST(push.statistics().messages_sent == 1u);
}

BOOST_AUTO_TEST_CASE(sending_continues_when_capacity_returns) {
  zio::socket pull = bound(zio::socket_kind::pull);
  auto options = socket_of(zio::socket_kind::push, pull.endpoint(), false);
  options.max_in_flight_bytes = 50000;
  zio::socket push(options);
  std::jthread receiver([&] {
    for (int i = 0; i < 200; ++i) pull.receive(patient);
  });
  for (int i = 0; i < 200; ++i) push.send(message_of(owned_part(20000)), patient);
  push.drain(patient);
  receiver.join();
  BOOST_TEST(pull.statistics().messages_received == 200u);
}

BOOST_AUTO_TEST_CASE(with_inproc_the_receiver_holds_the_memory) {
  auto part = owned_part(1000);
  const std::byte* const at = part.bytes.data();
  zio::message came;
  {
    zio::socket pull = bound(zio::socket_kind::pull, "inproc://lending");
    zio::socket push = connected(zio::socket_kind::push, pull);
    push.send(message_of(std::move(part)), patient);
    came = pull.receive(patient);
  }
  BOOST_TEST(came.payload.at(0).bytes.data() == at);
  BOOST_TEST((came.payload.at(0).bytes.back() == std::byte{7}));
}

BOOST_AUTO_TEST_CASE(without_a_receiver_sending_times_out) {
  const temporary_directory folder;
  taker other;
  auto options = socket_of(zio::socket_kind::push, other.endpoint(), false);
  options.max_in_flight_bytes = std::uint64_t{4} << 20;
  zio::socket push(options);
  const auto one = message_of(mapped_zeros(folder, std::size_t{3} << 20));
  for (int i = 0; i < 10; ++i) push.send(one, patient);
  other.kill();
  failure why;
  for (int i = 0; i < 10 && !why; ++i) push.send(one, std::chrono::milliseconds(100), {}, why);
  BOOST_TEST(why.code == zio::errc::timed_out);
  BOOST_TEST(push.statistics().disconnected == 1u);
}

BOOST_AUTO_TEST_CASE(a_router_reports_a_lost_peer) {
  zio::socket router = bound(zio::socket_kind::router);
  {
    zio::socket dealer = connected(zio::socket_kind::dealer, router);
    dealer.send(message_of(owned_part(1)), patient);
    router.receive(patient);
  }
  failure why;
  for (int i = 0; i < 1000 && !why; ++i) {
    router.send(message_of(owned_part(1000)), patient, {}, why);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  BOOST_TEST(why.code == zio::errc::peer_gone);
  router.drain(patient);
}

BOOST_AUTO_TEST_CASE(many_lost_receivers_leak_no_memory) {
  zio::socket push = bound(zio::socket_kind::push);
  const auto watched = std::make_shared<int>(0);
  failure why;
  for (int round = 0; round < 20; ++round) {
    zio::socket pull = connected(zio::socket_kind::pull, push);
    zio::part part = owned_part(9000);
    part.owner = pin(std::make_shared<std::pair<pin, std::shared_ptr<int>>>(part.owner, watched));
    const auto one = message_of(std::move(part));
    for (int i = 0; i < 20; ++i) push.send(one, patient);
    pull.receive(soon, {}, why);  // messages to the previous receiver are lost
  }
  push.drain(patient);
  BOOST_TEST(watched.use_count() == 1);
}

// ZeroMQ forgets the parts of a message whose connection ends before its last part.
BOOST_AUTO_TEST_CASE(a_message_interrupted_between_parts_is_sent_again) {
  zio::socket push = bound(zio::socket_kind::push);
  zio::part part = owned_part(100);
  const auto watched = std::make_shared<int>(0);
  part.owner = pin(std::make_shared<std::pair<pin, std::shared_ptr<int>>>(part.owner, watched));
  zio::message longish = message_of(part);
  longish.payload.assign(50000, part);  // takes longer than the interval at which ZeroMQ checks its connections

  std::atomic<int> went_again{0};
  const auto begin = std::chrono::steady_clock::now();
  for (int round = 0; round < 20 || went_again == 0; ++round) {
    std::atomic<bool> begun{false};
    std::jthread takers([&](const std::stop_token& stop) {
      failure why;
      auto first = std::make_optional(connected(zio::socket_kind::pull, push));
      first->receive(patient, {}, why);
      begun = true;
      first.reset();
      zio::socket next = connected(zio::socket_kind::pull, push);
      while (!stop.stop_requested())
        if (next.receive(soon, {}, why).payload.size() == longish.payload.size()) ++went_again;
    });
    failure why;  // messages to the previous receiver are lost
    while (!begun) push.send(message_of(owned_part(1)), soon, {}, why);
    push.send(longish, patient);
    push.drain(patient);
    BOOST_REQUIRE(std::chrono::steady_clock::now() - begin < 5 * patient);
  }
  longish.payload.clear();
  part.owner = {};
  BOOST_TEST(watched.use_count() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
