// SPDX-License-Identifier: Apache-2.0
// Work that may throw, behind doors that do not.
#pragma once

#include <new>
#include <stdexcept>
#include <system_error>
#include <tgmap/error.hpp>

namespace tgmap::write {

/// What `work()` returns, or the failure that stands for what it throws.
template <class Work>
failure guarded(Work&& work) noexcept {
  try {
    return work();
  } catch (const std::system_error& e) {
    return {.code = e.code()};
  } catch (const std::exception&) {  // bad_alloc, and length_error for what no memory could hold
    return {.code = errc::out_of_memory};
  }
}

}  // namespace tgmap::write
