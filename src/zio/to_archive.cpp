// SPDX-License-Identifier: Apache-2.0
#include <new>
#include <nlohmann/json.hpp>
#include <tgmap/zio/tens.hpp>
#include <tgmap/zio/to_archive.hpp>
#include <utility>
#include <vector>

#include "zio/described.hpp"
#include "zio/recorded.hpp"
#include "zio/restored.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

std::string_view name_of(std::error_code fault) noexcept {
  return fault.category() == category() ? to_string_view(static_cast<errc>(fault.value()))
                                        : to_string_view(static_cast<tgmap::errc>(fault.value()));
}

/// What is said of one tensor, to be looked up by.
cbor_value said_of(const tensor_view& t, std::size_t number) {
  std::vector<cbor_value::pair> pairs{{"tensor", number}};
  if (t.fault) {
    pairs.emplace_back("fault", name_of(t.fault.code));
  } else {
    pairs.emplace_back("dtype", t.kind);
    pairs.emplace_back("word", t.word);
    pairs.emplace_back("shape", cbor_value::array(t.shape()));
    if (t.is_reordered) {
      std::vector<cbor_value> strides(t.strides().begin(), t.strides().end());
      pairs.emplace_back("strides", cbor_value::array(strides));
    }
  }
  if (t.metadata.kind() != cbor_kind::null) pairs.emplace_back("metadata", t.metadata);
  return cbor_value::map(pairs);
}

/// Strides where all dimensions ascend: of a dimension that does not, elements stay as they are stored.
std::vector<std::uint64_t> ascending(std::span<const std::int64_t> strides) {
  std::vector<std::uint64_t> out;
  for (const std::int64_t s : strides) out.push_back(static_cast<std::uint64_t>(s < 0 ? -s : s));
  return out;
}

/// The descriptor of a part: of the first tensor that lies in it; of none, or of one that cannot be used, bytes.
cbor_value descriptor_of(std::span<const std::byte> bytes, const tensor_view* first) {
  if (first == nullptr || first->fault) {
    const std::uint64_t size = bytes.size();
    return plain_descriptor("ntensor", dtype::uint8, {&size, 1}, c_strides({&size, 1}));
  }
  if (const auto elements = first->dtype())
    return plain_descriptor("ntensor", *elements, first->shape(),
                            first->is_reordered ? ascending(first->strides()) : c_strides(first->shape()));
  std::vector<std::uint64_t> shape(first->shape().begin(), first->shape().end());
  const bool one_byte = first->word == 1;  // bool
  if (!one_byte) shape.push_back(first->word);
  // The bytes of an element are a dimension more than there may be, or of an order that they would be in the midst of.
  if (shape.size() > max_rank || first->is_reordered) return descriptor_of(bytes, nullptr);
  return plain_descriptor("ntensor", dtype::uint8, shape, c_strides(shape));
}

void keep(const message& m, const tens& read, const frame_format& spelling, new_message& into) {
  std::vector<const tensor_view*> first(m.payload.size(), nullptr);
  std::vector<std::vector<cbor_value>> said(m.payload.size());
  for (std::size_t i = 0; i < read.tensors().size(); ++i) {
    const tensor_view& t = read.tensors()[i];
    if (t.part >= m.payload.size()) continue;
    if (first[t.part] == nullptr) first[t.part] = &t;
    said[t.part].push_back(said_of(t, i));
  }
  into.objects.reserve(m.payload.size());
  for (std::size_t j = 0; j < m.payload.size(); ++j) {
    stored_object& object = std::get<stored_object>(into.objects.emplace_back(stored_object()));
    object.payload_and_masks = m.payload[j].bytes;
    object.descriptor = descriptor_of(object.payload_and_masks, first[j]);
    if (!said[j].empty())
      object.base = cbor_value::map({{zio_key, cbor_value::map({{"tensors", cbor_value::array(said[j])}})}});
  }
  into.extra = cbor_value::map({{zio_key, write_recorded(m, spelling, {.label = true, .metadata = read.metadata()})}});
}

void restart(new_message& m) {
  m.objects.clear();
  m.extra = cbor_value::map();
  m.provenance.reset();
}

bool restored(const message& m, const tens& read, const frame_format& spelling, new_message& into) try {
  return restore(m, read, spelling, into);
} catch (const error&) {
  return false;  // it is somebody else's after all
} catch (const nlohmann::json::exception&) {
  return false;
}

}  // namespace

void to_archive(const message& m, const frame_format& spelling, new_message& into, failure& why) noexcept try {
  why = {};
  restart(into);
  failure of_label;
  const tens read = tens::of(m, of_label);
  if (of_label.code == tgmap::errc::out_of_memory) {
    why = of_label;
    return;
  }
  if (read.is_present() && restored(m, read, spelling, into)) return;
  restart(into);
  keep(m, read, spelling, into);
} catch (const error& e) {
  why = e.details();
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
}

new_message to_archive(const message& m, const frame_format& spelling, failure& why) noexcept {
  new_message out;
  to_archive(m, spelling, out, why);
  return out;
}

new_message to_archive(const message& m, const frame_format& spelling) {
  failure why;
  new_message out = to_archive(m, spelling, why);
  detail::raise_if(why);
  return out;
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
