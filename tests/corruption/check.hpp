// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <support/bytes.hpp>
#include <support/guarded.hpp>
#include <support/survey.hpp>

namespace tgmap_test {

/// Holds damaged bytes against what must always hold. Made once for an undamaged archive.
class damage_check {
 public:
  explicit damage_check(const bytes& sound);

  /// Empty, or what is wrong: visits everything in bytes that end where memory ends, skipping and stopping, by index
  /// and by walk. Nothing may be silent: the same structure, a named failure, a gap or a tail; and when every digest
  /// matches, the digested bytes are the undamaged ones.
  std::string complaint(const bytes& damaged);

  std::size_t checked() const { return checked_; }
  std::size_t unnoticed() const { return unnoticed_; }  ///< changes that no failure, gap, tail or digest tells of

 private:
  bytes sound_;
  survey original_;
  bool has_version_2_ = false, has_version_3_ = false;
  guarded_bytes memory_;
  std::size_t checked_ = 0, unnoticed_ = 0;
};

}  // namespace tgmap_test
