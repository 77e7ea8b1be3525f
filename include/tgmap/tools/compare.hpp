// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <tgmap/archive.hpp>
#include <tgmap/cbor_view.hpp>
#include <tgmap/decode/executor.hpp>
#include <tgmap/dtype.hpp>
#include <tgmap/enum_names.hpp>
#include <tgmap/error.hpp>
#include <tgmap/export.hpp>
#include <tgmap/message.hpp>
#include <tgmap/query/metadata_key.hpp>
#include <tgmap/tensor.hpp>
#include <variant>
#include <vector>

namespace tgmap {
inline namespace v0 {

/// A `tolerance` is the distance at which two numbers still count as equal. One of the bounds suffices. NaN equals only
/// NaN, and an infinity only itself, whatever the tolerance. The distance of complex numbers is that in the plane.
/// Default: numbers must be equal; 0 equals -0.
struct tolerance {
  double absolute = 0;
  double relative = 0;  ///< as a share of the larger number
};

/// An element as a number. Elements of float16 and bfloat16 are floats, bits are 0 and 1.
using element_value =
    std::variant<std::int64_t, std::uint64_t, float, double, std::complex<float>, std::complex<double>>;

/// An `element_difference` describes the elements of two tensors of one shape that differ.
struct element_difference {
  std::uint64_t differing = 0;         ///< number of elements that differ
  std::uint64_t elements = 0;          ///< number of all elements
  std::vector<std::uint64_t> first{};  ///< coordinates of the first difference in C order
  element_value left{}, right{};       ///< the elements there
  double largest_absolute = 0;         ///< largest distance of two differing elements, both finite
  double largest_relative = 0;         ///< the same as a share of the larger element
  std::uint64_t not_finite = 0;        ///< differing elements of which one is NaN or infinite
  std::uint64_t only_left_finite = 0;  ///< those of them whose left one is finite
};

/// Subject of a difference.
enum class difference_kind : std::uint8_t {
  only_left,   ///< the right archive has no such message or object
  only_right,  ///< the left archive has no such message or object
  objects,     ///< number of objects of a message
  metadata,    ///< a key of the message or of an object
  dtype,
  shape,
  values,  ///< elements
};

TGMAP_API std::string_view to_string_view(difference_kind) noexcept;  ///< "only_left"
template <>
TGMAP_API std::optional<difference_kind> from_string<difference_kind>(std::string_view) noexcept;

/// A `key_path` is a path of metadata, stored as its last key and a shared path of the enclosing map. Many short keys
/// below a long one therefore take no more memory than in the archive.
struct key_path {
  std::shared_ptr<const key_path> parent{};  ///< null for a key that is in no other map
  std::string name{};                        ///< may have dots

  /// Returns the dotted path: "mars.param". Errors: throws std::bad_alloc.
  TGMAP_API std::string text() const;
};

/// A `metadata_item` is a copy of the bytes of one item of metadata. Lifetime: independent of the archive.
class metadata_item {
 public:
  metadata_item() noexcept = default;  ///< null

  /// Errors: throws std::bad_alloc.
  explicit metadata_item(const cbor_view& item) {
    const auto bytes = item.bytes();
    encoded_.assign(bytes.begin(), bytes.end());
  }

  /// Returns a view of the copy.
  cbor_view view() const noexcept TGMAP_LIFETIMEBOUND { return cbor_view(encoded_); }

 private:
  std::vector<std::byte> encoded_{};
};

/// A `difference` is one difference between two messages or two objects.
struct difference {
  /// The value of one side: the number of `objects`, an item of `metadata`, a `dtype` or a `shape`. Empty for an absent
  /// key, and for the other kinds.
  using value = std::variant<std::monostate, std::uint64_t, metadata_item, tgmap::dtype, std::vector<std::uint64_t>>;

  difference_kind kind{};
  optional_index left_object{}, right_object{};  ///< numbers of the objects; none if the messages themselves differ
  key_path key{};                                ///< of `metadata`; of provenance the path begins with `_reserved_`
  value left{}, right{};                         ///< both values
  std::optional<element_difference> elements{};  ///< of `values`
};

/// A part of a message that could not be compared.
struct comparison_failure {
  bool is_right = false;    ///< the part belongs to the right archive
  optional_index object{};  ///< number of the object; none for a part of the message itself
  failure why{};
};

/// A `comparison` is the result of comparing two messages or two objects. Lifetime: independent of the archives.
struct comparison {
  std::vector<difference> differences{};       ///< the first `max_differences` of them, in order
  std::uint64_t difference_count = 0;          ///< number of all
  std::vector<comparison_failure> failures{};  ///< all that could not be compared
  bool is_equal() const noexcept { return difference_count == 0 && failures.empty(); }
};

/// Options of comparing. Aggregate: `{.within = {.relative = 1e-6}}`.
struct compare_options {
  tolerance within{};

  /// Paths of keys that may differ, with all keys below them, of messages and objects alike. Default: `_reserved_`,
  /// where writers put their name, the time and a unique identifier.
  std::vector<std::string> ignored_keys{"_reserved_"};

  /// Compares elements, too. Default: true. Otherwise keys, dtypes and shapes alone.
  bool compare_elements = true;

  /// Compares elements of different dtypes in the wider dtype, for example float32 and float64 as float64. Integers are
  /// compared with floating point numbers by their exact values. Default: false; different dtypes are a difference.
  bool any_dtype = false;

  /// Maximum number of differences that are kept for each pair. Default: 1000, which bounds the memory that hostile
  /// archives can take.
  std::uint64_t max_differences = 1000;

  /// Pairs messages of two archives that have equal values of these keys. Default: none; messages are paired by their
  /// positions.
  std::vector<metadata_key> pair_by{};

  /// The threads that compare pairs. Default: null, the calling thread alone.
  tgmap::executor* executor = nullptr;

  /// Ends the comparison of many pairs after a stop request. Default: none.
  std::stop_token stop{};
};

/// Compares two tensors of equal shape. Strides may differ. Returns nothing if all elements are equal. `any_dtype`
/// allows different dtypes, as in `compare_options`.
/// Errors: foreign_byte_order; dtype_mismatch; invalid_option (the shapes differ). Both forms throw std::bad_alloc.
/// Complexity: O(elements), constant memory. Equal dtypes and strides are compared byte by byte first.
TGMAP_API std::optional<element_difference> compare(const tensor& left, const tensor& right, const tolerance& = {},
                                                    bool any_dtype = false);
TGMAP_API std::optional<element_difference> compare(const tensor& left, const tensor& right, const tolerance&,
                                                    bool any_dtype, failure&);

/// A message, or one object of it.
struct compared_part {
  tgmap::message message{};
  optional_index object{};  ///< number of the object; none for the whole message
};

/// Compares two messages, or two objects: their own keys, dtypes, shapes and elements. Keys are compared by meaning:
/// integers of different width are equal, an integer and a floating point number are not, NaN equals NaN, and the order
/// of keys does not matter. The message-wide keys and the provenance belong to messages. Objects whose strides are
/// equal and unsupported are compared in stored order.
///
/// A part that cannot be read or decoded is one of `comparison::failures`; the other parts are compared.
/// Errors: no_archive; invalid_option (only one of both is an object). Both forms throw std::bad_alloc.
/// Complexity: O(bytes) if bytes are equal; otherwise decodes objects whose bytes differ, two at a time.
/// Thread safety: any number of threads.
TGMAP_API comparison compare(const archive& left_archive, const compared_part& left, const archive& right_archive,
                             const compared_part& right, const compare_options& = {});
TGMAP_API comparison compare(const archive& left_archive, const compared_part& left, const archive& right_archive,
                             const compared_part& right, const compare_options&, failure&);

/// A `compared_list` is an archive with the messages or objects of it that are compared.
struct compared_list {
  tgmap::archive archive{};
  std::vector<compared_part> parts{};
};

/// A `compared_pair` has the positions of two parts in two lists. One is missing if only the other list has the part.
struct compared_pair {
  optional_index left{}, right{};
  bool operator==(const compared_pair&) const noexcept = default;
};

/// Pairs the first with the first, the second with the second, and so on. Errors: throws std::bad_alloc.
TGMAP_API std::vector<compared_pair> pair_by_position(std::size_t left_size, std::size_t right_size);

/// Pairs parts of equal values, in order if there are several. The order is that of the left list; parts of the right
/// list without a partner come last. Errors: throws std::bad_alloc. Complexity: O(parts).
TGMAP_API std::vector<compared_pair> pair_by_values(std::span<const std::string> left,
                                                    std::span<const std::string> right);

/// A `comparison_summary` counts the results of many pairs.
struct comparison_summary {
  std::uint64_t pairs = 0;        ///< pairs that were compared
  std::uint64_t equal_pairs = 0;  ///< pairs without a difference or a failure
  std::uint64_t differences = 0;  ///< of all pairs
  std::uint64_t failures = 0;     ///< parts that could not be compared
  bool stopped = false;           ///< ended by the stop_token
  bool is_equal() const noexcept { return equal_pairs == pairs && !stopped; }
};

/// Receives the result of each pair in order, in the thread that called compare(). What it throws ends the comparison
/// and passes through.
using comparison_callback = std::function<void(const compared_pair&, const comparison&)>;

/// Compares pairs of two lists. A pair without a partner is a difference `only_left` or `only_right`.
/// Errors: as for one pair; out_of_range (a pair beyond the lists).
/// Complexity: as for each pair; keeps the results of 16 pairs for each thread.
TGMAP_API comparison_summary compare(const compared_list& left, const compared_list& right,
                                     std::span<const compared_pair>, const compare_options&,
                                     const comparison_callback&);
TGMAP_API comparison_summary compare(const compared_list& left, const compared_list& right,
                                     std::span<const compared_pair>, const compare_options&, const comparison_callback&,
                                     failure&);

/// Compares all messages of two archives, by position or by `compare_options::pair_by`. Positions in pairs are numbers
/// of messages. A message whose keys cannot be read has no partner, and is a failure. Gaps are not compared.
/// Errors: as above; those of `archive::operator[]`, except out_of_range.
/// Complexity: a scan of both archives, and as above.
TGMAP_API comparison_summary compare(const archive& left, const archive& right, const compare_options& = {},
                                     const comparison_callback& = {});
TGMAP_API comparison_summary compare(const archive& left, const archive& right, const compare_options&,
                                     const comparison_callback&, failure&);

}  // namespace v0
}  // namespace tgmap
