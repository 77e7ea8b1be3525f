// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "codec/failures.hpp"
#include "codec/shuffle/shuffle.hpp"
#include "encode/object_plan.hpp"

namespace tgmap::encode {

namespace {

bool is_packed(const pipeline& how) noexcept { return how.encoding == encoding::simple_packing; }

std::size_t whole_bytes(unsigned bits) noexcept { return (bits + 7) / 8; }

}  // namespace

std::size_t shuffle_size(const pipeline& how, dtype type, unsigned bits) noexcept {
  if (how.filter != filter::shuffle) return 0;
  if (how.shuffle_size != 0) return how.shuffle_size;
  return is_packed(how) ? whole_bytes(bits) : std::max<std::size_t>(element_size(type), 1);
}

unsigned sample_bits(const pipeline& how, dtype type, unsigned bits) noexcept {
  if (is_packed(how)) return bits;
  return how.filter == filter::shuffle ? 8 : static_cast<unsigned>(8 * element_size(type));
}

std::size_t repeated_bytes(const pipeline& how, dtype type, unsigned bits) noexcept {
  if (is_packed(how)) return std::max<std::size_t>(whole_bytes(bits), 1);
  return how.filter == filter::shuffle ? 1 : std::max<std::size_t>(element_size(type), 1);
}

failure check_shuffle(const pipeline& how, dtype type, unsigned bits, std::uint64_t bytes) noexcept {
  if (how.filter != filter::shuffle) return {};
  const std::size_t size = shuffle_size(how, type, bits);
  return codec::can_be_shuffled(bytes, size) ? failure{} : codec::bad_parameter(size, "shuffle_element_size");
}

}  // namespace tgmap::encode
