// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string_view>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TGMAP_TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TGMAP_TEST_SANITIZED 1
#endif
#endif

/// Long tests do less under a sanitizer, where each round takes about ten times as long: a tenth of the random rounds,
/// and one of every few cases of a loop over all of them. Builds without a sanitizer do everything. So do sanitizers if
/// the environment variable TGMAP_TEST_ROUNDS is `all`, which `./dev nightly` sets. A test does not print that it did
/// less.
namespace tgmap_test {

/// Returns whether the environment variable TGMAP_TEST_ROUNDS is `all`. Tests of hundreds of calls of other programs,
/// or of large files of theirs, do everything only then, also without a sanitizer.
inline bool all_rounds_wanted() {
  static const bool wanted = [] {
    const char* const rounds = std::getenv("TGMAP_TEST_ROUNDS");
    return rounds != nullptr && std::string_view(rounds) == "all";
  }();
  return wanted;
}

/// Returns whether long tests do everything.
inline bool all_rounds() {
#ifdef TGMAP_TEST_SANITIZED
  return all_rounds_wanted();
#else
  return true;
#endif
}

/// Returns the number of random rounds to make: `n`, or a tenth under a sanitizer, but at least 1.
template <class Integer>
Integer rounds(Integer n) {
  return all_rounds() ? n : std::max<Integer>(1, n / 10);
}

/// Returns the step of a loop over all positions: 1, or `step` under a sanitizer. Choose a prime, so that every
/// alignment is met.
inline std::size_t stride(std::size_t step) { return all_rounds() ? 1 : step; }

/// A `case_sampler` chooses cases of nested loops: all, or the first of every `step` under a sanitizer. Choose a prime,
/// so that every value of every loop is met.
class case_sampler {
 public:
  explicit case_sampler(std::size_t step) : step_(stride(step)) {}

  /// Returns whether to check the next case.
  bool takes_next() { return count_++ % step_ == 0; }

 private:
  std::size_t step_, count_ = 0;
};

}  // namespace tgmap_test

#undef TGMAP_TEST_SANITIZED
