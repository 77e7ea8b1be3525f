// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <new>
#include <tgmap/constant/write.hpp>

#include "constant/binary/typed_binary_format.hpp"
#include "constant/model/big_endian.hpp"
#include "constant/model/block_sequence.hpp"
#include "constant/model/output_buffer.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

namespace {

/// A `typed_binary_writer` writes one constant; errors are in the output buffer.
class typed_binary_writer {
 public:
  typed_binary_writer(const tensor_constant& from, block_order order, output_buffer& out)
      : from_(from), order_(from, order), out_(out) {}

  void write() {
    const tensor_type& type = from_.type();
    const bool has_cell_type = type.cell_type() != dtype::float64;
    put_number((type.mapped_count() != 0 ? tbf::has_mapped : 0) | (type.is_sparse() ? 0 : tbf::has_indexed) |
               (has_cell_type ? tbf::has_cell_type : 0));
    if (has_cell_type) put_number(tbf::number_of(type.cell_type()));
    if (type.mapped_count() != 0) put_dimensions(type.mapped_count(), true);
    if (!type.is_sparse()) put_dimensions(type.indexed_count(), false);
    if (type.mapped_count() != 0) put_number(from_.blocks());
    for (std::uint64_t i = 0; i < from_.blocks() && !out_.error(); ++i) put_block(order_[i]);
  }

 private:
  void put_number(std::uint64_t number) noexcept {
    if (number < 128) return out_.put(static_cast<char>(number));
    if (number > tbf::max_number)
      return out_.fail({.code = errc::too_large, .expected = tbf::max_number, .found = number});
    for (int shift = 24; shift >= 0; shift -= 8)
      out_.put(static_cast<char>((number | tbf::four_bytes << 24) >> shift & 0xff));
  }
  void put_text(std::string_view text) noexcept {
    put_number(text.size());
    if (!out_.error()) out_.put(text);
  }
  void put_dimensions(std::size_t count, bool mapped) noexcept {
    put_number(count);
    for (const dimension& one : from_.type().dimensions()) {
      if (one.is_mapped() != mapped) continue;
      put_text(one.name);
      if (!mapped) put_number(one.size);
    }
  }
  void put_block(std::uint64_t block) noexcept {
    for (std::size_t i = 0; i < from_.type().mapped_count(); ++i) {
      failure why;
      const std::string_view label = writable_label(from_, block, i, why);
      if (why) return out_.fail(why);
      put_text(label);
    }
    const dtype cells = from_.type().cell_type();
    const std::size_t width = tgmap::element_size(cells);
    const std::byte* at = from_.bytes().data() + block * from_.type().block_bytes();
    for (std::uint64_t left = from_.type().block_cells(); left > 0 && !out_.error();) {
      const auto now = static_cast<std::size_t>(std::min<std::uint64_t>(left, output_buffer::capacity / 8));
      char* const to = out_.reserve(now * width);
      copy_big_endian(cells, reinterpret_cast<std::byte*>(to), at, now);
      out_.commit(to + now * width);
      at += now * width;
      left -= now;
    }
  }

  const tensor_constant& from_;
  block_sequence order_;
  output_buffer& out_;
};

}  // namespace

void write_typed_binary(const tensor_constant& from, const write_options& options, sink& to, failure& why) noexcept
    try {
  why = check_writable(from);
  if (why) return;
  output_buffer out(to);
  typed_binary_writer(from, options.order, out).write();
  why = out.finish();
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
}

void write_typed_binary(const tensor_constant& from, const write_options& options, sink& to) {
  failure why;
  write_typed_binary(from, options, to, why);
  tgmap::detail::raise_if(why);
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
