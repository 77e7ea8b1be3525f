// SPDX-License-Identifier: Apache-2.0
// The end of opening an archive with an index, for files and byte sources.
#pragma once

#include <new>
#include <tgmap/archive.hpp>
#include <utility>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "archive/scan/open_index.hpp"
#include "index/open_index_calls.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Lets an archive begin with an index that was found, which is compared with all bytes if the options ask for that.
/// Returns why it does not; `why` if none was found. May throw what check_open_index throws.
inline failure begin_with_index(const archive& a, fitting_index found, index_trust trust, const open_options& options,
                                failure why) {
  if (found && options.index == index_use::checked) {
    found.stamp.reset();
    check_open_index(a, *found.index, {}, found.stamp, why);
    trust = index_trust::checked;
  }
  if (!found || why) return why;
  return access::mutable_state(a).begin_with(std::move(found), trust);
}

/// Returns an archive after `use_index(archive)`, which returns why the archive does not begin with an index, or throws
/// it. The archive remembers the reason, which is an error only if the options name an index.
template <class UseIndex>
archive opened_with_index(archive out, const open_options& options, failure& why, UseIndex&& use_index) noexcept {
  if (options.index == index_use::none) return out;
  try {
    why = use_index(out);
  } catch (const std::bad_alloc&) {
    why = {.code = errc::out_of_memory};
  } catch (const error& e) {
    why = e.details();
  }
  if (!why) return out;
  if (!options.index_path.empty()) return {};
  access::mutable_state(out).index_refusal = std::exchange(why, {});
  return out;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
