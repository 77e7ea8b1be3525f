// SPDX-License-Identifier: Apache-2.0
#include "faults.hpp"

#include <sstream>
#include <support/builder.hpp>

namespace tgmap_test {

namespace {

outcome run_preloaded(const std::filesystem::path& folder, const std::string& arguments, const std::string& variables) {
  return shell("cd '" + folder.string() + "' && ulimit -c 0 && exec env LD_PRELOAD='" TGMAP_FAULT_LIBRARY "' " +
               variables + " \"$TGMAP\" " + arguments);
}

}  // namespace

outcome run_with_faults(const std::filesystem::path& folder, const std::string& arguments, const std::string& faults) {
  return run_preloaded(folder, arguments, "TGMAP_FAULTS='" + faults + "'");
}

std::map<std::string, long> calls_of(const std::filesystem::path& folder, const std::string& arguments,
                                     const std::string& faults) {
  const temporary_directory files;
  const auto counts = files.file("counts", "");
  run_preloaded(folder, arguments, "TGMAP_FAULTS='" + faults + "' TGMAP_FAULT_COUNTS='" + counts.string() + "'");
  std::map<std::string, long> out;
  std::istringstream lines(read_file(counts));
  for (std::string call; std::getline(lines, call);) ++out[call];
  return out;
}

std::map<std::string, bytes> contents_of(const std::filesystem::path& folder) {
  std::map<std::string, bytes> out;
  for (const auto& each : std::filesystem::directory_iterator(folder))
    if (each.is_regular_file()) out[each.path().filename().string()] = read_file(each.path());
  return out;
}

bytes large_message(std::size_t size, unsigned seed) {
  bytes payload(size, '\0');
  for (char& c : payload) c = static_cast<char>((seed = seed * 1664525 + 1013904223) >> 24);
  return message({.objects = {bytes_object(payload)}});
}

}  // namespace tgmap_test
