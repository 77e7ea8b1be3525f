// SPDX-License-Identifier: Apache-2.0
#include "cli/split_objects.hpp"

#include <fmt/format.h>

#include <optional>
#include <tgmap/write/writer.hpp>

#include "cli/complaint.hpp"
#include "cli/human.hpp"
#include "cli/json.hpp"
#include "cli/outputs/output_set.hpp"
#include "cli/outputs/output_sink.hpp"
#include "cli/outputs/range_copier.hpp"
#include "cli/rewrite/message_parts.hpp"

namespace tgmap::cli {

namespace {

constexpr const char* nothing_written = ": nothing is written, for what failed before";

class object_splitter {
 public:
  object_splitter(const target& from, const file_template& names, const output_options& how, session& run)
      : names_(names), how_(how), run_(run), source_(from, run), outputs_(how, run) {}

  archive from() const { return source_.from(); }

  bool take(const target& what, const message& m, key_lookup& keys) {
    if (m.is_incomplete()) {
      run_.report.hint(fmt::format("{}: the message at offset {} has no end and is left out", what.file, m.offset()));
      run_.report.damaged();
    } else if (m.size() < 2) {
      output_set::output& to = next_file(keys);
      copier_.copy(source_, m.offset(), m.length(), to);
      copier_.finish();
      tell(to);
    } else {
      parts_.load(m);
      for (std::size_t j = 0; j < parts_.content.objects.size(); ++j) put(m, j);
    }
    return run_.report.status() != exit_status::failed;
  }

  void finish(const std::string& file, bool as_json) {
    if (run_.report.status() == exit_status::failed) return run_.report.hint(file + nothing_written);
    if (count_ == 0)
      throw complaint("no message is selected, and nothing is written", "run `tgmap ls` to see what there is");
    if (!how_.dry_run) outputs_.commit();
    // As the reference implementation says it.
    run_.out.write(as_json ? told_ : fmt::format("Split into {} message(s){}\n", count_, not_written(how_.dry_run)));
  }

 private:
  output_set::output& next_file(key_lookup& keys) { return outputs_.distinct(names_.name_for(keys, count_++), true); }

  void put(const message& m, std::size_t j) {
    key_lookup keys(m, m[j]);
    output_set::output& to = next_file(keys);
    new_message one;
    one.objects.push_back(std::move(parts_.content.objects[j]));
    one.extra = parts_.content.extra;
    one.provenance = parts_.content.provenance;
    output_sink sink(to);
    failure why;
    writer(sink, parts_.options).write(one, why);
    sink.rethrow_problem();
    if (why) throw error(why);
    sink.flush();
    tell(to);
  }

  void tell(const output_set::output& file) {
    told_ += json_line({{"output", file.name()}, {"messages", 1}, {"bytes", file.bytes()}});
  }

  file_names names_;
  const output_options& how_;
  session& run_;
  const copy_source source_;
  output_set outputs_;
  range_copier copier_{};
  message_parts parts_{};
  std::uint64_t count_ = 0;
  std::string told_{};
};

}  // namespace

void split_objects(const target& from, const file_template& names, const std::string& to,
                   const selection_options& chosen, const output_options& how, bool as_json, session& run) {
  std::optional<object_splitter> splitter;
  run.report.guard(from.file, [&] { splitter.emplace(from, names, how, run); });
  if (!splitter) return run.report.hint(to + nothing_written);
  const auto take = [&](const target& what, const message& m, key_lookup& keys, auto) {
    return splitter->take(what, m, keys);
  };
  for_each_selected({from}, chosen, run, take, [&](const target&) { return splitter->from(); });
  run.report.guard(to, [&] { splitter->finish(to, as_json); });
}

}  // namespace tgmap::cli
