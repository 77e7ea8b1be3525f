// SPDX-License-Identifier: Apache-2.0
// What a label says of tensors, read without a tree: attributes go where they belong as they come.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tgmap/options.hpp>
#include <vector>

#include "zio/item_builder.hpp"
#include "zio/label_events.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

/// Numbers or truths of a list such as shape; more than there can be dimensions are counted, not kept.
struct number_list {
  std::array<std::uint64_t, max_rank> values{};
  std::size_t count = 0;
  bool given = false;
  bool sound = true;  ///< all were of the kind that they must be

  void restart() noexcept {
    count = 0;
    given = sound = true;
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
  item metadata{};
};

/// Calls `found(tensor_description&)` of its heir for each tensor, in order, and `restart()` where a list of tensors
/// begins: of keys that come twice the last one counts.
template <class Heir>
class tens_events : public label_events<tens_events<Heir>> {
 public:
  bool root_is_object = false, root_is_null = true;
  bool present = false;  ///< there is a TENS object
  bool sound = true;     ///< TENS and its list are of the kind that they must be
  item metadata{};

  void nothing() {
    if (keeps([] { return item(); })) return;
    scalar(true, [&](tensor_description& t) { absent(t); });
  }
  void truth(bool given) {
    if (keeps([&] { return item(given); })) return;
    if (at() == place::ascend) return one_.ascend.add(given ? 1 : 0);
    scalar(false, [&](tensor_description& t) { wrong(t); });
  }
  void integer(std::int64_t number) {  // below 0: ZIO has none
    if (keeps([&] { return item(number); })) return;
    scalar(false, [&](tensor_description& t) { wrong(t); });
  }
  void natural(std::uint64_t number) {
    if (keeps([&] { return item(number); })) return;
    count(number);
  }
  void floating(double number) {
    if (keeps([&] { return item(number); })) return;
    // Some writers of JSON have no integers.
    if (number >= 0 && number < 0x1p53 && number == static_cast<double>(static_cast<std::uint64_t>(number)))
      return count(static_cast<std::uint64_t>(number));
    scalar(false, [&](tensor_description& t) { wrong(t); });
  }
  void text(const std::string& given) {
    if (keeps([&] { return item(given); })) return;
    scalar(false, [&](tensor_description& t) {
      if (key_ == "dtype") {
        t.kind = given;
        t.has_kind = true;
      } else if (key_ == "packing") {
        t.elsewhere = t.elsewhere || given != "dense";
      } else {
        wrong(t);
      }
    });
  }
  void named(const std::string& key) {
    if (capturing()) return items_.key(key);
    key_ = key;
    if (at() == place::root && key == "TENS") forget();
    if (at() == place::tens && key == "tensors") heir().restart();
  }
  void begin(bool map) {
    if (capturing() || starts_capture()) return items_.begin(map);
    places_.push_back(inside(map));
  }
  void end() {
    if (capturing()) {
      items_.end();
      if (items_.depth() == 0) *std::exchange(captures_, nullptr) = items_.take();
      return;
    }
    const place left = at();
    places_.pop_back();
    if (left == place::one) heir().found(one_);
  }

  void clear() {
    places_.clear();
    items_.clear();
    captures_ = nullptr;
    root_is_object = false;
    root_is_null = true;
    forget();
  }

 private:
  enum class place : std::uint8_t { outside, root, tens, list, one, shape, order, ascend, ignored };

  Heir& heir() noexcept { return static_cast<Heir&>(*this); }
  place at() const noexcept { return places_.empty() ? place::outside : places_.back(); }

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
        if (key_ != "TENS") return place::ignored;
        present = map;
        sound = map;
        return map ? place::tens : place::ignored;
      case place::tens:
        if (key_ != "tensors") return place::ignored;
        sound = !map;
        return map ? place::ignored : place::list;
      case place::list:
        one_ = {};
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
    const place where = key_ == "shape"    ? place::shape
                        : key_ == "order"  ? place::order
                        : key_ == "ascend" ? place::ascend
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
        if (key_ == "TENS") sound = null;
        break;
      case place::tens:
        if (key_ == "tensors") sound = null;
        break;
      case place::list:
        one_ = {};
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
      if (key_ == "word") {
        t.word = number;
        t.has_word = true;
      } else if (key_ == "part") {
        t.part = number;
        t.has_part = true;
      } else {
        wrong(t);
      }
    });
  }

  /// An attribute of a kind that it cannot be of. Keys that ZIO does not know may be anything.
  void wrong(tensor_description& t) {
    if (key_ == "word" || key_ == "dtype" || key_ == "part") t.sound = false;
    if (key_ == "packing" || key_ == "pointer") t.elsewhere = true;
    for (auto [name, numbers] : {std::pair{"shape", &t.shape}, {"order", &t.order}, {"ascend", &t.ascend}})
      if (key_ == name) numbers->given = true, numbers->sound = false;
  }

  /// A null: as if the key were not there.
  void absent(tensor_description& t) {
    if (key_ == "word" || key_ == "dtype" || key_ == "shape") t.sound = false;
  }

  bool capturing() const noexcept { return captures_ != nullptr; }
  bool at_metadata() const noexcept { return key_ == "metadata" && (at() == place::tens || at() == place::one); }
  item& metadata_here() noexcept { return at() == place::tens ? metadata : one_.metadata; }
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

  std::vector<place> places_{};
  std::string key_{};
  tensor_description one_{};
  item_builder items_{};
  item* captures_ = nullptr;
};

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
