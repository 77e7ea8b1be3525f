// SPDX-License-Identifier: Apache-2.0
#include "zio/bridge/label_model.hpp"

#include <algorithm>

#include "zio/bridge/json_encoding.hpp"
#include "zio/message/label_json.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

using entries = std::vector<metadata::entry>;
using references = std::vector<const metadata::entry*>;

/// Returns the entries that satisfy a predicate, in the order of the bytes of their keys.
template <class F>
references sorted(const entries& all, F&& predicate) {
  references out;
  for (const auto& e : all)
    if (predicate(e)) out.push_back(&e);
  std::sort(out.begin(), out.end(), [](const auto* a, const auto* b) { return a->key < b->key; });
  return out;
}

bool any_entry(const metadata::entry&) noexcept { return true; }
bool is_scalar(const metadata::entry& e) { return is_json_scalar(e.value); }
bool is_not_scalar(const metadata::entry& e) { return !is_json_scalar(e.value); }

void put_entries(label_writer& to, const references& all) {
  to.begin_object();
  for (const auto* e : all) encode_json(put_key(to, e->key), e->value);
  to.end_object();
}

bool is_reserved(const metadata::entry* e) noexcept { return e->key.starts_with('$'); }

/// Writes entries in the form that decode_json reads. Reserved keys need a list of pairs.
void put_map(label_writer& to, const references& all) {
  if (std::none_of(all.begin(), all.end(), is_reserved)) return put_entries(to, all);
  to.begin_object();
  to.key("$map").begin_array();
  for (const auto* e : all) {
    to.begin_array();
    put_text(to, e->key);
    encode_json(to, e->value);
    to.end_array();
  }
  to.end_array();
  to.end_object();
}

/// Writes the properties of an object that a tensor of TENS does not have.
void put_object_extra(label_writer& to, const object_model& object, const references& nested) {
  to.begin_object();
  if (!nested.empty()) put_map(to.key("base"), nested);
  if (object.descriptor) encode_json(to.key("descriptor"), object.descriptor->view());
  if (!object.dtype.empty()) put_text(to.key("dtype"), object.dtype);
  if (!object.descriptor_extra.empty()) encode_json(to.key("more"), object.descriptor_extra.view());
  if (!object.bitmask_shape.empty()) put_numbers(to.key("shape"), object.bitmask_shape);
  if (object.type != "ntensor") put_text(to.key("type"), object.type);
  to.end_object();
}

bool needs_extra(const object_model& object, const references& nested) {
  return !(nested.empty() && !object.descriptor && object.dtype.empty() && object.descriptor_extra.empty() &&
           object.bitmask_shape.empty() && object.type == "ntensor");
}

void put_tensogram(label_writer& to, const label_model& m, const references* extra) {
  to.begin_object();
  if (extra != nullptr) put_map(to.key("extra"), *extra);
  std::vector<references> nested;
  bool has_extra = false;
  for (const auto& object : m.objects) {
    nested.push_back(sorted(object.base, is_not_scalar));
    has_extra = has_extra || needs_extra(object, nested.back());
  }
  if (has_extra) {
    to.key("objects").begin_array();
    for (std::size_t j = 0; j < m.objects.size(); ++j) put_object_extra(to, m.objects[j], nested[j]);
    to.end_array();
  }
  if (!m.provenance.empty()) put_map(to.key("provenance"), sorted(m.provenance, any_entry));
  to.end_object();
}

void put_metadata(label_writer& to, const label_model& m) {
  const references extra = sorted(m.extra, any_entry);
  // Keys of the message are beside "tensogram" unless one of them could be mistaken for it or for an encoded value.
  const bool is_nested =
      std::any_of(extra.begin(), extra.end(), [](const auto* e) { return e->key == tensogram_key || is_reserved(e); });
  to.begin_object();
  bool is_written = false;
  const auto put_own = [&] {
    put_tensogram(to.key(tensogram_key), m, is_nested ? &extra : nullptr);
    is_written = true;
  };
  for (const auto* e : is_nested ? references() : extra) {
    if (!is_written && tensogram_key < e->key) put_own();
    encode_json(put_key(to, e->key), e->value);
  }
  if (!is_written) put_own();
  to.end_object();
}

void put_tensor(label_writer& to, const object_model& object, std::size_t part) {
  to.begin_object();
  const char kind = object.elements.kind;
  put_text(to.key("dtype"), {&kind, 1});
  if (const references scalars = sorted(object.base, is_scalar); !scalars.empty())
    put_entries(to.key("metadata"), scalars);
  to.key("part").integer(part);
  put_numbers(to.key("shape"), object.shape);
  to.key("word").integer(object.elements.word);
  to.end_object();
}

}  // namespace

void format_label(const label_model& m, std::string& into) {
  into.clear();
  core::text_builder text(into);
  label_writer to(text);
  to.begin_object();
  to.key("TENS").begin_object();
  put_metadata(to.key("metadata"), m);
  to.key("tensors").begin_array();
  for (std::size_t j = 0; j < m.objects.size(); ++j) put_tensor(to, m.objects[j], j);
  to.end_array();
  to.end_object();
  to.end_object();
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
