// SPDX-License-Identifier: Apache-2.0
// Whole GRIB messages from objects.
#pragma once

#include <deque>
#include <vector>

#include "bridge/grib/carry/field_rebuilder.hpp"

namespace tgmap {
inline namespace v0 {
namespace bridge::grib {

/// A `message_builder` takes objects in their order and gives GRIB messages. After each add(), call take() until it
/// returns false.
///
/// Fields that were one message become that message again if all of them come one after the other. Others become a
/// message each; then the builder counts them in split_fields().
/// Thread safety: one thread at a time.
class message_builder {
 public:
  /// Adds an object.
  /// Errors: those of field_rebuilder::rebuild. The builder can be used afterwards; earlier fields of a message that is
  /// not complete become messages of their own.
  /// Complexity: linear in its bytes; a payload that is section 7 is not copied.
  void add(const rebuilt_source&, failure& why);

  /// Says that no more objects come.
  void finish();

  /// Gives the next message in pieces that follow one another, or returns false.
  /// Lifetime: until the next call of any function; the object must also live so long.
  bool take(std::vector<byte_view>& pieces);

  /// Returns the number of fields that were part of a message whose other fields did not come.
  std::uint64_t split_fields() const noexcept { return split_fields_; }

 private:
  /// A field of a message of several.
  struct pending_field {
    std::vector<std::byte> sections{};  ///< its own ones
    std::vector<std::byte> message{};   ///< a message of its own
    std::vector<std::byte> indicator{};
  };
  bool continues_pending() const;
  void remember_shared();
  void split_pending();
  void join_pending();
  void add_part(const rebuilt_source&, failure& why);
  std::uint64_t complete(rebuilt_field&);

  field_rebuilder rebuilder_{};
  rebuilt_field field_{};
  bool has_field_ = false;
  std::array<std::byte, 16> indicator_{};
  std::vector<pending_field> pending_{};
  std::size_t pending_fields_ = 0;                           ///< of the message of `pending_`
  std::array<std::vector<std::byte>, 4> shared_sections_{};  ///< sections 0 to 3 of the last one of `pending_`
  std::vector<std::byte> shared_bitmap_{};                   ///< the last bitmap in `pending_`
  std::deque<std::vector<std::byte>> ready_{};
  std::vector<std::byte> taken_{};
  std::uint64_t split_fields_ = 0;
};

}  // namespace bridge::grib
}  // namespace v0
}  // namespace tgmap
