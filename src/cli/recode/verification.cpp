// SPDX-License-Identifier: Apache-2.0
#include "cli/recode/verification.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/app/cli_error.hpp"
#include "cli/app/progress.hpp"
#include "cli/compare/values.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/elements.hpp"
#include "cli/print/human_numbers.hpp"

namespace tgmap::cli {

namespace {

[[noreturn]] void disagree(const message& m, const std::string& how) {
  throw cli_error(fmt::format("verification failed at {}: {}", location_text(m), how), "nothing is written");
}

bool is_readable(const message& m) { return !m.is_incomplete() && m.version() != 1; }

/// The next message, from `i` on, that counts; behind the last one `i` is their number.
std::uint64_t next_readable(const archive& in, std::uint64_t i) {
  while (i < in.size() && !is_readable(in[i])) ++i;
  return i;
}

std::uint64_t verify_message(const message& before, const message& after) {
  const std::size_t count = before.size();
  if (count != after.size()) disagree(before, fmt::format("{} became {}", count_text(count, "object"), after.size()));
  std::uint64_t equal = 0;
  for (std::size_t j = 0; j < count; ++j) {
    failure unread;
    const tensor left = decode_elements(before[j], unread);
    if (unread) continue;
    const tensor right = decode_elements(after[j]);
    if (left.dtype() != right.dtype() || !std::ranges::equal(left.shape(), right.shape()))
      disagree(before, fmt::format("object {} has another dtype or shape", j));
    if (const auto found = compare_values(left, right, {}))
      disagree(before, fmt::format("{} of {} elements of object {} differ", found->differing, found->elements, j));
    ++equal;
  }
  return equal;
}

}  // namespace

std::uint64_t verify_elements(const archive& before, const archive& after, const std::string& what, session& run) {
  progress_bar bar(run, "verifying " + what, before.size_bytes());
  std::uint64_t equal = 0;
  auto i = next_readable(before, 0), k = next_readable(after, 0);
  for (; i < before.size() && k < after.size(); i = next_readable(before, i + 1), k = next_readable(after, k + 1)) {
    equal += verify_message(before[i], after[k]);
    bar.update(before[i].offset());
  }
  if (i < before.size()) disagree(before[i], "it is missing");
  if (k < after.size()) disagree(after[k], "it came from nowhere");
  return equal;
}

}  // namespace tgmap::cli
