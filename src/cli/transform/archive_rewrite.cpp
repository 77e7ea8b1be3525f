// SPDX-License-Identifier: Apache-2.0
#include "cli/transform/archive_rewrite.hpp"
#include "cli/output/index_beside.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <tgmap/archive.hpp>
#include <utility>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/damaged_content.hpp"
#include "cli/input/selector.hpp"
#include "cli/output/output_options.hpp"
#include "cli/output/output_set.hpp"
#include "cli/output/output_sink.hpp"
#include "cli/output/range_copier.hpp"
#include "cli/print/human_numbers.hpp"

namespace tgmap::cli {

namespace {

constexpr std::uint64_t max_problems = 10;                           // the output fails after the first one
constexpr std::uint64_t min_system_copy = std::uint64_t{256} << 10;  // smaller ranges are gathered

/// Finds the messages of an address while all messages are visited in order.
class address_filter {
 public:
  /// Errors: throws tgmap::error; cli_error if the address names no message.
  address_filter(const archive& from, const target& what, session& run) : offset_(what.offset) {
    if (!what.messages) {
      if (offset_) static_cast<void>(find_message(from, what));
      return;
    }
    if (what.one_message()) static_cast<void>(find_message(from, what));
    const bool from_end = what.messages->begin.value_or(0) < 0 || what.messages->end.value_or(0) < 0;
    if (from_end) scan_all(from, what, run);
    range_ = to_bounds(*what.messages, from_end ? from.size() : UINT64_MAX);
  }

  /// Returns true if the address names the message. Call it once for each message.
  bool matches_next(const message& m) {
    const std::uint64_t number = next_++;
    return offset_ ? m.offset() == *offset_ : number >= range_.begin && number < range_.end;
  }

 private:
  std::optional<std::uint64_t> offset_;
  number_bounds range_{0, UINT64_MAX};
  std::uint64_t next_ = 0;
};

/// Writes new messages and copies of ranges to one file.
class rewrite_writer {
 public:
  /// Lifetime: both arguments must outlive this object.
  rewrite_writer(const copy_source& from, output_set::output& to) : from_(&from), to_(&to), sink_(to) {}

  /// Appends a message. Errors: throws tgmap::error, file_error.
  void write(const stored_message& what) {
    write_range();
    writers_.write(what);
  }

  /// Appends a range of the archive and joins adjacent ranges. Errors: as `write`.
  void copy(std::uint64_t offset, std::uint64_t length) {
    if (offset != end_) {
      write_range();
      begin_ = offset;
    }
    end_ = offset + length;
  }

  void finish() {
    write_range();
    sink_.finish();
  }

 private:
  void write_range() {
    const std::uint64_t length = end_ - begin_, begin = std::exchange(begin_, end_);
    if (length == 0) return;
    if (length >= min_system_copy) {
      sink_.finish();
      copier_.copy(*from_, begin, length, *to_);
      return copier_.finish();
    }
    block_.resize(static_cast<std::size_t>(length));
    from_->opened().read(begin, block_);
    if (sink_.write(std::span<const std::byte>(block_))) sink_.rethrow_error();
  }

  const copy_source* from_;
  output_set::output* to_;
  output_sink sink_;
  writer_cache writers_{sink_};
  range_copier copier_{};
  std::uint64_t begin_ = 0, end_ = 0;  ///< the pending range
  std::vector<std::byte> block_{};
};

/// One run over one archive.
class archive_rewriter {
 public:
  archive_rewriter(const rewrite_options& given, session& run, const message_rewriter& rewrite, object_lookup lookup)
      : given_(given),
        run_(run),
        rewrite_(rewrite),
        input_(parse_target(given.input)),
        chosen_(given.chosen),
        outputs_(given.outputs, run),
        source_(input_, run, lookup == object_lookup::walk ? lookup : lookup_for(given.damaged)),
        damage_(given.damaged, run) {}

  rewrite_result write() {
    const archive from = source_.opened();
    address_filter filter(from, input_, run_);
    output_set::output& file = outputs_.open(given_.output);
    rewrite_writer to(source_, file);

    target all = input_;
    all.messages.reset();
    all.offset.reset();
    all.objects.reset();
    for_each_message(from, all, run_, [&](const message& m) {
      const bool is_addressed = filter.matches_next(m);
      if (given_.keep_damage) to.copy(last_end_, m.offset() - last_end_);
      last_end_ = m.offset() + m.length();
      ++result_.messages;
      if (is_addressed && !m.is_incomplete() && write_changed(m, to))
        ++result_.changed;
      else if (!m.is_incomplete() || given_.keep_damage)
        to.copy(m.offset(), m.length());
      else
        skip(m);
      return counts_.problem_count < max_problems;
    });
    if (given_.keep_damage) to.copy(last_end_, from.size_bytes() - last_end_);
    chosen_.report(input_, from, counts_, run_);
    damage_.finish(input_.file);
    to.finish();
    result_.bytes = file.bytes_written();
    finish(file);
    return result_;
  }

 private:
  /// Writes the new form of a message. Returns false if the message is not selected or does not change.
  bool write_changed(const message& m, rewrite_writer& to) {
    selected_.whole = false;
    selected_.numbers.clear();
    const auto take = [&](const message&, key_lookup&, std::optional<std::size_t> object) {
      object ? selected_.numbers.push_back(*object) : void(selected_.whole = true);
      return true;
    };
    chosen_.visit(input_, m, {}, take, counts_);
    if (!selected_.whole && selected_.numbers.empty()) return false;
    ++result_.selected;
    changed_.mismatches.clear();
    try {
      if (auto matching = selected_.whole && given_.narrows ? chosen_.matching_objects(m) : std::nullopt) {
        selected_.whole = false;
        selected_.numbers = std::move(*matching);
      }
      if (!rewrite_(m, selected_, changed_)) return false;
      damage_.accept(input_.file, m, changed_.mismatches);
      to.write(changed_);
      return true;
    } catch (const cli_error& why) {
      if (!why.file().empty()) throw;
      throw cli_error(why.what(), why.next_step(), address_text(input_.file, m, why.object()));
    } catch (const error& why) {
      if (damage_.rule() == on_mismatch::refuse) damage_.accept(input_.file, m, changed_.mismatches);  // the cause
      if (why.details().code == make_error_code(errc::unsupported_wire_version))
        throw cli_error(failure_in(m, why.details()).text(), "run `tgmap upgrade` first", address_text(input_.file, m));
      counts_.add_problem(m, why.details());
      return false;
    }
  }

  void skip(const message& m) {
    --result_.messages;
    report_incomplete(m, input_.file, run_);
  }

  void finish(output_set::output& file) {
    if (run_.report.status() == exit_status::failed) return outputs_.report_unfinished(given_.output);
    if (result_.messages == 0)
      throw cli_error("the file has no messages; nothing was written",
                      fmt::format("run `tgmap validate {}` to see what is wrong with it", input_.file));
    if (given_.verify_output && !given_.outputs.dry_run) given_.verify_output(source_.opened(), file.descriptor());
    if (!given_.outputs.dry_run) outputs_.commit();
    result_.done = true;
  }

  const rewrite_options& given_;
  session& run_;
  const message_rewriter& rewrite_;
  const target input_;
  const selector chosen_;
  output_set outputs_;
  const copy_source source_;
  damage_check damage_;
  rewrite_result result_{};
  tally counts_{};
  selected_objects selected_{};
  stored_message changed_{};
  std::uint64_t last_end_ = 0;  ///< of the previous message
};

}  // namespace

void add_input_and_output(CLI::App& app, rewrite_options& into, const std::string& numbers) {
  app.add_option("INPUT", into.input, "The archive, - is standard input; " + numbers)->required()->type_name("");
  app.add_option("OUTPUT", into.output, "The file to write, - is standard output; it may be the input")
      ->required()
      ->type_name("");
}

void add_rewrite_options(CLI::App& app, rewrite_options& into, const std::string& take_damaged) {
  add_where(app, into.chosen);
  app.add_flag("--keep-damage", into.keep_damage, "Also copy bytes that belong to no message");
  CLI::Option* const take = add_take_damaged(app, into.damaged);
  if (!take_damaged.empty()) take->description(take_damaged);
  add_output_options(app, into.outputs);
  add_write_index(app, into.outputs.write_index);
  add_dry_run(app, into.outputs);
  app.add_flag("-j,--json", into.json, "Report the output as one JSON object");
}

void require_whole_messages(const rewrite_options& given) {
  if (parse_target(given.input).objects)
    throw usage_error("this verb changes whole messages; remove the objects from the address");
}

rewrite_result rewrite_archive(const rewrite_options& given, session& run, const message_rewriter& rewrite,
                               object_lookup lookup) {
  if (given.json && is_standard_output(given.output))
    throw usage_error("--json and messages cannot both go to standard output");
  rewrite_result out;
  const target input = parse_target(given.input);
  run.report.guard(input.file, [&] {
    refuse_to_overwrite_in_place({input}, given.output);
    out = archive_rewriter(given, run, rewrite, lookup).write();
  });
  return out;
}

json as_json(const rewrite_options& given, const rewrite_result& done) {
  return {{"output", given.output}, {"messages", done.messages}, {"changed", done.changed}, {"bytes", done.bytes}};
}

void rewrite_and_report(const rewrite_options& given, session& run, const message_rewriter& rewrite,
                        object_lookup lookup) {
  const rewrite_result done = rewrite_archive(given, run, rewrite, lookup);
  if (!done.done) return;
  if (given.json) return run.out.write(json_line(as_json(given, done)));
  report_output(
      run, given.output,
      fmt::format("{}: {}, {} of them changed, {} bytes{}", given.output, count_text(done.messages, "message"),
                  done.changed, done.bytes, not_written(given.outputs.dry_run)));
}

}  // namespace tgmap::cli
