// SPDX-License-Identifier: Apache-2.0
// A first program with the component zio: a socket, a message, a label.
#include <cstdio>
#include <tgmap/zio/flow_port.hpp>
#include <tgmap/zio/from_archive.hpp>
#include <tgmap/zio/socket.hpp>
#include <tgmap/zio/tens_builder.hpp>
#include <tgmap/zio/to_archive.hpp>
#include <vector>

int main() {
  using namespace std::chrono_literals;
  namespace zio = tgmap::zio;
  const std::vector<float> values{1, 2, 3};
  const std::vector<std::uint64_t> shape{3};
  zio::tens_builder build;
  build.append(std::span(values), shape);
  zio::socket to({.kind = zio::socket_kind::pull, .endpoint = "inproc://here", .bind = true});
  zio::socket socket({.kind = zio::socket_kind::push, .endpoint = "inproc://here"});
  socket.send(build.message(), 5s);
  std::puts(to.receive(5s).label.c_str());
  return 0;
}
