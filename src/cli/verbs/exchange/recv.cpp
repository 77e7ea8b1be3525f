// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <tgmap/zio/to_archive.hpp>

#include "cli/app/cli_error.hpp"
#include "cli/command/verb.hpp"
#include "cli/options/decode_limit_options.hpp"
#include "cli/output/output_options.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/json.hpp"
#include "cli/print/progress.hpp"
#include "cli/stream/endpoint_options.hpp"
#include "edit/output/archive_appender.hpp"
#include "edit/output/output_location.hpp"
#include "zio/stream/stop_signals.hpp"
#include "zio/stream/transport.hpp"

namespace tgmap::cli {

namespace {

constexpr std::uint64_t max_reported = 10;  // problems of one kind

struct recv_arguments {
  endpoint_arguments from{};
  std::string output{};
  edit::appender_settings settings{};
  std::optional<std::uint64_t> count{}, max_bytes{};
  std::uint64_t max_message = zio::socket_options{}.max_message_bytes;
  bool json = false;
};

/// Records incoming messages in an archive.
class recorder {
 public:
  recorder(const recv_arguments& given, session& run)
      : given_(&given), run_(&run), to_(given.output, given.settings), line_(run, "receiving") {
    to_.end();  // reports an unusable archive before anything is received
  }

  /// Receives until the end. Reports problems; messages received before are kept.
  void run(const zio::stop_signals& stop) {
    const std::string& where = given_->from.endpoint;
    run_->report.guard(where, [&] {
      zio::stream_endpoint how = endpoint_of(given_->from, zio::socket_kind::pull);
      how.socket.max_message_bytes = std::min(given_->max_message, run_->limits.message_bytes());
      failure why;
      zio::socket over(how.socket, why);
      if (why) return failed(why);
      if (given_->from.bind) run_->report.hint("listening at " + over.endpoint());
      zio::message_receiver from(over, stop.token(), how.timeout);
      if (how.flow) from.open_flow(how.side(), how.credit, why);
      start_ = clock::now();
      if (why) return end_with(why);
      run_->report.guard(where, [&] { receive_all(from); });
      from.close(why);
      if (why && reason_ != zio::stream_end::failure)
        run_->report.hint(where + ": the other end did not confirm the end of the flow");
    });
    run_->report.guard(given_->output, [&] { report_outdated_index(given_->output, to_.finish(), *run_); });
    report_end();
  }

 private:
  using clock = std::chrono::steady_clock;

  void receive_all(zio::message_receiver& from) {
    reason_ = zio::stream_end::failure;  // replaced on a regular end
    while (!given_->count || to_.messages() < *given_->count) {
      failure why;
      const auto m = from.next(why);
      if (zio::concerns_one_message(why) && !given_->from.flow) {
        leave_out(why);
        continue;
      }
      if (why) return end_with(why);
      if (!m) return end(zio::stream_end::end);
      add(*m);
    }
    end(zio::stream_end::count);
  }

  void add(const zio::message& m) {
    const std::uint64_t size = zio::message_bytes(m);
    if (given_->max_bytes && bytes_ + size > *given_->max_bytes)
      throw cli_error(fmt::format("message {} of {} would exceed --max-bytes {}; earlier messages are kept", received_,
                                  human_size(size), *given_->max_bytes),
                      "raise it if you trust the sender");
    if (const auto gap = sequence_.gap_before(m))
      report_problem(
          fmt::format("messages are missing: origin {}: number {} follows {}", gap->origin, gap->after, gap->before),
          sequence_.gaps());
    check_parts(m);
    failure why;
    zio::to_archive(m, {}, message_, why);
    if (why) throw error(why);
    check_total(zio::stored_bytes(message_), bytes_ + size);
    to_.add(message_);
    bytes_ += size;
    ++received_;
    line_.at(to_.messages(), bytes_);
  }

  /// Each part becomes an object.
  void check_parts(const zio::message& m) const {
    const std::uint64_t most = run_->limits.object_bytes();
    for (std::size_t j = 0; j < m.payload.size(); ++j)
      if (m.payload[j].bytes.size() > most)
        throw cli_error(fmt::format("part {} of message {} has {} bytes; {} are allowed; earlier messages are kept", j,
                                    received_, m.payload[j].bytes.size(), most),
                        "if you trust the sender, allow more with --max-decoded, or --max-memory where given");
  }

  void check_total(std::uint64_t more, std::uint64_t read) {
    const std::uint64_t most = run_->limits.total().after(read);
    if (more > most || decoded_bytes_ > most - more)
      throw cli_error(
          fmt::format("message {} would bring the total to {} bytes; {} are allowed; earlier messages are kept",
                      received_, decoded_bytes_ > UINT64_MAX - more ? UINT64_MAX : decoded_bytes_ + more, most),
          "if you trust the sender, allow more with --max-total");
    decoded_bytes_ += more;
  }

  void leave_out(const failure& why) {
    run_->report.mark_failed();
    ++left_out_;
    report_problem(fmt::format("message {} is left out: {}; {}", received_++, why.text(), stream_advice(why)),
                   left_out_);
  }

  /// Prints a problem at the endpoint, up to a maximum number.
  void report_problem(const std::string& text, std::uint64_t times) {
    if (times > max_reported) return;
    run_->report.say(given_->from.endpoint + ": " + text);
    if (times == max_reported)
      run_->report.say(given_->from.endpoint + ": further problems of this kind are not shown");
  }

  void failed(const failure& why) {
    reason_ = zio::stream_end::failure;
    run_->report.failed(given_->from.endpoint, why.text(), stream_advice(why));
  }

  /// Silence is the regular end unless a flow or --count defines the end.
  void end_with(const failure& why) {
    if (why.code == zio::errc::stopped) return end(zio::stream_end::signal);
    if (why.code != zio::errc::timed_out) return failed(why);
    if (given_->from.flow || given_->count || to_.messages() == 0) return failed(why);
    end(zio::stream_end::silence);
  }

  void end(zio::stream_end how) { reason_ = how; }

  void report_end() {
    if (sequence_.gaps() != 0) run_->report.mark_damaged();
    const std::chrono::duration<double> passed = start_ ? clock::now() - *start_ : clock::duration{};
    if (given_->json)
      return run_->out.write(json_line({{"output", given_->output},
                                        {"endpoint", given_->from.endpoint},
                                        {"messages", to_.messages()},
                                        {"bytes", bytes_},
                                        {"bytes_copied", 0},
                                        {"added", to_.added()},
                                        {"seconds", passed.count()},
                                        {"gaps", sequence_.gaps()},
                                        {"left_out", left_out_},
                                        {"ended", to_string_view(reason_)}}));
    std::string line = given_->output + ": " + stream_summary(to_.messages(), "received", bytes_, passed.count());
    if (sequence_.gaps() != 0) line += ", " + count_text(sequence_.gaps(), "gap");
    if (left_out_ != 0) line += fmt::format(", {} left out", left_out_);
    run_->report.hint(line);
  }

  const recv_arguments* given_;
  session* run_;
  edit::archive_appender to_;
  rate_line line_;
  zio::sequence_check sequence_{};
  new_message message_{};
  std::optional<clock::time_point> start_{};
  std::uint64_t bytes_ = 0, decoded_bytes_ = 0, received_ = 0, left_out_ = 0;
  zio::stream_end reason_ = zio::stream_end::failure;
};

void run_recv(const recv_arguments& given, session& run) {
  if (is_standard_output(given.output))
    throw usage_error("recv needs an archive to add messages to", "name a file with -o");
  run.report.guard(given.output, [&] {
    const zio::stop_signals stop;
    recorder(given, run).run(stop);
  });
}

}  // namespace

action declare_recv(CLI::App& app, session& run) {
  using zio::socket_kind;
  const auto given = std::make_shared<recv_arguments>();
  add_endpoint_options(app, given->from, "--from", {socket_kind::pull, socket_kind::dealer, socket_kind::router});
  app.add_option("-o,--output", given->output, "The archive to add messages to; created if it does not exist")
      ->required()
      ->type_name("OUT");
  app.add_option("--count", given->count, "Stop after this many messages")->check(integer_from(1))->type_name("N");
  app.add_option("--max-bytes", given->max_bytes, "Stop with an error before receiving more bytes")
      ->transform(size_in_bytes())
      ->type_name("BYTES");
  app.add_option("--max-message", given->max_message, "Maximum bytes of a message; default: 4GiB")
      ->transform(size_in_bytes())
      ->type_name("BYTES");
  add_decode_limits(app, run, decoding_verb::received);
  add_max_total(app, run);
  edit::appender_settings& how = given->settings;
  const auto each = app.add_flag("--sync", how.sync, "Wait for the disk after each message");
  app.add_flag("--no-sync", how.no_sync, "Never wait for the disk")->excludes(each);
  app.add_flag_callback(
      "--no-lock", [&how] { how.lock = false; },
      "Do not lock the archive, as on a file system without locks; nothing else may append to it");
  app.add_flag("--repair", how.repair, "Remove an incomplete message at the end of the archive");
  app.add_flag("-j,--json", given->json, "Print what was received, as one JSON object");
  return [given, &run] { run_recv(*given, run); };
}

}  // namespace tgmap::cli
