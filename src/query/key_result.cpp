// SPDX-License-Identifier: Apache-2.0
// Values of keys as text, flattened, and in order.
#include <tgmap/query/metadata_key.hpp>

#include <cmath>
#include <new>

#include "archive/access.hpp"
#include "query/number.hpp"
#include "query/value_text.hpp"

namespace tgmap {
inline namespace v0 {

void key_result::append_to(std::string& out) const {
  core::text_builder builder(out);
  query::print(*this, builder);
}

std::string key_result::text() const {
  std::string out;
  append_to(out);
  return out;
}

bool key_result::equals(std::string_view wanted) const {
  // Selections mostly compare text. It is compared without printing it.
  if (const auto* const item = std::get_if<cbor_view>(&value_))
    if (const auto text = item->get<std::string_view>()) return *text == wanted;
  if (!*this) return false;
  query::text_comparer comparer(wanted);
  query::print(*this, comparer);
  return comparer.is_equal();
}

namespace {

/// A `flattener` collects the keys of metadata for flatten().
class flattener {
 public:
  explicit flattener(const metadata& from) noexcept : from_(from) {}

  std::map<std::string, std::string> run() {
    std::uint64_t size = 0;
    for (const metadata::entry& each : from_.entries()) size += each.key.size() + each.value.bytes().size();
    limit_ = max_growth * size + (std::uint64_t{1} << 16);
    for (const metadata::entry& each : from_.entries()) add(each.key, each.value);
    return std::move(out_);
  }

 private:
  // A long key of a map is repeated for each key in it, which a forged file could use to take any amount of memory.
  static constexpr std::uint64_t max_growth = 64;

  void add(const std::string& path, const cbor_view& item) {
    used_ += path.size();
    if (used_ > limit_) throw error({.code = errc::metadata_limit, .expected = limit_, .found = used_});
    if (item.kind() == cbor_kind::map && item.size() != 0) return add_map(path, item);
    const auto [known, is_new] = out_.try_emplace(path, key_result(item).text());
    if (is_new) return;
    // Two items have the same path if a key contains dots; the result is the one that find() returns.
    if (const auto found = from_.find(path)) known->second = key_result(*found).text();
  }

  void add_map(const std::string& path, const cbor_view& map) {
    cbor_view::cursor at;
    if (!map.first(at)) return;
    while (cbor_view::next(at))
      if (at.key.kind() == cbor_kind::text) add(path + '.' + at.key.text(), at.value);
  }

  const metadata& from_;
  std::uint64_t limit_ = 0, used_ = 0;  // bytes of all paths
  std::map<std::string, std::string> out_;
};

std::optional<query::number> number_in(const key_result& found) noexcept {
  if (const auto* const item = std::get_if<cbor_view>(&found.get())) return query::number_of(*item);
  if (const auto* const integer = std::get_if<std::uint64_t>(&found.get())) return query::number::of(*integer);
  return std::nullopt;
}

}  // namespace

std::map<std::string, std::string> flatten(const metadata& from) {
  const metadata_copy copy(from);
  return flattener(copy.keys()).run();
}

sort_key::sort_key(const key_result& of) {
  if (!of) return;
  if (const auto n = number_in(of)) {
    rank_ = !n->is_integer && std::isnan(n->real) ? rank::not_a_number : rank::number;
    is_integer_ = n->is_integer;
    is_negative_ = n->is_negative;
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
    return query::number{
        .magnitude = v.magnitude_, .real = v.real_, .is_integer = v.is_integer_, .is_negative = v.is_negative_};
  };
  const auto order = query::compare(number_of(*this), number_of(other));
  return std::is_lt(order)   ? std::weak_ordering::less
         : std::is_gt(order) ? std::weak_ordering::greater
                             : std::weak_ordering::equivalent;
}

std::string group_key(std::span<const metadata_key> keys, key_lookup& in, failure& why) noexcept try {
  why = {};
  std::string out;
  for (const metadata_key& each : keys) {
    const key_result found = in.find(each, why);
    if (why) return {};
    const std::string text = found.text();
    out += found ? std::to_string(text.size()) + ':' + text : "-";
  }
  return out;
} catch (const std::bad_alloc&) {
  why = {.code = errc::out_of_memory};
  return {};
}

std::string group_key(std::span<const metadata_key> keys, key_lookup& in) {
  return detail::or_throw([&](failure& why) { return group_key(keys, in, why); });
}

}  // namespace v0
}  // namespace tgmap
