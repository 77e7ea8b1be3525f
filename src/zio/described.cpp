// SPDX-License-Identifier: Apache-2.0
#include "zio/described.hpp"

#include <algorithm>
#include <utility>

#include "zio/label_text.hpp"
#include "zio/spelling.hpp"
#include "zio/tensor_text.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

using entries = std::vector<metadata::entry>;
using references = std::vector<const metadata::entry*>;

/// An object of JSON as it is written, pair by pair.
class object_text {
 public:
  explicit object_text(std::string& out) : out_(out) { out_ += '{'; }
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

/// Those that `which` takes, in the order of the bytes of their keys.
template <class F>
references sorted(const entries& all, F&& which) {
  references out;
  for (const auto& e : all)
    if (which(e)) out.push_back(&e);
  std::sort(out.begin(), out.end(), [](const auto* a, const auto* b) { return a->key < b->key; });
  return out;
}

bool every(const metadata::entry&) noexcept { return true; }
bool travels_flat(const metadata::entry& e) { return plain_scalar(e.value); }
bool travels_deep(const metadata::entry& e) { return !plain_scalar(e.value); }

void append_entries(std::string& out, const references& all) {
  object_text text(out);
  for (const auto* e : all) append_spelled(text.key(e->key), e->value);
  text.end();
}

bool spelled_like_ours(const metadata::entry* e) noexcept { return e->key.starts_with('$'); }

/// The same, to be read by unspelled.
void append_map(std::string& out, const references& all) {
  if (std::none_of(all.begin(), all.end(), spelled_like_ours)) return append_entries(out, all);
  out += R"({"$map":[)";
  for (const auto* e : all) {
    out += e == all.front() ? "[" : ",[";
    append_quoted(out, e->key);
    out += ',';
    append_spelled(out, e->value);
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

/// What of an object its tensor cannot say.
void append_rest(std::string& out, const described_object& object, const references& deep) {
  object_text text(out);
  if (!deep.empty()) append_map(text.key("base"), deep);
  if (object.descriptor) append_spelled(text.key("descriptor"), object.descriptor->view());
  if (!object.dtype.empty()) append_quoted(text.key("dtype"), object.dtype);
  if (!object.more.empty()) append_spelled(text.key("more"), object.more.view());
  if (!object.true_shape.empty()) append_numbers(text.key("shape"), object.true_shape);
  if (object.type != "ntensor") append_quoted(text.key("type"), object.type);
  text.end();
}

bool says_all(const described_object& object, const references& deep) {
  return deep.empty() && !object.descriptor && object.dtype.empty() && object.more.empty() &&
         object.true_shape.empty() && object.type == "ntensor";
}

void append_tensogram(std::string& out, const described_message& m, const references* extra) {
  object_text text(out);
  if (extra != nullptr) append_map(text.key("extra"), *extra);
  std::vector<references> deep;
  bool all_said = true;
  for (const auto& object : m.objects) {
    deep.push_back(sorted(object.base, travels_deep));
    all_said = all_said && says_all(object, deep.back());
  }
  if (!all_said) {
    text.key("objects") += '[';
    for (std::size_t j = 0; j < m.objects.size(); ++j) {
      if (j != 0) out += ',';
      append_rest(out, m.objects[j], deep[j]);
    }
    out += ']';
  }
  if (!m.provenance.empty()) append_map(text.key("provenance"), sorted(m.provenance, every));
  text.end();
}

void append_metadata(std::string& out, const described_message& m) {
  const references extra = sorted(m.extra, every);
  // Keys of the message stand beside ours, where none is spelled like it, or like one of those that spelling makes.
  const bool apart = std::any_of(extra.begin(), extra.end(),
                                 [](const auto* e) { return e->key == tensogram_key || spelled_like_ours(e); });
  object_text text(out);
  bool done = false;
  const auto put_ours = [&] {
    append_tensogram(text.key(tensogram_key), m, apart ? &extra : nullptr);
    done = true;
  };
  for (const auto* e : apart ? references() : extra) {
    if (!done && tensogram_key < e->key) put_ours();
    append_spelled(text.key(e->key), e->value);
  }
  if (!done) put_ours();
  text.end();
}

void append_flat(std::string& out, const references& flat) {
  out += R"(,"metadata":)";
  append_entries(out, flat);
}

}  // namespace

void write_described(const described_message& m, std::string& into) {
  into = R"({"TENS":{"metadata":)";
  append_metadata(into, m);
  into += R"(,"tensors":[)";
  for (std::size_t j = 0; j < m.objects.size(); ++j) {
    const described_object& object = m.objects[j];
    if (j != 0) into += ',';
    const char kind = object.words.kind;
    into += R"({"dtype":)";
    append_quoted(into, {&kind, 1});
    if (const references flat = sorted(object.base, travels_flat); !flat.empty()) append_flat(into, flat);
    into += R"(,"part":)";
    append_number(into, j);
    into += R"(,"shape":)";
    append_numbers(into, object.shape);
    into += R"(,"word":)";
    append_number(into, object.words.word);
    into += '}';
  }
  into += "]}}";
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
