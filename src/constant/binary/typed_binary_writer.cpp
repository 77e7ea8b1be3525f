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
  typed_binary_writer(const tensor_constant& constant, block_order order, output_buffer& out)
      : constant_(constant), order_(constant, order), out_(out) {}

  void write() {
    const tensor_type& type = constant_.type();
    const bool has_cell_type = type.cell_type() != dtype::float64;
    put_number((type.mapped_count() != 0 ? tbf::has_mapped : 0) | (type.is_sparse() ? 0 : tbf::has_indexed) |
               (has_cell_type ? tbf::has_cell_type : 0));
    if (has_cell_type) put_number(tbf::number_of(type.cell_type()));
    if (type.mapped_count() != 0) put_dimensions(type.mapped_count(), true);
    if (!type.is_sparse()) put_dimensions(type.indexed_count(), false);
    if (type.mapped_count() != 0) put_number(constant_.blocks());
    for (std::uint64_t i = 0; i < constant_.blocks() && !out_.error(); ++i) put_block(order_[i]);
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
    for (const dimension& dimension : constant_.type().dimensions()) {
      if (dimension.is_mapped() != mapped) continue;
      put_text(dimension.name);
      if (!mapped) put_number(dimension.size);
    }
  }
  void put_block(std::uint64_t block) noexcept {
    for (std::size_t i = 0; i < constant_.type().mapped_count(); ++i) {
      failure why;
      const std::string_view label = writable_label(constant_, block, i, why);
      if (why) return out_.fail(why);
      put_text(label);
    }
    const dtype cells = constant_.type().cell_type();
    const std::size_t width = tgmap::element_size(cells);
    const std::byte* source = constant_.bytes().data() + block * constant_.type().block_bytes();
    for (std::uint64_t left = constant_.type().block_cells(); left > 0 && !out_.error();) {
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left, output_buffer::capacity / 8));
      char* const to = out_.reserve(count * width);
      copy_big_endian(cells, reinterpret_cast<std::byte*>(to), source, count);
      out_.commit(to + count * width);
      source += count * width;
      left -= count;
    }
  }

  const tensor_constant& constant_;
  block_sequence order_;
  output_buffer& out_;
};

}  // namespace

void write_typed_binary(const tensor_constant& constant, const write_options& options, sink& sink,
                        failure& why) noexcept try {
  why = check_writable(constant);
  if (why) return;
  output_buffer out(sink);
  typed_binary_writer(constant, options.order, out).write();
  why = out.finish();
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
}

void write_typed_binary(const tensor_constant& constant, const write_options& options, sink& sink) {
  failure why;
  write_typed_binary(constant, options, sink, why);
  tgmap::detail::raise_if(why);
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
