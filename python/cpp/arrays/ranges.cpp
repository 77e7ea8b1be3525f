// SPDX-License-Identifier: Apache-2.0
#include "cpp/arrays/ranges.hpp"

#include <algorithm>
#include <tgmap/decode/part_reader.hpp>
#include <vector>

#include "cpp/arguments/threads.hpp"
#include "cpp/arrays/numpy.hpp"
#include "cpp/handles/limits.hpp"
#include "cpp/interpreter/errors.hpp"

namespace tgmap_python {
namespace {

struct element_range {
  std::uint64_t first = 0, count = 0;
};

std::uint64_t to_position(nb::handle number) {
  std::uint64_t out = 0;
  if (!read_argument(number, 0, UINT64_MAX, out)) throw nb::type_error("a range has two integers from 0 on");
  return out;
}

std::vector<element_range> to_ranges(nb::handle pairs, std::uint64_t size) {
  std::vector<element_range> out;
  for (nb::handle pair : nb::borrow<nb::object>(pairs)) {
    if (nb::len(pair) != 2) throw nb::value_error("each range must be a pair (first, count)");
    const element_range one{to_position(pair[0]), to_position(pair[1])};
    if (one.first > size || one.count > size - one.first)
      throw nb::index_error(("elements " + std::to_string(one.first) + " to " + std::to_string(one.first + one.count) +
                             " are out of bounds for an object of " + std::to_string(size))
                                .c_str());
    out.push_back(one);
  }
  return out;
}

}  // namespace

nb::list ranges_of(py_object& o, nb::handle pairs, argument<unsigned> threads, argument<bool> restore_missing,
                   argument<bool> verify) {
  const tgmap::descriptor& d = o.descriptor();
  const std::vector<element_range> wanted = to_ranges(pairs, d.element_count);
  const bool is_bits = d.dtype == tgmap::dtype::bitmask;
  tgmap::decode_options options;
  options.restore_missing = restore_missing;
  options.verify = verify;
  if (threads != 1) options.executor = &executor_of(threads);
  // A shape that is over the limit is an error before there are arrays.
  tgmap::failure why;
  const auto reader = without_lock(o.handle().payload_size() > long_work_bytes,
                                   [&] { return tgmap::part_reader::open(o.handle(), options, why); });
  raise_if(why);
  std::vector<new_array> arrays;
  std::uint64_t bytes = 0;
  for (const element_range& each : wanted) {
    const std::uint64_t extent = is_bits ? (each.count + 7) / 8 : each.count;
    require_within_limit(o.from, o.handle(), extent * std::max<std::size_t>(tgmap::element_size(d.dtype), 1));
    arrays.push_back(
        make_array(is_bits ? tgmap::dtype::uint8 : d.dtype, tgmap::native_byte_order, std::span(&extent, 1)));
    bytes += arrays.back().bytes.size();
  }
  without_lock(bytes > long_work_bytes || o.handle().payload_size() > long_work_bytes, [&] {
    for (std::size_t i = 0; i < wanted.size() && !why; ++i)
      reader.range_into(wanted[i].first, wanted[i].count, arrays[i].bytes, why);
  });
  raise_if(why);
  nb::list out;
  for (new_array& each : arrays) out.append(each.array);
  return out;
}

}  // namespace tgmap_python
