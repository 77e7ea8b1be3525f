// SPDX-License-Identifier: Apache-2.0
#include "cli/command/verb.hpp"

#include <array>
#include <utility>

#include "cli/options/common_options.hpp"

namespace tgmap::cli {

namespace {

constexpr std::array all_verbs{
    verb{"info", "Summarise archives: messages, objects, versions, damage", declare_info},
    verb{"ls", "List messages or objects, one per row", declare_ls},
    verb{"get", "Print values of keys, one line per message", declare_get},
    verb{"count", "Count messages, or objects", declare_count},
    verb{"stats", "Show min, max, mean, std and missing elements of objects", declare_stats},
    verb{"show", "Show one object: statistics, and a picture in the terminal or as PNG", declare_show},
    verb{"extract", "Write objects as .npy or .npz, as raw elements or as stored", declare_extract},
    verb{"create", "Create an archive from .npy and .npz files, or raw elements", declare_create},
    verb{"copy", "Copy messages to a file, or sort them into files by their keys", declare_copy},
    verb{"split", "Divide the messages of an archive among several files", declare_split},
    verb{"set", "Change metadata: set, delete and rename keys", declare_set},
    verb{"rehash", "Add hashes to objects, or remove them", declare_rehash},
    verb{"reindex", "Put the index of messages into the header or the footer", declare_reindex},
    verb{"reshuffle", "Rewrite streamed messages with index and hashes in the header", declare_reshuffle},
    verb{"merge", "Merge the objects of many messages into one message", declare_merge},
    verb{"append", "Add messages to an archive that others may be reading", declare_append},
    verb{"send", "Send messages of archives over ZeroMQ as ZIO messages", declare_send},
    verb{"recv", "Record ZIO messages received over ZeroMQ in an archive", declare_recv},
    verb{"index", "Make, check and remove index files, with which archives open at once", declare_index},
    verb{"upgrade", "Upgrade archives from version 2 to version 3", declare_upgrade},
    verb{"convert", "Store objects differently: packed, compressed, or plain", declare_convert},
    verb{"diff", "Compare two archives: metadata and elements", declare_diff},
    verb{"dump", "Show all metadata, or every frame, or bytes", declare_dump},
    verb{"du", "Show where the bytes of archives go", declare_du},
    verb{"validate", "Check archives: structure, metadata, hashes, values", declare_validate},
    verb{"explain", "Show the cost of reaching a message or an object", declare_explain},
    verb{"cube", "Show which labelled cubes the objects of archives make, and why", declare_cube},
    verb{"import", "Make archives from files of other formats: GRIB", declare_import},
    verb{"export", "Write objects of archives in other formats: GRIB", declare_export},
    verb{"tens", "Show ZIO TENS frames, and convert them to and from archives", declare_tens},
    verb{"constant", "Check tensor constants, and convert them to and from archives", declare_constant},
    verb{"doctor", "Check this installation", declare_doctor},
    verb{"completion", "Print a completion script for a shell", declare_completion, true},
    verb{"__complete", "", declare_complete, true},
    verb{"help", "Show the manual of a verb or a topic", declare_help, true},
};

}  // namespace

std::span<const verb> verbs() { return all_verbs; }

action add_verbs(CLI::App& below, std::span<const verb> all, session& run, const verb_filter& needed) {
  below.require_subcommand(1);
  std::vector<std::pair<const CLI::App*, action>> actions;
  for (const verb& v : all) {
    CLI::App* const added = below.add_subcommand(v.name, v.summary);
    if (*v.summary == '\0') added->group("");
    if (!needed(v)) continue;
    actions.emplace_back(added, v.declare(*added, run));
    add_common_options(*added, run);
  }
  return [actions = std::move(actions)] {
    for (const auto& [app, act] : actions)
      if (app->parsed()) act();
  };
}

}  // namespace tgmap::cli
