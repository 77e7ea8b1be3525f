// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <tgmap/zio/from_archive.hpp>
#include <tgmap/zio/socket.hpp>

#include "zio/stream/leased_files.hpp"
#include "zio/stream/send_schedule.hpp"
#include "zio/stream/sent_count.hpp"
#include "zio/stream/transport.hpp"

namespace tgmap::zio {

/// How messages of archives are sent.
struct send_settings {
  stream_endpoint to{};
  from_archive_options conversion{};
  send_rate rate{};
  bool copy = false;      ///< copies payloads instead of lending the mapping
  bool renumber = false;  ///< gives recorded messages new numbers from 0 and the current time
};

/// An `archive_sender` sends messages of archives over one connection.
///
/// A mapped file is leased while its payloads are lent to ZeroMQ, and its payloads are copied once another program
/// writes it.
/// Thread safety: one thread at a time.
class archive_sender {
 public:
  using notice = std::function<void(const std::string& file, copy_reason)>;

  /// Opens the socket. `notify` is called when payloads of a file have to be copied.
  /// Errors: those of `socket::socket`.
  archive_sender(const send_settings&, std::stop_token, notice notify, failure&);
  archive_sender(const archive_sender&) = delete;
  archive_sender& operator=(const archive_sender&) = delete;

  const socket& over() const noexcept { return socket_; }

  /// Opens the flow, if there is one, and begins to measure the time. A failure ends the stream.
  void open();

  /// Sends a message of an archive that was opened from `file`. Returns why the message cannot be sent; the next one
  /// may be sent unless the stream has ended. Precondition: the stream has not ended. Errors: those of `from_archive`;
  /// file_shrank, which also ends the stream.
  failure send(const std::string& file, const archive&, const tgmap::message& source);

  /// Begins the recording again for the pace of the next messages.
  void restart() noexcept { schedule_.restart(); }

  /// Closes the flow and waits until ZeroMQ has sent everything, or one second if the stream has ended early.
  void finish();

  /// Returns why the stream ended, or nothing before that.
  const std::optional<stream_end>& end() const noexcept { return end_; }
  /// Returns the failure of the connection that ended the stream, if one did.
  const failure& end_failure() const noexcept { return end_failure_; }

  std::uint64_t messages() const noexcept { return count_.messages(); }  ///< that ZeroMQ took
  std::uint64_t bytes() const noexcept { return count_.bytes(); }        ///< of these messages
  sent_totals totals() { return count_.totals(socket_); }

 private:
  using clock = std::chrono::steady_clock;

  failure check_length(const leased_file&, std::uint64_t needed);
  void end_with(const failure&);

  send_settings how_;
  leased_files files_;
  send_schedule schedule_;
  socket socket_;
  message_sender to_;
  sent_count count_{};
  from_archive_result frame_{};
  std::optional<stream_end> end_{};
  failure end_failure_{};
};

}  // namespace tgmap::zio
