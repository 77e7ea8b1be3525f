// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "support/archive_maker.hpp"

namespace tgmap_bench {

/// An archive in the temporary directory, made at once and removed on destruction.
class bench_archive {
 public:
  explicit bench_archive(const archive_plan& plan);
  ~bench_archive();
  bench_archive(const bench_archive&) = delete;
  bench_archive& operator=(const bench_archive&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }
  const archive_plan& plan() const noexcept { return plan_; }

 private:
  archive_plan plan_;
  std::filesystem::path path_;
};

/// Many small messages: 20,000 of one field of 1 KiB.
const bench_archive& small_messages();
/// Few large ones: 64 of four fields of 1 MiB.
const bench_archive& large_messages();
/// 2,000 streamed messages of eight fields of 4 KiB.
const bench_archive& streamed_messages();

}  // namespace tgmap_bench
