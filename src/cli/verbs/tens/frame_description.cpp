// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/tens/frame_description.hpp"

#include <fmt/format.h>

#include <functional>
#include <new>
#include <tgmap/zio/label.hpp>

namespace tgmap::cli {

namespace {

cbor_value copy_of(const cbor_view& map, std::string_view key) {
  const auto found = map.find(key);
  return found ? cbor_value::copy(*found) : cbor_value();
}

/// Returns the element orders of all tensors. Precondition: the label is valid.
std::vector<frame_description::element_order> read_orders(std::string_view label) {
  std::vector<frame_description::element_order> out;
  const cbor_value root = zio::read_label(label);
  const auto tens = root.view().find("TENS");
  const auto list = tens ? tens->find("tensors") : std::nullopt;
  if (!list || list->kind() != cbor_kind::array) return out;
  list->visit([&](std::uint64_t, const cbor_view& one) {
    if (one.kind() == cbor_kind::map)
      out.push_back({copy_of(one, "order"), copy_of(one, "ascend")});
    else
      out.emplace_back();
    return true;
  });
  return out;
}

/// Returns the position of a tensor's fault: its part if that has the wrong size, otherwise the label.
std::uint64_t fault_offset(const zio::tensor_view& tensor, const frame_file& from) {
  const auto frame = from.bytes();
  const std::byte* const at = tensor.bytes.data();
  const bool is_inside = std::less_equal<>()(frame.data(), at) && std::less_equal<>()(at, frame.data() + frame.size());
  if (tensor.fault.code == zio::errc::part_size && at != nullptr && is_inside)
    return static_cast<std::uint64_t>(at - frame.data());
  return from.label_offset();
}

}  // namespace

std::string frame_description::fault::text() const {
  const std::string reason = frame_fault(why);
  return tensor ? fmt::format("tensor {}: {}", *tensor, reason) : reason;
}

frame_description::frame_description(const frame_file& input)
    : from(input), tensors_in(input.message().payload.size()) {
  failure why;
  tensors.read(from.message(), why);
  if (why.code == errc::out_of_memory) throw std::bad_alloc();
  if (why) {
    why.offset = from.label_offset() + (why.code == zio::errc::bad_label ? why.found : 0);
    faults.push_back({std::nullopt, why});
  }
  if (!tensors.tensors().empty()) orders = read_orders(from.message().label);
  orders.resize(tensors.tensors().size());
  for (std::size_t i = 0; i < tensors.tensors().size(); ++i) {
    const zio::tensor_view& each = tensors.tensors()[i];
    if (each.part < tensors_in.size()) tensors_in[each.part].push_back(i);
    if (!each.fault) continue;
    why = each.fault;
    why.object.reset();  // text() names the tensor instead
    why.offset = fault_offset(each, from);
    faults.push_back({i, why});
  }
}

std::optional<std::span<const std::byte>> frame_description::part_of(const zio::tensor_view& tensor) const {
  const auto& payload = from.message().payload;
  return tensor.part < payload.size() ? std::optional(payload[tensor.part].bytes) : std::nullopt;
}

}  // namespace tgmap::cli
