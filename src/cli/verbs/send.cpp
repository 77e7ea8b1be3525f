// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <map>
#include <memory>
#include <string_view>
#include <tgmap/zio/from_archive.hpp>

#include "cli/app/cli_error.hpp"
#include "cli/app/verb.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/selection.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/json.hpp"
#include "cli/stream/endpoint_options.hpp"
#include "cli/stream/leased_file.hpp"
#include "cli/stream/rate_line.hpp"
#include "cli/stream/send_schedule.hpp"
#include "cli/stream/stop_signals.hpp"
#include "cli/stream/transport.hpp"

namespace tgmap::cli {

namespace {

struct send_arguments {
  std::vector<std::string> files{};
  endpoint_arguments to{};
  selection_options chosen{};
  zio::from_archive_options travel{};
  std::string rate{};
  send_rate pace{};
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
      : given_(&given), run_(&run), pace_(given.pace), line_(run, "sending") {}

  void run(const std::vector<target>& from, const stop_signals& stop) {
    zio::socket_options how = socket_options_of(given_->to, zio::socket_kind::push);
    how.max_in_flight_bytes = given_->max_in_flight;
    failure why;
    zio::socket over(how, why);
    if (why) return failed(why);
    over_ = &over;
    if (how.bind) run_->report.hint("listening at " + over.endpoint());
    message_sender to(over, stop.token(), timeout_of(given_->to), [this] { let_writers_in(); });
    if (given_->to.flow) to.open_flow(flow_side_of(given_->to), given_->to.credit, why);
    start_ = clock::now();
    if (why)
      ended_by(why);
    else
      give_all(from, to);
    tell();
    over_ = nullptr;
  }

 private:
  using clock = std::chrono::steady_clock;

  /// A selected message, kept for --loop.
  struct known_message {
    const target* what;
    message m;
  };

  void give_all(const std::vector<target>& from, message_sender& to) {
    const bool again = given_->loop.has_value() && *given_->loop != 1;
    for_each_selected(
        from, given_->chosen, *run_,
        [&](const target& what, const message& m, key_lookup&, std::optional<std::size_t>) {
          // Reports a message that cannot be sent, and tries the next one.
          run_->report.guard(what.file, [&] {
            give(what, m, to);
            if (again) known_.push_back({&what, m});
          });
          return !ended_;
        },
        [&](const target& what) { return archive_of(what); });
    for (std::uint64_t round = 1; again && !ended_ && !known_.empty() && round != *given_->loop; ++round) {
      const std::uint64_t before = messages_;
      pace_.restart();
      for (const auto& [what, m] : known_) {
        if (ended_) break;
        run_->report.guard(what->file, [&, &what = what, &m = m] { give(*what, m, to); });
      }
      if (messages_ == before) break;  // otherwise this would loop without sending
    }
    finish(to);
  }

  void give(const target& what, const message& m, message_sender& to) {
    leased_file& file = lent_of(what);
    const std::uint64_t end = m.offset() + m.length();
    check_size(file, end);
    failure why;
    zio::from_archive_options how = given_->travel;
    how.max_copied = run_->limits.message_bytes();
    zio::from_archive(archive_of(what), m, how, travelling_, why);
    if (why.code == zio::errc::no_counterpart)
      throw cli_error(why.text(), "add --raw-words to send them as unsigned words");
    if (why) throw error(why);

    zio::message& out = travelling_.message;
    std::uint64_t bytes = 0;
    for (const zio::part& each : out.payload) bytes += each.bytes.size();
    const auto granule = travelling_.is_original && out.granule != 0 ? std::optional(out.granule) : std::nullopt;
    const auto now = clock::now();
    if (const auto due = pace_.due(bytes, granule, now); due > now) {
      to.wait(due, why);
      if (why) return ended_by(why);
      check_size(file, end);
    }
    if (!travelling_.is_original || given_->renumber) {
      out.seqno = messages_;
      out.granule = now_in_microseconds();
    }
    copied_ += travelling_.bytes_copied;
    if (given_->copy || file.may_change())
      if ((why = copy_payload(out, copied_))) throw error(why);
    const bool wanted = to.put(out, why);
    if (why) return ended_by(why);
    if (!wanted) {
      ended_ = send_end::taker;
      return;
    }
    ++messages_;
    bytes_ += bytes;
    line_.at(messages_, bytes_);
    let_writers_in();
  }

  void check_size(const leased_file& file, std::uint64_t needed) {
    const failure why = file.check_length(needed);
    if (!why) return;
    ended_ = send_end::failure;  // stops here instead of failing for every message
    throw error(why);
  }

  void finish(message_sender& to) {
    // Connections that close later may have received everything.
    const auto lost = given_->to.flow ? 0 : over_->statistics().disconnected;
    if (lost != 0 && ended_ != send_end::failure) {
      run_->report.say(fmt::format("{}: {} closed while sending; messages in flight were lost", given_->to.endpoint,
                                   count_text(lost, "connection")));
      run_->report.mark_damaged();
    }
    if (ended_ == send_end::failure) return;
    failure why;
    to.close(why);
    if (!why && !ended_) to.drain(why);
    if (why && !ended_) ended_by(why);
    if (!ended_) ended_ = send_end::end;
    if (ended_ == send_end::signal && over_->statistics().bytes_in_flight != 0) {
      run_->report.say(given_->to.endpoint + ": some messages were not sent completely");
      run_->report.mark_damaged();
    }
  }

  archive archive_of(const target& what) {
    const auto known = archives_.find(what.file);
    if (known != archives_.end()) return known->second;
    return archives_.emplace(what.file, open_archive(what, *run_)).first->second;
  }

  leased_file& lent_of(const target& what) {
    const auto known = lent_.find(what.file);
    if (known != lent_.end()) return known->second;
    leased_file& out = lent_.try_emplace(what.file, what.file).first->second;
    if (out.may_change() && !given_->copy)
      run_->report.hint(fmt::format("{}: another program is writing it; payloads are copied", what.file));
    return out;
  }

  /// Lets a program that waits to write a file go on, once no payload of it is in flight. Its payloads are copied then.
  void let_writers_in() {
    for (auto& [name, file] : lent_) {
      if (!file.is_break_requested()) continue;
      failure why;
      over_->drain(std::chrono::milliseconds(file.may_change() ? 0 : 500), {}, why);
      if (!file.may_change())
        run_->report.hint(fmt::format("{}: another program is writing it; payloads are copied from now on", name));
      file.force_copies();
      if (!why) file.release_lease();
    }
  }

  void failed(const failure& why) {
    ended_ = send_end::failure;
    std::string advice = stream_advice(why);
    if (over_ != nullptr && over_->statistics().refused != 0)
      advice = "compare the CURVE keys of both ends; one rejected the other";
    const std::string text = why.code == zio::errc::timed_out
                                 ? fmt::format("nothing was received by the other end for {} ms", why.found)
                                 : why.text();
    run_->report.failed(given_->to.endpoint, text, advice);
  }

  void ended_by(const failure& why) {
    if (why.code == zio::errc::stopped)
      ended_ = send_end::signal;
    else
      failed(why);
  }

  void tell() {
    const std::chrono::duration<double> passed = clock::now() - start_;
    const auto counts = over_->statistics();
    const std::uint64_t copied = copied_ + counts.bytes_copied;
    if (given_->json)
      return run_->out.write(json_line({{"endpoint", over_->endpoint()},
                                        {"messages", messages_},
                                        {"bytes", bytes_},
                                        {"bytes_copied", copied},
                                        {"bytes_in_flight", counts.bytes_in_flight},
                                        {"seconds", passed.count()},
                                        {"connected", counts.connected},
                                        {"disconnected", counts.disconnected},
                                        {"refused", counts.refused},
                                        {"ended", name(ended_.value_or(send_end::end))}}));
    std::string line = fmt::format("{}: {} sent, {}, in {}", given_->to.endpoint, count_text(messages_, "message"),
                                   human_size(bytes_), human_time(passed.count() * 1000));
    if (passed.count() > 0)
      line +=
          fmt::format(", {}/s", short_size(static_cast<std::uint64_t>(static_cast<double>(bytes_) / passed.count())));
    if (counts.bytes_in_flight != 0) line += fmt::format(", {} not gone", short_size(counts.bytes_in_flight));
    run_->report.hint(line);
  }

  const send_arguments* given_;
  session* run_;
  send_schedule pace_;
  rate_line line_;
  std::map<std::string, archive> archives_{};
  std::map<std::string, leased_file> lent_{};
  std::vector<known_message> known_{};
  zio::from_archive_result travelling_{};
  zio::socket* over_ = nullptr;
  clock::time_point start_{};
  std::uint64_t messages_ = 0, bytes_ = 0, copied_ = 0;
  std::optional<send_end> ended_{};
};

void run_send(send_arguments& given, session& run) {
  const std::vector<target> from = whole_messages(given.files);
  if (!given.rate.empty()) {
    const auto rate = parse_rate(given.rate);
    if (!rate)
      throw usage_error("--rate: '" + given.rate + "' is not a rate such as 100 (messages per second) or 50MB/s");
    given.pace = *rate;
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
  const auto rate = app.add_option("--rate", given->rate, "Maximum rate: messages per second, or bytes such as 50MB/s")
                        ->type_name("RATE");
  app.add_flag("--as-recorded", given->pace.as_recorded, "Send at the pace of the recording")->excludes(rate);
  app.add_option_function<std::string>(
         "--loop", [given](const std::string& times) { given->loop = times.empty() ? 0 : std::stoull(times); },
         "Send everything N times; without N until a signal")
      ->expected(0, 1)
      ->check(
          CLI::Validator([](std::string& text) { return text.empty() ? std::string() : integer_from(1)(text); }, ""))
      ->type_name("N");
  app.add_flag("--renumber", given->renumber, "Give recorded messages new numbers from 0 and the current time");
  app.add_flag("--encoded", given->travel.keep_encoded, "Send encoded objects as stored");
  app.add_flag("--raw-words", given->travel.raw_words, "Send bfloat16 and bitmasks as unsigned words");
  app.add_flag("--copy", given->copy, "Copy payloads instead of sending from the mapping");
  add_decode_limits(app, run, decoding_verb::messages);
  app.add_option("--max-in-flight", given->max_in_flight, "Maximum bytes waiting to be sent; default: 256MiB")
      ->check(size_in_bytes())
      ->type_name("BYTES");
  app.add_flag("-j,--json", given->json, "Print what was sent, as one JSON object");
  return [given, &run] { run_send(*given, run); };
}

}  // namespace tgmap::cli
