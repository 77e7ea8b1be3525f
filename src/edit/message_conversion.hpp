// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <tgmap/decode/executor.hpp>
#include <tgmap/dtype.hpp>
#include <tgmap/message.hpp>
#include <tgmap/object.hpp>
#include <tgmap/tools/compare.hpp>
#include <tgmap/write/new_message.hpp>
#include <utility>
#include <vector>

#include "edit/stored_objects.hpp"

namespace tgmap::edit {

/// The new storage of objects.
struct conversion_rules {
  /// Returns the pipeline of an object after the changes. Called from any thread.
  std::function<tgmap::pipeline(const tgmap::pipeline&)> change{};
  bool changes_encoding = false;     ///< `change` may give another encoding
  bool changes_compression = false;  ///< `change` may give another compression
  missing_options missing{};         ///< kinds of missing elements that are allowed, besides those that have masks
  bool mask_methods = false;         ///< `missing` also has the methods of masks that exist
  bool widen = false;                ///< convert elements to float64 if a stage accepts nothing else
  on_mismatch damaged = on_mismatch::refuse;
};

/// Why an object cannot be converted.
struct conversion_fault {
  enum class kind : std::uint8_t {
    decode,   ///< the object cannot be decoded
    store,    ///< its elements cannot be stored that way
    packing,  ///< elements would change that are packed already and are to stay packed
    finite,   ///< finite elements would become infinite or NaN
  };
  kind what = kind::decode;
  failure why{};                   ///< for `decode` and `store`
  std::size_t object = 0;          ///< its number in the message
  tgmap::descriptor descriptor{};  ///< how it is stored
  std::uint64_t elements = 0;      ///< for `finite`: their number
};

/// The result for one object.
struct conversion_result {
  optional_index message{};  ///< number, if known
  std::uint64_t offset = 0;  ///< of the message
  std::size_t object = 0;
  dtype from = dtype::uint8, to = dtype::uint8;
  std::vector<std::uint64_t> shape{};
  bool as_stored = false;                           ///< strides are not dense; elements keep their stored order
  std::uint64_t bytes = 0;                          ///< of the decoded elements
  std::uint64_t before = 0, after = 0;              ///< stored bytes of payload and masks
  std::optional<element_difference> differences{};  ///< nothing if all elements are equal

  /// Returns how many times smaller the object became; nothing if nothing is stored.
  std::optional<double> ratio() const noexcept {
    if (after == 0) return std::nullopt;
    return static_cast<double>(before) / static_cast<double>(after);
  }
  /// Return the largest difference of two elements; infinity if elements differ of which one is NaN or infinite.
  double absolute_error() const noexcept { return error_of(&element_difference::largest_absolute); }
  double relative_error() const noexcept { return error_of(&element_difference::largest_relative); }

 private:
  double error_of(double element_difference::*which) const noexcept {
    if (!differences) return 0;
    return differences->not_finite != 0 ? HUGE_VAL : *differences.*which;
  }
};

/// A `message_conversion` encodes objects with some stages of their pipeline changed. It converts several objects of a
/// message at once.
class message_conversion {
 public:
  /// Lifetime: the executor must outlive this object.
  message_conversion(conversion_rules rules, executor& threads) : rules_(std::move(rules)), threads_(&threads) {}

  /// Converts the given objects of a loaded message, and keeps the others. Masked elements stay masked. Adds hashes
  /// that do not match to `mismatches`. Returns why the first object that could not be converted could not. Lifetime:
  /// the message borrows from this until the next call. Errors: throws tgmap::error, also for damage that is refused.
  std::optional<conversion_fault> convert(const message&, const std::vector<std::size_t>& which, stored_message&);

  const std::vector<conversion_result>& results() const noexcept { return results_; }  ///< of all messages

 private:
  struct converted_object;
  void convert_object(const message&, std::size_t j, const stored_message&, converted_object&) const;
  void encode(const tensor&, const new_object&, const descriptor&, const stored_message&, converted_object&) const;
  pipeline change(const descriptor&) const;
  tensor decode(const object&, const descriptor&, const pipeline&, bool& as_stored, failure&) const;

  conversion_rules rules_;
  executor* threads_;
  std::vector<reencoded_object> current_{};  ///< objects of the last message
  std::vector<conversion_result> results_{};
};

/// Returns true for real numbers, which float64 may be able to hold.
bool can_widen(dtype) noexcept;

}  // namespace tgmap::edit
