// SPDX-License-Identifier: Apache-2.0
#include "cli/extract_objects.hpp"

#include "cli/archives.hpp"
#include "cli/chooser.hpp"

namespace tgmap::cli {

namespace {

std::optional<std::size_t> number_of(const archive& in, const message& m, const target& what, bool numbered,
                                     session& run) {
  if (const auto known = m.index(); known || !numbered || what.offset) return known;
  scan_all(in, what, run);  // found from the end
  return m.index();
}

void find_in(const sliced_target& from, const chooser& choose, bool numbered, std::size_t most, extract_objects& out,
             session& run) {
  const target& what = from.address;
  const archive in = open_archive(what, run);
  out.pins.push_back(in.pin());  // at once: what is kept outlives an error on the way
  tally sum;
  const auto take = [&](const message& m, key_lookup&, std::optional<std::size_t> object) {
    out.objects.push_back(m[object.value()]);
    out.origins.push_back({&from, number_of(in, m, what, numbered, run)});
    return out.objects.size() < most;
  };
  for_each_message(in, what, run, [&](const message& m) {
    if (what.one_message() && m.version() == 1) m.size();  // throws: it has been asked for and cannot be read
    choose.look_at(what, m, take, sum);
    return sum.more;
  });
  choose.report(what, in, sum, run);
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
  const chooser choose(chosen);
  extract_objects out;
  for (const sliced_target& each : targets)
    if (out.objects.size() < most)
      run.report.guard(each.address.file, [&] { find_in(each, choose, numbered, most, out, run); });
  return out;
}

}  // namespace tgmap::cli
