// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/write/verify_elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <tgmap/tools/compare.hpp>

#include "cli/app/cli_error.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/elements.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/progress.hpp"

namespace tgmap::cli {

namespace {

[[noreturn]] void fail_verification(const message& m, const std::string& how) {
  throw cli_error(fmt::format("verification failed at {}: {}", location_text(m), how), "nothing was written");
}

bool is_readable(const message& m) { return !m.is_incomplete() && m.version() != 1; }

/// Returns the number of the first readable message from `i` on, or the size of the archive.
std::uint64_t next_readable(const archive& in, std::uint64_t i) {
  while (i < in.size() && !is_readable(in[i])) ++i;
  return i;
}

std::uint64_t verify_message(const message& before, const message& after) {
  const std::size_t count = before.size();
  if (count != after.size())
    fail_verification(before, fmt::format("{} became {}", count_text(count, "object"), after.size()));
  std::uint64_t equal = 0;
  for (std::size_t j = 0; j < count; ++j) {
    failure unreadable;
    const tensor left = decode_elements(before[j], unreadable);
    if (unreadable) continue;
    const tensor right = decode_elements(after[j]);
    if (left.dtype() != right.dtype() || !std::ranges::equal(left.shape(), right.shape()))
      fail_verification(before, fmt::format("object {} has another dtype or shape", j));
    if (const auto found = compare(left, right))
      fail_verification(before,
                        fmt::format("{} of {} elements of object {} differ", found->differing, found->elements, j));
    ++equal;
  }
  return equal;
}

}  // namespace

std::uint64_t verify_elements(const archive& before, const archive& after, const std::string& file, session& run) {
  progress_bar bar(run, "verifying " + file, before.size_bytes());
  std::uint64_t equal = 0;
  auto i = next_readable(before, 0), k = next_readable(after, 0);
  for (; i < before.size() && k < after.size(); i = next_readable(before, i + 1), k = next_readable(after, k + 1)) {
    equal += verify_message(before[i], after[k]);
    bar.update(before[i].offset());
  }
  if (i < before.size()) fail_verification(before[i], "the message is missing");
  if (k < after.size()) fail_verification(after[k], "the message does not exist in the input");
  return equal;
}

}  // namespace tgmap::cli
