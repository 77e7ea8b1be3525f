// SPDX-License-Identifier: Apache-2.0
#include "zio/stream/archive_sender.hpp"

#include <tgmap/zio/errc.hpp>
#include <utility>

namespace tgmap::zio {

namespace {

constexpr std::chrono::milliseconds last_wait{1000};

std::uint64_t now_in_microseconds() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

}  // namespace

archive_sender::archive_sender(const send_settings& how, std::stop_token stop, notice notify, failure& why)
    : how_(how),
      files_(std::move(notify)),
      schedule_(how.rate),
      socket_(how.to.socket, why),
      to_(socket_, std::move(stop), how.to.timeout, [this] { files_.release_requested(socket_); }) {}

void archive_sender::open() {
  failure why;
  if (how_.to.flow) to_.open_flow(how_.to.side(), how_.to.credit, why);
  count_.start();
  if (why) end_with(why);
}

failure archive_sender::send(const std::string& file, const archive& from, const tgmap::message& source) {
  leased_file& lease = files_.lease_of(file);
  const std::uint64_t end = source.offset() + source.length();
  failure why = check_length(lease, end);
  if (why) return why;
  from_archive(from, source, how_.conversion, frame_, why);
  if (why) return why;

  message& out = frame_.message;
  std::uint64_t bytes = 0;
  for (const part& each : out.payload) bytes += each.bytes.size();
  const auto granule = frame_.is_original && out.granule != 0 ? std::optional(out.granule) : std::nullopt;
  const auto now = clock::now();
  if (const auto due = schedule_.due(bytes, granule, now); due > now) {
    to_.wait(due, why);
    if (why) {
      end_with(why);
      return {};
    }
    why = check_length(lease, end);
    if (why) return why;
  }
  if (!frame_.is_original || how_.renumber) {
    out.seqno = count_.messages();
    out.granule = now_in_microseconds();
  }
  std::uint64_t copied = frame_.bytes_copied;
  if (how_.copy || lease.may_change()) why = copy_payload(out, copied);
  count_.add_copied(copied);
  if (why) return why;
  const bool is_wanted = to_.put(out, why);
  if (why) {
    end_with(why);
  } else if (!is_wanted) {
    end_ = stream_end::taker;
  } else {
    count_.add(bytes, socket_);
    files_.release_requested(socket_);
  }
  return {};
}

/// A file that became shorter ends the stream, instead of an error for every message.
failure archive_sender::check_length(const leased_file& file, std::uint64_t needed) {
  const failure why = file.check_length(needed);
  if (why) end_ = stream_end::failure;
  return why;
}

void archive_sender::finish() {
  if (end_ == stream_end::failure) return;
  failure why;
  to_.close(why);
  if (!why && !end_) to_.drain(why);
  if (why && !end_) end_with(why);
  failure late;  // ignored: messages that are still waiting are counted
  if (end_ && *end_ != stream_end::failure) socket_.drain(last_wait, {}, late);
  if (!end_) end_ = stream_end::end;
}

void archive_sender::end_with(const failure& why) {
  end_ = why.code == errc::stopped ? stream_end::signal : stream_end::failure;
  if (end_ == stream_end::failure) end_failure_ = why;
}

}  // namespace tgmap::zio
