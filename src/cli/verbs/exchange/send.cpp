// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>
#include <memory>
#include <string_view>

#include "cli/app/cli_error.hpp"
#include "cli/command/verb.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/file_list.hpp"
#include "cli/input/required_keys.hpp"
#include "cli/input/selection.hpp"
#include "cli/input/target.hpp"
#include "cli/options/decode_limit_options.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/json.hpp"
#include "cli/print/progress.hpp"
#include "cli/stream/endpoint_options.hpp"
#include "zio/stream/archive_sender.hpp"
#include "zio/stream/stop_signals.hpp"

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

/// Sends messages of archives, and reports problems.
class sender {
 public:
  sender(const send_arguments& given, const zio::send_settings& how, session& run)
      : given_(given), how_(how), run_(run), line_(run, "sending") {}

  void run(const std::vector<target>& from, const zio::stop_signals& stop) {
    failure why;
    const auto notify = [this](const std::string& file, zio::copy_reason reason) { report_copies(file, reason); };
    zio::archive_sender to(how_, stop.token(), notify, why);
    if (why) return report_failure(why, 0);
    if (given_.to.bind) run_.report.hint("listening at " + to.over().endpoint());
    to.open();
    if (!to.end()) {
      send_all(from, to);
      finish(to);
    }
    if (to.end_failure()) report_failure(to.end_failure(), to.over().statistics().refused);
    report_end(to.totals(), to.over().endpoint(), to_string_view(*to.end()));
  }

 private:
  /// A selected message, kept for --loop.
  struct sent_message {
    const target* what;
    message m;
  };

  archive open(const target& what) {
    const auto known = archives_.find(what.file);
    if (known != archives_.end()) return known->second;
    return archives_.emplace(what.file, open_archive(what, run_)).first->second;
  }

  void send_all(const std::vector<target>& from, zio::archive_sender& to) {
    const bool repeats = given_.loop.has_value() && *given_.loop != 1;
    for_each_selected(
        from, given_.chosen, run_,
        [&](const target& what, const message& m, key_lookup&, std::optional<std::size_t>) {
          // Reports a message that cannot be sent, and tries the next one.
          run_.report.guard(what.file, [&] {
            send_message(what, m, to);
            if (repeats) sent_.push_back({&what, m});
          });
          return !to.end();
        },
        [&](const target& what) { return open(what); });
    for (std::uint64_t round = 1; repeats && !to.end() && !sent_.empty() && round != *given_.loop; ++round) {
      const std::uint64_t before = to.messages();
      to.restart();
      for (const auto& [what, m] : sent_) {
        if (to.end()) break;
        run_.report.guard(what->file, [&, &what = what, &m = m] { send_message(*what, m, to); });
      }
      if (to.messages() == before) break;  // otherwise this would loop without sending
    }
  }

  void send_message(const target& what, const message& m, zio::archive_sender& to) {
    const failure why = to.send(what.file, open(what), m);
    if (why.code == zio::errc::no_counterpart)
      throw cli_error(why.text(), "add --raw-words to send them as unsigned words");
    if (const auto reason = label_error(why)) throw *reason;
    if (why) throw error(why);
    if (!to.end()) line_.at(to.messages(), to.bytes());
  }

  void finish(zio::archive_sender& to) {
    if (to.end() == zio::stream_end::failure) return;
    // Connections that close later may have received everything.
    const auto lost = given_.to.flow ? 0 : to.over().statistics().disconnected;
    if (lost != 0)
      report_loss(fmt::format("{} closed while sending; messages in flight were lost", count_text(lost, "connection")));
    to.finish();
    if (to.end() == zio::stream_end::signal && to.over().statistics().bytes_in_flight != 0)
      report_loss("some messages were not sent completely");
  }

  void report_copies(const std::string& file, zio::copy_reason reason) {
    if (reason == zio::copy_reason::requested)
      run_.report.hint(file + ": another program is writing it; payloads are copied from now on");
    else if (!given_.copy)
      run_.report.hint(file + ": another program is writing it; payloads are copied");
  }

  void report_loss(const std::string& text) {
    run_.report.say(given_.to.endpoint + ": " + text);
    run_.report.mark_damaged();
  }

  void report_failure(const failure& why, std::uint64_t refused) {
    const std::string advice =
        refused != 0 ? "compare the CURVE keys of both ends; one rejected the other" : stream_advice(why);
    const std::string text = why.code == zio::errc::timed_out
                                 ? fmt::format("the other end received nothing for {} ms", why.found)
                                 : why.text();
    run_.report.failed(given_.to.endpoint, text, advice);
  }

  void report_end(const zio::sent_totals& all, const std::string& endpoint, std::string_view ended) {
    if (given_.json)
      return run_.out.write(json_line({{"endpoint", endpoint},
                                       {"messages", all.messages},
                                       {"bytes", all.bytes},
                                       {"bytes_copied", all.bytes_copied},
                                       {"messages_in_flight", all.messages_in_flight},
                                       {"bytes_in_flight", all.socket.bytes_in_flight},
                                       {"seconds", all.seconds},
                                       {"connected", all.socket.connected},
                                       {"disconnected", all.socket.disconnected},
                                       {"refused", all.socket.refused},
                                       {"ended", ended}}));
    std::string line = given_.to.endpoint + ": " + stream_summary(all.messages, "sent", all.bytes, all.seconds);
    if (all.messages_in_flight != 0)
      line += fmt::format(", {} not sent, {}", count_text(all.messages_in_flight, "message"),
                          short_size(all.socket.bytes_in_flight));
    run_.report.hint(line);
  }

  const send_arguments& given_;
  const zio::send_settings& how_;
  session& run_;
  rate_line line_;
  std::map<std::string, archive> archives_{};
  std::vector<sent_message> sent_{};
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
    const zio::stop_signals stop;
    zio::send_settings how{.to = endpoint_of(given.to, zio::socket_kind::push),
                           .conversion = given.conversion,
                           .rate = given.rate,
                           .copy = given.copy,
                           .renumber = given.renumber};
    how.to.socket.max_in_flight_bytes = given.max_in_flight;
    how.conversion.max_copied = run.limits.message_bytes();
    sender(given, how, run).run(from, stop);
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
