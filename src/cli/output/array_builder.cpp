// SPDX-License-Identifier: Apache-2.0
#include "cli/output/array_builder.hpp"

#include <fmt/format.h>

#include <utility>

#include "cli/app/cli_error.hpp"
#include "cli/print/human_numbers.hpp"

namespace tgmap::cli {

namespace {

edit::message_plan with_extra(edit::message_plan plan, const cbor_value& extra) {
  plan.extra = extra;
  return plan;
}

}  // namespace

array_builder::array_builder(sink& into, edit::message_plan plan, const pipeline& how,
                             const edit::new_metadata& metadata, const edit::throwing_sink* to)
    : pipeline_(how), metadata_(metadata), objects_(into, with_extra(std::move(plan), metadata.extra())), to_(to) {}

bool array_builder::add_all(const std::vector<std::string>& files, const array_options& how, session& run,
                            const std::function<void(std::uint64_t done)>& progress) {
  std::uint64_t done = 0;
  bool fine = true;
  for (const std::string& file : files) {
    bool whole = false;
    run.report.guard(file, [&] {
      for_each_array(file, how, run.limits.object_bytes(), [&](array_input&& each) {
        done += each.object.data.size();
        fine = fine && add(std::move(each), run);
        progress(done);
      });
      whole = true;
    });
    if (!whole || !fine) return false;
  }
  return finish(run);
}

bool array_builder::add(array_input&& from, session& run) {
  const std::size_t number = objects_.built().size();
  names_.push_back({from.file, from.member, from.label()});
  if (!metadata_.covers(number + 1)) {
    run.report.failed(
        from.label(),
        fmt::format("base in --meta has {}, but there are more objects", count_text(metadata_.listed(), "map")),
        "add a map for each object; it may be empty");
    return false;
  }
  from.object.pipeline = pipeline_;
  from.object.base = metadata_.base(number, from.name);
  failure why;
  objects_.add(std::move(from.object), std::move(from.memory), why);
  return check(why, run);
}

bool array_builder::finish(session& run) {
  if (metadata_.listed() > objects_.built().size())
    throw cli_error(fmt::format("base in --meta has {} for {}", count_text(metadata_.listed(), "map"),
                                count_text(objects_.built().size(), "object")),
                    "leave out the maps without an object");
  failure why;
  objects_.finish(why);
  return check(why, run);
}

/// Reports a failure with the name of the array if one is at fault, and returns false then. Throws others.
bool array_builder::check(const failure& why, session& run) const {
  if (!why) return true;
  if (!objects_.failed_object()) {
    if (to_ != nullptr) to_->rethrow_error();
    throw error(why);
  }
  const std::string& label = names_[*objects_.failed_object()].label;
  failure of_object = why;
  of_object.message = of_object.object = std::nullopt;
  run.report.failed(label, of_object.text(), next_step_for_storing(why, label));
  return false;
}

std::string array_builder::widened_text() const {
  if (objects_.widened() == 0) return {};
  return count_text(objects_.widened(), "array") + " of float32 packed as float64, which simple_packing needs";
}

}  // namespace tgmap::cli
