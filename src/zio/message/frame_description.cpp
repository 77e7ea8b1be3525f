// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <new>
#include <tgmap/zio/frame_description.hpp>
#include <tgmap/zio/label.hpp>

#include "core/or_throw.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

cbor_value copy_of(const cbor_view& map, std::string_view key) {
  const auto found = map.find(key);
  return found ? cbor_value::copy(*found) : cbor_value();
}

/// Returns the element orders of all tensors. Precondition: the label is valid.
std::vector<frame_description::element_order> read_orders(std::string_view label) {
  std::vector<frame_description::element_order> out;
  const cbor_value root = read_label(label);
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

std::uint64_t label_offset(std::span<const std::byte> frame) noexcept {
  const bool has_long_length = !frame.empty() && frame.front() == std::byte{0xff};
  return (has_long_length ? 5 : 1) + prefix_bytes;
}

/// Returns the position of a tensor's fault: its part if that has the wrong size, otherwise the label.
std::uint64_t fault_offset(const tensor_view& tensor, std::span<const std::byte> frame) noexcept {
  const std::byte* const at = tensor.bytes.data();
  const bool is_inside = std::less_equal<>()(frame.data(), at) && std::less_equal<>()(at, frame.data() + frame.size());
  if (tensor.fault.code == errc::part_size && at != nullptr && is_inside)
    return static_cast<std::uint64_t>(at - frame.data());
  return label_offset(frame);
}

}  // namespace

frame_description describe_frame(const message& from, std::span<const std::byte> frame, failure& why) noexcept try {
  why = {};
  frame_description out;
  for (const part& each : from.payload) out.parts.push_back({each.bytes, {}});
  failure fault;
  out.tensors.read(from, fault);
  if (fault.code == tgmap::errc::out_of_memory) throw std::bad_alloc();
  if (fault) {
    fault.offset = label_offset(frame) + (fault.code == errc::bad_label ? fault.found : 0);
    out.faults.push_back({std::nullopt, fault});
  }
  const auto tensors = out.tensors.tensors();
  if (!tensors.empty()) out.orders = read_orders(from.label);
  out.orders.resize(tensors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const tensor_view& each = tensors[i];
    if (each.part < out.parts.size()) out.parts[each.part].tensors.push_back(i);
    if (!each.fault) continue;
    fault = each.fault;
    fault.object.reset();  // the description names the tensor instead
    fault.offset = fault_offset(each, frame);
    out.faults.push_back({i, fault});
  }
  return out;
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
} catch (const error& thrown) {  // from read_label: memory ran out
  why = thrown.details();
  return {};
}

frame_description describe_frame(const message& from, std::span<const std::byte> frame) {
  return core::or_throw([&](failure& why) { return describe_frame(from, frame, why); });
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
