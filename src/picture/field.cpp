// SPDX-License-Identifier: Apache-2.0
#include "picture/field.hpp"

#include <algorithm>
#include <array>
#include <tgmap/mapping_guard.hpp>
#include <vector>

#include "picture/decode.hpp"
#include "picture/mask_bits.hpp"

namespace tgmap::picture {

namespace {

constexpr std::size_t block = 4096;  // numbers: with what consumers add they stay in the first level cache

[[noreturn]] void refuse(const object& from, failure why) {
  why.offset = from.frame().offset();
  why.message = from.frame().message().index;
  why.object = static_cast<std::int64_t>(from.index());
  throw error(why);
}

void refuse_codecs(const object& from, const descriptor& what) {
  if (what.encoding != encoding::none) refuse(from, {.code = errc::encoded});
  if (what.filter != filter::none) refuse(from, {.code = errc::filtered});
  if (what.compression != compression::none) refuse(from, {.code = errc::compressed});
  for (const mask& m : what.masks())
    if (!readable(m)) refuse(from, {.code = errc::masked});
  const auto needed = byte_count(what.dtype, what.elements);
  if (!needed) refuse(from, {.code = errc::shape_overflow});
  if (*needed != from.payload_size())
    refuse(from, {.code = errc::payload_size, .expected = *needed, .found = from.payload_size()});
}

/// The payload: where it lies, or, when nobody turns bus errors into failures, a copy.
class stored_bytes {
 public:
  explicit stored_bytes(const object& from) {
    if (mapping_guard::installed()) {
      bytes_ = from.payload();
      return;
    }
    copy_.resize(static_cast<std::size_t>(from.payload_size()));
    from.read(copy_);
    bytes_ = copy_;
  }
  std::span<const std::byte> get() const noexcept { return bytes_; }

 private:
  std::vector<std::byte> copy_;
  std::span<const std::byte> bytes_;
};

struct known_mask {
  std::vector<std::byte> bits;
  double value;
};

std::vector<known_mask> masks_of(const object& from, const descriptor& what) {
  std::vector<known_mask> out;
  if (what.mask_count == 0) return out;
  const auto region = from.region();
  for (const mask& m : what.masks()) {
    if (m.offset > region.size() || m.length > region.size() - m.offset)
      refuse(from, {.code = errc::mask_range, .expected = region.size(), .found = m.offset});
    std::vector<std::byte> blob(static_cast<std::size_t>(m.length));
    const auto part = region.subspan(static_cast<std::size_t>(m.offset), blob.size());
    const failure gone = mapping_guard::run([&]() noexcept { std::copy(part.begin(), part.end(), blob.begin()); });
    if (gone) refuse(from, gone);
    try {
      out.push_back({mask_bits(m, blob, what.elements), value_of(m.kind)});
    } catch (const error& why) {
      refuse(from, why.details());
    }
  }
  return out;
}

/// Elements that lie at equal steps, and such rows at equal steps, and so on; fastest last.
struct dimension {
  std::uint64_t size, stride;
};

/// The slice's dimensions as steps through the payload, joined where one goes on where the other ends.
std::vector<dimension> steps_of(const slice& part, std::span<const std::int64_t> strides, std::uint64_t& first) {
  std::vector<dimension> out;
  first = 0;
  for (std::size_t d = 0; d < part.dimensions.size(); ++d) {
    const auto& e = part.dimensions[d];
    const auto stride = static_cast<std::uint64_t>(strides[d]);
    first += e.begin * stride;
    if (e.size == 1) continue;
    if (!out.empty() && out.back().stride == stride * e.size)
      out.back() = {out.back().size * e.size, stride};
    else
      out.push_back({e.size, stride});
  }
  if (out.empty()) out.push_back({1, 1});
  return out;
}

class loader {
 public:
  loader(const object& from, const descriptor& what, const number_sink& to)
      : from_(from), what_(what), to_(to), payload_(from), masks_(masks_of(from, what)) {}

  void walk(std::span<const dimension> steps, std::uint64_t first) {
    if (steps.size() > 1) {
      for (std::uint64_t i = 0; i < steps[0].size; ++i) walk(steps.subspan(1), first + i * steps[0].stride);
      return;
    }
    const auto [size, stride] = steps[0];
    for (std::uint64_t done = 0; done < size;) {
      const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(size - done, block - filled_));
      take(first + done * stride, stride, n);
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
  void take(std::uint64_t first, std::uint64_t stride, std::size_t n) {
    const auto out = std::span(numbers_).subspan(filled_, n);
    const failure gone = mapping_guard::run(
        [&]() noexcept { decode(payload_.get(), what_.dtype, what_.byte_order, first, stride, out); });
    if (gone) refuse(from_, gone);
    for (const known_mask& m : masks_) put_masked(m.bits, m.value, first, stride, out);
    filled_ += n;
    if (filled_ == block) flush();
  }

  const object& from_;
  const descriptor& what_;
  const number_sink& to_;
  stored_bytes payload_;
  std::vector<known_mask> masks_;
  std::array<double, block> numbers_;
  std::size_t filled_ = 0;
  std::uint64_t at_ = 0;
};

}  // namespace

std::string not_readable(const descriptor& what) {
  std::string out;
  const auto add = [&](std::string_view kind, std::string_view codec) {
    out.append(out.empty() ? "" : ", ").append(kind).append(" ").append(codec);
  };
  if (what.encoding != encoding::none) add("encoding", what.encoding_name.view());
  if (what.filter != filter::none) add("filter", what.filter_name.view());
  if (what.compression != compression::none) add("compression", what.compression_name.view());
  for (const mask& m : what.masks())
    if (!readable(m)) add(std::string("mask ").append(name(m.kind)).append(" by"), m.method.view());
  return out;
}

void load_field(const object& from, const descriptor& what, const slice& part, element_order order,
                const number_sink& to) {
  refuse_codecs(from, what);
  std::array<std::int64_t, max_rank> strides{};
  const auto shape = what.shape();
  if (order == element_order::as_stored)
    dense_strides(shape, strides);
  else if (!honoured_strides(shape, what.strides(), strides))
    refuse(from, {.code = errc::odd_strides});
  if (part.elements() == 0) return;

  std::uint64_t first = 0;
  const auto steps = steps_of(part, strides, first);
  loader load(from, what, to);
  load.walk(steps, first);
  load.flush();
}

}  // namespace tgmap::picture
