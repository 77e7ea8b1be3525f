// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/read/extract/extract_objects.hpp"

#include <tgmap/archive.hpp>

#include "cli/input/archives.hpp"
#include "cli/input/selector.hpp"

namespace tgmap::cli {

namespace {

std::optional<std::size_t> number_of(const archive& in, const message& m, const target& what, bool numbered,
                                     session& run) {
  if (const auto known = m.index(); known || !numbered || what.offset) return known;
  scan_all(in, what, run);  // the message was found from the end
  return m.index();
}

void find_in(const sliced_target& from, const selector& chosen_objects, bool numbered, std::size_t most,
             extract_objects& out, session& run) {
  const target& what = from.address;
  const archive in = open_archive(what, run);
  out.pins.push_back(in.pin());  // before an error: kept objects outlive it
  const auto take = [&](const message& m, key_lookup&, std::optional<std::size_t> object) {
    out.objects.push_back(m[object.value()]);
    out.origins.push_back({&from, number_of(in, m, what, numbered, run), m});
    return out.objects.size() < most;
  };
  // Throws for a message that the user named and that cannot be read.
  if (what.one_message())
    if (const message named = find_message(in, what); named.version() == 1) named.size();
  const tally sum = chosen_objects.visit_all(what, in, run, take);
  chosen_objects.report(what, in, sum, run);
}

}  // namespace

std::string extract_objects::message_label(std::size_t i) const {
  const auto& number = origins[i].message;
  return number ? std::to_string(*number) : "@" + std::to_string(objects[i].frame().message().offset());
}

std::string extract_objects::name(std::size_t i) const {
  return origins[i].from->address.file + (origins[i].message ? ":" : "") + message_label(i) + ":" +
         std::to_string(objects[i].index());
}

extract_objects find_objects(std::span<const sliced_target> targets, const selection_options& chosen, bool numbered,
                             std::size_t most, session& run) {
  const selector chosen_objects(chosen);
  extract_objects out;
  for (const sliced_target& each : targets)
    if (out.objects.size() < most)
      run.report.guard(each.address.file, [&] { find_in(each, chosen_objects, numbered, most, out, run); });
  return out;
}

}  // namespace tgmap::cli
