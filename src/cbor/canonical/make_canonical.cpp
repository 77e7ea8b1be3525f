// SPDX-License-Identifier: Apache-2.0
// Writes the items in canonical form one by one, in their original order. A map whose keys are out of order, and a
// container that states no count, can only be corrected when their ends are known. All corrections are applied in one
// last pass. Otherwise an item would be moved once for each container around it.
#include <algorithm>
#include <string>

#include "cbor/canonical/canonical.hpp"
#include "cbor/canonical/writer.hpp"
#include "cbor/floating.hpp"
#include "cbor/head.hpp"
#include "cbor/text.hpp"

namespace tgmap::cbor {

namespace {

/// A `byte_range` is a range of the output.
struct byte_range {
  std::size_t from, to;
};

/// A `pair_range` is the range of a pair of a map in the output: the key, then the value.
struct pair_range {
  std::size_t from, value, to;
};

/// A `correction` replaces a container by a new head and the parts from `first_part` on.
struct correction {
  byte_range range;
  std::uint64_t count;
  std::size_t first_part, parts;
  bool is_map;
};

/// An `open_container` is a container whose end was not read yet.
struct open_container {
  std::uint64_t items_left;  ///< items to come; UINT64_MAX: until a break
  std::uint64_t items = 0;
  std::size_t begin, body;     ///< of its head, and after it
  std::size_t first_pair;      ///< index of its first pair
  std::size_t key, value = 0;  ///< of the current pair
  bool is_map, is_sorted = true;

  bool is_indefinite() const noexcept { return items_left == UINT64_MAX; }
  bool expects_value() const noexcept { return items % 2 != 0; }
};

class canonical_writer {
 public:
  explicit canonical_writer(std::span<const std::byte> from) noexcept
      : begin_(from.data()), at_(from.data()), end_(from.data() + from.size()) {}

  failure run() {
    out_.reserve(static_cast<std::size_t>(end_ - at_));
    bool after_tag = false;
    do {
      const std::byte* const item = at_;
      head read;
      failure why{.code = errc::bad_cbor};
      if (at_ != nullptr && read_head(at_, end_, read)) why = copy_item(read, after_tag);
      if (why) {
        why.found = static_cast<std::uint64_t>(item - begin_);
        return why;
      }
      after_tag = read.major == major::tag;
    } while (!open_containers_.empty() || after_tag);
    if (at_ != end_) return {.code = errc::bad_cbor, .found = static_cast<std::uint64_t>(at_ - begin_)};
    apply_corrections({0, out_.size()}, 0);
    return {};
  }

  std::vector<std::byte>& result() noexcept { return out_; }

 private:
  static failure bad_cbor() noexcept { return {.code = errc::bad_cbor}; }
  std::span<const std::byte> output(std::size_t from, std::size_t to) const noexcept {
    return std::span(out_).subspan(from, to - from);
  }

  failure copy_item(const head& item, bool after_tag) {
    if (item.is_break()) return after_tag ? bad_cbor() : end_indefinite();
    switch (item.major) {
      case major::unsigned_integer: writer_.integer(item.argument); break;
      case major::negative_integer: writer_.negative(item.argument); break;
      case major::bytes:
      case major::text:
        if (!copy_string(item)) return bad_cbor();
        break;
      case major::array:
      case major::map: return begin_container(item);
      case major::tag: writer_.tag(item.argument); return {};
      case major::simple:
        if (item.info == 24 && item.argument < 32) return bad_cbor();  // these are encoded in one byte only
        copy_simple(item);
        break;
    }
    complete_item();
    return {};
  }

  void copy_simple(const head& item) {
    if (item.info >= float_half && item.info <= float_double)
      writer_.real(float_value(item));
    else if (item.info == simple_false || item.info == simple_true)
      writer_.boolean(item.info == simple_true);
    else
      writer_.null();
  }

  /// Copies a string and joins its pieces. Returns false if they do not end, or are of another kind.
  bool copy_string(const head& item) {
    const bool text = item.major == major::text;
    if (!item.indefinite()) {
      std::span<const std::byte> all;
      if (!take_contents(item, all)) return false;
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
      if (piece.major != item.major || piece.indefinite() || !take_contents(piece, part)) return false;
      joined_.insert(joined_.end(), part.begin(), part.end());
    }
    return false;
  }

  bool take_contents(const head& item, std::span<const std::byte>& out) noexcept {
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

  failure begin_container(const head& item) {
    const bool map = item.major == major::map;
    const std::uint64_t each = map ? 2 : 1;
    if (!item.indefinite() && item.argument > static_cast<std::uint64_t>(end_ - at_) / each) return bad_cbor();
    if (open_containers_.size() == max_nesting) return {.code = errc::cbor_too_deep, .expected = max_nesting};
    const std::size_t begin = out_.size();
    // a byte has room for counts below 24, if none is stated
    const std::uint64_t stated_count = item.indefinite() ? 0 : item.argument;
    map ? writer_.map(stated_count) : writer_.array(stated_count);
    open_containers_.push_back({.items_left = item.indefinite() ? UINT64_MAX : item.argument * each,
                                .begin = begin,
                                .body = out_.size(),
                                .first_pair = pairs_.size(),
                                .key = out_.size(),
                                .is_map = map});
    if (open_containers_.back().items_left == 0) close_container();
    return {};
  }

  failure end_indefinite() {
    if (open_containers_.empty() || !open_containers_.back().is_indefinite()) return bad_cbor();
    if (open_containers_.back().is_map && open_containers_.back().expects_value()) return bad_cbor();
    close_container();
    return {};
  }

  /// Ends the innermost container, and those that it completes.
  void close_container() {
    end_container();
    complete_item();
  }

  /// Ends an item, and the containers that it completes.
  void complete_item() {
    while (!open_containers_.empty()) {
      count_item(open_containers_.back());
      if (open_containers_.back().items_left != 0) return;
      end_container();
    }
  }

  void count_item(open_container& in) {
    if (in.is_map && !in.expects_value()) {
      if (!corrections_.empty() && corrections_.back().range.from >= in.key) correct_key(in.key);
      in.value = out_.size();
    } else if (in.is_map) {
      const pair_range pair{in.key, in.value, out_.size()};
      in.is_sorted = in.is_sorted && (pairs_.size() == in.first_pair || pair_before(pairs_.back(), pair));
      pairs_.push_back(pair);
      in.key = out_.size();
    }
    ++in.items;
    if (!in.is_indefinite()) --in.items_left;
  }

  bool pair_before(const pair_range& a, const pair_range& b) const noexcept {
    return encoded_key_before(output(a.from, a.value), output(b.from, b.value));
  }

  /// Ends the innermost container, and adds its correction if it needs one.
  void end_container() {
    const open_container closed = open_containers_.back();
    open_containers_.pop_back();
    const std::size_t parts = parts_.size();
    std::uint64_t count = closed.is_map ? closed.items / 2 : closed.items;
    if (closed.is_map && !closed.is_sorted) {
      sort_pairs(closed.first_pair);
      for (std::size_t i = closed.first_pair; i < pairs_.size(); ++i) parts_.push_back({pairs_[i].from, pairs_[i].to});
      count = pairs_.size() - closed.first_pair;
    } else if (closed.is_indefinite() && count < 24) {
      out_[closed.begin] |= static_cast<std::byte>(count);
    } else if (closed.is_indefinite()) {
      parts_.push_back({closed.body, out_.size()});
    }
    pairs_.resize(closed.first_pair);
    if (parts_.size() != parts)
      corrections_.push_back({{closed.begin, out_.size()}, count, parts, parts_.size() - parts, closed.is_map});
  }

  /// Sorts pairs; the last one of several with the same key stays.
  void sort_pairs(std::size_t first) {
    const auto from = pairs_.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(from, pairs_.end(), [this](const pair_range& a, const pair_range& b) {
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

  /// Corrects a key that is a container. Keys are compared by their bytes, so they must be correct before their map is
  /// sorted.
  void correct_key(std::size_t key) {
    std::size_t first = corrections_.size();
    while (first > 0 && corrections_[first - 1].range.from >= key) --first;
    apply_corrections({key, out_.size()}, first);
  }

  /// Writes the range `all`, which is the end of the output, again. Applies the corrections from `first` on.
  void apply_corrections(byte_range all, std::size_t first) {
    if (first == corrections_.size()) return;
    const std::size_t first_part = corrections_[first].first_part;
    const auto begin = corrections_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto earlier = [](const correction& a, const correction& b) { return a.range.from < b.range.from; };
    std::sort(begin, corrections_.end(), earlier);
    corrected_.clear();
    writer writer(corrected_);
    pending_.assign(1, all);
    while (!pending_.empty()) {
      const byte_range next = pending_.back();
      pending_.pop_back();
      const correction wanted{next, 0, 0, 0, false};
      const auto inside = std::lower_bound(begin, corrections_.end(), wanted, earlier);
      if (inside == corrections_.end() || inside->range.from >= next.to) {
        writer.encoded(output(next.from, next.to));
        continue;
      }
      writer.encoded(output(next.from, inside->range.from));
      inside->is_map ? writer.map(inside->count) : writer.array(inside->count);
      pending_.push_back({inside->range.to, next.to});
      for (std::size_t i = inside->parts; i-- > 0;) pending_.push_back(parts_[inside->first_part + i]);
    }
    parts_.resize(first_part);
    corrections_.resize(first);
    out_.resize(all.from);
    out_.insert(out_.end(), corrected_.begin(), corrected_.end());
  }

  const std::byte *begin_, *at_, *end_;
  std::vector<std::byte> out_{}, joined_{}, corrected_{};
  writer writer_{out_};
  std::vector<open_container> open_containers_{};
  std::vector<pair_range> pairs_{};  ///< of the open containers, those of inner ones last
  std::vector<correction> corrections_{};
  std::vector<byte_range> parts_{}, pending_{};
};

}  // namespace

failure make_canonical(std::vector<std::byte>& item) {
  if (is_canonical(item)) return {};
  canonical_writer copy(item);
  if (const failure why = copy.run()) return why;
  if (nesting_depth(copy.result()) > max_nesting) return {.code = errc::cbor_too_deep, .expected = max_nesting};
  item.swap(copy.result());
  return {};
}

}  // namespace tgmap::cbor
