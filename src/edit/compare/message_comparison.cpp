// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <tgmap/mapping_guard.hpp>
#include <tgmap/tools/compare.hpp>
#include <vector>

#include "core/text/enum_table.hpp"
#include "edit/compare/metadata_comparison.hpp"
#include "edit/decode_elements.hpp"

namespace tgmap::edit {

namespace {

/// A range of an archive, with its bytes if the archive is mapped.
struct bytes_in_archive {
  const archive& in;
  std::uint64_t offset, length;
  std::span<const std::byte> mapped;
};

bytes_in_archive range_of(const archive& in, const message& m) {
  failure ignored;
  return {in, m.offset(), m.length(), in.mode() == io_mode::map ? m.bytes(ignored) : std::span<const std::byte>()};
}

bytes_in_archive body_range(const archive& in, const frame& f) {
  failure ignored;
  return {in, f.body_offset(), f.body_size(),
          in.mode() == io_mode::map ? f.body(ignored) : std::span<const std::byte>()};
}

bool equal_in_memory(const bytes_in_archive& a, const bytes_in_archive& b) {
  bool same = false;
  const auto compare = [&]() noexcept { same = std::memcmp(a.mapped.data(), b.mapped.data(), a.mapped.size()) == 0; };
  return !mapping_guard::run(compare) && same;
}

bool equal_when_read(const bytes_in_archive& a, const bytes_in_archive& b) {
  constexpr std::uint64_t block = std::uint64_t{1} << 18;
  std::vector<std::byte> left(static_cast<std::size_t>(std::min(a.length, block))), right(left.size());
  failure why;
  for (std::uint64_t done = 0; done < a.length; done += left.size()) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(left.size(), a.length - done));
    a.in.read(a.offset + done, std::span(left).first(size), why);
    if (!why) b.in.read(b.offset + done, std::span(right).first(size), why);
    if (why || std::memcmp(left.data(), right.data(), size) != 0) return false;
  }
  return true;
}

bool are_equal_ranges(const bytes_in_archive& a, const bytes_in_archive& b) {
  if (a.length != b.length) return false;
  const bool mapped = a.mapped.size() == a.length && b.mapped.size() == b.length;
  return mapped && mapping_guard::is_installed() ? equal_in_memory(a, b) : equal_when_read(a, b);
}

/// Returns true if both messages have equal bytes. Returns false if they cannot be read; reading them again reports it.
bool equal_bytes(const archive& left_archive, const message& left, const archive& right_archive, const message& right) {
  return are_equal_ranges(range_of(left_archive, left), range_of(right_archive, right));
}

/// Returns the same for the bodies of two frames.
bool equal_bytes(const archive& left_archive, const frame& left, const archive& right_archive, const frame& right) {
  return are_equal_ranges(body_range(left_archive, left), body_range(right_archive, right));
}

bool has_no_metadata(const failure& why) { return why.code == make_error_code(errc::no_metadata); }

bool have_same_strides(const descriptor (&of)[2]) { return std::ranges::equal(of[0].strides(), of[1].strides()); }

using object_pair = std::array<std::size_t, 2>;  ///< numbers of the left and the right object

optional_index number_of(const std::optional<object_pair>& objects, bool right) {
  return objects ? optional_index((*objects)[right]) : optional_index();
}

/// Compares two messages whose bytes differ, or one object of each.
class message_comparison {
 public:
  message_comparison(const archive& left_archive, const message& left, const archive& right_archive,
                     const message& right, const compare_options& how, comparison& out)
      : archives_{&left_archive, &right_archive},
        messages_{&left, &right},
        how_(how),
        out_(out),
        differences_(out, how.max_differences) {}

  void compare() {
    std::size_t count[2] = {};
    for (const bool right : {false, true}) {
      failure why;
      count[right] = messages_[right]->size(why);
      if (why) return fail(right, {}, why);
    }
    compare_keys_by({}, {}, [&](bool right, failure& why) { return messages_[right]->metadata(why); });
    compare_keys_by({}, "_reserved_", [&](bool right, failure& why) { return messages_[right]->provenance(why); });
    if (count[0] != count[1])
      differences_.add([&] {
        return difference{
            .kind = difference_kind::objects, .left = std::uint64_t{count[0]}, .right = std::uint64_t{count[1]}};
      });
    for (std::size_t j = 0; j < std::min(count[0], count[1]); ++j) compare({j, j});
  }

  void compare(const object_pair& of) {
    compare_keys_by(of, {}, [&](bool right, failure& why) { return messages_[right]->base(of[right], why); });
    compare_objects(of);
  }

 private:
  void fail(bool right, const std::optional<object_pair>& objects, const failure& why) {
    out_.failures.push_back({right, number_of(objects, right), why});
  }

  template <class Find>
  void compare_keys_by(const std::optional<object_pair>& objects, const std::string& above, Find&& find) {
    metadata_copy keys[2];  // what is lost while it is compared is no difference
    for (const bool right : {false, true}) {
      failure why;
      const metadata found = find(right, why);
      if (why && !has_no_metadata(why)) return fail(right, objects, why);
      keys[right] = metadata_copy::of(found, why);
      if (why) return fail(right, objects, why);
    }
    compare_metadata({.left = keys[0].keys(),
                      .right = keys[1].keys(),
                      .parent = above,
                      .left_object = number_of(objects, false),
                      .right_object = number_of(objects, true)},
                     how_.ignored_keys, differences_);
  }

  void compare_objects(const object_pair& of) {
    object objects[2];
    descriptor described[2];
    for (const bool right : {false, true}) {
      failure why;
      objects[right] = messages_[right]->at(of[right], why);
      if (why) return fail(right, of, why);
    }
    if (equal_body(objects[0], objects[1])) return;
    for (const bool right : {false, true}) {
      failure why;
      described[right] = objects[right].descriptor(why);
      if (why) return fail(right, of, why);
    }
    difference found{.kind = difference_kind::dtype, .left_object = of[0], .right_object = of[1]};
    const auto left_shape = described[0].shape(), right_shape = described[1].shape();
    if (described[0].dtype != described[1].dtype && !how_.any_dtype) {
      found.left = described[0].dtype;
      found.right = described[1].dtype;
    } else if (!std::ranges::equal(left_shape, right_shape)) {
      found.kind = difference_kind::shape;
      found.left = std::vector(left_shape.begin(), left_shape.end());
      found.right = std::vector(right_shape.begin(), right_shape.end());
    } else {
      found.kind = difference_kind::values;
      if (how_.compare_elements) found.elements = compare_elements(of, objects, have_same_strides(described));
      if (!found.elements) return;
    }
    differences_.add([&] { return std::move(found); });
  }

  /// Returns true if descriptor, payload and masks have equal bytes.
  bool equal_body(const object& left, const object& right) const {
    const frame &a = left.frame(), &b = right.frame();
    return a.type() == b.type() && a.flags() == b.flags() && a.message().version() == b.message().version() &&
           equal_bytes(*archives_[0], a, *archives_[1], b);
  }

  /// `same_strides`: both are compared in stored order if their strides are not dense.
  std::optional<element_difference> compare_elements(const object_pair& of, const object (&objects)[2],
                                                     bool same_strides) {
    tensor elements[2];  // copies, because the files may shrink meanwhile
    for (const bool right : {false, true}) {
      failure why;
      bool as_stored = false;
      if (same_strides)
        elements[right] = decode_elements(objects[right], as_stored, why);
      else
        objects[right].decode_into(elements[right], decode_options{}, why);
      if (!why) continue;
      fail(right, of, why);
      return std::nullopt;
    }
    return tgmap::compare(elements[0], elements[1], how_.within, how_.any_dtype);
  }

  const archive* archives_[2];
  const message* messages_[2];
  const compare_options& how_;
  comparison& out_;
  difference_list differences_;
};

}  // namespace

}  // namespace tgmap::edit

namespace tgmap {
inline namespace v0 {

TGMAP_ENUM_NAMES(difference_kind, 0, "only_left", "only_right", "objects", "metadata", "dtype", "shape", "values")

comparison compare(const archive& left_archive, const compared_part& left, const archive& right_archive,
                   const compared_part& right, const compare_options& how, failure& why) {
  why = {};
  comparison out;
  if (!left_archive || !right_archive)
    why.code = errc::no_archive;
  else if (left.object.has_value() != right.object.has_value())
    why = {.code = errc::invalid_option, .argument = "object"};
  if (why) return out;
  edit::message_comparison work(left_archive, left.message, right_archive, right.message, how, out);
  if (left.object)
    work.compare({static_cast<std::size_t>(*left.object), static_cast<std::size_t>(*right.object)});
  else if (!edit::equal_bytes(left_archive, left.message, right_archive, right.message))
    work.compare();
  return out;
}

comparison compare(const archive& left_archive, const compared_part& left, const archive& right_archive,
                   const compared_part& right, const compare_options& how) {
  failure why;
  auto out = compare(left_archive, left, right_archive, right, how, why);
  detail::raise_if(why);
  return out;
}

}  // namespace v0
}  // namespace tgmap
