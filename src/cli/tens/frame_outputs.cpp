// SPDX-License-Identifier: Apache-2.0
#include "cli/tens/frame_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <tgmap/mapping_guard.hpp>

#include "cli/app/cli_error.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/overwrite_check.hpp"
#include "cli/outputs/file_sink.hpp"
#include "cli/outputs/tell_of_output.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/json.hpp"

namespace tgmap::cli {

namespace {

/// Parts lie in the mapping of a file that may become shorter: they are written from a copy, block after block.
class frame_sink final : public file_sink {
 public:
  explicit frame_sink(output_set::output& to) : to_(to) {}

  /// Puts out what is held back. Throws file_error.
  void flush() {
    if (held_ != 0) to_.write(std::span(block_).first(held_));
    held_ = 0;
  }

 private:
  void put(std::span<const std::span<const std::byte>> pieces) override {
    for (auto rest : pieces)
      while (!rest.empty()) {
        if (held_ == block_.size()) flush();
        const std::size_t size = std::min(rest.size(), block_.size() - held_);
        const failure why = mapping_guard::run([&]() noexcept { std::memcpy(&block_[held_], rest.data(), size); });
        if (why) throw error(why);
        held_ += size;
        rest = rest.subspan(size);
      }
  }

  output_set::output& to_;
  std::vector<std::byte> block_ = std::vector<std::byte>(std::size_t{1} << 18);
  std::size_t held_ = 0;
};

}  // namespace

frame_outputs::frame_outputs(const file_template& names, const std::string& to, const frame_options& frames,
                             const output_options& options, session& run)
    : names_(names), to_(to), frames_(frames), options_(options), run_(run), outputs_(options, run) {}

archive frame_outputs::open(const target& what) {
  return archives_.insert_or_assign(&what, open_archive(what, run_)).first->second;
}

bool frame_outputs::take(const target& what, const message& m, key_lookup& keys) {
  const taken one{&what, m};
  if (names_.several()) {
    run_.report.guard(what.file, [&] { write(one, names_.name_for(keys, written_.size())); });
    return run_.report.status() != exit_status::failed;
  }
  if (only_)
    throw usage_error(
        "several messages need -o with [index] in it, as in 'f_[index].frame', or one is to be named, as in " +
            what.file + ":0",
        "a frame is one message");
  only_ = one;
  return true;
}

zio::from_archive_result frame_outputs::frame_of(const taken& one) const {
  failure why;
  zio::from_archive_options how = frames_.how;
  how.max_copied = run_.limits.message_bytes();
  zio::from_archive_result out = zio::from_archive(archives_.at(one.of), one.message, how, why);
  if (why) throw error(failure_in(one.message, why));
  zio::message& m = out.message;
  m.level = frames_.level.value_or(m.level);
  if (frames_.form) m.form = zio::form(*frames_.form);
  m.origin = frames_.origin.value_or(m.origin);
  m.granule = frames_.granule.value_or(m.granule);
  if (frames_.seqno) m.seqno = *frames_.seqno + written_.size();
  return out;
}

void frame_outputs::write(const taken& one, const std::string& name) {
  refuse_to_overwrite(*one.of, name);
  const zio::from_archive_result frame = frame_of(one);
  output_set::output& file = outputs_.at(name, names_.several());
  if (!used_.insert(&file).second)
    throw usage_error(fmt::format("two messages would both be written to '{}'; put [index] into -o", name),
                      "each frame has a file of its own");
  frame_sink to(file);
  failure why;
  zio::encode(frame.message, frame.format, to, why);
  to.rethrow_problem();
  if (why) throw error(failure_in(one.message, why));
  to.flush();
  written_.push_back({one.of, one.message.index(), name, file.bytes(), frame.bytes_copied});
}

void frame_outputs::finish(bool as_json) {
  const auto fine = [&] { return run_.report.status() != exit_status::failed; };
  if (only_ && fine()) run_.report.guard(only_->of->file, [&] { write(*only_, to_); });
  if (!fine()) return run_.report.hint(to_ + ": nothing is written, for what failed before");
  if (written_.empty())
    return run_.report.failed(to_, "no message is selected, and nothing is written",
                              "run `tgmap ls` to see what there is");
  if (!options_.dry_run) outputs_.commit();
  tell(as_json);
}

void frame_outputs::tell(bool as_json) const {
  for (const written& each : written_) {
    if (as_json)
      run_.out.write(json_line({{"file", each.of->file},
                                {"message", each.message ? json(*each.message) : json()},
                                {"output", each.name},
                                {"bytes", each.bytes},
                                {"bytes_copied", each.bytes_copied}}));
    else
      tell_of_output(run_, each.name,
                     fmt::format("{}: {} bytes{}", each.name, each.bytes, not_written(options_.dry_run)));
  }
}

}  // namespace tgmap::cli
