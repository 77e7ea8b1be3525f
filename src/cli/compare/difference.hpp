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

/// How far numbers may be from each other: either bound suffices. Both 0: they are to be equal.
struct tolerance {
  double absolute = 0;
  double relative = 0;  ///< of the larger one of the two
};

/// What differs between elements of one shape.
struct value_difference {
  std::uint64_t differing = 0, elements = 0;
  std::vector<std::uint64_t> first{};  ///< the coordinates of the first that differs, in C order
  std::string left{}, right{};         ///< these elements
  double largest = 0;                  ///< between two finite ones that differ
  double largest_relative = 0;         ///< the same, as a share of the larger one of the two
};

/// A dotted path of metadata as its last name, behind the path of the map that holds it. Keys of one map share that
/// path, so that many short keys below a long one take no more memory than they take in the archive.
struct key_path {
  std::shared_ptr<const key_path> above{};  ///< null: none
  std::string name{};

  std::string text() const;  ///< "mars.param"
};

/// One way in which two messages, or two objects, differ.
struct difference {
  enum class kind : std::uint8_t {
    only_left,   ///< the other archive has no such message, or object
    only_right,  ///< the same of the first archive
    objects,     ///< their number
    metadata,    ///< a key of the message or of an object
    dtype,
    shape,
    values,
  };
  kind what{};
  std::optional<std::size_t> object{};
  key_path key{};               ///< of metadata
  std::string left{}, right{};  ///< as people read them; empty: it is not there
  std::optional<value_difference> elements{};
};

/// Differences of one pair, as far as they are to be shown; the others are counted.
class difference_list {
 public:
  explicit difference_list(std::uint64_t most) noexcept : most_(most) {}

  /// Takes what `make()` returns, which is not called where it would not be shown.
  template <class Make>
  void add(Make&& make) {
    if (found_++ < most_) shown_.push_back(make());
  }

  const std::vector<difference>& shown() const noexcept { return shown_; }
  std::uint64_t found() const noexcept { return found_; }

 private:
  std::uint64_t most_, found_ = 0;
  std::vector<difference> shown_{};
};

/// Two messages that are held against each other, or an object of each; of what only one archive has, one of them.
struct message_pair {
  const message *left = nullptr, *right = nullptr;
  std::string key{};                                         ///< by which they were found; empty: by their place
  std::optional<std::size_t> left_object{}, right_object{};  ///< of these messages; none: the messages themselves
};

std::string as_text(const message_pair&, const difference&);  ///< one line, without its end
json as_json(const message_pair&, const difference&);

}  // namespace tgmap::cli
