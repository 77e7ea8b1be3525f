// SPDX-License-Identifier: Apache-2.0
// `ls -p`, `ls -w` and `get` print what the reference implementation printed for the same files, as recorded by
// record_reference.py. Each exception has a reason, and must still differ. Selections are those of --where-plain.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <set>
#include <support/shared_data.hpp>

#include "process.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(reference)

BOOST_AUTO_TEST_CASE(output_is_that_of_the_reference_or_there_is_a_reason) {
  const auto calls = nlohmann::json::parse(read_file(test_data() / "reference_cli.json"));
  BOOST_TEST(calls.size() > 300u);
  std::set<std::string> verbs, reasons, selected_by_objects;
  for (const auto& call : calls) {
    auto arguments = call["arguments"].get<std::vector<std::string>>();
    const std::string shown = call["arguments"].dump() + " " + call["file"].get<std::string>();
    arguments.push_back((test_data() / call["file"].get<std::string>()).string());
    if (std::ranges::find(arguments, "-w") != arguments.end()) {
      // Without --where-plain only != can differ here: the recorded values are those of the first object.
      if (run(arguments).out != call["out"].get<std::string>()) {
        BOOST_TEST(arguments[2].find("!=") != std::string::npos, shown);
        selected_by_objects.insert(call["file"].get<std::string>());
      }
      arguments.emplace_back("--where-plain");
    }
    const outcome seen = run(arguments);
    if (call.contains("differs")) {
      BOOST_TEST(seen.out != call["out"].get<std::string>(), shown << " differs no more");
      reasons.insert(call["differs"].get<std::string>());
      continue;
    }
    BOOST_TEST(seen.out == call["out"].get<std::string>(), shown);
    BOOST_TEST(seen.status == call["status"].get<int>(), shown << ": " << seen.err);
    verbs.insert(arguments.front());
  }
  BOOST_TEST(verbs.size() == 2u);
  BOOST_TEST(selected_by_objects.size() == 17u);  // files with messages of several objects
  for (const std::string& reason : reasons) BOOST_TEST_MESSAGE("differs: " << reason);
}

BOOST_AUTO_TEST_SUITE_END()
