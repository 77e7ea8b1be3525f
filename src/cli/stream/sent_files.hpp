// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <tgmap/archive.hpp>
#include <tgmap/zio/socket.hpp>

#include "cli/input/target.hpp"
#include "zio/stream/leased_file.hpp"

namespace tgmap::cli {

struct session;

/// The `sent_files` are the archives whose messages are sent, with their leases.
class sent_files {
 public:
  /// `copies`: all payloads are copied anyway.
  sent_files(bool copies, session& run) : copies_(copies), run_(&run) {}

  /// Returns the archive of a target, opened once.
  archive archive_of(const target&);

  /// Returns the lease of its file.
  zio::leased_file& lease_of(const target&);

  /// Ends the leases of files that other programs wait to write, once no payload of the file is in flight. Later
  /// payloads of the file are copied.
  void release_requested(zio::socket& over);

 private:
  bool copies_;
  session* run_;
  std::map<std::string, archive> archives_{};
  std::map<std::string, zio::leased_file> leases_{};
};

}  // namespace tgmap::cli
