// SPDX-License-Identifier: Apache-2.0
// Many objects as one array.
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

/// A `gathering` finds the objects of a call, and decodes them.
class gathering {
 public:
  gathering(const shared_archive& from, std::vector<address> wanted)
      : from_(from->archive), wanted_(std::move(wanted)) {}

  /// Finds all objects, and compares each with the first. Negative numbers count from the end.
  void find(const std::stop_token& stop) {
    const bool from_end = std::ranges::any_of(wanted_, [](const address& each) { return each.message < 0; });
    if (from_end) from_.scan(UINT64_MAX, stop, why_);
    if (why_ || stop.stop_requested()) return;
    const auto messages = from_end ? static_cast<std::int64_t>(from_.size(why_)) : 0;
    if (why_) return;
    for (address each : wanted_) {
      if (stop.stop_requested()) return;
      at_fault_ = each;
      if (each.message < 0) each.message += messages;
      if (each.message < 0) why_ = {.code = tgmap::errc::out_of_range};
      if (!why_) find(each);
      if (why_ || differs_) return;
    }
  }

  /// Takes an object that was found already.
  void take(const py_object& o) {
    const auto number = [](tgmap::optional_index i) { return i ? static_cast<std::int64_t>(*i) : -1; };
    at_fault_ = {number(o.message.index()), number(o.handle.index())};
    if (wanted_.empty()) wanted_.push_back(at_fault_);
    if (!why_ && !differs_) add(o.handle);
  }

  /// Raises if an object was not found, or differs from the first.
  void check(const std::string& path) const {
    if (differs_)
      throw nb::value_error((description(at_fault_, different_) + ", and " + description(wanted_.front(), like()) +
                             "; gather needs one dtype and shape")
                                .c_str());
    if (why_.code == tgmap::errc::out_of_range)
      throw nb::index_error(("there is no object " + at_fault_.text()).c_str());
    raise_if(why_, path);
  }

  std::size_t wanted() const noexcept { return wanted_.size(); }
  const tgmap::descriptor& like() const { return descriptors_.front(); }
  std::span<const tgmap::object> objects() const noexcept { return objects_; }

  /// Returns whether the elements of every object are in C order.
  bool are_in_c_order() const noexcept { return are_in_c_order_; }

 private:
  void find(const address& of) {
    at_fault_ = of;
    const tgmap::message in = from_.at(static_cast<std::size_t>(of.message), why_);
    const std::int64_t objects = of.object < 0 && !why_ ? static_cast<std::int64_t>(in.size(why_)) : 0;
    const std::int64_t j = of.object + objects;
    if (!why_ && j < 0) why_ = {.code = tgmap::errc::out_of_range};
    const tgmap::object found = why_ ? tgmap::object() : in.at(static_cast<std::size_t>(j), why_);
    if (!why_) add(found);
  }

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

  const tgmap::archive& from_;
  std::vector<address> wanted_;  ///< of objects that were found already only the first
  std::vector<tgmap::object> objects_{};
  std::vector<tgmap::descriptor> descriptors_{};  ///< of the first object
  tgmap::descriptor different_{};
  address at_fault_{};
  bool differs_ = false, are_in_c_order_ = true;
  tgmap::failure why_{};
};

std::vector<address> to_addresses(nb::handle numbers) {
  const input_buffer buffer = bytes_of(numbers);
  std::vector<address> out(buffer.bytes.size() / sizeof(address));
  std::memcpy(out.data(), buffer.bytes.data(), out.size() * sizeof(address));
  return out;
}

/// Finds the objects: of an array of numbers, or of a list of objects, which keep their archives.
gathering find_objects(const shared_archive& from, nb::handle addresses) {
  if (!PyList_Check(addresses.ptr())) {
    gathering out(from, to_addresses(addresses));
    constexpr std::size_t many = 256;
    if (out.wanted() > many || !from->archive.is_complete())
      run_interruptibly(true, [&](const std::stop_token& stop) { out.find(stop); });
    else
      without_lock(true, [&] { out.find(std::stop_token()); });
    return out;
  }
  gathering out(from, {});
  for (nb::handle each : nb::borrow<nb::list>(addresses))
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

nb::object gather(nb::handle opened, nb::handle addresses, nb::handle slab, nb::handle out,
                  argument<unsigned> threads) {
  const shared_archive from(nb::borrow(opened));
  const gathering all = find_objects(from, addresses);
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
  m.def("_gather", gather, "opened"_a, "addresses"_a, "slab"_a.none(), "out"_a.none(), "threads"_a);
}

}  // namespace tgmap_python
