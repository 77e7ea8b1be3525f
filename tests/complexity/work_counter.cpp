// SPDX-License-Identifier: Apache-2.0
#include "work_counter.hpp"

#include <unistd.h>
#include <valgrind/valgrind.h>

#include <fstream>
#include <stdexcept>
#include <string>

namespace tgmap_test {

bool work_counter::run_counted(const char* program, const char* log) {
  if (RUNNING_ON_VALGRIND) return true;
  // Without the default limit, so that every processor executes the same kernels, at most those of AVX2.
  const std::string to = std::string("--log-file=") + log;
  ::execlp("valgrind", "valgrind", "--tool=none", "--vgdb=no", to.c_str(), program, log, nullptr);
  return false;
}

work_counter::work_counter(std::filesystem::path log) : log_(std::move(log)) {}

std::uint64_t work_counter::blocks() {
  VALGRIND_MONITOR_COMMAND("v.info stats");
  std::ifstream in(log_);
  in.seekg(static_cast<std::streamoff>(read_));
  constexpr std::string_view behind = " event checks";
  std::uint64_t out = 0;
  bool found = false;
  for (std::string line; std::getline(in, line);) {
    read_ += line.size() + 1;
    const std::size_t end = line.find(behind);
    if (end == line.npos) continue;
    const std::size_t begin = line.find_last_of(' ', end - 1) + 1;  // of "12,345,678"
    out = 0;
    for (std::size_t i = begin; i < end; ++i)
      if (line[i] != ',') out = 10 * out + static_cast<std::uint64_t>(line[i] - '0');
    found = true;
  }
  if (!found) throw std::runtime_error("valgrind does not tell of its event checks");
  return out;
}

}  // namespace tgmap_test
