// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/app/session.hpp"
#include "cli/command/verb.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/file_list.hpp"
#include "cli/input/hash_mismatch.hpp"
#include "cli/input/required_keys.hpp"
#include "cli/options/decode_limit_options.hpp"
#include "cli/verbs/read/extract/extract_destination.hpp"
#include "cli/verbs/read/extract/extract_objects.hpp"
#include "cli/verbs/read/extract/extractor.hpp"

namespace tgmap::cli {

namespace {

std::vector<sliced_target> read_targets(const extract_options& given) {
  std::vector<sliced_target> out = parse_sliced_targets(given.from);
  if (given.stored && std::any_of(out.begin(), out.end(), [](const sliced_target& t) { return t.slice.has_value(); }))
    throw usage_error("--stored takes whole payloads; leave out the slice or --stored");
  return out;
}

/// Returns the name of the file or member of each object, all different and none an input.
/// Errors: usage_error; cli_error.
std::vector<std::string> names_of(const extract_objects& all, const std::vector<sliced_target>& from,
                                  const extract_destination& to) {
  std::vector<extracted_object> named;
  for (std::size_t i = 0; i < all.objects.size(); ++i)
    named.push_back(
        {all.origins[i].source, all.objects[i], all.origins[i].from->address.file, all.message_label(i), all.name(i)});
  std::vector<std::string> out = extract_names(to, named);
  for (const sliced_target& each : from) {
    if (to.what == extract_destination::kind::npz)
      refuse_to_overwrite(each.address, to.to);
    else
      for (const std::string& name : out) refuse_to_overwrite(each.address, name);
  }
  return out;
}

void run_extract(const extract_options& given, session& run) {
  const std::vector<sliced_target> targets = read_targets(given);
  if (given.verify) use_no_index(run);
  auto to = extract_destination::parse(given.to, given.format, given.stored);
  const bool one_archive = std::all_of(targets.begin(), targets.end(), [&](const sliced_target& each) {
    return each.address.file == targets.front().address.file;
  });
  if (to.names.is_folder() && !one_archive) to.names.add_archive_to_object_name();
  if (given.json && is_standard_output(to.to))
    throw usage_error("--json and the object cannot both go to standard output");

  std::vector<target> addresses;
  for (const sliced_target& each : targets) addresses.push_back(each.address);
  require_keys({{.option = fmt::format("'{}'", given.to), .keys = to.names.keys()}}, addresses, given.chosen, run);

  constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();
  const extract_objects all =
      find_objects(targets, given.chosen, to.takes_several(), to.takes_several() ? no_limit : 2, run);
  if (all.objects.size() > 1 && !to.takes_several())
    throw usage_error(
        "several objects need -o with keys in brackets, for example 'f[@message]_[@object].npy', a folder, out/, or an "
        ".npz");
  const bool complete = run.report.status() != exit_status::failed;
  if (all.objects.empty() && complete)
    run.report.failed(targets.front().address.file, "no object is selected",
                      "run `tgmap ls --objects` to see what there is");
  if (all.objects.empty()) return;
  if (!complete && to.what == extract_destination::kind::npz)
    return run.report.hint(to.to + ": not written because an object is missing");
  run.report.guard(to.to, [&] { extract_all(given, all, to, names_of(all, targets, to), run); });
}

}  // namespace

action declare_extract(CLI::App& app, session& run) {
  const auto given = std::make_shared<extract_options>();
  given->chosen.objects = true;
  given->outputs.takes_folder = true;
  add_targets(app, given->from,
              std::string(target_forms) + "; a slice such as [10:20,::4] after it takes a part of each object");
  app.add_option("-o,--output", given->to,
                 "The file to write; - is standard output; for several objects a name with keys such as [@message] and "
                 "[@object], a folder, out/, or an .npz. Default for values as text: standard output")
      ->type_name("OUT");
  const auto format =
      app.add_option("--format", given->format,
                     "npy; raw: only the elements in C order; csv, text or json: values with coordinates")
          ->check(CLI::IsMember({"npy", "raw", "csv", "text", "json"}))
          ->type_name("FORMAT");
  add_where(app, given->chosen);
  const auto as_stored =
      app.add_flag("--as-stored", given->as_stored, "Ignore strides and take elements in stored order");
  app.add_flag("--stored", given->stored, "Write the payload as stored, without decoding")
      ->excludes(format)
      ->excludes(as_stored);
  add_verify(app, given->verify, "of each object, and leave out those that differ");
  add_decode_limits(app, run, decoding_verb::one_object);
  add_output_options(app, given->outputs);
  app.add_flag("-j,--json", given->json, "Print what was written, one JSON object per object");
  return [given, &run] { run_extract(*given, run); };
}

}  // namespace tgmap::cli
