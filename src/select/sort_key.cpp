// SPDX-License-Identifier: Apache-2.0
#include <tgmap/query/metadata_key.hpp>

#include <cmath>

#include "select/number.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

std::optional<select::number> number_in(const key_result& found) noexcept {
  if (const auto* const item = std::get_if<cbor_view>(&found.get())) return select::number_of(*item);
  if (const auto* const whole = std::get_if<std::uint64_t>(&found.get())) return select::number::of(*whole);
  return std::nullopt;
}

}  // namespace

sort_key::sort_key(const key_result& of) {
  if (!of) return;
  if (const auto n = number_in(of)) {
    rank_ = !n->whole && std::isnan(n->real) ? rank::not_a_number : rank::number;
    whole_ = n->whole;
    negative_ = n->negative;
    magnitude_ = n->magnitude;
    real_ = n->real;
  } else {
    rank_ = rank::text;
    text_ = std::make_shared<const std::string>(of.text());
  }
}

std::weak_ordering sort_key::operator<=>(const sort_key& other) const noexcept {
  if (rank_ != other.rank_) return rank_ <=> other.rank_;
  if (rank_ == rank::text) return *text_ <=> *other.text_;
  if (rank_ != rank::number) return std::weak_ordering::equivalent;
  const auto number_of = [](const sort_key& v) {
    return select::number{.magnitude = v.magnitude_, .real = v.real_, .whole = v.whole_, .negative = v.negative_};
  };
  const auto order = select::compare(number_of(*this), number_of(other));
  return std::is_lt(order)   ? std::weak_ordering::less
         : std::is_gt(order) ? std::weak_ordering::greater
                             : std::weak_ordering::equivalent;
}

}  // namespace v0
}  // namespace tgmap
