// SPDX-License-Identifier: Apache-2.0
#include "collection/match_texts.hpp"

#include <exception>
#include <vector>

#include "collection/archive_rows.hpp"

namespace tgmap::archives {

namespace {

constexpr std::size_t batch_size = 4096;  // messages: a few milliseconds of work, far more than starting a thread costs
constexpr std::size_t much_text = std::size_t{1} << 16;

/// Messages that one thread visits, and the result.
struct batch {
  std::vector<message> messages;
  std::string text{};
  tally sum{};
  std::exception_ptr end{};  ///< the exception that ended the visit early
};

/// Writes the texts of one archive in batches.
class batch_writer {
 public:
  batch_writer(const archive& from, const selection_search& search, const match_writer& write,
               const std::function<void(const std::string&)>& take, const match_text_options& options, tally& sum)
      : from_(from), search_(search), write_(write), take_(take), options_(options), sum_(sum) {}

  void run() {
    sum_.known = search_.known();
    sum_.seen = search_.known().count(index_answer::no);
    if (search_.purpose() == search_purpose::count) sum_.taken = search_.known().count(index_answer::yes);
    for (bool any_left = true; any_left;) {
      std::vector<batch> round;  // one for each thread
      while (any_left && (round.empty() || round.size() < options_.threads.concurrency())) {
        round.push_back({.messages = next_messages()});
        any_left = round.back().messages.size() == batch_size;
        if (!round.back().messages.empty()) options_.progress(round.back().messages.front().offset());
      }
      visit(round);
      for (const batch& done : round) {
        take_(done.text);
        sum_.add(done.sum);
        if (done.end) std::rethrow_exception(done.end);
      }
    }
  }

 private:
  std::vector<message> next_messages() {
    std::vector<message> out;
    out.reserve(batch_size);
    for (failure why; out.size() < batch_size; ++next_) {
      next_ = search_.next(next_);
      if (const tgmap::progress p = from_.scan_progress(); next_ >= p.messages && !p.is_complete)
        from_.scan(std::uint64_t{1} << 20);  // ahead of the reading
      const message m = from_.at(next_, why);
      if (why.code == make_error_code(errc::out_of_range)) break;
      detail::raise_if(why);
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
        round[i].end = std::current_exception();
      }
    };
    if (round.size() == 1) return work(0);
    options_.threads.run(round.size(),
                         {[](void* to, std::size_t i) noexcept { (*static_cast<decltype(work)*>(to))(i); }, &work});
  }

  void visit(batch& out) const {
    const selector_callback take = [&](const message& m, key_lookup& keys, std::optional<std::size_t> object) {
      if (const failure why = options_.check ? options_.check(m, object) : failure{}) {
        out.sum.add_problem(m, why);
        return true;
      }
      const std::size_t before = out.text.size();
      try {
        write_(keys, out.text);
      } catch (...) {
        out.text.resize(before);
        throw;
      }
      return true;
    };
    const match_receiver receive = receiver_of(take, out.sum);
    for (const message& m : out.messages) selector::visit({}, m, search_, receive, out.sum);
  }

  const archive& from_;
  const selection_search& search_;
  const match_writer& write_;
  const std::function<void(const std::string&)>& take_;
  const match_text_options& options_;
  tally& sum_;
  std::size_t next_ = 0;
};

/// Writes all texts from the index.
void write_indexed(const archive& from, const selection_search& search, const indexed_keys& values,
                   const match_writer& write, const std::function<void(const std::string&)>& take,
                   std::span<const metadata_key> keys, tally& sum) {
  std::string text;
  std::exception_ptr end;
  const auto add = [&](std::size_t message, std::optional<std::size_t> object, std::span<const key_result>) {
    const std::size_t before = text.size();
    try {
      write(key_source({.from = from, .keys = keys, .values = values, .message = message, .object = object}), text);
    } catch (...) {
      text.resize(before);
      end = std::current_exception();
      return false;
    }
    if (text.size() < much_text) return true;
    take(text);
    text.clear();
    return true;
  };
  sum = visit_indexed(from, search.known(), values, 0, search.of_objects(), add);
  take(text);
  if (end) std::rethrow_exception(end);
}

}  // namespace

void write_matches(const selector& chosen, const archive& from, const match_writer& write,
                   const std::function<void(const std::string&)>& take, const match_text_options& options, tally& sum) {
  const selection_search search = chosen.search({}, from);
  if (const indexed_keys values = options.check ? indexed_keys() : search.indexed_values(options.keys))
    write_indexed(from, search, values, write, take, options.keys, sum);
  else
    batch_writer(from, search, write, take, options, sum).run();
}

}  // namespace tgmap::archives
