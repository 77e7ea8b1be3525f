// SPDX-License-Identifier: Apache-2.0
#include "edit/compare/element_verification.hpp"

#include <algorithm>
#include <tgmap/tools/compare.hpp>

#include "edit/decode_elements.hpp"

namespace tgmap::edit {

namespace {

using kind = verification_fault::kind;

bool is_readable(const message& m) { return !m.is_incomplete() && m.version() != 1; }

/// Returns the number of the first readable message from `i` on, or the size of the archive.
std::uint64_t next_readable(const archive& in, std::uint64_t i) {
  while (i < in.size() && !is_readable(in[i])) ++i;
  return i;
}

void verify_message(const message& before, const message& after, verification& into) {
  const std::size_t count = before.size();
  if (count != after.size()) {
    into.fault = {.what = kind::objects, .message = before, .before = count, .after = after.size()};
    return;
  }
  for (std::size_t j = 0; j < count; ++j) {
    bool as_stored = false;
    failure why;
    const tensor left = decode_elements(before[j], as_stored, why);
    if (why) continue;
    const tensor right = decode_elements(after[j], as_stored, why);
    if (why) throw error(why);
    if (left.dtype() != right.dtype() || !std::ranges::equal(left.shape(), right.shape())) {
      into.fault = {.what = kind::type, .message = before, .object = j};
      return;
    }
    if (const auto found = compare(left, right)) {
      into.fault = {.what = kind::elements,
                    .message = before,
                    .object = j,
                    .differing = found->differing,
                    .elements = found->elements};
      return;
    }
    ++into.equal;
  }
}

}  // namespace

verification verify_elements(const archive& before, const archive& after,
                             const std::function<void(std::uint64_t)>& progress) {
  verification out;
  auto i = next_readable(before, 0), k = next_readable(after, 0);
  for (; i < before.size() && k < after.size(); i = next_readable(before, i + 1), k = next_readable(after, k + 1)) {
    verify_message(before[i], after[k], out);
    if (out.fault) return out;
    progress(before[i].offset());
  }
  if (i < before.size()) out.fault = {.what = kind::missing, .message = before[i]};
  if (i >= before.size() && k < after.size()) out.fault = {.what = kind::unexpected, .message = after[k]};
  return out;
}

}  // namespace tgmap::edit
