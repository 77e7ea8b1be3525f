// SPDX-License-Identifier: Apache-2.0
// Decodes a part of one object after another into an output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/decode/gather.hpp>
#include <tgmap/descriptor.hpp>
#include <tgmap/tensor.hpp>
#include <vector>

#include "core/memory.hpp"
#include "decode/plan.hpp"
#include "decode/range_decoder.hpp"
#include "decode/slab_reader.hpp"
#include "gather/object_finder.hpp"

namespace tgmap::gather {

/// The dtype and shape that all objects have.
struct element_form {
  tgmap::dtype dtype{};
  std::vector<std::uint64_t> shape{};
  std::uint64_t count = 1;  ///< of elements

  std::size_t item() const noexcept { return dtype == dtype::bitmask ? 1 : element_size(dtype); }
};

/// A `wanted_part` says which elements of each object are decoded: all, a box, or a list.
struct wanted_part {
  const slab* box = nullptr;                  ///< null: all elements, or a list
  std::span<const std::uint64_t> elements{};  ///< numbers in C order, shared by all objects or of each
  std::uint64_t count_of_each = 0;            ///< 0: shared
  bool is_list = false;
  std::vector<std::uint64_t> shape{};  ///< of the part
  std::uint64_t count = 1;             ///< of its elements
  bool is_dense = false;               ///< the output of one object is in C order, and has no bits

  bool is_whole() const noexcept { return box == nullptr && !is_list; }
};

/// An `object_decoder` decodes objects one after the other, and keeps the plan as long as descriptors are equal. For
/// one thread.
class object_decoder {
 public:
  /// Lifetime: the arguments must outlive it.
  object_decoder(const element_form& form, const wanted_part& part, const gather_output& out,
                 const decode_options& how) noexcept
      : form_(form), part_(part), out_(out), how_(how) {}

  /// Decodes the part of one object to `to`, its first element. `executor`: also decodes pieces of a large object.
  /// Errors: those of object_gatherer. Throws std::bad_alloc.
  failure decode(const detail::archive_state&, const object_location&, std::size_t number, executor*, std::byte* to);

  /// Reads the next objects at once, which decode() is then called for in this order, if they are small and alike.
  /// `to`: where each goes.
  std::size_t read_ahead(const detail::archive_state&, std::span<const object_location> next,
                         std::span<std::byte* const> to) noexcept;
  static constexpr std::size_t max_ahead = object_finder::max_ahead;

 private:
  bool reads_into_output() const noexcept;
  failure plan(const found_object&);
  failure check_form(const object&) const noexcept;
  failure decode_found(const found_object&, std::size_t number, executor*, std::span<std::byte> dense);
  failure decode_whole(const object&, executor*, std::span<std::byte> dense);
  failure decode_part(const object&, std::size_t number, std::span<std::byte> dense);
  decode::slab_runs runs_of_list(std::size_t number);
  bool are_far_apart(const decode::slab_runs&) const noexcept;
  failure read_runs(const object&, decode::slab_runs, std::span<std::byte> dense) noexcept;

  const element_form& form_;
  const wanted_part& part_;
  const gather_output& out_;
  const decode_options& how_;
  object_finder finder_{};
  std::vector<std::byte> descriptor_bytes_{};  ///< of the plan
  decode::plan plan_{};
  tensor like_{};  ///< strides of the plan
  bool has_plan_ = false, is_c_order_ = false, decodes_whole_ = false;
  bool is_plain_elements_ = false;   ///< the payload has the elements as they are wanted, in any order
  std::vector<decode::run> list_{};  ///< runs of a list of elements
  bool has_list_ = false;            ///< they are those of all objects with these strides
  std::vector<decode::slab_request> requests_{};
  core::scratch elements_{}, region_{}, blob_{}, masks_{};
};

/// Reads dtype and shape of an object. Errors: those of object_decoder. Throws std::bad_alloc.
failure read_form(const detail::archive_state&, const object_location&, stride_policy, element_form&);

}  // namespace tgmap::gather
