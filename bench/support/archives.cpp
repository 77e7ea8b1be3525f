// SPDX-License-Identifier: Apache-2.0
#include "support/archives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <string>

#include "floors/file.hpp"
#include "floors/wire.hpp"
#include "support/page.hpp"

namespace tgmap_bench {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t whole_mebibyte = std::uint64_t{1} << 20;

/// About what the archive takes.
std::uint64_t estimated_size(const archive_plan& plan) {
  std::uint64_t rows = plan.rows;
  if (!plan.cycle_of_rows.empty()) rows = std::ranges::max(plan.cycle_of_rows);
  return plan.junk_before + plan.messages * plan.fields * (rows * plan.columns * sizeof(float) + 400);
}

/// Where the second message begins.
std::uint64_t second_message(const fs::path& path) { return length_in_preamble(mapped_file(path).data()); }

void damage(shape which, const fs::path& path) {
  if (which == shape::flipped) {
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.exceptions(std::ios::badbit | std::ios::failbit);
    file.seekp(static_cast<std::streamoff>(second_message(path)));
    file.put('X');
  }
  if (which == shape::cut) fs::resize_file(path, fs::file_size(path) - whole_mebibyte);
}

}  // namespace

std::string_view name(shape which) {
  switch (which) {
    case shape::small: return "small";
    case shape::medium: return "medium";
    case shape::large: return "large";
    case shape::streamed: return "streamed";
    case shape::many: return "many";
    case shape::many_footer: return "many_footer";
    case shape::fewer: return "fewer";
    case shape::fields: return "fields";
    case shape::one_field: return "one_field";
    case shape::junk: return "junk";
    case shape::flipped: return "flipped";
    case shape::cut: return "cut";
  }
  return "?";
}

archives::archives(const fs::path& kept, bool quick) : kept_(kept), quick_(quick) {
  if (kept.empty())
    scratch_.emplace();
  else
    fs::create_directories(kept);
}

archive_plan archives::plan(shape which) const {
  const auto scaled = [&](std::uint64_t full, std::uint64_t quick) { return quick_ ? quick : full; };
  switch (which) {
    case shape::small:
      return {.messages = scaled(1'000'000, 100'000), .fields = 1, .rows = 16, .columns = 16, .same_weather = true};
    case shape::medium:  // 100 KB on average
      return {.messages = scaled(60'000, 6'000),
              .fields = 1,
              .columns = 256,
              .cycle_of_rows = {100, 60, 100, 140, 80, 100, 120},
              .same_weather = true};
    case shape::large:
      return {.messages = scaled(1'024, 256), .fields = 4, .rows = 512, .columns = 256, .same_weather = true};
    case shape::streamed:
      return {.messages = scaled(20'000, 2'000),
              .fields = 8,
              .rows = 32,
              .columns = 32,
              .streamed_every = 1,
              .same_weather = true,
              .magic_in_payloads = true};
    case shape::many: return {.fields = 10'000, .rows = 16, .columns = 16, .same_weather = true};
    case shape::many_footer:
      return {.fields = 10'000, .rows = 16, .columns = 16, .streamed_every = 1, .same_weather = true};
    case shape::fewer: return {.fields = 1'000, .rows = 16, .columns = 16, .same_weather = true};
    case shape::fields:
      return {.messages = scaled(256, 64), .fields = 1, .rows = 1'024, .columns = 512, .same_weather = true};
    case shape::one_field: return {.fields = 1, .rows = 2'048, .columns = 2'048};
    case shape::junk:
      return {.messages = 16,
              .fields = 1,
              .rows = 1'024,
              .columns = 512,
              .same_weather = true,
              .junk_before = 8 * whole_mebibyte};
    case shape::flipped:
    case shape::cut: return {.messages = 6, .fields = 1, .rows = 2'048, .columns = 1'024, .same_weather = true};
  }
  throw std::logic_error("a shape without a plan");
}

fs::path archives::path(shape which) const {
  const fs::path finished = directory() / fmt::format("{}{}.tgm", name(which), quick_ ? "_quick" : "");
  if (fs::exists(finished)) return finished;
  const archive_plan what = plan(which);
  const std::uint64_t needed = estimated_size(what) + 256 * whole_mebibyte, free = fs::space(directory()).available;
  if (free < needed)
    throw std::runtime_error(fmt::format("{} needs {} of disk, {} has {}", name(which), human_size(needed),
                                         directory().string(), human_size(free)));
  fmt::print(stderr, "making {}, about {} …\n", finished.filename().string(), human_size(estimated_size(what)));
  const fs::path partial = fs::path(finished) += ".partial";  // an interrupted run leaves no archive that looks whole
  make_archive(partial, what);
  damage(which, partial);
  fs::rename(partial, finished);
  return finished;
}

}  // namespace tgmap_bench
