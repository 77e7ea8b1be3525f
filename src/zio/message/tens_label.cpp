// SPDX-License-Identifier: Apache-2.0
#include "zio/message/tens_label.hpp"

#include <utility>

namespace tgmap {
inline namespace v0 {
namespace zio {

void tensor_label::clear() noexcept {
  for (number_list* list : {&shape, &order, &ascend}) list->clear();
  kind.clear();
  word = part = 0;
  is_object = is_valid = true;
  has_kind = has_word = has_part = is_external = false;
  metadata = {};
}

tens_label_reader::attribute tens_label_reader::find_attribute(std::string_view key) noexcept {
  switch (key.size()) {
    case 4:
      return key == "TENS"   ? attribute::tens
             : key == "word" ? attribute::word
             : key == "part" ? attribute::part
                             : attribute::other;
    case 5:
      return key == "dtype"   ? attribute::dtype
             : key == "shape" ? attribute::shape
             : key == "order" ? attribute::order
                              : attribute::other;
    case 6: return key == "ascend" ? attribute::ascend : attribute::other;
    case 7:
      return key == "tensors"   ? attribute::tensors
             : key == "packing" ? attribute::packing
             : key == "pointer" ? attribute::pointer
                                : attribute::other;
    case 8: return key == "metadata" ? attribute::metadata : attribute::other;
    default: return attribute::other;
  }
}

bool tens_label_reader::is_metadata() const noexcept {
  return attribute_ == attribute::metadata && (at() == position::tens || at() == position::tensor);
}

/// Returns true if a value belongs to metadata; `pass_on` then passes it to the builder.
template <class F>
bool tens_label_reader::add_to_metadata(F&& pass_on) {
  if (is_building()) {
    pass_on(builder_);
    return true;
  }
  if (!is_metadata()) return false;
  pass_on(builder_);
  (at() == position::tens ? metadata_ : tensor_.metadata) = builder_.take();
  return true;
}

/// Handles a value that is not a container. `in_tensor` handles the attribute of a tensor.
template <class F>
void tens_label_reader::scalar(bool is_null, F&& in_tensor) {
  switch (at()) {
    case position::outside: root_is_null_ = is_null; break;
    case position::root:
      if (attribute_ == attribute::tens) is_valid_ = is_null;
      break;
    case position::tens:
      if (attribute_ == attribute::tensors) is_valid_ = is_null;
      break;
    case position::tensors:
      tensor_.clear();
      tensor_.is_object = false;
      add(tensor_);
      break;
    case position::tensor: in_tensor(tensor_); break;
    case position::numbers: numbers_->is_valid = false; break;
    case position::ignored: break;
  }
}

/// Handles an attribute of the wrong type. Attributes that ZIO does not know may have any.
void tens_label_reader::wrong_type(tensor_label& t) {
  switch (attribute_) {
    case attribute::word:
    case attribute::dtype:
    case attribute::part: t.is_valid = false; break;
    case attribute::packing:
    case attribute::pointer: t.is_external = true; break;
    default:
      if (number_list* const list = list_of(t)) {
        list->is_present = true;
        list->is_valid = false;
      }
  }
}

number_list* tens_label_reader::list_of(tensor_label& t) noexcept {
  switch (attribute_) {
    case attribute::shape: return &t.shape;
    case attribute::order: return &t.order;
    case attribute::ascend: return &t.ascend;
    default: return nullptr;
  }
}

void tens_label_reader::null() {
  if (add_to_metadata([](json_text::value_builder& builder) { builder.null(); })) return;
  scalar(true, [&](tensor_label& t) {  // as if the key were absent
    if (attribute_ == attribute::word || attribute_ == attribute::dtype || attribute_ == attribute::shape)
      t.is_valid = false;
  });
}

void tens_label_reader::boolean(bool value) {
  if (add_to_metadata([&](json_text::value_builder& builder) { builder.boolean(value); })) return;
  if (at() == position::numbers && numbers_ == &tensor_.ascend) return numbers_->add(value ? 1 : 0);
  scalar(false, [&](tensor_label& t) { wrong_type(t); });
}

void tens_label_reader::signed_integer(std::int64_t number) {
  if (add_to_metadata([&](json_text::value_builder& builder) { builder.signed_integer(number); })) return;
  scalar(false, [&](tensor_label& t) { wrong_type(t); });
}

void tens_label_reader::unsigned_integer(std::uint64_t number) {
  if (add_to_metadata([&](json_text::value_builder& builder) { builder.unsigned_integer(number); })) return;
  count(number);
}

void tens_label_reader::floating(double number) {
  if (add_to_metadata([&](json_text::value_builder& builder) { builder.floating(number); })) return;
  // Some writers of JSON have no integers.
  if (number >= 0 && number < 0x1p53 && number == static_cast<double>(static_cast<std::uint64_t>(number)))
    return count(static_cast<std::uint64_t>(number));
  scalar(false, [&](tensor_label& t) { wrong_type(t); });
}

void tens_label_reader::count(std::uint64_t number) {
  if (at() == position::numbers && numbers_ != &tensor_.ascend) return numbers_->add(number);
  scalar(false, [&](tensor_label& t) {
    if (attribute_ == attribute::word) {
      t.word = number;
      t.has_word = true;
    } else if (attribute_ == attribute::part) {
      t.part = number;
      t.has_part = true;
    } else {
      wrong_type(t);
    }
  });
}

void tens_label_reader::text(std::string_view value) {
  if (add_to_metadata([&](json_text::value_builder& builder) { builder.text(value); })) return;
  scalar(false, [&](tensor_label& t) {
    if (attribute_ == attribute::dtype) {
      t.kind = value;
      t.has_kind = true;
    } else if (attribute_ == attribute::packing) {
      t.is_external = t.is_external || value != "dense";
    } else {
      wrong_type(t);
    }
  });
}

void tens_label_reader::key(std::string_view name) {
  if (is_building()) return builder_.key(name);
  attribute_ = find_attribute(name);
  if (at() == position::root && attribute_ == attribute::tens) drop_tens();
  if (at() == position::tens && attribute_ == attribute::tensors) restart();
}

void tens_label_reader::drop_tens() {
  has_tens_ = false;
  is_valid_ = true;
  metadata_ = {};
  restart();
}

void tens_label_reader::begin(bool is_object) {
  if (!is_building() && is_metadata()) metadata_of_ = at() == position::tens ? &metadata_ : &tensor_.metadata;
  if (is_building()) return builder_.begin(is_object);
  const position entered = enter(is_object);
  positions_[depth_++] = entered;
}

void tens_label_reader::end() {
  if (is_building()) {
    builder_.end();
    if (builder_.depth() == 0) *std::exchange(metadata_of_, nullptr) = builder_.take();
    return;
  }
  const position left = at();
  --depth_;
  if (left == position::tensor) add(tensor_);
}

/// Returns the position inside a container that begins here.
tens_label_reader::position tens_label_reader::enter(bool is_object) {
  switch (at()) {
    case position::outside:
      root_is_null_ = false;
      root_is_object_ = is_object;
      return is_object ? position::root : position::ignored;
    case position::root:
      if (attribute_ != attribute::tens) return position::ignored;
      has_tens_ = is_valid_ = is_object;
      return is_object ? position::tens : position::ignored;
    case position::tens:
      if (attribute_ != attribute::tensors) return position::ignored;
      is_valid_ = !is_object;
      return is_object ? position::ignored : position::tensors;
    case position::tensors:
      tensor_.clear();
      if (is_object) return position::tensor;
      tensor_.is_object = false;
      add(tensor_);
      return position::ignored;
    case position::tensor: return enter_attribute(is_object);
    case position::numbers: numbers_->is_valid = false; return position::ignored;
    case position::ignored: break;
  }
  return position::ignored;
}

tens_label_reader::position tens_label_reader::enter_attribute(bool is_object) {
  number_list* const list = list_of(tensor_);
  if (list == nullptr) {
    wrong_type(tensor_);
    return position::ignored;
  }
  list->clear();
  list->is_present = true;
  list->is_valid = !is_object;
  numbers_ = list;
  return is_object ? position::ignored : position::numbers;
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
