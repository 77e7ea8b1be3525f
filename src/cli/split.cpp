// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <unordered_map>

#include "cli/complaint.hpp"
#include "cli/joined_values.hpp"
#include "cli/number_checks.hpp"
#include "cli/outputs/file_template.hpp"
#include "cli/outputs/message_outputs.hpp"
#include "cli/selection.hpp"
#include "cli/split_objects.hpp"

namespace tgmap::cli {

namespace {

struct split_options {
  std::string from, to, keys;
  std::uint64_t count = 0, bytes = 0;  ///< 0: not given
  selection_options chosen;
  output_options outputs;
  bool json = false;
};

/// Which file each message goes to: a number, from 0 in the order in which they are begun.
class division {
 public:
  explicit division(const split_options& given)
      : count_(given.count),
        bytes_(given.bytes),
        keys_(given.keys.empty() ? std::vector<metadata_key>() : parse_keys(given.keys)) {}

  std::uint64_t file_for(const message& m, key_lookup& in) {
    if (!keys_.empty()) return file_for_keys(in);
    if (begun_ == 0 || !room_for(m)) {
      ++begun_;
      messages_ = filled_ = 0;
    }
    ++messages_;
    filled_ += m.length();
    return begun_ - 1;
  }

 private:
  bool room_for(const message& m) const {
    return count_ != 0 ? messages_ < count_ : filled_ <= bytes_ && m.length() <= bytes_ - filled_;
  }

  std::uint64_t file_for_keys(key_lookup& in) {
    return files_.emplace(joined_values(keys_, in), files_.size()).first->second;
  }

  std::uint64_t count_, bytes_;
  std::vector<metadata_key> keys_;
  std::unordered_map<std::string, std::uint64_t> files_{};
  std::uint64_t begun_ = 0, messages_ = 0, filled_ = 0;  // files; of the one at hand
};

void run_split(const split_options& given, session& run) {
  const target from = parse_target(given.from);
  if (from.objects) throw usage_error("messages stay whole; leave the objects out of the address");
  if (names_standard_output(given.to))
    throw usage_error("split writes several files", "give them a name, or use `tgmap copy FILE -`");
  file_template names(given.to);
  names.add_index();
  if (given.count == 0 && given.bytes == 0 && given.keys.empty())
    return split_objects(from, names, given.to, given.chosen, given.outputs, given.json, run);
  division divide(given);
  std::vector<std::string> files;  // their names are those of the first message of each
  file_names given_names(names);

  message_outputs outputs(given.outputs, run);
  const auto open = [&](const target& what) { return outputs.open(what, true); };
  const auto take = [&](const target& what, const message& m, key_lookup& keys, auto) {
    const std::uint64_t number = divide.file_for(m, keys);
    if (number == files.size()) files.push_back(given_names.name_for(keys, number));
    outputs.add(what, m, files[static_cast<std::size_t>(number)], true);
    return outputs.more();
  };
  for_each_selected({from}, given.chosen, run, take, open);
  run.report.guard(given.to, [&] { outputs.finish(given.to, given.json); });
}

}  // namespace

action declare_split(CLI::App& app, session& run) {
  const auto given = std::make_shared<split_options>();
  app.add_option("FILE", given->from, "FILE, or messages of it such as FILE:2..5; - is standard input")
      ->required()
      ->type_name("");
  app.add_option("-o,--output", given->to,
                 "The files: [index] in it is their number, 0000 first, and comes before the extension where it is not "
                 "there; [KEY] is a value of the first message")
      ->required()
      ->type_name("NAME");
  const auto count = app.add_option("--count", given->count, "So many messages in each file")
                         ->check(whole_number_from(1))
                         ->type_name("N");
  const auto size =
      app.add_option("--size", given->bytes,
                     "As many messages in each file as have so many bytes together, or one that is larger; "
                     "with a unit: 64MiB, 2GB")
          ->transform(size_in_bytes())
          ->type_name("BYTES")
          ->excludes(count);
  app.add_option("--by", given->keys, "A file for each value of a key, or of several between commas")
      ->check(named_keys())
      ->type_name("KEYS")
      ->excludes(count)
      ->excludes(size);
  add_where(app, given->chosen);
  add_output_options(app, given->outputs);
  add_dry_run(app, given->outputs);
  app.add_flag("-j,--json", given->json, "Tell what was written, one JSON object for each file");
  return [given, &run] { run_split(*given, run); };
}

}  // namespace tgmap::cli
