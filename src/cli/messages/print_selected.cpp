// SPDX-License-Identifier: Apache-2.0
#include "cli/messages/print_selected.hpp"

#include <exception>
#include <optional>
#include <tgmap/decode/executor.hpp>
#include <utility>

#include "cli/app/cli_error.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/hash_mismatch.hpp"
#include "cli/input/selector.hpp"
#include "cli/print/progress.hpp"
#include "collection/archive_rows.hpp"

namespace tgmap::cli {

namespace {

constexpr std::size_t batch_size = 4096;  // messages: a few milliseconds of work, far more than starting a thread costs

/// Messages that one thread visits, and the result.
struct batch {
  std::vector<message> messages;
  std::string text{};
  tally sum{};
  std::optional<cli_error> final_error{};  ///< the error that ended the run early
  std::exception_ptr exception{};
};

/// Prints one target in batches, or counts what is selected in it.
class target_printer {
 public:
  target_printer(const target& what, const selector& selected, const line_writer& write,
                 std::span<const metadata_key> shown, const line_check& check, const lines_taker& take, session& run)
      : what_(what),
        selector_(selected),
        write_(write),
        shown_(shown),
        check_(check),
        take_(take),
        run_(run),
        from_(open_archive(what, run)),
        search_(selected.search(what, from_)) {}

  /// Prints nothing for what the index knows to be selected, and counts it.
  selected_count count() {
    if (const auto why = run()) throw *why;
    return {.count = sum_.taken, .trust = used_trust(from_)};
  }

  /// Prints everything. Returns the error that ended it early, if any.
  std::optional<cli_error> run() {
    if (const indexed_keys values = check_ ? indexed_keys() : search_.indexed_values(shown_))
      return run_indexed(values);
    progress_bar bar(run_, what_.file, from_.size_bytes());
    std::optional<cli_error> final_error;
    sum_.seen = search_.known().count(index_answer::no);
    sum_.known = search_.known();
    if (search_.purpose() == search_purpose::count) sum_.taken = search_.known().count(index_answer::yes);
    for (bool any_left = true; !final_error && any_left;) {
      std::vector<batch> round;  // one for each thread
      while (any_left && (round.empty() || round.size() < run_.workers().concurrency())) {
        round.push_back({.messages = take_messages()});
        any_left = round.back().messages.size() == batch_size;
        if (!round.back().messages.empty()) bar.update(round.back().messages.front().offset());
      }
      visit(round);
      for (batch& done : round) {
        if (done.exception) std::rethrow_exception(done.exception);
        put(done.text);
        sum_.add(done.sum);
        if ((final_error = std::move(done.final_error))) break;
      }
    }
    selector_.report(what_, from_, sum_, run_);
    return final_error;
  }

 private:
  /// Prints everything from the index.
  std::optional<cli_error> run_indexed(const indexed_keys& values) {
    constexpr std::size_t much = std::size_t{1} << 16;
    std::optional<cli_error> final_error;
    std::string text;
    const auto print = [&](std::size_t message, std::optional<std::size_t> object, std::span<const key_result>) {
      const std::size_t before = text.size();
      try {
        write_(what_,
               key_source({.from = from_, .keys = shown_, .values = values, .message = message, .object = object}),
               text);
      } catch (const cli_error& why) {
        text.resize(before);
        final_error = why;
      }
      if (text.size() < much && !final_error) return true;
      put(text);
      text.clear();
      return !final_error;
    };
    sum_ = archives::visit_indexed(from_, search_.known(), values, 0, search_.of_objects(), print);
    put(text);
    selector_.report(what_, from_, sum_, run_);
    return final_error;
  }

  void put(const std::string& lines) const { take_ ? take_(lines) : run_.out.write(lines); }

  std::vector<message> take_messages() {
    std::vector<message> out;
    out.reserve(batch_size);
    constexpr std::uint64_t scan_ahead = std::uint64_t{1} << 20;
    for (failure why; out.size() < batch_size; ++next_) {
      next_ = search_.next(next_);
      if (const tgmap::progress p = from_.scan_progress(); next_ >= p.messages && !p.is_complete)
        from_.scan(scan_ahead);
      const message m = from_.at(next_, why);
      if (why.code == make_error_code(errc::out_of_range)) break;
      if (why) throw error(why);
      out.push_back(m);
    }
    return out;
  }

  /// Visits the messages of each batch on a thread of its own; those of a single batch on this one.
  void visit(std::vector<batch>& round) const {
    auto work = [&](std::size_t i) noexcept {
      try {
        visit(round[i]);
      } catch (...) {
        round[i].exception = std::current_exception();
      }
    };
    if (round.size() == 1) return work(0);
    run_.workers().run(round.size(),
                       {[](void* to, std::size_t i) noexcept { (*static_cast<decltype(work)*>(to))(i); }, &work});
  }

  void visit(batch& out) const {
    const auto take = [&](const message& m, key_lookup& keys, std::optional<std::size_t> object) {
      if (const failure why = check_ ? check_(what_, m, object) : failure{}) {
        out.sum.add_problem(m, why);
        return true;
      }
      const std::size_t before = out.text.size();
      try {
        write_(what_, keys, out.text);
      } catch (const cli_error& why) {
        out.text.resize(before);
        out.final_error = why;
      } catch (...) {
        out.text.resize(before);
        throw;
      }
      return !out.final_error;
    };
    for (const message& m : out.messages)
      if (out.sum.more) selector::visit(what_, m, search_, take, out.sum);
  }

  const target& what_;
  const selector& selector_;
  const line_writer& write_;
  std::span<const metadata_key> shown_;
  const line_check& check_;
  const lines_taker& take_;
  session& run_;
  archive from_;
  selection_search search_;
  tally sum_{};
  std::size_t next_ = 0;
};

}  // namespace

void print_selected(const std::vector<target>& targets, const selection_options& chosen, session& run,
                    const line_writer& write, std::span<const metadata_key> shown, const line_check& check,
                    const lines_taker& take) {
  const selector selected(chosen);
  const bool in_order = chosen.sort.empty() && chosen.limit == UINT64_MAX;
  bool ended = false;
  const auto end_with = [&](const target& t, const cli_error& why) {
    run.report.failed(t.file, why.what(), why.next_step());
    ended = true;
  };
  std::string text;
  const auto one_by_one = [&](const target& t, const message& m, key_lookup& keys, std::optional<std::size_t> object) {
    if (const failure why = check ? check(t, m, object) : failure{}) {
      run.report.failed_at(address_text(t.file, m, why), t.file, why);
      return true;
    }
    text.clear();
    try {
      write(t, keys, text);
    } catch (const cli_error& why) {
      end_with(t, why);
      return false;
    }
    take ? take(text) : run.out.write(text);
    return true;
  };
  if (!in_order) return for_each_selected(targets, chosen, run, one_by_one);
  for (const target& t : targets) {
    if (ended) return;
    if (!t.whole_file()) {
      for_each_selected({t}, chosen, run, one_by_one);
      continue;
    }
    run.report.guard(t.file, [&] {
      if (const auto final_error = target_printer(t, selected, write, shown, check, take, run).run())
        end_with(t, *final_error);
    });
  }
}

std::optional<index_trust> used_trust(const archive& of) {
  const index_status index = of.index_status();
  return index.is_current ? std::optional(index.trust) : std::nullopt;
}

selected_count count_selected(const target& what, const selection_options& chosen, session& run) {
  const selector selected(chosen, search_purpose::count);
  const line_writer write_nothing = [](const target&, const key_source&, std::string&) {};
  const line_check check_nothing;
  const lines_taker print;
  return target_printer(what, selected, write_nothing, {}, check_nothing, print, run).count();
}

}  // namespace tgmap::cli
