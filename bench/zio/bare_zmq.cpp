// SPDX-License-Identifier: Apache-2.0
#include "zio/bare_zmq.hpp"

#include <sys/wait.h>
#include <unistd.h>
#include <zmq.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace tgmap_bench {

namespace {

void check_zmq(bool is_done, const char* what) {
  if (!is_done) throw std::runtime_error(std::string(what) + ": " + zmq_strerror(zmq_errno()));
}

void keep_memory(void*, void*) {}

void send_copy(void* socket, const void* bytes, std::size_t size) {
  check_zmq(zmq_send(socket, bytes, size, ZMQ_SNDMORE) >= 0, "zmq_send");
}

struct pipe_ends {
  int read = -1, write = -1;
};

pipe_ends make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) throw std::runtime_error("pipe");
  return {ends[0], ends[1]};
}

template <class T>
bool get(int from, T& into) {
  return ::read(from, &into, sizeof into) == static_cast<ssize_t>(sizeof into);
}

template <class T>
void put(int to, const T& value) {
  if (::write(to, &value, sizeof value) != static_cast<ssize_t>(sizeof value))
    throw std::runtime_error("the peer is gone");
}

}  // namespace

bare_socket::bare_socket(int type) : context_(zmq_ctx_new()), socket_(zmq_socket(context_, type)) {
  check_zmq(socket_ != nullptr, "zmq_socket");
  const int none = 0;
  zmq_setsockopt(socket_, ZMQ_LINGER, &none, sizeof none);
}

bare_socket::bare_socket(bare_socket&& other) noexcept
    : context_(std::exchange(other.context_, nullptr)), socket_(std::exchange(other.socket_, nullptr)) {}

bare_socket::~bare_socket() {
  if (socket_ != nullptr) zmq_close(socket_);
  if (context_ != nullptr) zmq_ctx_term(context_);
}

bare_socket bare_socket::push(const std::string& endpoint) {
  bare_socket out(ZMQ_PUSH);
  check_zmq(zmq_connect(out.socket_, endpoint.c_str()) == 0, "zmq_connect");
  return out;
}

bare_socket bare_socket::pull() {
  bare_socket out(ZMQ_PULL);
  check_zmq(zmq_bind(out.socket_, "tcp://127.0.0.1:*") == 0, "zmq_bind");
  return out;
}

std::string bare_socket::endpoint() const {
  std::array<char, 128> name{};
  std::size_t size = name.size();
  check_zmq(zmq_getsockopt(socket_, ZMQ_LAST_ENDPOINT, name.data(), &size) == 0, "ZMQ_LAST_ENDPOINT");
  return name.data();
}

void bare_socket::send(std::string_view prefix, std::span<const std::byte> coordinates,
                       std::span<const std::byte> payload) const {
  send_copy(socket_, prefix.data(), prefix.size());
  send_copy(socket_, coordinates.data(), coordinates.size());
  zmq_msg_t last;
  zmq_msg_init_data(&last, const_cast<std::byte*>(payload.data()), payload.size(), keep_memory, nullptr);
  check_zmq(zmq_msg_send(&last, socket_, 0) >= 0, "zmq_msg_send");
}

void bare_socket::receive(std::uint64_t messages) const {
  while (messages != 0) {
    zmq_msg_t part;
    zmq_msg_init(&part);
    check_zmq(zmq_msg_recv(&part, socket_, 0) >= 0, "zmq_msg_recv");
    if (zmq_msg_more(&part) == 0) --messages;
    zmq_msg_close(&part);
  }
}

namespace {

/// Forks. The child runs `work` and exits.
int start_process(const pipe_ends& in, const pipe_ends& out, const std::function<void(const pipe_ends&)>& work) {
  const int process = ::fork();
  if (process != 0) return process;
  ::close(in.write);
  ::close(out.read);
  try {
    work({in.read, out.write});
  } catch (const std::exception& e) {
    std::fprintf(stderr, "peer: %s\n", e.what());
  }
  ::_exit(0);
}

}  // namespace

peer peer::receiver() {
  const pipe_ends in = make_pipe(), out = make_pipe();
  peer result;
  result.process_ = start_process(in, out, [](const pipe_ends& to_parent) {
    const bare_socket socket = bare_socket::pull();
    std::array<char, 128> name{};
    std::strncpy(name.data(), socket.endpoint().c_str(), name.size() - 1);
    put(to_parent.write, name);
    for (std::uint64_t messages = 0; get(to_parent.read, messages);) {
      socket.receive(messages);
      put(to_parent.write, messages);
    }
  });
  ::close(in.read);
  ::close(out.write);
  result.to_ = in.write;
  result.from_ = out.read;
  std::array<char, 128> name{};
  if (!get(result.from_, name)) throw std::runtime_error("the peer did not begin");
  result.endpoint_ = name.data();
  return result;
}

peer peer::sender(const std::string& endpoint, std::string prefix, std::size_t payload_bytes) {
  const pipe_ends in = make_pipe(), out = make_pipe();
  peer result;
  result.process_ = start_process(in, out, [&](const pipe_ends& to_parent) {
    const bare_socket socket = bare_socket::push(endpoint);
    const std::vector<std::byte> payload(payload_bytes, std::byte{1});
    const std::array<std::byte, 24> coordinates{};
    for (std::uint64_t messages = 0; get(to_parent.read, messages);) {
      for (std::uint64_t i = 0; i < messages; ++i) socket.send(prefix, coordinates, payload);
      put(to_parent.write, messages);
    }
  });
  ::close(in.read);
  ::close(out.write);
  result.to_ = in.write;
  result.from_ = out.read;
  return result;
}

peer::peer(peer&& other) noexcept
    : to_(std::exchange(other.to_, -1)),
      from_(std::exchange(other.from_, -1)),
      process_(std::exchange(other.process_, -1)),
      endpoint_(std::move(other.endpoint_)) {}

peer::~peer() {
  if (process_ < 0) return;
  ::close(to_);
  ::close(from_);
  ::waitpid(process_, nullptr, 0);
}

void peer::begin(std::uint64_t messages) const { put(to_, messages); }

void peer::finish() const {
  std::uint64_t messages = 0;
  if (!get(from_, messages)) throw std::runtime_error("the peer is gone");
}

}  // namespace tgmap_bench
