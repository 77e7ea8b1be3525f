// SPDX-License-Identifier: Apache-2.0
#include "cli/input/file_list.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>

#include "cli/app/cli_error.hpp"
#include "cli/app/read_input.hpp"
#include "cli/input/target.hpp"
#include "core/text/split.hpp"

namespace tgmap::cli {

namespace {

std::vector<std::string> read_list(const std::string& name) {
  const convert::file_bytes from = read_input(name);
  const std::string_view text(reinterpret_cast<const char*>(from.bytes().data()), from.bytes().size());
  if (text.find('\0') != text.npos)
    throw cli_error("is not a list of addresses: it has zero bytes", "name an archive without @ and --from", name);
  std::vector<std::string> out;
  for (std::string_view line : core::split(text, '\n')) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) out.emplace_back(line);
  }
  if (out.empty()) throw usage_error("the list '" + name + "' names no files", "write one address a line");
  return out;
}

/// Returns true for an argument `@LIST`.
bool names_list(const std::string& argument) {
  return argument.size() > 1 && argument.front() == '@' && !exists_on_disk(argument);
}

/// Returns true for "-" and addresses in it, in the form of the command line or as command.cpp passes them on.
bool names_standard_input(std::string_view address) {
  for (const std::string_view name : {std::string_view("-"), standard_input})
    if (address.starts_with(name))
      if (const std::string_view rest = address.substr(name.size()); rest.empty() || rest[0] == ':' || rest[0] == '@')
        return true;
  return false;
}

/// Collects the inputs of one run of a verb.
class input_collector {
 public:
  void add_list(const std::string& name) {
    if (name == "-") use_standard_input();
    for (std::string& line : read_list(name)) add_address(std::move(line));
  }

  void add_argument(std::string argument) {
    names_list(argument) ? add_list(argument.substr(1)) : add_address(std::move(argument));
  }

  std::vector<std::string> take() { return std::move(all_); }

 private:
  void add_address(std::string address) {
    if (names_standard_input(address)) use_standard_input();
    all_.push_back(std::move(address));
  }

  void use_standard_input() {
    if (std::exchange(uses_standard_input_, true))
      throw usage_error("standard input can be read only once", "save the list or the archive to a file first");
  }

  std::vector<std::string> all_{};
  bool uses_standard_input_ = false;
};

void expand(std::vector<std::string>& files, const std::vector<std::string>& lists, file_place place) {
  if (lists.empty() && std::none_of(files.begin(), files.end(), names_list)) return;
  const bool has_archive = place == file_place::after_archive && !files.empty();
  const bool has_output = place == file_place::before_output && !files.empty();
  std::vector<std::string> out;
  if (has_archive) out.push_back(files.front());
  input_collector inputs;
  for (auto at = files.begin() + (has_archive ? 1 : 0); at != files.end() - (has_output ? 1 : 0); ++at)
    inputs.add_argument(*at);
  for (const std::string& each : lists) inputs.add_list(each);
  std::vector<std::string> all = inputs.take();
  std::move(all.begin(), all.end(), std::back_inserter(out));
  if (has_output) out.push_back(files.back());
  files = std::move(out);
}

}  // namespace

void add_file_lists(CLI::App& app, CLI::Option& files, std::vector<std::string>& into, file_place place) {
  add_file_lists(app, files, into, [place] { return place; });
}

void add_file_lists(CLI::App& app, CLI::Option& files, std::vector<std::string>& into,
                    std::function<file_place()> place) {
  const auto lists = std::make_shared<std::vector<std::string>>();
  // The callback of an option runs before required arguments are checked.
  const auto take = [&files, lists, place](const std::vector<std::string>& given) {
    *lists = given;
    if (place() == file_place::all) files.required(false);
  };
  app.add_option_function<std::vector<std::string>>(
         "--from", take,
         "Also take the addresses in this file, one a line; - is standard input. @LIST among the files does the same")
      ->allow_extra_args(false)
      ->type_name("LIST");
  app.final_callback([&into, lists, place = std::move(place)] { expand(into, *lists, place()); });
}

void add_targets(CLI::App& app, std::vector<std::string>& into, const std::string& forms) {
  CLI::Option* const files = app.add_option("FILE", into, forms + "; - is standard input")->required()->type_name("");
  add_file_lists(app, *files, into);
}

}  // namespace tgmap::cli
