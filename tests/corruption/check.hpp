// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <support/bytes.hpp>
#include <support/guarded.hpp>
#include <support/survey.hpp>

namespace tgmap_test {

/// Checks damaged bytes against the guarantees of the library. Made once for an undamaged archive.
class damage_check {
 public:
  explicit damage_check(const bytes& sound);

  /// Returns what is wrong; empty if nothing is. Visits everything in bytes that end at the end of memory, with skip
  /// and stop, by index and by walk. Every damage must show: the same structure, an error, a gap or a tail; and if
  /// every hash matches, the hashed bytes must be undamaged.
  std::string complaint(const bytes& damaged);

  std::size_t checked() const { return checked_; }
  /// number of changes that no failure, gap, tail or hash reports
  std::size_t unnoticed() const { return unnoticed_; }

 private:
  bytes sound_;
  survey original_;
  bool has_version_2_ = false, has_version_3_ = false;
  guarded_bytes memory_;
  std::size_t checked_ = 0, unnoticed_ = 0;
};

}  // namespace tgmap_test
