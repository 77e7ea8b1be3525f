// SPDX-License-Identifier: Apache-2.0
// The text of a value, for printing and for comparing, without building a string.
#pragma once

#include <string_view>
#include <tgmap/query/metadata_key.hpp>

#include "core/text/text_sink.hpp"

namespace tgmap::query {

using core::text_sink;

/// A `text_comparer` compares the text with another one.
class text_comparer final : public text_sink {
 public:
  explicit text_comparer(std::string_view wanted) noexcept : rest_(wanted) {}
  bool take(std::string_view piece) noexcept override {
    matches_ = matches_ && rest_.starts_with(piece);
    if (matches_) rest_.remove_prefix(piece.size());
    return matches_;
  }
  bool is_equal() const noexcept { return matches_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool matches_ = true;
};

/// Prints the text that `key_result::text()` returns. Returns false if the sink wanted no more. Allocates only for text
/// in pieces, for byte strings in lists and maps, and for maps whose keys are not in order.
///
/// Arrays and maps are printed as JSON without blanks: ill-formed UTF-8 as U+FFFD, byte strings in hexadecimal, NaN and
/// infinities as null. A key that is no text is printed as its text; a key that is a container as its encoded bytes in
/// hexadecimal. If a key is repeated, only its last value is printed.
/// Complexity: O(bytes of the item); O(n log n) for maps whose keys are not in order.
bool print(const cbor_view&, text_sink&);
bool print(const key_result&, text_sink&);

}  // namespace tgmap::query
