// SPDX-License-Identifier: Apache-2.0
#include "raw_peer.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <stdexcept>

namespace tgmap_test {

namespace {

void must(bool done, const char* what) {
  if (!done) throw std::runtime_error(what);
}

sockaddr_in loopback(int port) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  out.sin_port = htons(static_cast<std::uint16_t>(port));
  return out;
}

void give_up_in_the_end(int socket) {
  const timeval long_enough{20, 0};
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &long_enough, sizeof long_enough);
}

}  // namespace

raw_peer::raw_peer() : listening_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in at = loopback(0);
  socklen_t size = sizeof at;
  must(::bind(listening_, reinterpret_cast<sockaddr*>(&at), size) == 0 && ::listen(listening_, 1) == 0, "listen");
  must(::getsockname(listening_, reinterpret_cast<sockaddr*>(&at), &size) == 0, "getsockname");
  give_up_in_the_end(listening_);
  endpoint_ = "tcp://127.0.0.1:" + std::to_string(ntohs(at.sin_port));
}

raw_peer::raw_peer(const std::string& endpoint)
    : endpoint_(endpoint), connected_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  const sockaddr_in at = loopback(std::stoi(endpoint.substr(endpoint.rfind(':') + 1)));
  must(::connect(connected_, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0, "connect");
  give_up_in_the_end(connected_);
}

raw_peer::~raw_peer() {
  close();
  if (listening_ >= 0) ::close(listening_);
}

void raw_peer::accept() {
  connected_ = ::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
  must(connected_ >= 0, "accept");
  give_up_in_the_end(connected_);
}

void raw_peer::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto gone = ::send(connected_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    must(gone > 0, "send");
    bytes = bytes.subspan(static_cast<std::size_t>(gone));
  }
}

std::vector<std::byte> raw_peer::read(std::size_t bytes) {
  std::vector<std::byte> out(bytes);
  std::size_t have = 0;
  while (have < bytes) {
    const auto got = ::recv(connected_, out.data() + have, bytes - have, 0);
    if (got <= 0) break;
    have += static_cast<std::size_t>(got);
  }
  out.resize(have);
  return out;
}

void raw_peer::close() {
  if (connected_ >= 0) ::close(connected_);
  connected_ = -1;
}

}  // namespace tgmap_test
