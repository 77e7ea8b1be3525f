// SPDX-License-Identifier: Apache-2.0
// Fields of GRIB files, and files made by ecCodes' tools.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <support/temporary.hpp>
#include <vector>

#include "../needs_eccodes.hpp"
#include "bridge/grib/sections/field.hpp"
#include "bridge/grib/sections/message_finder.hpp"

namespace tgmap_test {

using tgmap::failure;
using tgmap::bridge::grib::field;

/// Calls `visit(field)` for each field of GRIB bytes. Messages must be sound.
template <class Visit>
void each_field(const std::string& data, Visit&& visit) {
  using namespace tgmap::bridge::grib;
  message_finder finder(std::as_bytes(std::span(data)));
  for (finding found; finder.next(found);) {
    if (found.message.empty()) continue;
    failure why;
    field_reader reader(found.message, found.offset, why);
    field each;
    while (reader.next(each, why)) visit(each);
    BOOST_TEST(!why, why.text());
  }
}

/// Returns the folder of ecCodes' samples, or nothing where its tools are missing.
inline std::filesystem::path samples_folder() {
  std::FILE* const pipe = ::popen("codes_info -s 2>/dev/null", "r");
  std::string out;
  for (int c = 0; pipe != nullptr && (c = std::fgetc(pipe)) != EOF;) out += static_cast<char>(c);
  if (pipe != nullptr) ::pclose(pipe);
  while (!out.empty() && out.back() == '\n') out.pop_back();
  if (!std::filesystem::is_directory(out)) out.clear();  // samples in memory: /MEMFS
  return out;
}

/// Returns true if the tools are there; else says that the current test is skipped.
inline bool has_eccodes_tools() {
  if (!has_eccodes()) return false;
  if (!samples_folder().empty()) return true;
  say_skipped(boost::unit_test::framework::current_test_case().full_name(),
              "ecCodes' tools are missing; install libeccodes-tools");
  return false;
}

/// Returns what a command prints. It must succeed.
inline std::string output_of(const std::string& command) {
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  BOOST_REQUIRE(pipe != nullptr);
  std::string out;
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) out += static_cast<char>(c);
  BOOST_TEST(::pclose(pipe) == 0, command);
  return out;
}

}  // namespace tgmap_test
