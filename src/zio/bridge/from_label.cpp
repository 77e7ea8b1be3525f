// SPDX-License-Identifier: Apache-2.0
#include "zio/bridge/from_label.hpp"

#include <algorithm>
#include <string_view>
#include <tgmap/write/writer.hpp>

#include "zio/bridge/json_encoding.hpp"
#include "zio/bridge/label_model.hpp"
#include "zio/bridge/zio_headers.hpp"
#include "zio/message/label_json.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

/// Returns the entries of a map.
/// Lifetime: they borrow from the map.
std::vector<metadata::entry> entries_of(const cbor_value& map) {
  std::vector<metadata::entry> out;
  map.view().visit([&](const cbor_view& key, const cbor_view& value) {
    out.push_back({std::string(key.as<std::string_view>()), value});
    return true;
  });
  return out;
}

cbor_value decode_map(const std::optional<cbor_view>& from) {
  if (!from) return cbor_value::map();
  cbor_value out = decode_json(*from);
  if (!out.is_map()) throw_bad_label();
  return out;
}

std::vector<std::uint64_t> read_numbers(const cbor_view& view) {
  std::vector<std::uint64_t> out;
  if (view.kind() != cbor_kind::array) throw_bad_label();
  view.visit([&](std::uint64_t, const cbor_view& value) {
    out.push_back(value.as<std::uint64_t>());
    return true;
  });
  return out;
}

/// An `object_list_reader` reads the list "objects" in order, because access by index takes linear time. It returns
/// empty maps after the end, or if there is no list.
class object_list_reader {
 public:
  explicit object_list_reader(const std::optional<cbor_view>& list) {
    has_next_ = list && list->kind() == cbor_kind::array && list->first(at_);
  }
  cbor_view next() {
    has_next_ = has_next_ && cbor_view::next(at_);
    return has_next_ ? at_.value : empty_.view();
  }

 private:
  cbor_view::cursor at_{};
  bool has_next_ = false;
  cbor_value empty_ = cbor_value::map();
};

/// Returns true if a descriptor states that its payload holds the elements themselves.
bool is_plain_descriptor(const cbor_view& descriptor) {
  for (const char* stage : {"encoding", "filter", "compression"})
    if (const auto name = descriptor.find(stage); name && name->get<std::string_view>() != "none") return false;
  return !descriptor.find("masks");
}

/// An `object_reader` restores one object from its tensor and from the metadata of the message.
///
/// The model is what from_archive would make of the object. A label that states it in another way is stored.
struct object_reader {
  stored_object stored{};
  object_model model{};

  object_reader(const tensor_view& t, const cbor_view& extra) {
    stored.payload_and_masks = t.bytes;
    stored.base = decode_map(extra.find("base"));
    if (t.metadata.kind() != cbor_kind::null) stored.base.update(t.metadata);
    if (const auto descriptor = extra.find("descriptor")) {
      model.descriptor = decode_map(descriptor);
      model.shape = {t.bytes.size()};
      stored.descriptor = *model.descriptor;
      if (is_plain_descriptor(stored.descriptor.view())) throw_bad_label();  // from_archive makes a tensor of it
    } else {
      describe(t, extra);
    }
  }

 private:
  void describe(const tensor_view& t, const cbor_view& extra) {
    model.descriptor_extra = decode_map(extra.find("more"));
    if (const auto type = extra.find("type")) model.type = type->as<std::string_view>();
    std::optional<tgmap::dtype> elements = t.dtype();
    if (const auto name = extra.find("dtype")) elements = dtype_from_name(name->as<std::string_view>());
    if (!elements) throw_bad_label();
    model.elements = to_raw_tens_dtype(*elements);
    model.shape.assign(t.shape().begin(), t.shape().end());
    if (!to_tens_dtype(*elements)) model.dtype = to_string_view(*elements);
    std::vector<std::uint64_t> shape = model.shape;
    if (elements == dtype::bitmask) {
      const auto numbers = extra.find("shape");
      shape = numbers ? read_numbers(*numbers) : std::vector<std::uint64_t>();
      model.bitmask_shape = shape;
      model.shape = {t.bytes.size()};
    }
    stored.descriptor = plain_descriptor(model.type, *elements, shape, c_strides(shape));
    const std::size_t own_keys = stored.descriptor.view().size();
    stored.descriptor.update(model.descriptor_extra);
    if (stored.descriptor.view().size() != own_keys + model.descriptor_extra.view().size()) throw_bad_label();
  }
};

/// Returns the metadata of the message, which is beside the key "tensogram" or inside its value.
cbor_value read_message_keys(const cbor_view& all, const cbor_view& own) {
  if (const auto nested = own.find("extra")) return decode_map(nested);
  std::vector<std::pair<std::string, cbor_value>> pairs;
  all.visit([&](const cbor_view& key, const cbor_view& value) {
    const auto text = key.as<std::string_view>();
    if (text != tensogram_key) pairs.emplace_back(text, decode_json(value));
    return true;
  });
  return cbor_value::map(std::vector<cbor_value::pair>(pairs.begin(), pairs.end()));
}

class null_sink final : public sink {
 public:
  failure write(std::span<const std::span<const std::byte>>) noexcept override { return {}; }
};

/// Checks that a writer accepts the message. Descriptors and keys from the sender may be invalid.
bool is_writable(const new_message& m) {
  null_sink nowhere;
  writer(nowhere, {.hashes = false, .provenance = provenance::reproducible()}).write(m);
  return true;
}

bool has_one_part_per_tensor(const message& m, const tens& tensors) {
  if (tensors.tensors().size() != m.payload.size()) return false;
  for (std::size_t j = 0; j < m.payload.size(); ++j) {
    const tensor_view& t = tensors.tensors()[j];
    if (t.fault || t.part != j || t.is_reordered) return false;
  }
  return true;
}

}  // namespace

std::vector<std::uint64_t> c_strides(std::span<const std::uint64_t> shape) {
  std::vector<std::int64_t> dense(shape.size());
  c_order_strides(shape, dense);
  return {dense.begin(), dense.end()};
}

cbor_value plain_descriptor(std::string_view type, dtype elements, std::span<const std::uint64_t> shape,
                            std::span<const std::uint64_t> strides) {
  return cbor_value::map({{"type", type},
                          {"ndim", shape.size()},
                          {"shape", cbor_value::array(shape)},
                          {"strides", cbor_value::array(strides)},
                          {"dtype", to_string_view(elements)},
                          {"byte_order", "little"},
                          {"encoding", "none"},
                          {"filter", "none"},
                          {"compression", "none"}});
}

bool from_label(const message& m, const tens& tensors, const frame_format& format, new_message& into) {
  const cbor_view all = tensors.metadata().view();
  const auto own = all.kind() == cbor_kind::map ? all.find(tensogram_key) : std::nullopt;
  if (!own || own->kind() != cbor_kind::map || !has_one_part_per_tensor(m, tensors)) return false;

  into.extra = read_message_keys(all, *own);
  if (into.extra.view().find(zio_key)) return false;  // this message needs the key itself
  label_model model;
  model.objects.reserve(m.payload.size());
  into.objects.reserve(m.payload.size());
  object_list_reader object_list(own->find("objects"));
  for (std::size_t j = 0; j < m.payload.size(); ++j) {
    object_reader object(tensors.tensors()[j], object_list.next());
    model.objects.push_back(std::move(object.model));
    into.objects.emplace_back(std::move(object.stored));
  }
  into.provenance = decode_map(own->find("provenance"));  // an empty map if absent

  // Check whether from_archive would make the same message again; if not, store the difference.
  for (std::size_t j = 0; j < model.objects.size(); ++j)
    model.objects[j].base = entries_of(std::get<stored_object>(into.objects[j]).base);
  model.extra = entries_of(into.extra);
  model.provenance = entries_of(*into.provenance);
  std::string label;
  format_label(model, label);
  zio_extra extra;
  extra.has_label = label != m.label;
  for (const object_model& object : model.objects) {
    extra.is_encoded = extra.is_encoded || object.descriptor;
    extra.has_raw_words = extra.has_raw_words || !object.dtype.empty();
  }
  if (extra.has_label || extra.is_encoded || extra.has_raw_words || has_headers(m, format))
    into.extra.set(zio_key, write_zio_headers(m, format, extra));
  return is_writable(into);
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
