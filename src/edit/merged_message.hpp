// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <tgmap/message.hpp>
#include <tgmap/write/new_message.hpp>
#include <vector>

namespace tgmap::edit {

/// The value that wins if several messages have the same key. With `error`, values must be equal.
enum class merge_strategy : std::uint8_t { first, last, error };

/// A `merged_message` collects objects of many messages for one new message. Payloads are not encoded again.
class merged_message {
 public:
  explicit merged_message(merge_strategy strategy) : strategy_(strategy) {}

  /// Adds an object. Lifetime: borrows from the archive of the message, and from `source`, if it is given.
  void add(const message& from, std::size_t j, const std::string* source = nullptr) {
    objects_.push_back({source, from, j});
  }

  /// Adds message-wide keys of a message. With `merge_strategy::error`, returns the first key that has another value in
  /// an earlier message, and adds nothing. Errors: throws tgmap::error.
  std::optional<std::string> add_keys(const cbor_value&);

  std::size_t objects() const noexcept { return objects_.size(); }
  std::size_t messages() const noexcept { return messages_; }  ///< number of calls of `add_keys`

  /// Returns the wire version of the result: 3 if any object has version 3, or if there are no objects.
  int version() const noexcept;

  /// Builds the message. Upgrades objects of version 2 if the result has version 3. A result of version 2 keeps the
  /// provenance of a message with szip objects, which readers need (Spec: §7.4). Either all objects have a hash or
  /// none. `damage` receives objects that get a new hash and do not have the old one, with the source they were added
  /// with. Errors: throws tgmap::error, and what `damage` throws.
  new_message build(const std::function<void(const std::string* source, const message&, const failure&)>& damage) const;

 private:
  struct origin {
    const std::string* source;
    message from;
    std::size_t object;
  };
  merge_strategy strategy_;
  std::vector<origin> objects_{};
  cbor_value extra_ = cbor_value::map();
  std::size_t messages_ = 0;
};

/// Returns the bytes of the stored objects of a message, which are most of what will be written.
std::uint64_t object_bytes(const new_message&);

}  // namespace tgmap::edit
