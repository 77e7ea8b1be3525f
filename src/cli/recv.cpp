// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <tgmap/zio/to_archive.hpp>

#include "cli/appending.hpp"
#include "cli/complaint.hpp"
#include "cli/human.hpp"
#include "cli/json.hpp"
#include "cli/outputs/output_file.hpp"
#include "cli/stream/endpoint_options.hpp"
#include "cli/stream/incoming.hpp"
#include "cli/stream/rate_line.hpp"
#include "cli/stream/sequence.hpp"
#include "cli/stream/stop_signals.hpp"
#include "cli/stream/stream_advice.hpp"
#include "cli/verb.hpp"

namespace tgmap::cli {

namespace {

constexpr std::uint64_t most_told = 10;  // of one kind of trouble, one by one

struct recv_arguments {
  endpoint_arguments from{};
  std::string output{};
  append_manner manner{};
  std::optional<std::uint64_t> count{}, max_bytes{};
  std::uint64_t max_message = zio::socket_options{}.max_message_bytes;
  bool json = false;
};

/// Bytes of a message without what carries them.
std::uint64_t size_of(const zio::message& m) {
  std::uint64_t out = zio::prefix_bytes + m.label.size() + zio::coordinates_bytes;
  for (const zio::part& each : m.payload) out += each.bytes.size();
  return out;
}

/// Bytes of objects and metadata that a message becomes in an archive.
std::uint64_t size_of(const new_message& m) {
  std::uint64_t out = m.extra.encoded().size();
  for (const auto& each : m.objects) {
    const auto& one = std::get<stored_object>(each);
    out += one.payload_and_masks.size() + one.base.encoded().size() + one.descriptor.encoded().size();
  }
  return out;
}

/// Whether a message that came is at fault, so that the next one may be fine.
bool of_one_message(const failure& why) {
  return why.code == zio::errc::bad_prefix || why.code == zio::errc::bad_level ||
         why.code == zio::errc::bad_coordinates || why.code == zio::errc::too_few_parts;
}

/// Why a recording has ended.
enum class ending : std::uint8_t {
  count,    ///< as many as were wanted
  end,      ///< the other end of the flow says so
  silence,  ///< for as long as --timeout says
  signal,
  failure,
};

std::string_view name(ending which) {
  constexpr std::array<std::string_view, 5> names{"count", "end", "silence", "signal", "failure"};
  return names.at(static_cast<std::size_t>(which));
}

/// What comes in goes into an archive.
class recording {
 public:
  recording(const recv_arguments& given, session& run)
      : given_(&given), run_(&run), to_(given.output, given.manner), line_(run, "receiving") {
    to_.end();  // what cannot be added to is told before anything has come
  }

  /// Until nothing more comes or is wanted. What goes wrong is reported; what came before is kept.
  void run(const stop_signals& stop) {
    const std::string& where = given_->from.endpoint;
    run_->report.guard(where, [&] {
      zio::socket_options how = socket_options_of(given_->from, zio::socket_kind::pull);
      how.max_message_bytes = std::min(given_->max_message, run_->limits.of_message());
      failure why;
      zio::socket over(how, why);
      if (why) return failed(why);
      if (how.bind) run_->report.hint("listening at " + over.endpoint());
      incoming from(over, stop.token(), patience_of(given_->from));
      if (given_->from.flow) from.open_flow(side_of(given_->from), given_->from.credit, why);
      start_ = clock::now();
      if (why) return ended_by(why);
      run_->report.guard(where, [&] { take_all(from); });
      from.close(why);
      if (why && ended_ != ending::failure) run_->report.hint(where + ": the other end does not say that it has ended");
    });
    run_->report.guard(given_->output, [&] { to_.finish(); });
    tell();
  }

 private:
  using clock = std::chrono::steady_clock;

  void take_all(incoming& from) {
    ended_ = ending::failure;  // unless it ends in another way
    while (!given_->count || to_.messages() < *given_->count) {
      failure why;
      const auto m = from.next(why);
      if (of_one_message(why) && !given_->from.flow) {
        leave_out(why);
        continue;
      }
      if (why) return ended_by(why);
      if (!m) return end(ending::end);
      add(*m);
    }
    end(ending::count);
  }

  void add(const zio::message& m) {
    if (given_->max_bytes && bytes_ + size_of(m) > *given_->max_bytes)
      throw complaint(fmt::format("message {} of {} would exceed --max-bytes {}; what came before it is kept", came_,
                                  human_size(size_of(m)), *given_->max_bytes),
                      "raise it if you trust who sends");
    if (const auto gap = order_.gap_before(m)) told(fmt::format("messages are missing: {}", *gap), order_.gaps());
    check_parts(m);
    failure why;
    zio::to_archive(m, {}, message_, why);
    if (why) throw error(why);
    check_total(size_of(message_), bytes_ + size_of(m));
    to_.add(message_);
    bytes_ += size_of(m);
    ++came_;
    line_.at(to_.messages(), bytes_);
  }

  /// Each part becomes an object.
  void check_parts(const zio::message& m) const {
    const std::uint64_t most = run_->limits.of_object();
    for (std::size_t j = 0; j < m.payload.size(); ++j)
      if (m.payload[j].bytes.size() > most)
        throw complaint(
            fmt::format("part {} of message {} has {} bytes where {} are allowed; what came before it is kept", j,
                        came_, m.payload[j].bytes.size(), most),
            "allow more with --max-decoded, or --max-memory where given, if you trust who sends");
  }

  void check_total(std::uint64_t more, std::uint64_t read) {
    const std::uint64_t most = run_->limits.of_all().after(read);
    if (more > most || made_ > most - more)
      throw complaint(
          fmt::format("message {} would make {} bytes in all where {} are allowed; what came before it is kept", came_,
                      made_ > UINT64_MAX - more ? UINT64_MAX : made_ + more, most),
          "allow more with --max-total if you trust who sends");
    made_ += more;
  }

  void leave_out(const failure& why) {
    run_->report.unsound();
    ++left_out_;
    told(fmt::format("message {} is left out: {}; {}", came_++, why.text(), stream_advice(why)), left_out_);
  }

  /// Says what happened at the endpoint, but not for ever.
  void told(const std::string& text, std::uint64_t times) {
    if (times > most_told) return;
    run_->report.say(given_->from.endpoint + ": " + text);
    if (times == most_told) run_->report.say(given_->from.endpoint + ": no more of these are told one by one");
  }

  void failed(const failure& why) {
    ended_ = ending::failure;
    run_->report.failed(given_->from.endpoint, why.text(), stream_advice(why));
  }

  /// Silence is an end where nobody says when there will be no more.
  void ended_by(const failure& why) {
    if (why.code == zio::errc::stopped) return end(ending::signal);
    if (why.code != zio::errc::timed_out) return failed(why);
    if (given_->from.flow || given_->count || to_.messages() == 0) return failed(why);
    end(ending::silence);
  }

  void end(ending how) { ended_ = how; }

  void tell() {
    if (order_.gaps() != 0) run_->report.damaged();
    const std::chrono::duration<double> passed = start_ ? clock::now() - *start_ : clock::duration{};
    if (given_->json)
      return run_->out.write(json_line({{"output", given_->output},
                                        {"endpoint", given_->from.endpoint},
                                        {"messages", to_.messages()},
                                        {"bytes", bytes_},
                                        {"bytes_copied", 0},
                                        {"added", to_.added()},
                                        {"seconds", passed.count()},
                                        {"gaps", order_.gaps()},
                                        {"left_out", left_out_},
                                        {"ended", name(ended_)}}));
    std::string line = fmt::format("{}: {} received, {}, in {}", given_->output, counted(to_.messages(), "message"),
                                   human_size(bytes_), human_time(passed.count() * 1000));
    if (passed.count() > 0)
      line +=
          fmt::format(", {}/s", short_size(static_cast<std::uint64_t>(static_cast<double>(bytes_) / passed.count())));
    if (order_.gaps() != 0) line += ", " + counted(order_.gaps(), "gap");
    if (left_out_ != 0) line += fmt::format(", {} left out", left_out_);
    run_->report.hint(line);
  }

  const recv_arguments* given_;
  session* run_;
  appending to_;
  rate_line line_;
  sequence order_{};
  new_message message_{};
  std::optional<clock::time_point> start_{};
  std::uint64_t bytes_ = 0, made_ = 0, came_ = 0, left_out_ = 0;
  ending ended_ = ending::failure;
};

void run_recv(const recv_arguments& given, session& run) {
  if (names_standard_output(given.output))
    throw usage_error("messages are added to an archive, which is a file", "name one with -o");
  run.report.guard(given.output, [&] {
    const stop_signals stop;
    recording(given, run).run(stop);
  });
}

}  // namespace

action declare_recv(CLI::App& app, session& run) {
  using zio::socket_kind;
  const auto given = std::make_shared<recv_arguments>();
  add_endpoint_options(app, given->from, "--from", {socket_kind::pull, socket_kind::dealer, socket_kind::router});
  app.add_option("-o,--output", given->output, "The archive that messages are added to; begun where there is none")
      ->required()
      ->type_name("OUT");
  app.add_option("--count", given->count, "End after that many messages")->check(whole_number_from(1))->type_name("N");
  app.add_option("--max-bytes", given->max_bytes, "End with an error before more bytes than that have come")
      ->transform(size_in_bytes())
      ->type_name("BYTES");
  app.add_option("--max-message", given->max_message, "Refuse messages of more bytes; 4GiB unless given")
      ->transform(size_in_bytes())
      ->type_name("BYTES");
  add_decode_limits(app, run, decoding_verb::received);
  add_max_total(app, run);
  append_manner& how = given->manner;
  const auto each = app.add_flag("--sync", how.sync, "Wait after each message until it is on the disk");
  app.add_flag("--no-sync", how.no_sync, "Do not wait for the disk, not even at the end")->excludes(each);
  app.add_flag("--repair", how.repair, "Cut off an incomplete message at the end of the archive, as a crash leaves it");
  app.add_flag("-j,--json", given->json, "Tell what came, as one JSON object");
  return [given, &run] { run_recv(*given, run); };
}

}  // namespace tgmap::cli
