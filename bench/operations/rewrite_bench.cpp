// SPDX-License-Identifier: Apache-2.0
// Verbs that write archives, as whole processes: the time for a small message, and for large messages a comparison with
// `cp` and `sync -f` of the same files.
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <system_error>

#include "operations/operations.hpp"
#include "support/page_cache.hpp"
#include "support/process.hpp"

namespace tgmap_bench {

namespace {

namespace fs = std::filesystem;
using words = std::vector<std::string>;

bool in_memory(const fs::path& where) {
  struct statfs facts {};
  if (::statfs(where.c_str(), &facts) != 0) throw std::system_error(errno, std::system_category(), where.string());
  return facts.f_type == TMPFS_MAGIC;
}

/// Warms a file that is read repeatedly. Files of a file system in memory are always warm.
fs::path warm(const fs::path& path) {
  if (!in_memory(path)) make_warm(path);
  return path;
}

/// The output directory of a run. The destructor removes it with its contents.
class outputs {
 public:
  explicit outputs(fs::path folder) : folder_(std::move(folder)) { empty(); }
  ~outputs() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  outputs(const outputs&) = delete;
  outputs& operator=(const outputs&) = delete;

  void empty() const {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  std::string of(const char* name) const { return (folder_ / name).string(); }

 private:
  fs::path folder_;
};

words tgmap_command(const words& arguments, bool synced) {
  words out{TGMAP_COMMAND};
  out.insert(out.end(), arguments.begin(), arguments.end());
  if (!synced) out.insert(out.begin() + 2, "--no-sync");
  return out;
}

/// Copies files and waits until they are on the disk.
void copy_files(const std::string& from, const std::string& to, bool synced) {
  run_command({"/bin/cp", "-r", from, to});
  if (synced) run_command({"/bin/sync", "-f", to});
}

/// Waits until earlier output is on the disk.
void settle_disk(bool synced) {
  if (synced) ::sync();
}

void require_disk(const archives& files) {
  expect(!in_memory(files.directory()), "the archives lie in memory: --keep names a directory on a disk");
}

row small_set(const archives& files) {
  return {.name = "rewrite/set/small",
          .unit = "message",
          .prepare =
              [&files] {
                const auto path = warm(files.path(shape::small));
                const auto to = std::make_shared<const outputs>(files.directory() / "rewritten");
                return contest{.units = static_cast<double>(files.messages(shape::small)),
                               .operation =
                                   [=] {
                                     run_command(tgmap_command(
                                         {"set", "-s", "mars.step=12", path.string(), to->of("out.tgm")}, false));
                                   },
                               .floors = {{.name = "cp",
                                           .run = [=] { copy_files(path.string(), to->of("out.tgm"), false); },
                                           .counts = false}},
                               .before = [=] { to->empty(); }};
              },
          .rounds = 7};
}

/// A verb that writes archives.
struct write_verb {
  const char* name;
  words (*arguments)(const std::string& from, const outputs& outputs);
};

constexpr write_verb write_verbs[] = {
    {"copy",
     [](const std::string& from, const outputs& to) {
       return words{"copy", from, to.of("out.tgm")};
     }},
    {"merge",
     [](const std::string& from, const outputs& to) {
       return words{"merge", from, "-o", to.of("out.tgm")};
     }},
    {"split",
     [](const std::string& from, const outputs& to) {
       return words{"split", from, "-o", to.of("out.tgm")};
     }},
};

row large_row(const write_verb& verb, bool synced, const archives& files) {
  return {.name = std::string("rewrite/") + verb.name + "/large" + (synced ? "/synced" : ""),
          .unit = "archive",
          .prepare =
              [=, &files] {
                if (synced) require_disk(files);
                const auto from = warm(files.path(files.quick() ? shape::fields : shape::large)).string();
                const auto copied = std::make_shared<const outputs>(files.directory() / "made");
                const auto to = std::make_shared<const outputs>(files.directory() / "rewritten");
                run_command(tgmap_command(verb.arguments(from, *copied), false));  // the files that `cp` copies
                return contest{.operation = [=] { run_command(tgmap_command(verb.arguments(from, *to), synced)); },
                               .floors = {{.name = synced ? "cp, sync -f" : "cp",
                                           .run = [=] { copy_files(copied->of(""), to->of("copy"), synced); }}},
                               .before =
                                   [=] {
                                     to->empty();
                                     settle_disk(synced);
                                   }};
              },
          .rounds = 5};
}

}  // namespace

void add_rewrite_rows(std::vector<row>& rows, const archives& files) {
  rows.push_back(small_set(files));
  for (const write_verb& each : write_verbs) {
    rows.push_back(large_row(each, false, files));
    // A shared disk is sometimes several times slower. Therefore rows that wait for it run at full size only, never in
    // the gate.
    if (!files.quick()) rows.push_back(large_row(each, true, files));
  }
}

}  // namespace tgmap_bench
