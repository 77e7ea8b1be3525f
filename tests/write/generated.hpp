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

/// Decisions, taken from bytes: of a random generator, or of a fuzzer. Zeros when there are no more.
class choices {
 public:
  explicit choices(std::span<const std::uint8_t> bytes) noexcept : left_(bytes) {}

  std::uint8_t byte() noexcept;
  unsigned below(unsigned n) noexcept { return n < 2 ? 0 : (n > 256 ? number() : byte()) % n; }
  bool one_in(unsigned n) noexcept { return below(n) == n - 1; }
  std::uint64_t number() noexcept;  ///< any, more often a small one
  std::string text(unsigned most);
  bool any_left() const noexcept { return !left_.empty(); }

 private:
  std::span<const std::uint8_t> left_;
};

/// An object as it was made: what is to come back.
struct made_object {
  std::string elements{};  ///< native, in C order; NaN and infinities as masks bring them back
  bool lossless = true;    ///< else each value is within `bound`
  double bound = 0;
  bool refused_early = false;  ///< check(pipeline) does not let it pass
};

/// A message of any kind, with whatever the library can write, and some things that it refuses.
struct made_message {
  tgmap::new_message message{};
  tgmap::write_options options{};
  bool backfill = false;
  std::vector<made_object> objects{};
  std::deque<std::string> memory{};  ///< that the objects borrow
};

/// Any item; of limited size and depth.
tgmap::cbor_value make_item(choices&, unsigned depth = 3);

/// O(bytes that were chosen from).
made_message make_message(choices&);

/// Whether a failure of writing is one that the interface names for what was asked: a codec that breaks is none.
bool is_refusal(const tgmap::failure&) noexcept;

/// Written with that route's function; empty when refused.
enum class write_route { buffered, streamed, as_stored };
std::vector<std::byte> write_by(write_route, const made_message&, tgmap::failure&);

/// Why what is read of the archive's one message is not what was made; empty when it is.
std::string difference(const made_message&, const tgmap::archive&);

}  // namespace tgmap_test
