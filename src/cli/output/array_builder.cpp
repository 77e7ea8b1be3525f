// SPDX-License-Identifier: Apache-2.0
#include "cli/output/array_builder.hpp"

#include <utility>

namespace tgmap::cli {

namespace {

edit::message_plan with_extra(edit::message_plan plan, const cbor_value& extra) {
  plan.extra = extra;
  return plan;
}

}  // namespace

array_builder::array_builder(sink& to, edit::message_plan plan, const pipeline& how, const new_metadata& metadata)
    : pipeline_(how), metadata_(metadata), objects_(to, with_extra(std::move(plan), metadata.extra())) {}

void array_builder::add(array_input&& from) {
  names_.push_back({from.file, from.member, from.label()});
  from.object.pipeline = pipeline_;
  try {
    from.object.base = metadata_.base(objects_.built().size(), from.name);
  } catch (const cli_error& why) {
    throw array_error(from.label(), why.what(), why.next_step());
  }
  failure why;
  objects_.add(std::move(from.object), std::move(from.memory), why);
  check(why);
}

void array_builder::finish() {
  metadata_.check_count(objects_.built().size());
  failure why;
  objects_.finish(why);
  check(why);
}

/// Throws array_error with the name of the array if an array is at fault.
void array_builder::check(const failure& why) const {
  if (!why) return;
  if (!objects_.failed_object()) throw error(why);
  const array_name& which = names_[*objects_.failed_object()];
  failure of_object = why;
  of_object.message = of_object.object = std::nullopt;
  throw array_error(which.label, of_object.text(), next_step_for_storing(why, which.label));
}

}  // namespace tgmap::cli
