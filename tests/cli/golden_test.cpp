// SPDX-License-Identifier: Apache-2.0
// Each file in golden/ has a command line, its output in a pipe, and its output at a terminal of 80 by 24 characters.
// TGMAP_UPDATE_GOLDEN=1 in the environment rewrites the files; review the difference before committing it.
#include <boost/algorithm/string/replace.hpp>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <support/shared_data.hpp>

#include "process.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(golden)

namespace {

const std::filesystem::path directory = std::filesystem::path(__FILE__).parent_path() / "golden";

/// Splits a line into words; blanks within quotes do not separate.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> out;
  bool quoted = false, any = false;
  for (const char c : line) {
    if (c == '\'') {
      quoted = !quoted;
      if (!std::exchange(any, true)) out.emplace_back();
    } else if (c == ' ' && !quoted) {
      any = false;
    } else {
      if (!std::exchange(any, true)) out.emplace_back();
      out.back() += c;
    }
  }
  return out;
}

/// Makes escapes visible and removes what differs between runs and machines.
std::string steady(std::string text) {
  boost::replace_all(text, "\x1b", "^[");
  text = std::regex_replace(text, std::regex("\\b[0-9.]+ (ns|µs|ms|s)\\b"), "TIME");
  text = std::regex_replace(text, std::regex("\"elapsed_ms\":[0-9.e+-]+"), "\"elapsed_ms\":TIME");
  return std::regex_replace(text, std::regex("\\((local|network) file[^)]*\\)|\"(local|network) file[^\"]*\""),
                            "(WHERE)");
}

/// Returns the expected contents of the file.
std::string played(const std::string& line) {
  std::vector<std::string> words = words_of(line);
  words.erase(words.begin(), words.begin() + 2);  // "$ tgmap"
  const outcome in_pipe = run(words), at_terminal = run_at_terminal(words, {.columns = 80, .rows = 24});
  BOOST_TEST(in_pipe.status == at_terminal.status);
  std::string out = line + "\n";
  out += "--- in a pipe, status " + std::to_string(in_pipe.status) + "\n" + in_pipe.out;
  if (!in_pipe.err.empty()) out += "--- errors\n" + in_pipe.err;
  return steady(out + "--- at a terminal\n" + at_terminal.out);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_verb_prints_what_it_printed) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(test_data());  // names of files are printed
  unsigned files = 0;
  for (const auto& each : std::filesystem::directory_iterator(directory)) {
    ++files;
    const std::string wanted = read_file(each.path()), line = wanted.substr(0, wanted.find('\n'));
    const bool of_zio = line.starts_with("$ tgmap tens ") || line.starts_with("$ tgmap help tens");
    if (of_zio && !has_zeromq_or_skip(line)) continue;
    const bool of_constants = line.starts_with("$ tgmap constant ") || line.starts_with("$ tgmap help constant");
    if (of_constants && !has_simdjson_or_skip(line)) continue;
    const std::string found = played(line);
    if (std::getenv("TGMAP_UPDATE_GOLDEN") != nullptr)
      std::ofstream(each.path()) << found;
    else
      BOOST_TEST(found == wanted, each.path().filename().string() << ": now\n" << found);
  }
  std::filesystem::current_path(before);
  BOOST_TEST(files > 30u);
}

BOOST_AUTO_TEST_SUITE_END()
