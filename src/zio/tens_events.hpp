// SPDX-License-Identifier: Apache-2.0
// What a label says of tensors, read without a tree: attributes go where they belong as they come.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tgmap/options.hpp>

#include "zio/item_builder.hpp"
#include "zio/label_events.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

/// Numbers or truths of a list such as shape; more than there can be dimensions are counted, not kept.
struct number_list {
  std::array<std::uint64_t, max_rank> values;  // as many as are counted
  std::size_t count = 0;
  bool given = false;
  bool sound = true;  ///< all were of the kind that they must be

  void forget() noexcept {
    count = 0;
    given = false;
    sound = true;
  }
  void restart() noexcept {
    forget();
    given = true;
  }
  void add(std::uint64_t number) noexcept {
    if (count < max_rank) values[count] = number;
    ++count;
  }
};

/// One tensor as it is described, whether that makes sense or not.
struct tensor_description {
  number_list shape{}, order{}, ascend{};
  std::string kind{};
  std::uint64_t word = 0, part = 0;
  bool object = true;  ///< it is a JSON object at all
  bool has_kind = false, has_word = false, has_part = false;
  bool sound = true;       ///< kind, word and part are of the kind that they must be
  bool elsewhere = false;  ///< packed, or at a pointer
  cbor_value metadata{};

  /// As if nothing were said. Values that are not counted stay as they are: they are many.
  void forget() noexcept {
    for (number_list* each : {&shape, &order, &ascend}) each->forget();
    kind.clear();
    word = part = 0;
    object = sound = true;
    has_kind = has_word = has_part = elsewhere = false;
    metadata = {};
  }
};

/// Keys that mean something.
enum class word : std::uint8_t {
  other,
  tens,
  tensors,
  metadata,
  dtype,
  word_bytes,
  shape,
  part,
  order,
  ascend,
  packing,
  pointer
};

inline word word_of_label(std::string_view key) noexcept {
  switch (key.size()) {
    case 4:
      return key == "TENS" ? word::tens : key == "word" ? word::word_bytes : key == "part" ? word::part : word::other;
    case 5:
      return key == "dtype" ? word::dtype : key == "shape" ? word::shape : key == "order" ? word::order : word::other;
    case 6: return key == "ascend" ? word::ascend : word::other;
    case 7:
      return key == "tensors"   ? word::tensors
             : key == "packing" ? word::packing
             : key == "pointer" ? word::pointer
                                : word::other;
    case 8: return key == "metadata" ? word::metadata : word::other;
    default: return word::other;
  }
}

/// Calls `found(tensor_description&)` of its heir for each tensor, in order, and `restart()` where a list of tensors
/// begins: of keys that come twice the last one counts.
template <class Heir>
class tens_events : public label_events<tens_events<Heir>> {
 public:
  bool root_is_object = false, root_is_null = true;
  bool present = false;  ///< there is a TENS object
  bool sound = true;     ///< TENS and its list are of the kind that they must be
  cbor_value metadata{};

  void nothing() {
    if (keeps([] { return cbor_value(); })) return;
    scalar(true, [&](tensor_description& t) { absent(t); });
  }
  void truth(bool given) {
    if (keeps([&] { return cbor_value(given); })) return;
    if (at() == place::ascend) return one_.ascend.add(given ? 1 : 0);
    scalar(false, [&](tensor_description& t) { wrong(t); });
  }
  void integer(std::int64_t number) {  // below 0: ZIO has none
    if (keeps([&] { return cbor_value(number); })) return;
    scalar(false, [&](tensor_description& t) { wrong(t); });
  }
  void natural(std::uint64_t number) {
    if (keeps([&] { return cbor_value(number); })) return;
    count(number);
  }
  void floating(double number) {
    if (keeps([&] { return cbor_value(number); })) return;
    // Some writers of JSON have no integers.
    if (number >= 0 && number < 0x1p53 && number == static_cast<double>(static_cast<std::uint64_t>(number)))
      return count(static_cast<std::uint64_t>(number));
    scalar(false, [&](tensor_description& t) { wrong(t); });
  }
  void text(const std::string& given) {
    if (keeps([&] { return cbor_value(given); })) return;
    scalar(false, [&](tensor_description& t) {
      if (key_ == word::dtype) {
        t.kind = given;
        t.has_kind = true;
      } else if (key_ == word::packing) {
        t.elsewhere = t.elsewhere || given != "dense";
      } else {
        wrong(t);
      }
    });
  }
  void named(const std::string& key) {
    if (capturing()) return items_.key(key);
    key_ = word_of_label(key);
    if (at() == place::root && key_ == word::tens) forget();
    if (at() == place::tens && key_ == word::tensors) heir().restart();
  }
  void begin(bool map) {
    if (capturing() || starts_capture()) return items_.begin(map);
    const place where = inside(map);
    places_[depth_++] = where;
  }
  void end() {
    if (capturing()) {
      items_.end();
      if (items_.depth() == 0) *std::exchange(captures_, nullptr) = items_.take();
      return;
    }
    const place left = at();
    --depth_;
    if (left == place::one) heir().found(one_);
  }

 private:
  enum class place : std::uint8_t { outside, root, tens, list, one, shape, order, ascend, ignored };

  Heir& heir() noexcept { return static_cast<Heir&>(*this); }
  place at() const noexcept { return depth_ == 0 ? place::outside : places_[depth_ - 1]; }

  void forget() {
    present = false;
    sound = true;
    metadata = {};
    heir().restart();
  }

  /// Where a container leads that begins here.
  place inside(bool map) {
    switch (at()) {
      case place::outside:
        root_is_null = false;
        root_is_object = map;
        return map ? place::root : place::ignored;
      case place::root:
        if (key_ != word::tens) return place::ignored;
        present = map;
        sound = map;
        return map ? place::tens : place::ignored;
      case place::tens:
        if (key_ != word::tensors) return place::ignored;
        sound = !map;
        return map ? place::ignored : place::list;
      case place::list:
        one_.forget();
        if (map) return place::one;
        one_.object = false;
        heir().found(one_);
        return place::ignored;
      case place::one: return inside_one(map);
      case place::shape:
      case place::order:
      case place::ascend: list()->sound = false; return place::ignored;
      case place::ignored: break;
    }
    return place::ignored;
  }

  place inside_one(bool map) {
    const place where = key_ == word::shape    ? place::shape
                        : key_ == word::order  ? place::order
                        : key_ == word::ascend ? place::ascend
                                               : place::ignored;
    if (where == place::ignored) {
      wrong(one_);
      return where;
    }
    number_list& numbers = where == place::shape ? one_.shape : where == place::order ? one_.order : one_.ascend;
    numbers.restart();
    numbers.sound = !map;
    return map ? place::ignored : where;
  }

  number_list* list() noexcept {
    switch (at()) {
      case place::shape: return &one_.shape;
      case place::order: return &one_.order;
      case place::ascend: return &one_.ascend;
      default: return nullptr;
    }
  }

  /// A value that is no container: `in_tensor` where it is an attribute of a tensor.
  template <class F>
  void scalar(bool null, F&& in_tensor) {
    switch (at()) {
      case place::outside: root_is_null = null; break;
      case place::root:
        if (key_ == word::tens) sound = null;
        break;
      case place::tens:
        if (key_ == word::tensors) sound = null;
        break;
      case place::list:
        one_.forget();
        one_.object = false;
        heir().found(one_);
        break;
      case place::one: in_tensor(one_); break;
      case place::shape:
      case place::order:
      case place::ascend: list()->sound = false; break;
      case place::ignored: break;
    }
  }

  void count(std::uint64_t number) {
    if (at() == place::shape || at() == place::order) return list()->add(number);
    scalar(false, [&](tensor_description& t) {
      if (key_ == word::word_bytes) {
        t.word = number;
        t.has_word = true;
      } else if (key_ == word::part) {
        t.part = number;
        t.has_part = true;
      } else {
        wrong(t);
      }
    });
  }

  /// An attribute of a kind that it cannot be of. Keys that ZIO does not know may be anything.
  void wrong(tensor_description& t) {
    if (key_ == word::word_bytes || key_ == word::dtype || key_ == word::part) t.sound = false;
    if (key_ == word::packing || key_ == word::pointer) t.elsewhere = true;
    for (auto [key, numbers] : {std::pair{word::shape, &t.shape}, {word::order, &t.order}, {word::ascend, &t.ascend}})
      if (key_ == key) numbers->given = true, numbers->sound = false;
  }

  /// A null: as if the key were not there.
  void absent(tensor_description& t) {
    if (key_ == word::word_bytes || key_ == word::dtype || key_ == word::shape) t.sound = false;
  }

  bool capturing() const noexcept { return captures_ != nullptr; }
  bool at_metadata() const noexcept { return key_ == word::metadata && (at() == place::tens || at() == place::one); }
  cbor_value& metadata_here() noexcept { return at() == place::tens ? metadata : one_.metadata; }
  bool starts_capture() {
    if (at_metadata()) captures_ = &metadata_here();
    return capturing();
  }
  /// Whether a value that is no container is metadata, or part of it; then it is kept.
  template <class F>
  bool keeps(F&& make) {
    if (capturing()) {
      items_.value(make());
      return true;
    }
    if (!at_metadata()) return false;
    metadata_here() = make();
    return true;
  }

  std::array<place, max_label_depth> places_;  // label_events lets no more begin
  std::size_t depth_ = 0;
  word key_ = word::other;  ///< the last one
  tensor_description one_{};
  item_builder items_{};
  cbor_value* captures_ = nullptr;
};

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
