// SPDX-License-Identifier: Apache-2.0
#include "picture/field.hpp"

#include <algorithm>
#include <array>
#include <tgmap/decode/part_reader.hpp>
#include <tgmap/mapping_guard.hpp>
#include <vector>

#include "statistics/load_doubles.hpp"

namespace tgmap::picture {

namespace {

using grids::slice;

constexpr std::size_t block = 4096;  // numbers; small enough to stay in the L1 cache with the memory of the sink

/// The decoded elements, and the slice relative to them.
struct decoded_slice {
  tensor elements;
  slice part;
};

/// Decodes only the slice, dense in C order.
decoded_slice decode_part(const object& object, const slice& part, const decode_options& how) {
  const slab box = part.slab();
  return {part_reader(object, how).slab(box), grids::full_slice(box.count)};
}

decoded_slice decode(const object& object, const slice& part, const decode_options& how) {
  const bool guarded = mapping_guard::is_installed();  // otherwise elements must not be read in the mapping
  if (!part.is_full() && (!guarded || object.why_not_in_place(object.descriptor().dtype, how.strides)))
    return decode_part(object, part, how);
  decoded_slice out{{}, part};
  if (guarded)
    out.elements = object.decode(how);
  else
    object.decode_into(out.elements, how);
  return out;
}

/// One loop over equal steps through the elements.
struct loop {
  std::uint64_t size, stride;
};

/// Returns the loops over the dimensions of a slice, the innermost one last. Contiguous dimensions are joined.
std::vector<loop> make_loops(const slice& part, std::span<const std::int64_t> strides, std::uint64_t& first) {
  std::vector<loop> out;
  first = 0;
  for (std::size_t d = 0; d < part.dimensions.size(); ++d) {
    const auto& e = part.dimensions[d];
    first += e.begin * static_cast<std::uint64_t>(strides[d]);
    const std::uint64_t stride = e.step * static_cast<std::uint64_t>(strides[d]);
    if (e.size == 1) continue;
    if (!out.empty() && out.back().stride == stride * e.size)
      out.back() = {out.back().size * e.size, stride};
    else
      out.push_back({e.size, stride});
  }
  if (out.empty()) out.push_back({1, 1});
  return out;
}

class element_reader {
 public:
  element_reader(const object& object, const tensor& elements, const number_sink& to)
      : from_(object), elements_(elements), to_(to) {}

  void read(std::span<const loop> loops, std::uint64_t first) {
    if (loops.size() > 1) {
      for (std::uint64_t i = 0; i < loops[0].size; ++i) read(loops.subspan(1), first + i * loops[0].stride);
      return;
    }
    const auto [size, stride] = loops[0];
    for (std::uint64_t done = 0; done < size;) {
      const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(size - done, block - filled_));
      convert(first + done * stride, stride, n);
      done += n;
    }
  }

  void flush() {
    if (filled_ == 0) return;
    to_(at_, std::span<const double>(numbers_).first(filled_));
    at_ += filled_;
    filled_ = 0;
  }

 private:
  void convert(std::uint64_t first, std::uint64_t stride, std::size_t n) {
    const auto out = std::span(numbers_).subspan(filled_, n);
    failure why = mapping_guard::run(
        [&]() noexcept { statistics::load_doubles(elements_.bytes(), elements_.dtype(), first, stride, out); });
    if (why) {
      why.offset = from_.payload_offset();
      why.message = from_.frame().message().index();
      why.object = from_.index();
      throw error(why);
    }
    filled_ += n;
    if (filled_ == block) flush();
  }

  const object& from_;
  const tensor& elements_;
  const number_sink& to_;
  std::array<double, block> numbers_;
  std::size_t filled_ = 0;
  std::uint64_t at_ = 0;
};

}  // namespace

void load_field(const object& object, const grids::slice& part, const decode_options& how, const number_sink& to) {
  const decoded_slice decoded = decode(object, part, how);
  if (part.elements() == 0) return;
  std::uint64_t first = 0;
  const auto loops = make_loops(decoded.part, decoded.elements.strides(), first);
  element_reader reader(object, decoded.elements, to);
  reader.read(loops, first);
  reader.flush();
}

}  // namespace tgmap::picture
