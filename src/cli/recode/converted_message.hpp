// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/app/session.hpp"
#include "cli/compare/difference.hpp"
#include "cli/recode/encoded_anew.hpp"
#include "cli/rewrite/message_parts.hpp"

namespace tgmap::cli {

/// How objects are stored from now on.
struct conversion_rules {
  std::string file;  ///< they are of, to be told of
  tgmap::pipeline how{};
  bool widen = false;  ///< elements become float64 where a stage takes nothing else
  damaged_objects damaged = damaged_objects::refuse;
};

/// What became of one object.
struct conversion {
  std::optional<std::uint64_t> message{};  ///< its number, where it is known
  std::uint64_t offset = 0;                ///< of the message
  std::size_t object = 0;
  dtype from = dtype::uint8, to = dtype::uint8;
  std::vector<std::uint64_t> shape{};
  bool as_stored = false;                         ///< its strides say no order: elements are in that they lay in
  std::uint64_t bytes = 0;                        ///< of the elements, decoded
  std::uint64_t before = 0, after = 0;            ///< stored: payload and masks
  std::optional<value_difference> differences{};  ///< none: all elements are what they were
};

/// Encodes objects anew, several of a message at once.
class message_conversion {
 public:
  message_conversion(conversion_rules rules, session& run) : rules_(std::move(rules)), run_(run) {}

  /// Changes those objects of a message that was taken apart; others stay as they lie. Masks stay masks. Borrows from
  /// this until the next call. Throws cli_error about an object that is damaged, or cannot be stored that way;
  /// tgmap::error.
  void change(const message&, const std::vector<std::size_t>& which, message_parts&);

  const std::vector<conversion>& done() const noexcept { return done_; }  ///< of all messages

 private:
  encoded_anew converted(const message&, std::size_t j, const message_parts&, conversion& told) const;
  tensor elements(const object&, const descriptor&, bool& as_stored) const;

  conversion_rules rules_;
  session& run_;
  std::vector<std::optional<encoded_anew>> made_{};  ///< of the message at hand
  std::vector<conversion> done_{};
};

}  // namespace tgmap::cli
