// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <random>
#include <span>
#include <string>
#include <tgmap/tgmap.hpp>
#include <vector>

namespace tgmap_test {

/// A `choices` makes decisions by the bytes of a random generator or of a fuzzer. After the last byte all decisions are
/// 0.
class choices {
 public:
  explicit choices(std::span<const std::uint8_t> bytes) noexcept : left_(bytes) {}

  std::uint8_t byte() noexcept;
  unsigned below(unsigned n) noexcept { return n < 2 ? 0 : (n > 256 ? number() : byte()) % n; }
  bool one_in(unsigned n) noexcept { return below(n) == n - 1; }
  std::uint64_t number() noexcept;      ///< any number, small ones more often
  std::string text(unsigned max_size);  ///< any bytes
  bool any_left() const noexcept { return !left_.empty(); }

 private:
  std::span<const std::uint8_t> left_;
};

/// The elements that decoding an object must return.
struct random_object {
  std::string elements{};  ///< native byte order, C order; NaN and infinities as masks restore them
  bool lossless = true;    ///< if not, each value may differ by up to `bound`
  double bound = 0;
  bool has_invalid_pipeline = false;  ///< validate_pipeline() refuses it
};

/// A message with anything that the library can write, and some things that it refuses.
struct random_message {
  tgmap::new_message message{};
  tgmap::write_options options{};
  bool backfill = false;
  std::vector<random_object> objects{};
  std::deque<std::string> memory{};  ///< elements that the objects borrow
};

/// Returns any value of limited size and depth.
tgmap::cbor_value make_value(choices&, unsigned depth = 3);

/// Complexity: O(bytes that decide).
random_message make_random_message(choices&);

/// Returns true if a failure is one that the interface documents for the input. A broken codec is not.
bool is_refusal(const tgmap::failure&) noexcept;

/// Writes a message by one class of the library. Returns nothing if it is refused.
enum class write_route { buffered, streamed, as_stored };
std::vector<std::byte> write_with(write_route, const random_message&, tgmap::failure&);

/// Compares the only message of an archive with the one that was written. Returns the first difference, or nothing.
std::string difference(const random_message&, const tgmap::archive&);

}  // namespace tgmap_test
