// SPDX-License-Identifier: Apache-2.0
// Writes the items in canonical form one by one, in their original order. Maps whose keys were out of order, and counts
// that were not stated, can only be corrected once their ends are known. They are noted, and corrected in one last
// pass, so that no item is moved once for each container around it.
#include <algorithm>
#include <string>

#include "cbor/canonical.hpp"
#include "cbor/floating.hpp"
#include "cbor/head.hpp"
#include "cbor/text.hpp"
#include "cbor/writer.hpp"

namespace tgmap::cbor {

namespace {

/// A range of the output.
struct extent {
  std::size_t from, to;
};

/// A pair of a map: key and value.
struct written_pair {
  std::size_t from, value, to;
};

/// A container to correct: its head, followed by the bytes at `parts[first…]`.
struct correction {
  extent where;
  std::uint64_t count;
  std::size_t first_part, parts;
  bool map;
};

/// A container whose end was not read yet.
struct unfinished {
  std::uint64_t left;  ///< items to come; UINT64_MAX: until a break
  std::uint64_t items = 0;
  std::size_t begin, body;     ///< of its head, and after it
  std::size_t first_pair;      ///< index of its first pair
  std::size_t key, value = 0;  ///< of the current pair
  bool map, sorted = true;

  bool open() const noexcept { return left == UINT64_MAX; }
  bool value_next() const noexcept { return items % 2 != 0; }
};

class canonical_copy {
 public:
  explicit canonical_copy(std::span<const std::byte> from) noexcept
      : begin_(from.data()), at_(from.data()), end_(from.data() + from.size()) {}

  failure run() {
    out_.reserve(static_cast<std::size_t>(end_ - at_));
    bool tagged = false;
    do {
      const std::byte* const item = at_;
      head read;
      failure why{.code = errc::bad_cbor};
      if (at_ != nullptr && read_head(at_, end_, read)) why = take(read, tagged);
      if (why) {
        why.found = static_cast<std::uint64_t>(item - begin_);
        return why;
      }
      tagged = read.major == major::tag;
    } while (!levels_.empty() || tagged);
    if (at_ != end_) return {.code = errc::bad_cbor, .found = static_cast<std::uint64_t>(at_ - begin_)};
    put_right({0, out_.size()}, 0);
    return {};
  }

  std::vector<std::byte>& result() noexcept { return out_; }

 private:
  static failure bad() noexcept { return {.code = errc::bad_cbor}; }
  std::span<const std::byte> written(std::size_t from, std::size_t to) const noexcept {
    return std::span(out_).subspan(from, to - from);
  }

  failure take(const head& item, bool tagged) {
    if (item.is_break()) return tagged ? bad() : end_of_open();
    switch (item.major) {
      case major::unsigned_integer: writer_.integer(item.argument); break;
      case major::negative_integer: writer_.negative(item.argument); break;
      case major::bytes:
      case major::text:
        if (!string(item)) return bad();
        break;
      case major::array:
      case major::map: return container(item);
      case major::tag: writer_.tag(item.argument); return {};
      case major::simple:
        if (item.info == 24 && item.argument < 32) return bad();  // these are encoded in one byte only
        simple(item);
        break;
    }
    completed();
    return {};
  }

  void simple(const head& item) {
    if (item.info >= float_half && item.info <= float_double)
      writer_.real(float_value(item));
    else if (item.info == simple_false || item.info == simple_true)
      writer_.boolean(item.info == simple_true);
    else
      writer_.null();
  }

  /// Joins the pieces of a string. Returns false if they do not end, or are of another kind.
  bool string(const head& item) {
    const bool text = item.major == major::text;
    if (!item.indefinite()) {
      std::span<const std::byte> all;
      if (!contents(item, all)) return false;
      write_string(text, all);
      return true;
    }
    joined_.clear();
    for (head piece; read_head(at_, end_, piece);) {
      if (piece.is_break()) {
        write_string(text, joined_);
        return true;
      }
      std::span<const std::byte> part;
      if (piece.major != item.major || piece.indefinite() || !contents(piece, part)) return false;
      joined_.insert(joined_.end(), part.begin(), part.end());
    }
    return false;
  }

  bool contents(const head& item, std::span<const std::byte>& out) noexcept {
    if (item.argument > static_cast<std::uint64_t>(end_ - at_)) return false;
    out = {at_, static_cast<std::size_t>(item.argument)};
    at_ += item.argument;
    return true;
  }

  void write_string(bool text, std::span<const std::byte> all) {
    if (!text) return writer_.bytes(all);
    const std::string_view as_text(reinterpret_cast<const char*>(all.data()), all.size());
    if (is_well_formed(as_text))
      writer_.text(as_text);
    else
      writer_.text(well_formed(std::string(as_text)));
  }

  failure container(const head& item) {
    const bool map = item.major == major::map;
    const std::uint64_t each = map ? 2 : 1;
    if (!item.indefinite() && item.argument > static_cast<std::uint64_t>(end_ - at_) / each) return bad();
    if (levels_.size() == max_nesting) return {.code = errc::cbor_too_deep, .expected = max_nesting};
    const std::size_t begin = out_.size();
    // an unknown count: leave a byte for counts below 24
    const std::uint64_t stated = item.indefinite() ? 0 : item.argument;
    map ? writer_.map(stated) : writer_.array(stated);
    levels_.push_back({.left = item.indefinite() ? UINT64_MAX : item.argument * each,
                       .begin = begin,
                       .body = out_.size(),
                       .first_pair = pairs_.size(),
                       .key = out_.size(),
                       .map = map});
    if (levels_.back().left == 0) close();
    return {};
  }

  failure end_of_open() {
    if (levels_.empty() || !levels_.back().open()) return bad();
    if (levels_.back().map && levels_.back().value_next()) return bad();
    close();
    return {};
  }

  /// Ends the innermost container, and those that it completes.
  void close() {
    finish();
    completed();
  }

  /// Ends an item, and the containers that it completes.
  void completed() {
    while (!levels_.empty()) {
      count_item(levels_.back());
      if (levels_.back().left != 0) return;
      finish();
    }
  }

  void count_item(unfinished& in) {
    if (in.map && !in.value_next()) {
      if (!corrections_.empty() && corrections_.back().where.from >= in.key) put_right_key(in.key);
      in.value = out_.size();
    } else if (in.map) {
      const written_pair pair{in.key, in.value, out_.size()};
      in.sorted = in.sorted && (pairs_.size() == in.first_pair || pair_before(pairs_.back(), pair));
      pairs_.push_back(pair);
      in.key = out_.size();
    }
    ++in.items;
    if (!in.open()) --in.left;
  }

  bool pair_before(const written_pair& a, const written_pair& b) const noexcept {
    return encoded_key_before(written(a.from, a.value), written(b.from, b.value));
  }

  /// Removes the innermost container from the open ones, and notes its correction.
  void finish() {
    const unfinished ended = levels_.back();
    levels_.pop_back();
    const std::size_t parts = parts_.size();
    std::uint64_t count = ended.map ? ended.items / 2 : ended.items;
    if (ended.map && !ended.sorted) {
      sort_pairs(ended.first_pair);
      for (std::size_t i = ended.first_pair; i < pairs_.size(); ++i) parts_.push_back({pairs_[i].from, pairs_[i].to});
      count = pairs_.size() - ended.first_pair;
    } else if (ended.open() && count < 24) {
      out_[ended.begin] |= static_cast<std::byte>(count);
    } else if (ended.open()) {
      parts_.push_back({ended.body, out_.size()});
    }
    pairs_.resize(ended.first_pair);
    if (parts_.size() != parts)
      corrections_.push_back({{ended.begin, out_.size()}, count, parts, parts_.size() - parts, ended.map});
  }

  /// Sorts pairs; the last one of several with the same key stays.
  void sort_pairs(std::size_t first) {
    const auto from = pairs_.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(from, pairs_.end(), [this](const written_pair& a, const written_pair& b) {
      if (pair_before(a, b)) return true;
      return a.from < b.from && !pair_before(b, a);
    });
    auto last = from;
    for (auto at = from; at != pairs_.end(); ++at) {
      if (at != from && pair_before(*last, *at)) ++last;
      *last = *at;
    }
    pairs_.erase(last + 1, pairs_.end());
  }

  /// Corrects a key, which is compared by its bytes, before its map is.
  void put_right_key(std::size_t key) {
    std::size_t first = corrections_.size();
    while (first > 0 && corrections_[first - 1].where.from >= key) --first;
    put_right({key, out_.size()}, first);
  }

  /// Writes the bytes of `all`, the end of the output, again, with the corrections from `first` on.
  void put_right(extent all, std::size_t first) {
    if (first == corrections_.size()) return;
    const std::size_t first_part = corrections_[first].first_part;
    const auto begin = corrections_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto earlier = [](const correction& a, const correction& b) { return a.where.from < b.where.from; };
    std::sort(begin, corrections_.end(), earlier);
    corrected_.clear();
    writer writer(corrected_);
    to_write_.assign(1, all);
    while (!to_write_.empty()) {
      const extent next = to_write_.back();
      to_write_.pop_back();
      const correction wanted{next, 0, 0, 0, false};
      const auto inside = std::lower_bound(begin, corrections_.end(), wanted, earlier);
      if (inside == corrections_.end() || inside->where.from >= next.to) {
        writer.encoded(written(next.from, next.to));
        continue;
      }
      writer.encoded(written(next.from, inside->where.from));
      inside->map ? writer.map(inside->count) : writer.array(inside->count);
      to_write_.push_back({inside->where.to, next.to});
      for (std::size_t i = inside->parts; i-- > 0;) to_write_.push_back(parts_[inside->first_part + i]);
    }
    parts_.resize(first_part);
    corrections_.resize(first);
    out_.resize(all.from);
    out_.insert(out_.end(), corrected_.begin(), corrected_.end());
  }

  const std::byte *begin_, *at_, *end_;
  std::vector<std::byte> out_{}, joined_{}, corrected_{};
  writer writer_{out_};
  std::vector<unfinished> levels_{};
  std::vector<written_pair> pairs_{};  ///< of the open containers, those of inner ones last
  std::vector<correction> corrections_{};
  std::vector<extent> parts_{}, to_write_{};
};

}  // namespace

failure make_canonical(std::vector<std::byte>& item) {
  if (is_canonical(item)) return {};
  canonical_copy copy(item);
  if (const failure why = copy.run()) return why;
  if (nesting_depth(copy.result()) > max_nesting) return {.code = errc::cbor_too_deep, .expected = max_nesting};
  item.swap(copy.result());
  return {};
}

}  // namespace tgmap::cbor
