// SPDX-License-Identifier: Apache-2.0
// Many objects that were found already as one array.
#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <tgmap/decode/decode_many.hpp>
#include <vector>

#include "cpp/arguments/threads.hpp"
#include "cpp/arrays/numpy.hpp"
#include "cpp/arrays/subscript.hpp"
#include "cpp/handles/limits.hpp"
#include "cpp/interpreter/errors.hpp"
#include "cpp/interpreter/interruptible.hpp"
#include "cpp/interpreter/scalars.hpp"

namespace tgmap_python {
namespace {

/// The number of a message and of an object in it.
struct address {
  std::int64_t message = 0, object = 0;

  std::string text() const { return std::to_string(message) + ":" + std::to_string(object); }
};

std::string shape_text(std::span<const std::uint64_t> shape) {
  std::string out = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) out += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return out + (shape.size() == 1 ? ",)" : ")");
}

std::string description(const address& of, const tgmap::descriptor& d) {
  return "object " + of.text() + " has " + std::string(tgmap::to_string_view(d.dtype)) + " " + shape_text(d.shape());
}

/// A `gathering` takes the objects of a call, which keep their archives, and decodes them.
class gathering {
 public:
  /// Takes an object that was found already.
  void take(py_object& o) {
    const auto number = [](tgmap::optional_index i) { return i ? static_cast<std::int64_t>(*i) : -1; };
    at_fault_ = {number(o.place.message().index()), number(o.place.index())};
    if (objects_.empty()) first_ = at_fault_;
    if (!why_ && !differs_) add(o.handle());
  }

  /// Raises if an object was not found, or differs from the first.
  void check(const std::string& path) const {
    if (differs_)
      throw nb::value_error((description(at_fault_, different_) + ", and " + description(first_, like()) +
                             "; gather needs one dtype and shape")
                                .c_str());
    raise_if(why_, path);
  }

  const tgmap::descriptor& like() const { return descriptors_.front(); }
  std::span<const tgmap::object> objects() const noexcept { return objects_; }

  /// Returns whether the elements of every object are in C order.
  bool are_in_c_order() const noexcept { return are_in_c_order_; }

 private:
  void add(const tgmap::object& found) {
    tgmap::descriptor d = found.descriptor(why_);
    if (why_) return;
    std::array<std::int64_t, tgmap::max_rank> dense;
    are_in_c_order_ = are_in_c_order_ && decoded_strides(d, dense, why_).empty();
    if (why_) return;
    if (descriptors_.empty()) {
      descriptors_.push_back(std::move(d));
    } else if (d.dtype != like().dtype || !std::ranges::equal(d.shape(), like().shape())) {
      differs_ = true;
      different_ = std::move(d);
      return;
    }
    objects_.push_back(found);
  }

  std::vector<tgmap::object> objects_{};
  std::vector<tgmap::descriptor> descriptors_{};  ///< of the first object
  tgmap::descriptor different_{};
  address first_{}, at_fault_{};
  bool differs_ = false, are_in_c_order_ = true;
  tgmap::failure why_{};
};

gathering find_objects(nb::handle objects) {
  gathering out;
  for (nb::handle each : nb::borrow<nb::list>(objects))
    out.take(require<py_object>(each, "addresses must be objects of an archive"));
  return out;
}

/// Raises Error if what is decoded of one object, which all have the same dtype and shape, takes too much memory.
void check_limit(const gathering& all, const subscript& wanted, const shared_archive& from) {
  const std::uint64_t item = std::max<std::size_t>(tgmap::element_size(all.like().dtype), 1);
  const auto& counts = wanted.box.count;
  require_within_limit(from, all.objects().front(),
                       std::accumulate(counts.begin(), counts.end(), item, std::multiplies<>()));
}

subscript whole_box(std::span<const std::uint64_t> shape) { return *to_subscript(nb::ellipsis(), shape); }

/// Decodes all objects, or the same box of each, one behind the other.
void decode(const gathering& from, const subscript& wanted, std::span<std::byte> out, unsigned threads,
            const std::string& path) {
  const std::size_t count = from.objects().size(), each = count == 0 ? 0 : out.size() / count;
  std::vector<std::span<std::byte>> parts;
  for (std::size_t i = 0; i < count; ++i) parts.push_back(out.subspan(i * each, each));
  tgmap::decode_many_options options;
  options.decode.executor = &executor_of(threads);
  tgmap::failure why;
  run_interruptibly(out.size() > long_work_bytes, [&](const std::stop_token& stop) {
    options.stop = stop;
    if (wanted.is_whole && from.are_in_c_order())
      tgmap::decode_many(from.objects(), parts, options, why);
    else
      tgmap::decode_many(from.objects(), wanted.box, parts, options, why);
  });
  raise_if(why, path);
}

/// Decodes the bits of all objects, to one byte an element.
void decode_bits(const gathering& from, const subscript& wanted, std::span<std::byte> out, unsigned threads,
                 const std::string& path) {
  const std::size_t count = from.objects().size(), elements = out.size() / count, bytes = (elements + 7) / 8;
  std::vector<std::byte> bits(count * bytes);
  decode(from, wanted, bits, threads, path);
  for (std::size_t i = 0; i < count; ++i)
    expand_bits(std::span(bits).subspan(i * bytes, bytes), out.subspan(i * elements, elements));
}

/// Returns the shape of the result: the number of objects, and the dimensions of the box that are kept.
std::vector<std::uint64_t> result_shape(std::size_t count, const subscript& wanted) {
  std::vector<std::uint64_t> out{count};
  for (std::size_t i = 0; i < wanted.box.count.size(); ++i)
    if (!wanted.is_dropped[i]) out.push_back(wanted.box.count[i]);
  return out;
}

/// Reverses the dimensions of the result that have a negative step. The first one counts the objects.
nb::object reversed(const nb::object& array, const subscript& wanted) {
  subscript kept;
  kept.is_reversed.push_back(false);
  for (std::size_t i = 0; i < wanted.is_dropped.size(); ++i)
    if (!wanted.is_dropped[i]) kept.is_reversed.push_back(wanted.is_reversed[i]);
  kept.is_dropped.assign(kept.is_reversed.size(), false);
  return apply_axes(array, kept);
}

nb::object gather(nb::handle opened, nb::handle objects, nb::handle slab, nb::handle out, argument<unsigned> threads) {
  const shared_archive from(nb::borrow(opened));
  const gathering all = find_objects(objects);
  all.check(from->path);
  if (all.objects().empty()) throw nb::value_error("gather needs an address; without one there is no dtype and shape");
  const tgmap::descriptor& like = all.like();
  const auto wanted = slab.is_none() ? std::optional(whole_box(like.shape())) : to_subscript(slab, like.shape());
  if (!wanted || !wanted->new_axes_before.empty())
    throw nb::type_error("slab must have integers, slices and an ellipsis only");
  check_limit(all, *wanted, from);

  const std::vector<std::uint64_t> shape = result_shape(all.objects().size(), *wanted);
  const bool is_reversed = std::ranges::find(wanted->is_reversed, true) != wanted->is_reversed.end();
  std::span<std::byte> given;
  if (!out.is_none()) given = output_bytes(out, like.dtype, shape);
  const bool is_in_out = !out.is_none() && !is_reversed;
  const new_array made =
      is_in_out ? new_array{nb::borrow(out), given} : make_array(like.dtype, tgmap::native_byte_order, shape);
  if (like.dtype == tgmap::dtype::bitmask)
    decode_bits(all, *wanted, made.bytes, threads, from->path);
  else
    decode(all, *wanted, made.bytes, threads, from->path);
  if (!is_reversed) return made.array;
  const nb::object result = reversed(made.array, *wanted);
  if (out.is_none()) return result;
  nb::module_::import_("numpy").attr("copyto")(out, result);
  return nb::borrow(out);
}

}  // namespace

void register_gather(nb::module_& m) {
  m.def("_gather", gather, "opened"_a, "objects"_a, "slab"_a.none(), "out"_a.none(), "threads"_a);
}

}  // namespace tgmap_python
