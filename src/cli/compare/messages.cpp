// SPDX-License-Identifier: Apache-2.0
#include "cli/compare/messages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "cli/compare/same_in_files.hpp"
#include "cli/compare/values.hpp"
#include "cli/input/elements.hpp"

namespace tgmap::cli {

namespace {

bool is_absent(const failure& why) { return why.code == make_error_code(errc::no_metadata); }

std::string text_of(std::span<const std::uint64_t> shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

bool in_one_order(const descriptor (&of)[2]) { return std::ranges::equal(of[0].strides(), of[1].strides()); }

using number_pair = std::array<std::size_t, 2>;  ///< of an object on the left, and of one on the right

/// Two messages whose bytes differ, or an object of each.
class message_comparison {
 public:
  message_comparison(const archive& left_archive, const message& left, const archive& right_archive,
                     const message& right, const comparison& how, comparison_outcome& out)
      : archives_{&left_archive, &right_archive}, messages_{&left, &right}, how_(how), out_(out) {}

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
      out_.differences.add([&] {
        return difference{
            .what = difference::kind::objects, .left = std::to_string(count[0]), .right = std::to_string(count[1])};
      });
    for (std::size_t j = 0; j < std::min(count[0], count[1]); ++j) compare({j, j});
  }

  void compare(const number_pair& of) {
    compare_keys_by(of, {}, [&](bool right, failure& why) { return messages_[right]->base(of[right], why); });
    compare_objects(of);
  }

 private:
  void fail(bool right, const std::optional<number_pair>& objects, const failure& why) {
    out_.failures.push_back({right, objects ? std::optional((*objects)[right]) : std::nullopt, why});
  }

  template <class Find>
  void compare_keys_by(const std::optional<number_pair>& objects, const std::string& above, Find&& find) {
    metadata keys[2];
    for (const bool right : {false, true}) {
      failure why;
      keys[right] = find(right, why);
      if (why && !is_absent(why)) return fail(right, objects, why);
    }
    const auto number = objects ? std::optional((*objects)[0]) : std::nullopt;
    compare_keys(keys[0], keys[1], how_.ignored, above, number, out_.differences);
  }

  void compare_objects(const number_pair& of) {
    object objects[2];
    descriptor described[2];
    for (const bool right : {false, true}) {
      failure why;
      objects[right] = messages_[right]->at(of[right], why);
      if (why) return fail(right, of, why);
    }
    if (same_body(objects[0], objects[1])) return;
    for (const bool right : {false, true}) {
      failure why;
      described[right] = objects[right].descriptor(why);
      if (why) return fail(right, of, why);
    }
    difference found{.what = difference::kind::dtype, .object = of[0]};
    if (described[0].dtype != described[1].dtype) {
      found.left = to_string_view(described[0].dtype);
      found.right = to_string_view(described[1].dtype);
    } else if (!std::ranges::equal(described[0].shape(), described[1].shape())) {
      found.what = difference::kind::shape;
      found.left = text_of(described[0].shape());
      found.right = text_of(described[1].shape());
    } else {
      found.what = difference::kind::values;
      if (how_.values) found.elements = compare_elements(of, objects, in_one_order(described));
      if (!found.elements) return;
    }
    out_.differences.add([&] { return std::move(found); });
  }

  /// Payload, masks and descriptor, in the same arrangement.
  bool same_body(const object& left, const object& right) const {
    const frame &a = left.frame(), &b = right.frame();
    return a.type() == b.type() && a.flags() == b.flags() && a.message().version() == b.message().version() &&
           same_in_files(*archives_[0], a, *archives_[1], b);
  }

  /// `as_they_lie`: both in the order stored where strides say none, as it is the same one.
  std::optional<value_difference> compare_elements(const number_pair& of, const object (&objects)[2],
                                                   bool as_they_lie) {
    tensor elements[2];  // their own, not the archive's: those cannot be cut meanwhile
    for (const bool right : {false, true}) {
      failure why;
      if (as_they_lie)
        elements[right] = decode_elements(objects[right], why);
      else
        objects[right].decode_into(elements[right], decode_options{}, why);
      if (!why) continue;
      fail(right, of, why);
      return std::nullopt;
    }
    return compare_values(elements[0], elements[1], how_.within);
  }

  const archive* archives_[2];
  const message* messages_[2];
  const comparison& how_;
  comparison_outcome& out_;
};

}  // namespace

comparison_outcome compare_messages(const archive& left_archive, const message& left, const archive& right_archive,
                                    const message& right, const comparison& how) {
  comparison_outcome out{.differences = difference_list(how.most_shown)};
  if (!same_in_files(left_archive, left, right_archive, right))
    message_comparison(left_archive, left, right_archive, right, how, out).compare();
  return out;
}

comparison_outcome compare_objects(const archive& left_archive, const message& left, std::size_t left_object,
                                   const archive& right_archive, const message& right, std::size_t right_object,
                                   const comparison& how) {
  comparison_outcome out{.differences = difference_list(how.most_shown)};
  message_comparison(left_archive, left, right_archive, right, how, out).compare({left_object, right_object});
  return out;
}

}  // namespace tgmap::cli
