// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/app/session.hpp"
#include "cli/compare/difference.hpp"
#include "cli/transform/object_hashes.hpp"
#include "cli/transform/reencoded_object.hpp"

namespace tgmap::cli {

/// The new storage of objects.
struct conversion_rules {
  std::string file;  ///< for messages
  tgmap::pipeline pipeline{};
  bool widen = false;  ///< convert elements to float64 if a stage accepts nothing else
  damaged_objects damaged = damaged_objects::refuse;
};

/// The result for one object.
struct conversion_result {
  std::optional<std::uint64_t> message{};  ///< number, if known
  std::uint64_t offset = 0;                ///< of the message
  std::size_t object = 0;
  dtype from = dtype::uint8, to = dtype::uint8;
  std::vector<std::uint64_t> shape{};
  bool as_stored = false;                         ///< strides are not dense; elements keep their stored order
  std::uint64_t bytes = 0;                        ///< of the decoded elements
  std::uint64_t before = 0, after = 0;            ///< stored bytes of payload and masks
  std::optional<value_difference> differences{};  ///< nothing if all elements are equal
};

/// A `message_conversion` encodes objects with another pipeline. It converts several objects of a message at once.
class message_conversion {
 public:
  message_conversion(conversion_rules rules, session& run) : rules_(std::move(rules)), run_(run) {}

  /// Converts the given objects of a loaded message, and keeps the others. Masked elements stay masked. Lifetime: the
  /// message borrows from this until the next call. Errors: throws cli_error if an object is damaged or cannot be
  /// stored that way; tgmap::error.
  void convert(const message&, const std::vector<std::size_t>& which, stored_message&);

  const std::vector<conversion_result>& results() const noexcept { return results_; }  ///< of all messages

 private:
  reencoded_object convert_object(const message&, std::size_t j, const stored_message&, conversion_result&) const;
  tensor decode(const object&, const descriptor&, bool& as_stored) const;

  conversion_rules rules_;
  session& run_;
  std::vector<std::optional<reencoded_object>> current_{};  ///< objects of the last message
  std::vector<conversion_result> results_{};
};

}  // namespace tgmap::cli
