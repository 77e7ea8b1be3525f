// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tgmap/options.hpp>

#include "zio/message/label_json.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

/// A `number_list` is an attribute such as "shape". Numbers beyond the maximum rank are counted, not stored.
struct number_list {
  std::array<std::uint64_t, max_rank> values;  // only the first `count` are set
  std::size_t count = 0;
  bool is_present = false;
  bool is_valid = true;  ///< all elements have the right type

  void clear() noexcept {
    count = 0;
    is_present = false;
    is_valid = true;
  }
  void add(std::uint64_t number) noexcept {
    if (count < max_rank) values[count] = number;
    ++count;
  }
};

/// A `tensor_label` is the description of one tensor as the label states it, valid or not.
struct tensor_label {
  number_list shape{}, order{}, ascend{};
  std::string kind{};  ///< the attribute "dtype"
  std::uint64_t word = 0, part = 0;
  bool is_object = true;
  bool has_kind = false, has_word = false, has_part = false;
  bool is_valid = true;      ///< kind, word and part have the right types
  bool is_external = false;  ///< the elements are packed, or at a pointer
  cbor_value metadata{};

  /// Resets all members except the values of the lists, which are large and not counted.
  void clear() noexcept;
};

/// A `tens_label_reader` reads the tensors of a label from the events of `read_json`, without a tree of JSON values.
///
/// If a key comes twice, the last value counts: `restart` drops the tensors so far.
class tens_label_reader : public json_text::value_handler {
 public:
  bool root_is_object() const noexcept { return root_is_object_; }
  bool root_is_null() const noexcept { return root_is_null_; }
  /// Returns true if there is a TENS object.
  bool has_tens() const noexcept { return has_tens_; }
  /// Returns true unless TENS or its list of tensors has a wrong type.
  bool is_valid() const noexcept { return is_valid_; }
  /// Returns the metadata of the message.
  cbor_value take_metadata() noexcept { return std::exchange(metadata_, cbor_value()); }

  void null() override;
  void boolean(bool) override;
  void signed_integer(std::int64_t) override;
  void unsigned_integer(std::uint64_t) override;
  void floating(double) override;
  void text(std::string_view) override;
  void key(std::string_view) override;
  void begin(bool is_object) override;
  void end() override;

 protected:
  virtual void add(tensor_label&) = 0;
  virtual void restart() noexcept = 0;

 private:
  enum class attribute : std::uint8_t {
    other,
    tens,
    tensors,
    metadata,
    dtype,
    word,
    shape,
    part,
    order,
    ascend,
    packing,
    pointer
  };
  enum class position : std::uint8_t { outside, root, tens, tensors, tensor, numbers, ignored };

  static attribute find_attribute(std::string_view key) noexcept;
  position at() const noexcept { return depth_ == 0 ? position::outside : positions_[depth_ - 1]; }
  position enter(bool is_object);
  position enter_attribute(bool is_object);
  void drop_tens();
  void count(std::uint64_t);
  template <class F>
  void scalar(bool is_null, F&& in_tensor);
  void wrong_type(tensor_label&);
  number_list* list_of(tensor_label&) noexcept;

  /// Metadata is passed on to a builder of CBOR.
  bool is_metadata() const noexcept;
  bool is_building() const noexcept { return metadata_of_ != nullptr; }
  template <class F>
  bool add_to_metadata(F&& pass_on);

  std::array<position, max_label_depth> positions_;  // read_json goes no deeper
  std::size_t depth_ = 0;
  attribute attribute_ = attribute::other;  // the last key
  tensor_label tensor_{};
  number_list* numbers_ = nullptr;
  json_text::value_builder builder_{};
  cbor_value* metadata_of_ = nullptr;
  cbor_value metadata_{};
  bool root_is_object_ = false, root_is_null_ = true;
  bool has_tens_ = false, is_valid_ = true;
};

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
