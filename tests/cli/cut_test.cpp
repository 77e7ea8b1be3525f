// SPDX-License-Identifier: Apache-2.0
// A file that is cut while a verb runs: an error with its place and exit status 1, never a signal.
#include <boost/test/unit_test.hpp>

#include "process.hpp"
#include "samples.hpp"

using namespace tgmap_test;

namespace {

struct large_file {
  large_file() {
    for (int n = 0; n < 3000; ++n) data += forecast();  // more rows than a pipe holds: the verb waits for its reader
  }
  temporary_directory files;
  bytes data;
  std::string path() const { return (files / "f.tgm").string(); }

  /// Runs the verb, cuts the file after its first line has come, and reads on.
  outcome cut_under(const std::string& verb, std::size_t kept) const {
    write_file(path(), data);
    return shell("{ $TGMAP " + verb + "; echo \"status $?\" >&2; } | { read -r first; truncate -s " +
                 std::to_string(kept) + " '" + path() + "'; cat > /dev/null; }");
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(cut, large_file)

BOOST_AUTO_TEST_CASE(verbs_say_so_and_end) {
  for (const std::string mode : {"--io map", "--io read"})
    for (const std::size_t kept : {0u, 5000u})
      for (const std::string verb : {"ls --objects --json ", "ls --json "}) {
        const outcome seen = cut_under(verb + mode + " '" + path() + "'", kept);
        BOOST_TEST_CONTEXT(verb << mode << ", " << kept << " bytes kept: " << seen.err.substr(0, 300)) {
          BOOST_TEST(seen.err.find("status 1\n") != std::string::npos);
        }
      }
}

BOOST_AUTO_TEST_SUITE_END()
