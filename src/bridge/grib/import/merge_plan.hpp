// SPDX-License-Identifier: Apache-2.0
// Which fields of all inputs become the objects of one message.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "bridge/grib/import/batch_pipeline.hpp"

namespace tgmap::bridge::grib {

/// A `merge_plan` is a list of fields, in groups that differ only in some keys.
class merge_plan {
 public:
  /// A field and its message in an input.
  struct place {
    std::size_t input = 0;
    std::uint64_t offset = 0, size = 0;  // of the message
    std::size_t field = 0;
    std::uint64_t group = 0;
  };

  /// Adds a field to the group of its key. A new key begins a group.
  void add(const batch_item&);

  /// Puts the fields into the order of their groups, which is that of the first field of each.
  void sort();

  std::span<const place> places() const noexcept { return places_; }

 private:
  std::vector<place> places_{};
  std::map<std::vector<std::byte>, std::uint64_t> groups_{};  // ordered: the keys come from files
};

/// Returns what a field has in common with those that it is merged with: the `mars` keys except `merged`, and the
/// digest of its grid. A field without such keys is alone with those of equal sections.
/// Errors: out_of_memory.
std::vector<std::byte> group_key_of(const field&, const cbor_value& keys, std::span<const std::string> merged,
                                    failure& why);

/// A `planned_reader` reads the fields of a plan again, each group in one batch.
/// Lifetime: borrows its arguments.
class planned_reader final : public batch_source {
 public:
  planned_reader(std::span<grib_input* const> inputs, const merge_plan& plan, std::uint64_t batch_bytes) noexcept
      : inputs_(inputs), plan_(plan), batch_bytes_(batch_bytes) {}

  bool next(message_batch& out, failure& why) override;

 private:
  std::span<grib_input* const> inputs_;
  const merge_plan& plan_;
  std::uint64_t batch_bytes_;
  std::size_t position_ = 0;  // in the plan
};

}  // namespace tgmap::bridge::grib
