// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <support/bytes.hpp>
#include <support/guarded.hpp>
#include <support/survey.hpp>

namespace tgmap_test {

/// A `damage_check` checks that damaged copies of an archive keep the guarantees of the library.
class damage_check {
 public:
  explicit damage_check(const bytes& sound);

  /// Returns the first broken guarantee; empty if there is none. Reads everything from memory that ends with the bytes,
  /// with on_damage::skip and on_damage::stop, by index and by walk. If the structure differs, there must be an error,
  /// a gap or a tail. If every hash matches, the hashed bytes must be undamaged.
  std::string find_fault(const bytes& damaged);

  std::size_t checked() const { return checked_; }
  /// Returns the number of changes that no failure, gap, tail or hash reports.
  std::size_t unnoticed() const { return unnoticed_; }

 private:
  bytes sound_;
  survey original_;
  bool has_version_2_ = false, has_version_3_ = false;
  guarded_bytes memory_;
  std::size_t checked_ = 0, unnoticed_ = 0;
};

}  // namespace tgmap_test
