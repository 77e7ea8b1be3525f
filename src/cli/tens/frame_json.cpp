// SPDX-License-Identifier: Apache-2.0
#include "cli/tens/frame_json.hpp"

#include <tgmap/zio/label.hpp>

#include "cli/tens/digest_text.hpp"
#include "core/text/hex.hpp"
#include "core/text/utf8.hpp"

namespace tgmap::cli {

namespace {

json to_json(const cbor_value& of) { return json::parse(zio::write_label(of)); }

json tensor_json(const frame_description& all, std::size_t i, const frame_description::fault* fault) {
  const zio::tensor_view& of = all.tensors.tensors()[i];
  const auto part = all.part_of(of);
  json out{{"shape", cli::to_json(of.shape())},
           {"word", of.word},
           {"dtype", of.kind},
           {"part", of.part},
           {"nbytes", part ? json(part->size()) : json()},
           {"xxh3", part ? json(digest_text(*part)) : json()}};
  if (of.is_reordered) {
    const auto& [order, ascend] = all.arrangements[i];
    if (order != cbor_value()) out["order"] = to_json(order);
    if (ascend != cbor_value()) out["ascend"] = to_json(ascend);
    out["strides"] = cli::to_json(of.strides());
    out["first"] = of.data_offset;
  }
  if (of.metadata != cbor_value()) out["metadata"] = to_json(of.metadata);
  if (fault != nullptr) out["fault"] = frame_fault(fault->why);
  return out;
}

}  // namespace

json frame_json(const std::string& file, const frame_description& of) {
  const zio::message& m = of.from.message();
  json out{{"file", file},          {"level", static_cast<unsigned>(m.level)},
           {"form", m.form.text()}, {"label", m.label},
           {"origin", m.origin},    {"granule", m.granule},
           {"seqno", m.seqno}};
  if (!core::is_utf8(m.label)) out["label_hex"] = core::hex_text(m.label);
  json& tensors = out["tensors"] = json::array();
  auto fault = of.faults.begin();  // in the order of the tensors, behind those of the frame
  for (std::size_t i = 0; i < of.tensors.tensors().size(); ++i) {
    while (fault != of.faults.end() && !fault->tensor) ++fault;
    const bool has_one = fault != of.faults.end() && *fault->tensor == i;
    tensors.push_back(tensor_json(of, i, has_one ? &*fault++ : nullptr));
  }
  out["metadata"] = to_json(of.tensors.metadata());
  json& payload = out["payload"] = json::array();
  for (std::size_t k = 0; k < m.payload.size(); ++k)
    payload.push_back({{"nbytes", m.payload[k].bytes.size()},
                       {"xxh3", digest_text(m.payload[k].bytes)},
                       {"tensors", of.tensors_in[k]}});
  for (const frame_description::fault& each : of.faults)
    if (!each.tensor) out["fault"] = frame_fault(each.why);
  return out;
}

}  // namespace tgmap::cli
