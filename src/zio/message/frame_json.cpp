// SPDX-License-Identifier: Apache-2.0
#include "zio/message/frame_json.hpp"

#include <tgmap/frame.hpp>

#include "core/text/hex.hpp"
#include "core/text/utf8.hpp"
#include "json/cbor_text.hpp"

namespace tgmap::zio {

namespace {

void put_any(json_text::writer<>& to, const cbor_value& of) {
  json_text::memory_limit no_limit;
  json_text::put_cbor(to, of.view(), no_limit);
}

void put_integers(json_text::writer<>& to, const auto& numbers) {
  to.begin_array();
  for (const auto each : numbers) to.integer(each);
  to.end_array();
}

void put_tensor(json_text::writer<>& to, const frame_description& all, std::size_t i,
                const frame_description::fault* fault) {
  const tensor_view& of = all.tensors.tensors()[i];
  const auto part = all.part_of(of);
  to.begin_object();
  put_integers(to.key("shape"), of.shape());
  to.key("word").integer(of.word);
  to.key("dtype").string(of.kind);
  to.key("part").integer(of.part);
  to.key("nbytes");
  part ? to.integer(part->size()) : to.null();
  to.key("xxh3");
  part ? to.string(hash_text(*part)) : to.null();
  if (of.is_reordered) {
    const auto& [order, ascend] = all.orders[i];
    if (order != cbor_value()) put_any(to.key("order"), order);
    if (ascend != cbor_value()) put_any(to.key("ascend"), ascend);
    put_integers(to.key("strides"), of.strides());
    to.key("first").integer(of.data_offset);
  }
  if (of.metadata != cbor_value()) put_any(to.key("metadata"), of.metadata);
  if (fault != nullptr) to.key("fault").string(frame_fault_text(fault->why));
  to.end_object();
}

void put_part(json_text::writer<>& to, const frame_description::part& of) {
  to.begin_object();
  to.key("nbytes").integer(of.bytes.size());
  to.key("xxh3").string(hash_text(of.bytes));
  put_integers(to.key("tensors"), of.tensors);
  to.end_object();
}

}  // namespace

std::string frame_fault_text(const failure& why) { return why.text() + (why.offset == 0 ? " (offset 0x0)" : ""); }

std::string hash_text(std::span<const std::byte> of) { return core::hex_text(xxh3(of)); }

void put_frame_members(json_text::writer<>& to, const message& from, const frame_description& of) {
  to.key("level").integer(static_cast<unsigned>(from.level));
  to.key("form").string(from.form.text());
  to.key("label").string(from.label);
  to.key("origin").integer(from.origin);
  to.key("granule").integer(from.granule);
  to.key("seqno").integer(from.seqno);
  if (!core::is_utf8(from.label)) to.key("label_hex").string(core::hex_text(from.label));
  to.key("tensors").begin_array();
  auto fault = of.faults.begin();
  if (fault != of.faults.end() && !fault->tensor) ++fault;
  for (std::size_t i = 0; i < of.tensors.tensors().size(); ++i) {
    const bool has_fault = fault != of.faults.end() && *fault->tensor == i;
    put_tensor(to, of, i, has_fault ? &*fault++ : nullptr);
  }
  to.end_array();
  put_any(to.key("metadata"), of.tensors.metadata());
  to.key("payload").begin_array();
  for (const auto& each : of.parts) put_part(to, each);
  to.end_array();
  if (!of.faults.empty() && !of.faults.front().tensor) to.key("fault").string(frame_fault_text(of.faults.front().why));
}

}  // namespace tgmap::zio
