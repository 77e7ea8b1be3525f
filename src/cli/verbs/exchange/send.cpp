// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <memory>
#include <string_view>
#include <tgmap/zio/from_archive.hpp>

#include "cli/app/cli_error.hpp"
#include "cli/command/verb.hpp"
#include "cli/input/file_list.hpp"
#include "cli/input/required_keys.hpp"
#include "cli/input/selection.hpp"
#include "cli/input/target.hpp"
#include "cli/options/decode_limit_options.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/json.hpp"
#include "cli/print/progress.hpp"
#include "cli/stream/endpoint_options.hpp"
#include "cli/stream/sent_count.hpp"
#include "cli/stream/sent_files.hpp"
#include "cli/stream/stop_signals.hpp"
#include "zio/stream/send_schedule.hpp"
#include "zio/stream/transport.hpp"

namespace tgmap::cli {

namespace {

struct send_arguments {
  std::vector<std::string> files{};
  endpoint_arguments to{};
  selection_options chosen{};
  zio::from_archive_options conversion{};
  std::string rate_text{};
  zio::send_rate rate{};
  std::optional<std::uint64_t> loop{};  ///< 0: until a signal
  std::uint64_t max_in_flight = zio::socket_options{}.max_in_flight_bytes;
  bool copy = false, renumber = false, json = false;
};

/// Why sending ended.
enum class send_end : std::uint8_t {
  end,    ///< everything was sent
  taker,  ///< the receiver ended the flow
  signal,
  failure,
};

std::string_view name(send_end which) {
  constexpr std::array<std::string_view, 4> names{"end", "taker", "signal", "failure"};
  return names.at(static_cast<std::size_t>(which));
}

std::uint64_t now_in_microseconds() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

/// Sends messages of archives.
class sender {
 public:
  sender(const send_arguments& given, session& run)
      : given_(&given), run_(&run), files_(given.copy, run), schedule_(given.rate), line_(run, "sending") {}

  void run(const std::vector<target>& from, const stop_signals& stop) {
    zio::socket_options how = socket_options_of(given_->to, zio::socket_kind::push);
    how.max_in_flight_bytes = given_->max_in_flight;
    failure why;
    zio::socket over(how, why);
    if (why) return failed(why);
    over_ = &over;
    if (how.bind) run_->report.hint("listening at " + over.endpoint());
    zio::message_sender to(over, stop.token(), timeout_of(given_->to), [&] { files_.release_requested(over); });
    if (given_->to.flow) to.open_flow(flow_side_of(given_->to), given_->to.credit, why);
    count_.start();
    if (why)
      end_with(why);
    else
      send_all(from, to);
    count_.report(over, given_->to.endpoint, name(end_.value_or(send_end::end)), given_->json, *run_);
    over_ = nullptr;
  }

 private:
  using clock = std::chrono::steady_clock;

  /// A selected message, kept for --loop.
  struct sent_message {
    const target* what;
    message m;
  };

  void send_all(const std::vector<target>& from, zio::message_sender& to) {
    const bool repeats = given_->loop.has_value() && *given_->loop != 1;
    for_each_selected(
        from, given_->chosen, *run_,
        [&](const target& what, const message& m, key_lookup&, std::optional<std::size_t>) {
          // Reports a message that cannot be sent, and tries the next one.
          run_->report.guard(what.file, [&] {
            send_message(what, m, to);
            if (repeats) sent_.push_back({&what, m});
          });
          return !end_;
        },
        [&](const target& what) { return files_.archive_of(what); });
    for (std::uint64_t round = 1; repeats && !end_ && !sent_.empty() && round != *given_->loop; ++round) {
      const std::uint64_t before = count_.messages();
      schedule_.restart();
      for (const auto& [what, m] : sent_) {
        if (end_) break;
        run_->report.guard(what->file, [&, &what = what, &m = m] { send_message(*what, m, to); });
      }
      if (count_.messages() == before) break;  // otherwise this would loop without sending
    }
    finish(to);
  }

  void send_message(const target& what, const message& m, zio::message_sender& to) {
    zio::leased_file& file = files_.lease_of(what);
    const std::uint64_t end = m.offset() + m.length();
    check_size(file, end);
    failure why;
    zio::from_archive_options how = given_->conversion;
    how.max_copied = run_->limits.message_bytes();
    zio::from_archive(files_.archive_of(what), m, how, frame_, why);
    if (why.code == zio::errc::no_counterpart)
      throw cli_error(why.text(), "add --raw-words to send them as unsigned words");
    if (const auto reason = label_error(why)) throw *reason;
    if (why) throw error(why);

    zio::message& out = frame_.message;
    std::uint64_t bytes = 0;
    for (const zio::part& each : out.payload) bytes += each.bytes.size();
    const auto granule = frame_.is_original && out.granule != 0 ? std::optional(out.granule) : std::nullopt;
    const auto now = clock::now();
    if (const auto due = schedule_.due(bytes, granule, now); due > now) {
      to.wait(due, why);
      if (why) return end_with(why);
      check_size(file, end);
    }
    if (!frame_.is_original || given_->renumber) {
      out.seqno = count_.messages();
      out.granule = now_in_microseconds();
    }
    std::uint64_t copied = frame_.bytes_copied;
    if (given_->copy || file.may_change()) why = zio::copy_payload(out, copied);
    count_.add_copied(copied);
    if (why) throw error(why);
    const bool wanted = to.put(out, why);
    if (why) return end_with(why);
    if (!wanted) {
      end_ = send_end::taker;
      return;
    }
    count_.add(bytes, *over_);
    line_.at(count_.messages(), count_.bytes());
    files_.release_requested(*over_);
  }

  void check_size(const zio::leased_file& file, std::uint64_t needed) {
    const failure why = file.check_length(needed);
    if (!why) return;
    end_ = send_end::failure;  // stops here instead of failing for every message
    throw error(why);
  }

  void finish(zio::message_sender& to) {
    // Connections that close later may have received everything.
    const auto lost = given_->to.flow ? 0 : over_->statistics().disconnected;
    if (lost != 0 && end_ != send_end::failure) {
      run_->report.say(fmt::format("{}: {} closed while sending; messages in flight were lost", given_->to.endpoint,
                                   count_text(lost, "connection")));
      run_->report.mark_damaged();
    }
    if (end_ == send_end::failure) return;
    failure why;
    to.close(why);
    if (!why && !end_) to.drain(why);
    if (why && !end_) end_with(why);
    failure late;  // ignored: messages that are still waiting are counted below
    if (end_ && *end_ != send_end::failure) over_->drain(std::chrono::milliseconds(1000), {}, late);
    if (!end_) end_ = send_end::end;
    if (end_ == send_end::signal && over_->statistics().bytes_in_flight != 0) {
      run_->report.say(given_->to.endpoint + ": some messages were not sent completely");
      run_->report.mark_damaged();
    }
  }

  void failed(const failure& why) {
    end_ = send_end::failure;
    std::string advice = stream_advice(why);
    if (over_ != nullptr && over_->statistics().refused != 0)
      advice = "compare the CURVE keys of both ends; one rejected the other";
    const std::string text = why.code == zio::errc::timed_out
                                 ? fmt::format("the other end received nothing for {} ms", why.found)
                                 : why.text();
    run_->report.failed(given_->to.endpoint, text, advice);
  }

  void end_with(const failure& why) {
    if (why.code == zio::errc::stopped)
      end_ = send_end::signal;
    else
      failed(why);
  }

  const send_arguments* given_;
  session* run_;
  sent_files files_;
  zio::send_schedule schedule_;
  rate_line line_;
  sent_count count_{};
  std::vector<sent_message> sent_{};
  zio::from_archive_result frame_{};
  zio::socket* over_ = nullptr;
  std::optional<send_end> end_{};
};

void run_send(send_arguments& given, session& run) {
  const std::vector<target> from = whole_messages(given.files);
  require_keys({}, from, given.chosen, run);
  if (!given.rate_text.empty()) {
    const auto rate = parse_rate(given.rate_text);
    if (!rate)
      throw usage_error("--rate: '" + given.rate_text + "' is not a rate such as 100 (messages per second) or 50MB/s");
    given.rate = *rate;
  }
  run.report.guard(given.to.endpoint, [&] {
    const stop_signals stop;
    sender(given, run).run(from, stop);
  });
}

}  // namespace

action declare_send(CLI::App& app, session& run) {
  using zio::socket_kind;
  const auto given = std::make_shared<send_arguments>();
  add_targets(app, given->files, "FILE, FILE:MESSAGE or FILE@OFFSET; numbers may be ranges such as 2..5 or -3..");
  add_endpoint_options(app, given->to, "--to", {socket_kind::push, socket_kind::dealer, socket_kind::router});
  add_selection(app, given->chosen);
  const auto rate =
      app.add_option("--rate", given->rate_text, "Maximum rate: messages per second, or bytes such as 50MB/s")
          ->type_name("RATE");
  app.add_flag("--as-recorded", given->rate.as_recorded, "Send at the pace of the recording")->excludes(rate);
  app.add_option_function<std::string>(
         "--loop", [given](const std::string& times) { given->loop = times.empty() ? 0 : std::stoull(times); },
         "Send everything N times; without N until a signal")
      ->expected(0, 1)
      ->check(
          CLI::Validator([](std::string& text) { return text.empty() ? std::string() : integer_from(1)(text); }, ""))
      ->type_name("N");
  app.add_flag("--renumber", given->renumber, "Give recorded messages new numbers from 0 and the current time");
  app.add_flag("--encoded", given->conversion.keep_encoded, "Send encoded objects as stored");
  app.add_flag("--raw-words", given->conversion.raw_words, "Send bfloat16 and bitmasks as unsigned words");
  app.add_flag("--copy", given->copy, "Copy payloads instead of sending from the mapping");
  add_decode_limits(app, run, decoding_verb::messages);
  app.add_option("--max-in-flight", given->max_in_flight, "Maximum bytes waiting to be sent; default: 256MiB")
      ->check(size_in_bytes())
      ->type_name("BYTES");
  app.add_flag("-j,--json", given->json, "Print what was sent, as one JSON object");
  return [given, &run] { run_send(*given, run); };
}

}  // namespace tgmap::cli
