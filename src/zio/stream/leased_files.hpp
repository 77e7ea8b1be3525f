// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tgmap/zio/socket.hpp>
#include <utility>

#include "zio/stream/leased_file.hpp"

namespace tgmap::zio {

/// Why payloads of a file are copied.
enum class copy_reason : std::uint8_t {
  written,    ///< another program writes the file
  requested,  ///< another program wants to write it: payloads are copied from now on
};

/// The `leased_files` are the files whose messages are sent, with their leases.
class leased_files {
 public:
  /// `notify` is called when payloads of a file have to be copied.
  explicit leased_files(std::function<void(const std::string& file, copy_reason)> notify)
      : notify_(std::move(notify)) {}

  /// Returns the lease of a file.
  leased_file& lease_of(const std::string& file);

  /// Ends the leases of files that other programs wait to write, once no payload of the file is in flight. Later
  /// payloads of the file are copied.
  void release_requested(socket& over);

 private:
  std::function<void(const std::string&, copy_reason)> notify_;
  std::map<std::string, leased_file> leases_{};
};

}  // namespace tgmap::zio
