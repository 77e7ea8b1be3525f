// SPDX-License-Identifier: Apache-2.0
#include <new>
#include <tgmap/zio/tens.hpp>
#include <tgmap/zio/to_archive.hpp>
#include <utility>
#include <vector>

#include "core/or_throw.hpp"
#include "zio/bridge/from_label.hpp"
#include "zio/bridge/label_model.hpp"
#include "zio/bridge/zio_headers.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

std::string_view name_of(std::error_code code) noexcept {
  return code.category() == category() ? to_string_view(static_cast<errc>(code.value()))
                                       : to_string_view(static_cast<tgmap::errc>(code.value()));
}

/// Returns the attributes of a tensor as metadata, for lookups.
cbor_value attributes_of(const tensor_view& t, std::size_t index) {
  std::vector<cbor_value::pair> pairs{{"tensor", index}};
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

/// Returns the absolute values of strides. Along a descending dimension the elements keep their order of storage.
std::vector<std::uint64_t> absolute_strides(std::span<const std::int64_t> strides) {
  std::vector<std::uint64_t> out;
  for (const std::int64_t s : strides) out.push_back(static_cast<std::uint64_t>(s < 0 ? -s : s));
  return out;
}

/// Returns the descriptor of a part: that of its first tensor; bytes if there is none, or if it cannot be used.
cbor_value make_descriptor(std::span<const std::byte> bytes, const tensor_view* first) {
  if (first == nullptr || first->fault) {
    const std::uint64_t size = bytes.size();
    return plain_descriptor("ntensor", dtype::uint8, {&size, 1}, c_strides({&size, 1}));
  }
  if (const auto elements = first->dtype())
    return plain_descriptor("ntensor", *elements, first->shape(),
                            first->is_reordered ? absolute_strides(first->strides()) : c_strides(first->shape()));
  std::vector<std::uint64_t> shape(first->shape().begin(), first->shape().end());
  if (first->word != 1) shape.push_back(first->word);
  // The bytes of an element need one more dimension, which may be too many, and which must be the fastest.
  if (shape.size() > max_rank || first->is_reordered) return make_descriptor(bytes, nullptr);
  return plain_descriptor("ntensor", dtype::uint8, shape, c_strides(shape));
}

void store_parts(const message& m, const tens& tensors, const frame_format& format, new_message& into) {
  std::vector<const tensor_view*> first(m.payload.size(), nullptr);
  std::vector<std::vector<cbor_value>> attributes(m.payload.size());
  for (std::size_t i = 0; i < tensors.tensors().size(); ++i) {
    const tensor_view& t = tensors.tensors()[i];
    if (t.part >= m.payload.size()) continue;
    if (first[t.part] == nullptr) first[t.part] = &t;
    attributes[t.part].push_back(attributes_of(t, i));
  }
  into.objects.reserve(m.payload.size());
  for (std::size_t j = 0; j < m.payload.size(); ++j) {
    stored_object& object = std::get<stored_object>(into.objects.emplace_back(stored_object()));
    object.payload_and_masks = m.payload[j].bytes;
    object.descriptor = make_descriptor(object.payload_and_masks, first[j]);
    if (!attributes[j].empty())
      object.base = cbor_value::map({{zio_key, cbor_value::map({{"tensors", cbor_value::array(attributes[j])}})}});
  }
  into.extra =
      cbor_value::map({{zio_key, write_zio_headers(m, format, {.has_label = true, .metadata = tensors.metadata()})}});
}

void reset(new_message& m) {
  m.objects.clear();
  m.extra = cbor_value::map();
  m.provenance.reset();
}

/// Returns true if `from_archive` made the message, and it was restored.
bool try_from_label(const message& m, const tens& tensors, const frame_format& format, new_message& into) try {
  return from_label(m, tensors, format, into);
} catch (const error&) {
  return false;  // not made by from_archive
}

}  // namespace

void to_archive(const message& m, const frame_format& format, new_message& into, failure& why) noexcept try {
  why = {};
  reset(into);
  failure label_failure;
  const tens tensors = tens::of(m, label_failure);
  if (label_failure.code == tgmap::errc::out_of_memory) {
    why = label_failure;
    return;
  }
  if (tensors.is_present() && try_from_label(m, tensors, format, into)) return;
  reset(into);
  store_parts(m, tensors, format, into);
} catch (const error& e) {
  why = e.details();
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
}

new_message to_archive(const message& m, const frame_format& format, failure& why) noexcept {
  new_message out;
  to_archive(m, format, out, why);
  return out;
}

new_message to_archive(const message& m, const frame_format& format) {
  return core::or_throw([&](failure& why) { return to_archive(m, format, why); });
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
