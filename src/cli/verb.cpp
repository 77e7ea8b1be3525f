// SPDX-License-Identifier: Apache-2.0
#include "cli/verb.hpp"

#include <algorithm>
#include <array>

#include "cli/complaint.hpp"

namespace tgmap::cli {

namespace {

constexpr std::array all_verbs{
    verb{"info", "Summarise archives: messages, objects, versions, damage", declare_info},
    verb{"ls", "List messages, or objects, one in a row", declare_ls},
    verb{"get", "Print values of keys, one message in a line", declare_get},
    verb{"count", "Count messages, or objects", declare_count},
    verb{"stats", "Show least, greatest, mean, deviation and missing elements of objects", declare_stats},
    verb{"show", "Show one object: statistics, and a picture in the terminal or as PNG", declare_show},
    verb{"extract", "Write objects as .npy or .npz, as raw elements or as stored", declare_extract},
    verb{"dump", "Show all metadata, or every frame, or bytes", declare_dump},
    verb{"du", "Show where the bytes of archives go", declare_du},
    verb{"validate", "Check archives: structure, metadata, digests, values", declare_validate},
    verb{"explain", "Show what reaching a message or an object takes", declare_explain},
    verb{"doctor", "Examine this installation", declare_doctor},
    verb{"completion", "Print a script that teaches a shell to complete the command", declare_completion},
    verb{"__complete", "", declare_complete},
    verb{"help", "Show the manual of a verb or a topic", declare_help},
};

}  // namespace

std::span<const verb> verbs() { return all_verbs; }

void add_targets(CLI::App& app, std::vector<std::string>& into, const std::string& forms, bool needed) {
  app.add_option("FILE", into, forms + "; - is standard input")->required(needed)->type_name("");
}

std::vector<target> parse_targets(const std::vector<std::string>& texts) {
  std::vector<target> out;
  out.reserve(texts.size());
  for (const std::string& text : texts) out.push_back(parse_target(text));
  if (std::count_if(out.begin(), out.end(), [](const target& t) { return t.file == "-"; }) > 1)
    throw usage_error("standard input can be read once; save it to a file first");
  return out;
}

}  // namespace tgmap::cli
