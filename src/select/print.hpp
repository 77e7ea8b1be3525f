// SPDX-License-Identifier: Apache-2.0
// Values as text, piece by piece: what prints them and what compares them see the same.
#pragma once

#include <string>
#include <string_view>
#include <tgmap/query/metadata_key.hpp>

namespace tgmap::select {

/// Takes text piece by piece.
class text_sink {
 public:
  virtual ~text_sink() = default;
  /// False: nothing more is wanted.
  virtual bool take(std::string_view piece) = 0;
};

/// Puts the text together.
class text_builder final : public text_sink {
 public:
  explicit text_builder(std::string& out) noexcept : out_(out) {}
  bool take(std::string_view piece) override {
    out_ += piece;
    return true;
  }

 private:
  std::string& out_;
};

/// Tells whether the text is a certain one.
class text_comparer final : public text_sink {
 public:
  explicit text_comparer(std::string_view wanted) noexcept : rest_(wanted) {}
  bool take(std::string_view piece) noexcept override {
    same_ = same_ && rest_.starts_with(piece);
    if (same_) rest_.remove_prefix(piece.size());
    return same_;
  }
  bool same() const noexcept { return same_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool same_ = true;
};

/// Gives the text of `key_result::text()`. Returns false when the sink wanted no more. Allocates only for text in
/// pieces and maps whose keys are not in order.
bool print(const cbor_view&, text_sink&);
bool print(const key_result&, text_sink&);

}  // namespace tgmap::select
