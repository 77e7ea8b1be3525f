// SPDX-License-Identifier: Apache-2.0
#include "zio/bridge/label_model.hpp"

#include <algorithm>
#include <utility>

#include "zio/bridge/json_encoding.hpp"
#include "zio/message/label_json.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

using entries = std::vector<metadata::entry>;
using references = std::vector<const metadata::entry*>;

/// An `object_writer` writes a JSON object key by key.
class object_writer {
 public:
  explicit object_writer(std::string& out) : out_(out) { out_ += '{'; }
  /// Writes a key and returns the text, to append the value to.
  std::string& key(std::string_view name) {
    if (!std::exchange(first_, false)) out_ += ',';
    append_quoted(out_, name);
    out_ += ':';
    return out_;
  }
  void end() { out_ += '}'; }

 private:
  std::string& out_;
  bool first_ = true;
};

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

void append_entries(std::string& out, const references& all) {
  object_writer text(out);
  for (const auto* e : all) encode_json(text.key(e->key), e->value);
  text.end();
}

bool is_reserved(const metadata::entry* e) noexcept { return e->key.starts_with('$'); }

/// Appends entries in the form that decode_json reads. Reserved keys need a list of pairs.
void append_map(std::string& out, const references& all) {
  if (std::none_of(all.begin(), all.end(), is_reserved)) return append_entries(out, all);
  out += R"({"$map":[)";
  for (const auto* e : all) {
    out += e == all.front() ? "[" : ",[";
    append_quoted(out, e->key);
    out += ',';
    encode_json(out, e->value);
    out += ']';
  }
  out += "]}";
}

void append_numbers(std::string& out, const std::vector<std::uint64_t>& numbers) {
  out += '[';
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i != 0) out += ',';
    append_number(out, numbers[i]);
  }
  out += ']';
}

/// Appends the properties of an object that a tensor of TENS does not have.
void append_object_extra(std::string& out, const object_model& object, const references& nested) {
  object_writer text(out);
  if (!nested.empty()) append_map(text.key("base"), nested);
  if (object.descriptor) encode_json(text.key("descriptor"), object.descriptor->view());
  if (!object.dtype.empty()) append_quoted(text.key("dtype"), object.dtype);
  if (!object.descriptor_extra.empty()) encode_json(text.key("more"), object.descriptor_extra.view());
  if (!object.bitmask_shape.empty()) append_numbers(text.key("shape"), object.bitmask_shape);
  if (object.type != "ntensor") append_quoted(text.key("type"), object.type);
  text.end();
}

bool needs_extra(const object_model& object, const references& nested) {
  return !(nested.empty() && !object.descriptor && object.dtype.empty() && object.descriptor_extra.empty() &&
           object.bitmask_shape.empty() && object.type == "ntensor");
}

void append_tensogram(std::string& out, const label_model& m, const references* extra) {
  object_writer text(out);
  if (extra != nullptr) append_map(text.key("extra"), *extra);
  std::vector<references> nested;
  bool has_extra = false;
  for (const auto& object : m.objects) {
    nested.push_back(sorted(object.base, is_not_scalar));
    has_extra = has_extra || needs_extra(object, nested.back());
  }
  if (has_extra) {
    text.key("objects") += '[';
    for (std::size_t j = 0; j < m.objects.size(); ++j) {
      if (j != 0) out += ',';
      append_object_extra(out, m.objects[j], nested[j]);
    }
    out += ']';
  }
  if (!m.provenance.empty()) append_map(text.key("provenance"), sorted(m.provenance, any_entry));
  text.end();
}

void append_metadata(std::string& out, const label_model& m) {
  const references extra = sorted(m.extra, any_entry);
  // Keys of the message are beside "tensogram" unless one of them could be mistaken for it or for an encoded value.
  const bool is_nested =
      std::any_of(extra.begin(), extra.end(), [](const auto* e) { return e->key == tensogram_key || is_reserved(e); });
  object_writer text(out);
  bool is_written = false;
  const auto append_own = [&] {
    append_tensogram(text.key(tensogram_key), m, is_nested ? &extra : nullptr);
    is_written = true;
  };
  for (const auto* e : is_nested ? references() : extra) {
    if (!is_written && tensogram_key < e->key) append_own();
    encode_json(text.key(e->key), e->value);
  }
  if (!is_written) append_own();
  text.end();
}

}  // namespace

void format_label(const label_model& m, std::string& into) {
  into = R"({"TENS":{"metadata":)";
  append_metadata(into, m);
  into += R"(,"tensors":[)";
  for (std::size_t j = 0; j < m.objects.size(); ++j) {
    const object_model& object = m.objects[j];
    if (j != 0) into += ',';
    const char kind = object.elements.kind;
    into += R"({"dtype":)";
    append_quoted(into, {&kind, 1});
    if (const references scalars = sorted(object.base, is_scalar); !scalars.empty()) {
      into += R"(,"metadata":)";
      append_entries(into, scalars);
    }
    into += R"(,"part":)";
    append_number(into, j);
    into += R"(,"shape":)";
    append_numbers(into, object.shape);
    into += R"(,"word":)";
    append_number(into, object.elements.word);
    into += '}';
  }
  into += "]}}";
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
