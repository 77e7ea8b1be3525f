// SPDX-License-Identifier: Apache-2.0
#include "support/bench_archive.hpp"

#include <unistd.h>

#include <string>
#include <system_error>

namespace tgmap_bench {

bench_archive::bench_archive(const archive_plan& plan) : plan_(plan) {
  static int number = 0;
  path_ = std::filesystem::temp_directory_path() /
          ("tgmap_bench_" + std::to_string(::getpid()) + "_" + std::to_string(number++) + ".tgm");
  make_archive(path_, plan_);
}

bench_archive::~bench_archive() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

const bench_archive& small_messages() {
  static const bench_archive made({.messages = 20'000, .fields = 1, .rows = 16, .columns = 16});
  return made;
}

const bench_archive& large_messages() {
  static const bench_archive made({.messages = 64, .fields = 4, .rows = 512, .columns = 512});
  return made;
}

const bench_archive& streamed_messages() {
  static const bench_archive made({.messages = 2'000, .fields = 8, .rows = 32, .columns = 32, .streamed_every = 1});
  return made;
}

}  // namespace tgmap_bench
