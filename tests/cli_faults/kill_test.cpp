// SPDX-License-Identifier: Apache-2.0
// The command is killed at any system call: every output has its old or its new contents.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <csignal>

#include "faults.hpp"

using namespace tgmap_test;

namespace {

constexpr const char* named_files = "tmpfile:*:EOPNOTSUPP";

struct stage {
  temporary_directory files;
  std::map<std::string, bytes> before{{"0.tgm", "old"}, {"o.npz", "old"}, {"2.tgm", "another old one"}}, after{};
  std::string arguments;

  explicit stage(std::string with) : arguments(std::move(with)) {
    bytes all;
    for (unsigned i = 0; i < 4; ++i) all += large_message(70000 + i, i);
    files.file("in", all);
    before["in"] = all;
    reset();
    BOOST_TEST_REQUIRE(run_with_faults(files.path(), arguments, "").status == 0);
    after = contents_of(files.path());
    BOOST_TEST_REQUIRE(after != before);
  }

  void reset() const {
    for (const auto& [name, data] : contents_of(files.path())) std::filesystem::remove(files / name);
    for (const auto& [name, data] : before) files.file(name, data);
  }

  /// Checks that each file has its old or new contents. Returns the number of other files.
  std::size_t check(const std::string& what) const {
    auto found = contents_of(files.path());
    const auto leftovers = std::erase_if(found, [](const auto& each) { return each.first.starts_with(".tgmap-"); });
    for (const auto& [name, data] : before) BOOST_TEST(found.count(name) == 1u, what << ": " << name << " is gone");
    for (const auto& [name, data] : found) {
      const bool was = before.count(name) != 0 && before.at(name) == data;
      const bool is = after.count(name) != 0 && after.at(name) == data;
      BOOST_TEST((was || is), what << ": half of " << name);
    }
    return leftovers;
  }

  std::size_t kill_everywhere(const std::string& signal, int status, const std::string& faults) {
    std::size_t leftovers = 0, killed = 0;
    reset();
    for (const auto& [call, count] : calls_of(files.path(), arguments, faults))
      for (long n = 0; n < count; ++n) {
        if (call == "tmpfile" && !faults.empty()) continue;
        reset();
        const std::string now = call + ":" + std::to_string(n) + ":" + signal;
        const outcome seen = run_with_faults(files.path(), arguments, now + "," + faults);
        BOOST_TEST(seen.status == status, now << ": " << seen.err);
        leftovers += check(now);
        ++killed;
      }
    BOOST_TEST(killed > 3u);
    return leftovers;
  }
};

const std::vector<std::string> runs{"copy -f in 0.tgm",
                                    "copy -f in '[index].tgm'",
                                    "copy -f in:1.. in",
                                    "set -f -s a=b in:1..3 in",
                                    "merge -f --reproducible in -o 0.tgm",
                                    "extract in -o o.npz",
                                    "extract in -o '[@message].tgm' --format raw"};

}  // namespace

BOOST_AUTO_TEST_SUITE(killed)

BOOST_AUTO_TEST_CASE(killed_at_any_moment) {
  for (const std::string& run : runs) {
    stage on(run);
    BOOST_TEST_CONTEXT(run) {
      on.kill_everywhere("SIGKILL", 1000 + SIGKILL, "");
      on.kill_everywhere("SIGKILL", 1000 + SIGKILL, named_files);
    }
  }
}

BOOST_AUTO_TEST_CASE(signals_that_can_be_handled_leave_nothing) {
  for (const std::string& run : runs) {
    stage on(run);
    BOOST_TEST_CONTEXT(run) {
      BOOST_TEST(on.kill_everywhere("SIGTERM", 1000 + SIGTERM, "") == 0u);
      BOOST_TEST(on.kill_everywhere("SIGTERM", 1000 + SIGTERM, named_files) == 0u);
    }
  }
  stage on(runs.front());
  for (const auto& [name, number] : {std::pair{"SIGINT", SIGINT},
                                     {"SIGHUP", SIGHUP},
                                     {"SIGQUIT", SIGQUIT},
                                     {"SIGALRM", SIGALRM},
                                     {"SIGXCPU", SIGXCPU}})
    BOOST_TEST(on.kill_everywhere(name, 1000 + number, named_files) == 0u, name);
}

BOOST_AUTO_TEST_CASE(append_ends_after_a_complete_message) {
  const temporary_directory files;
  const std::size_t sizes[] = {70000, 200, 300000, 10};  // put out in pieces, and gathered
  std::vector<bytes> ends{large_message(500, 9)};
  bytes added;
  for (const std::size_t size : sizes) {
    const bytes one = large_message(size, static_cast<unsigned>(size));
    added += one;
    ends.push_back(ends.back() + one);
  }
  files.file("in", added);
  const std::string arguments = "append all.tgm in --no-sync";
  files.file("all.tgm", ends.front());
  const auto calls = calls_of(files.path(), arguments, "");
  BOOST_TEST((contents_of(files.path()).at("all.tgm") == ends.back()));

  std::size_t killed = 0;
  for (const auto& [name, number] : {std::pair{"SIGTERM", SIGTERM}, {"SIGINT", SIGINT}, {"SIGHUP", SIGHUP}})
    for (const char* call : {"write", "writev"})
      for (long n = 0; n < (calls.count(call) != 0 ? calls.at(call) : 0); ++n) {
        files.file("all.tgm", ends.front());
        const std::string now = call + (":" + std::to_string(n) + ":") + name;
        BOOST_TEST(run_with_faults(files.path(), arguments, now).status == 1000 + number, now);
        const bytes found = contents_of(files.path()).at("all.tgm");
        BOOST_TEST((found != ends.front() && std::count(ends.begin(), ends.end(), found) == 1), now);
        ++killed;
      }
  BOOST_TEST(killed >= 3 * std::size(sizes));
  const outcome ignoring =
      shell("trap '' INT; cd '" + files.path().string() + "' && cp in all.tgm && exec env LD_PRELOAD='" +
            TGMAP_FAULT_LIBRARY "' TGMAP_FAULTS='writev:0:SIGINT,write:0:SIGINT' \"$TGMAP\" " + arguments);
  BOOST_TEST(ignoring.status == 0, ignoring.err);
}

BOOST_AUTO_TEST_CASE(a_signal_that_is_ignored_stays_ignored) {
  const stage on(runs.front());
  on.reset();
  const outcome seen =
      shell("trap '' HUP; cd '" + on.files.path().string() + "' && exec env LD_PRELOAD='" +
            TGMAP_FAULT_LIBRARY "' TGMAP_FAULTS='fsync:0:SIGHUP," + named_files + "' \"$TGMAP\" " + on.arguments);
  BOOST_TEST(seen.status == 0, seen.err);
  BOOST_TEST((contents_of(on.files.path()) == on.after));
}

BOOST_AUTO_TEST_CASE(many_files_leave_nothing) {
  const temporary_directory files;
  bytes all;
  for (unsigned i = 0; i < 150; ++i) all += large_message(10, i);
  files.file("in", all);
  for (const std::string faults : {"", named_files}) {
    BOOST_TEST(run_with_faults(files.path(), "copy in 'o[index]' ", faults).status == 0);
    auto found = contents_of(files.path());
    BOOST_TEST(found.size() == 151u);
    bytes joined;
    for (const auto& [name, data] : found)
      if (name != "in") joined += data;
    BOOST_TEST((joined == all));
    for (const auto& [name, data] : found)
      if (name != "in") std::filesystem::remove(files / name);
    const outcome seen = run_with_faults(files.path(), "copy in 'o[index]'", std::string("syncfs:0:SIGINT,") + faults);
    BOOST_TEST(seen.status == 1000 + SIGINT);
    BOOST_TEST(contents_of(files.path()).size() == 1u);
  }
}

BOOST_AUTO_TEST_SUITE_END()
