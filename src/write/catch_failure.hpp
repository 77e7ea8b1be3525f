// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <new>
#include <stdexcept>
#include <system_error>
#include <tgmap/error.hpp>

namespace tgmap::write {

/// Calls `work` and returns its failure. For the public overloads with `failure&`, which must not throw.
///
/// Exceptions become failures:
/// - `error`: its details
/// - std::system_error: its code
/// - any other: out_of_memory; these are std::bad_alloc, and std::length_error for sizes beyond any memory
template <class Work>
failure catch_failure(Work&& work) noexcept {
  try {
    return work();
  } catch (const error& e) {
    return e.details();
  } catch (const std::system_error& e) {
    return {.code = e.code()};
  } catch (const std::exception&) {
    return {.code = errc::out_of_memory};
  }
}

}  // namespace tgmap::write
