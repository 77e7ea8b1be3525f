// SPDX-License-Identifier: Apache-2.0
// Objects of many archives by their places, as one array.
#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <tgmap/decode/archive_cache.hpp>
#include <tgmap/decode/gather.hpp>
#include <vector>

#include "cpp/arguments/threads.hpp"
#include "cpp/arrays/numpy.hpp"
#include "cpp/arrays/subscript.hpp"
#include "cpp/handles/opened_archive.hpp"
#include "cpp/interpreter/errors.hpp"
#include "cpp/interpreter/interruptible.hpp"
#include "cpp/interpreter/scalars.hpp"

namespace tgmap_python {
namespace {

/// Returns the numbers in an array of int64.
std::span<const std::int64_t> numbers_of(const input_buffer& buffer) {
  return {reinterpret_cast<const std::int64_t*>(buffer.bytes.data()), buffer.bytes.size() / sizeof(std::int64_t)};
}

/// An archive of places: one that is open, or a file with the state that it must have.
struct place_archive {
  tgmap::archive opened{};
  tgmap::archive_file file{};
  std::uint64_t max_decoded = UINT64_MAX;
  nb::object owner{};      ///< of an archive that is open
  bool has_state = false;  ///< the file of an open archive must have the state

  const std::string& path() const noexcept { return file.path.native(); }
};

place_archive to_archive(nb::handle given) {
  if (nb::isinstance<opened_archive>(given)) {
    const auto& from = require<opened_archive>(given, "this needs an open archive");
    return {.opened = from.archive,
            .file = {.path = from.path},
            .max_decoded = from.max_decoded,
            .owner = nb::borrow(given)};
  }
  const auto parts = nb::cast<nb::tuple>(given);
  if (parts.size() == 3) {  // it is open, and its file must have this state
    place_archive out = to_archive(parts[0]);
    out.file.state = {.size = nb::cast<std::uint64_t>(parts[1]), .changed_at = nb::cast<std::int64_t>(parts[2])};
    out.has_state = true;
    return out;
  }
  const auto number = [&](std::size_t i) { return nb::cast<std::uint64_t>(parts[i]); };
  place_archive out{.max_decoded = number(5)};
  out.file = {.path = to_path(parts[0]),
              .state = {.size = number(1), .changed_at = nb::cast<std::int64_t>(parts[2])},
              .offset = number(3),
              .length = nb::handle(parts[4]).is_none() ? UINT64_MAX : number(4),
              .max_decoded_bytes = out.max_decoded};
  return out;
}

std::string shape_text(std::span<const std::uint64_t> shape) {
  std::string out = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) out += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return out + (shape.size() == 1 ? ",)" : ")");
}

std::vector<tgmap::object_location> to_locations(nb::handle numbers, nb::handle offsets, nb::handle objects,
                                                 std::size_t archives) {
  const input_buffer columns[] = {bytes_of(numbers), bytes_of(offsets), bytes_of(objects)};
  const auto archive = numbers_of(columns[0]), offset = numbers_of(columns[1]), object = numbers_of(columns[2]);
  for (const std::int64_t each : archive)
    if (each >= 0 && static_cast<std::uint64_t>(each) >= archives) throw nb::value_error("places name no such archive");
  if (offset.size() != archive.size() || object.size() != archive.size())
    throw nb::value_error("columns of places have different lengths");
  std::vector<tgmap::object_location> out(archive.size());
  for (std::size_t i = 0; i < archive.size(); ++i)
    if (archive[i] >= 0)
      out[i] = {.archive = static_cast<std::uint32_t>(archive[i]),
                .object = static_cast<std::uint32_t>(std::min<std::int64_t>(object[i], UINT32_MAX)),
                .message_offset = static_cast<std::uint64_t>(offset[i])};
  return out;
}

/// Returns the words that name a location: "object 2:0".
using location_name = std::function<std::string(std::size_t)>;

/// The places of a call.
class gatherer {
 public:
  /// `messages`: their numbers, if they are known; errors name them.
  gatherer(std::vector<place_archive> archives, std::vector<tgmap::object_location> locations, location_name name,
           unsigned threads, std::vector<std::size_t> messages = {})
      : archives_(std::move(archives)),
        locations_(std::move(locations)),
        name_(std::move(name)),
        messages_(std::move(messages)) {
    tgmap::failure why;
    tgmap::decode_options options;
    options.executor = &executor_of(threads);
    options.coalesce_bytes = near_bytes;
    without_lock(true, [&] { objects_ = open(options, why); });
    if (why) raise_at(first_object(), why);
    if (!objects_) throw nb::value_error("gather needs an object; without one there is no dtype and shape");
  }
  gatherer(const gatherer&) = delete;  // the objects refer to the locations

  nb::object shape() const { return to_tuple(objects_.shape()); }
  nb::object dtype() const { return numpy_dtype(objects_.dtype()); }

  nb::object box(nb::handle key, nb::handle out, nb::handle fill) const {
    const auto shape = objects_.shape();
    const auto wanted = key.is_none() ? to_subscript(nb::ellipsis(), shape) : to_subscript(key, shape);
    if (!wanted || !wanted->new_axes_before.empty())
      throw nb::type_error("slab must have integers, slices and an ellipsis only");
    const auto& counts = wanted->box.count;
    check_limit(counts);
    std::vector<std::uint64_t> kept{locations_.size()};
    for (std::size_t d = 0; d < counts.size(); ++d)
      if (!wanted->is_dropped[d]) kept.push_back(counts[d]);
    const strided_array result = result_of(out, kept);
    std::vector<std::int64_t> strides;
    std::byte* data = result.data;
    for (std::size_t d = 0, axis = 1; d < counts.size(); ++d) {
      strides.push_back(wanted->is_dropped[d] ? 0 : result.strides[axis++]);
      if (!wanted->is_reversed[d]) continue;
      data += static_cast<std::int64_t>(counts[d] - 1) * strides[d];
      strides[d] = -strides[d];
    }
    const input_buffer element = fill.is_none() ? input_buffer() : bytes_of(fill);
    run(data, result.strides[0], strides, element.bytes, counts,
        [&](const tgmap::object_gatherer& from, const tgmap::gather_output& to, tgmap::failure& why) {
          return wanted->is_whole ? from.all(to, why) : from.slab(wanted->box, to, why);
        });
    return result.array;
  }

  nb::object points(nb::handle numbers, bool of_each, nb::handle out, nb::handle fill) const {
    const input_buffer buffer = bytes_of(numbers);
    const std::span elements(reinterpret_cast<const std::uint64_t*>(buffer.bytes.data()),
                             buffer.bytes.size() / sizeof(std::uint64_t));
    const std::uint64_t count = of_each ? elements.size() / locations_.size() : elements.size();
    const strided_array result = result_of(out, std::array<std::uint64_t, 2>{locations_.size(), count});
    const input_buffer element = fill.is_none() ? input_buffer() : bytes_of(fill);
    run(result.data, result.strides[0], std::span(result.strides).subspan(1), element.bytes, std::array{count},
        [&](const tgmap::object_gatherer& from, const tgmap::gather_output& to, tgmap::failure& why) {
          return from.elements(elements, of_each, to, why);
        });
    return result.array;
  }

 private:
  std::size_t first_object() const noexcept {
    return static_cast<std::size_t>(std::ranges::find_if_not(locations_, &tgmap::object_location::is_hole) -
                                    locations_.begin());
  }

  tgmap::archive open_archive(std::size_t number, tgmap::failure& why) const {
    const place_archive& from = archives_[number];
    if (!from.opened) return tgmap::archive_cache::of_process().open(from.file, why);
    const auto now = from.has_state ? tgmap::file_state::of(from.opened) : std::nullopt;
    if (now && from.file.state.changed_at >= 0) why = from.file.state.compare(*now);
    return why ? tgmap::archive() : from.opened;
  }

  tgmap::object_gatherer open(const tgmap::decode_options& options, tgmap::failure& why) const {
    return tgmap::object_gatherer::open(
        locations_, [this](std::size_t number, tgmap::failure& unopened) { return open_archive(number, unopened); },
        options, why);
  }

  /// Raises Error if a part of one object takes too much memory.
  void check_limit(std::span<const std::uint64_t> counts) const {
    const std::uint64_t bytes =
        std::accumulate(counts.begin(), counts.end(), std::uint64_t{objects_.element_size()}, std::multiplies<>());
    const std::size_t first = objects_.first_location();
    const std::uint64_t max = archives_[locations_[first].archive].max_decoded;
    if (bytes > max) raise_at(first, {.code = tgmap::errc::decoded_limit, .expected = max, .found = bytes});
  }

  strided_array result_of(nb::handle out, std::span<const std::uint64_t> shape) const {
    return out.is_none() ? strided_output(make_array(objects_.dtype(), tgmap::native_byte_order, shape).array,
                                          objects_.dtype(), shape)
                         : strided_output(out, objects_.dtype(), shape);
  }

  template <class Call>
  void run(std::byte* data, std::int64_t stride, std::span<const std::int64_t> strides, std::span<const std::byte> fill,
           std::span<const std::uint64_t> counts, Call&& call) const {
    tgmap::gather_output to{.data = data, .location_stride = stride, .strides = strides, .fill = fill};
    const std::uint64_t bytes = std::accumulate(
        counts.begin(), counts.end(), locations_.size() * std::uint64_t{objects_.element_size()}, std::multiplies<>());
    tgmap::failure why;
    tgmap::gather_result result;
    run_interruptibly(bytes > min_interruptible || locations_.size() > many, [&](const std::stop_token& stop) {
      to.stop = stop;
      result = call(objects_, to, why);
    });
    if (!why) return;
    if (why.argument != nullptr && result.failed_location &&
        (std::strcmp(why.argument, "dtype") == 0 || std::strcmp(why.argument, "shape") == 0))
      raise_different(*result.failed_location);
    raise_at(result.failed_location.value_or(locations_.size()), why);
  }

  [[noreturn]] void raise_different(std::size_t location) const {
    tgmap::failure why;
    const tgmap::object_location& at = locations_[location];
    const tgmap::archive from = open_archive(at.archive, why);
    const tgmap::message in = why ? tgmap::message() : from.at_offset(at.message_offset, why);
    const tgmap::object found = why ? tgmap::object() : in.at(at.object, why);
    const tgmap::descriptor other = why ? tgmap::descriptor() : found.descriptor(why);
    if (why) raise_at(location, why);
    const auto described = [](tgmap::dtype type, std::span<const std::uint64_t> shape) {
      return " has " + std::string(tgmap::to_string_view(type)) + " " + shape_text(shape);
    };
    throw nb::value_error((name_(location) + described(other.dtype, other.shape()) + ", and " +
                           name_(objects_.first_location()) + described(objects_.dtype(), objects_.shape()) +
                           "; gather needs one dtype and shape")
                              .c_str());
  }

  [[noreturn]] void raise_at(std::size_t location, tgmap::failure why) const {
    if (location >= locations_.size()) raise(why, {});
    if (location < messages_.size()) why.message = messages_[location];
    if (why.code == tgmap::errc::out_of_range) throw nb::index_error(("there is no " + name_(location)).c_str());
    raise(why, archives_[locations_[location].archive].path());
  }

  /// Elements with at most these bytes between them are read at once. Reading on costs less than another read up to
  /// some KiB, but parts of large objects are read for the sake of few bytes, too.
  static constexpr std::uint64_t near_bytes = 1024;

  /// Shorter work is not worth a thread that waits for Ctrl-C.
  static constexpr std::uint64_t min_interruptible = std::uint64_t{1} << 20;
  static constexpr std::size_t many = 256;

  std::vector<place_archive> archives_;
  std::vector<tgmap::object_location> locations_;
  location_name name_;
  std::vector<std::size_t> messages_;
  tgmap::object_gatherer objects_{};
};

/// Finds the offsets of messages, or raises IndexError for the first that does not exist.
std::vector<std::uint64_t> find_offsets(const shared_archive& from, std::span<const std::size_t> messages,
                                        const location_name& name) {
  std::vector<std::uint64_t> out(messages.size());
  tgmap::failure why;
  without_lock(true, [&] { tgmap::find_message_offsets(from->archive, messages, out, why); });
  if (!why) return out;
  std::size_t first = 0;
  for (tgmap::failure of_one; first + 1 < messages.size() && !of_one; ++first) {
    tgmap::find_message_offsets(from->archive, messages.subspan(first, 1), std::span(out).subspan(first, 1), of_one);
    if (of_one) break;
  }
  if (why.code == tgmap::errc::out_of_range) throw nb::index_error(("there is no " + name(first)).c_str());
  raise(why, from->path);
}

/// Returns the offsets of messages of an archive. Their numbers must not be negative.
nb::object message_offsets(nb::handle opened, nb::handle numbers) {
  const shared_archive from(nb::borrow(opened));
  const input_buffer buffer = bytes_of(numbers);
  const auto wanted = numbers_of(buffer);
  const std::vector<std::size_t> messages(wanted.begin(), wanted.end());
  const auto found =
      find_offsets(from, messages, [&](std::size_t i) { return "message " + std::to_string(messages[i]); });
  const std::uint64_t count = found.size();
  const new_array out = make_array(tgmap::dtype::int64, tgmap::native_byte_order, std::span(&count, 1));
  std::memcpy(out.bytes.data(), found.data(), out.bytes.size());
  return out.array;
}

/// Makes numbers that count from the end count from the beginning. Raises IndexError if there is no such object.
void resolve_negative(const shared_archive& from, std::span<std::int64_t> pairs, const location_name& name) {
  bool any = false;
  for (const std::int64_t each : pairs) any = any || each < 0;
  if (!any) return;
  tgmap::failure why;
  const auto work = [&](const std::stop_token& stop) {
    from->archive.scan(UINT64_MAX, stop, why);
    if (!why && !stop.stop_requested()) static_cast<void>(from->archive.size(why));
  };
  if (from->archive.is_complete())
    without_lock(true, [&] { work({}); });
  else
    run_interruptibly(true, work);
  raise_if(why, from->path);
  const auto count = static_cast<std::int64_t>(from->archive.scan_progress().messages);
  for (std::size_t i = 0; i < pairs.size() / 2; ++i) {
    std::int64_t &message = pairs[2 * i], &object = pairs[2 * i + 1];
    if (message < 0) message += count;
    if (message >= 0 && message < count && object < 0) {
      const tgmap::message in = from->archive.at(static_cast<std::size_t>(message), why);
      if (!why) object += static_cast<std::int64_t>(in.size(why));
      raise_if(why, from->path);
    }
    if (message < 0 || object < 0) throw nb::index_error(("there is no " + name(i)).c_str());
  }
}

/// Gathers objects of one archive by pairs of a message and an object.
nb::object gather_addresses(nb::handle opened, nb::handle addresses, nb::handle slab, nb::handle out,
                            argument<unsigned> threads) {
  const shared_archive from(nb::borrow(opened));
  const input_buffer given = bytes_of(addresses);
  const auto asked = numbers_of(given);
  if (asked.empty()) throw nb::value_error("gather needs an address; without one there is no dtype and shape");
  const location_name name = [asked](std::size_t i) {
    return "object " + std::to_string(asked[2 * i]) + ":" + std::to_string(asked[2 * i + 1]);
  };
  std::vector<std::int64_t> pairs(asked.begin(), asked.end());
  resolve_negative(from, pairs, name);
  std::vector<std::size_t> messages(pairs.size() / 2);
  for (std::size_t i = 0; i < messages.size(); ++i) messages[i] = static_cast<std::size_t>(pairs[2 * i]);
  const auto offsets = find_offsets(from, messages, name);
  std::vector<tgmap::object_location> locations(messages.size());
  for (std::size_t i = 0; i < locations.size(); ++i)
    locations[i] = {.archive = 0,
                    .object = static_cast<std::uint32_t>(std::min<std::int64_t>(pairs[2 * i + 1], UINT32_MAX)),
                    .message_offset = offsets[i]};
  std::vector<place_archive> archives;
  archives.push_back(to_archive(opened));
  gatherer all(std::move(archives), std::move(locations), name, threads, std::move(messages));
  return all.box(slab, out, nb::none());
}

}  // namespace

void register_gather_places(nb::module_& m) {
  nb::class_<gatherer>(m, "_Gatherer", "Objects by their places; see tgmap.gather.")
      .def("__init__",
           [](gatherer* self, const nb::list& archives, nb::handle numbers, nb::handle offsets, nb::handle objects,
              nb::object addresses, argument<unsigned> threads, argument<std::size_t> max_open) {
             std::vector<place_archive> opened;
             for (nb::handle each : archives) opened.push_back(to_archive(each));
             tgmap::archive_cache::of_process().set_max_open(max_open);
             new (self) gatherer(
                 std::move(opened), to_locations(numbers, offsets, objects, archives.size()),
                 [addresses = std::move(addresses)](std::size_t i) {
                   return nb::cast<std::string>(nb::str(call_python(addresses, nb::int_(i))));
                 },
                 threads);
           })
      .def_prop_ro("shape", &gatherer::shape)
      .def_prop_ro("dtype", &gatherer::dtype)
      .def("box", &gatherer::box, "key"_a.none(), "out"_a.none(), "fill"_a.none())
      .def("points", &gatherer::points, "numbers"_a, "of_each"_a, "out"_a.none(), "fill"_a.none());
  m.def("_gather_addresses", gather_addresses, "opened"_a, "addresses"_a, "slab"_a.none(), "out"_a.none(), "threads"_a);
  m.def("_message_offsets", message_offsets, "opened"_a, "numbers"_a);
  m.def("_archive_cache", [] {
    const auto& cache = tgmap::archive_cache::of_process();
    return nb::make_tuple(cache.open_count(), cache.opened(), cache.max_open());
  });
  m.def("_clear_archive_cache", [] { tgmap::archive_cache::of_process().clear(); });
}

}  // namespace tgmap_python
