// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tgmap/message.hpp>
#include <vector>

#include "cli/print/json.hpp"

namespace tgmap::cli {

/// The distance at which two numbers still count as equal. One of the bounds suffices. If both are 0, numbers must be
/// equal.
struct tolerance {
  double absolute = 0;
  double relative = 0;  ///< as a share of the larger number
};

/// The differences between the elements of two tensors of one shape.
struct value_difference {
  std::uint64_t differing = 0, elements = 0;
  std::vector<std::uint64_t> first{};  ///< coordinates of the first difference, in C order
  std::string left{}, right{};         ///< the first elements that differ
  double largest = 0;                  ///< absolute difference of finite elements
  double largest_relative = 0;         ///< as a share of the larger element
  std::uint64_t not_finite = 0;        ///< differing elements of which one is NaN or infinite
  std::uint64_t overflowed = 0;        ///< the part of these that is finite on the left only
};

/// A `key_path` is a dotted path of metadata, stored as its last name and a shared path of the enclosing map. Many
/// short keys below a long one therefore take no more memory than in the archive.
struct key_path {
  std::shared_ptr<const key_path> parent{};  ///< null for a top-level key
  std::string name{};

  std::string text() const;  ///< "mars.param"
};

/// One difference between two messages or two objects.
struct difference {
  enum class kind : std::uint8_t {
    only_left,   ///< the second archive has no such message or object
    only_right,  ///< the first archive has no such message or object
    objects,     ///< number of objects
    metadata,    ///< a key of the message or of an object
    dtype,
    shape,
    values,
  };
  kind what{};
  std::optional<std::size_t> object{};
  key_path key{};               ///< of `metadata`
  std::string left{}, right{};  ///< values as text; empty if absent
  std::optional<value_difference> elements{};
};

/// A `difference_list` keeps the first differences of one pair and counts the others.
class difference_list {
 public:
  explicit difference_list(std::uint64_t max_shown) noexcept : max_shown_(max_shown) {}

  /// Adds the result of `make()`, which is only called if the difference is kept.
  template <class Make>
  void add(Make&& make) {
    if (found_++ < max_shown_) shown_.push_back(make());
  }

  const std::vector<difference>& shown() const noexcept { return shown_; }
  std::uint64_t found() const noexcept { return found_; }

 private:
  std::uint64_t max_shown_, found_ = 0;
  std::vector<difference> shown_{};
};

/// Two messages or objects to compare. One message is null if only one archive has it.
struct message_pair {
  const message *left = nullptr, *right = nullptr;
  std::string left_file{}, right_file{};  ///< for addresses
  std::string key{};                      ///< values of the matching keys; empty if matched by position
  std::optional<std::size_t> left_object{}, right_object{};  ///< set if objects are compared
};

std::string as_text(const message_pair&, const difference&);  ///< one line without a line break
json as_json(const message_pair&, const difference&);

}  // namespace tgmap::cli
