// SPDX-License-Identifier: Apache-2.0
// The other end of a connection, played by plain TCP: bytes as they were recorded.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace tgmap_test {

/// One end of a TCP connection on this machine. Reads give up after two seconds.
class raw_peer {
 public:
  raw_peer();                                      ///< listens
  explicit raw_peer(const std::string& endpoint);  ///< connects to "tcp://127.0.0.1:port"
  ~raw_peer();
  raw_peer(const raw_peer&) = delete;
  raw_peer& operator=(const raw_peer&) = delete;

  const std::string& endpoint() const { return endpoint_; }  ///< where it listens
  void accept();
  void write(std::span<const std::byte>);
  std::vector<std::byte> read(std::size_t bytes);  ///< fewer: no more came
  void close();

 private:
  std::string endpoint_;
  int listening_ = -1, connected_ = -1;
};

}  // namespace tgmap_test
