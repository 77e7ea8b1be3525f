// SPDX-License-Identifier: Apache-2.0
#include "cli/tens/frame_description.hpp"

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

/// Of a label that was read already: it is sound.
std::vector<frame_description::arrangement> arrangements_of(std::string_view label) {
  std::vector<frame_description::arrangement> out;
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

/// Where in the frame a tensor's fault shows: its part where that is of the wrong size, else what is said of it.
std::uint64_t place_of(const zio::tensor_view& tensor, const frame_input& from) {
  const auto frame = from.bytes();
  const std::byte* const at = tensor.bytes.data();
  const bool inside = std::less_equal<>()(frame.data(), at) && std::less_equal<>()(at, frame.data() + frame.size());
  if (tensor.fault.code == zio::errc::part_size && at != nullptr && inside)
    return static_cast<std::uint64_t>(at - frame.data());
  return from.label_at();
}

}  // namespace

std::string frame_description::fault::text() const {
  const std::string what = frame_fault(why);
  return tensor ? fmt::format("tensor {}: {}", *tensor, what) : what;
}

frame_description::frame_description(const frame_input& input)
    : from(input), tensors_in(input.message().payload.size()) {
  failure why;
  tensors.read(from.message(), why);
  if (why.code == errc::out_of_memory) throw std::bad_alloc();
  if (why) {
    why.offset = from.label_at() + (why.code == zio::errc::bad_label ? why.found : 0);
    faults.push_back({std::nullopt, why});
  }
  if (!tensors.tensors().empty()) arrangements = arrangements_of(from.message().label);
  arrangements.resize(tensors.tensors().size());
  for (std::size_t i = 0; i < tensors.tensors().size(); ++i) {
    const zio::tensor_view& each = tensors.tensors()[i];
    if (each.part < tensors_in.size()) tensors_in[each.part].push_back(i);
    if (!each.fault) continue;
    why = each.fault;
    why.object.reset();  // told as a tensor
    why.offset = place_of(each, from);
    faults.push_back({i, why});
  }
}

std::optional<std::span<const std::byte>> frame_description::part_of(const zio::tensor_view& tensor) const {
  const auto& payload = from.message().payload;
  return tensor.part < payload.size() ? std::optional(payload[tensor.part].bytes) : std::nullopt;
}

}  // namespace tgmap::cli
