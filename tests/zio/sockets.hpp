// SPDX-License-Identifier: Apache-2.0
// Sockets as tests want them: on this machine, quick to give up.
#pragma once

#include <chrono>
#include <tgmap/zio/socket.hpp>

namespace tgmap_test {

namespace zio = tgmap::zio;

inline constexpr std::chrono::milliseconds soon{20};        ///< for what does not come
inline constexpr std::chrono::milliseconds patient{20000};  ///< for what does

inline zio::socket_options socket_of(zio::socket_kind kind, std::string endpoint, bool bind) {
  zio::socket_options out;
  out.kind = kind;
  out.endpoint = std::move(endpoint);
  out.bind = bind;
  out.linger = std::chrono::milliseconds(0);
  return out;
}

inline zio::socket bound(zio::socket_kind kind, std::string endpoint = "tcp://127.0.0.1:*") {
  return zio::socket(socket_of(kind, std::move(endpoint), true));
}

inline zio::socket connected(zio::socket_kind kind, const zio::socket& to) {
  return zio::socket(socket_of(kind, to.endpoint(), false));
}

inline bool same(const zio::message& a, const zio::message& b) {
  if (a.level != b.level || a.form != b.form || a.label != b.label || a.payload.size() != b.payload.size())
    return false;
  if (a.origin != b.origin || a.granule != b.granule || a.seqno != b.seqno) return false;
  for (std::size_t i = 0; i < a.payload.size(); ++i)
    if (!std::equal(a.payload[i].bytes.begin(), a.payload[i].bytes.end(), b.payload[i].bytes.begin(),
                    b.payload[i].bytes.end()))
      return false;
  return true;
}

/// Memory that a message owns.
inline zio::part owned_part(std::size_t bytes, unsigned char fill = 7) {
  auto memory = std::make_shared<std::vector<std::byte>>(bytes, std::byte{fill});
  return {*memory, tgmap::pin(memory)};
}

}  // namespace tgmap_test
