// SPDX-License-Identifier: Apache-2.0
#include "zio/restored.hpp"

#include <algorithm>
#include <string_view>
#include <tgmap/write/writer.hpp>

#include "zio/described.hpp"
#include "zio/recorded.hpp"
#include "zio/spelling.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

[[noreturn]] void not_ours() { detail::raise({.code = errc::bad_label}); }

/// Entries of an item, as metadata of an archive tells of them. They borrow from it.
std::vector<metadata::entry> entries_of(const cbor_value& map) {
  std::vector<metadata::entry> out;
  map.view().visit([&](const cbor_view& key, const cbor_view& one) {
    out.push_back({std::string(key.as<std::string_view>()), one});
    return true;
  });
  return out;
}

cbor_value map_in(const std::optional<cbor_view>& from) {
  if (!from) return cbor_value::map();
  cbor_value out = unspelled(*from);
  if (!out.is_map()) not_ours();
  return out;
}

std::vector<std::uint64_t> numbers_in(const cbor_view& from) {
  std::vector<std::uint64_t> out;
  if (from.kind() != cbor_kind::array) not_ours();
  from.visit([&](std::uint64_t, const cbor_view& one) {
    out.push_back(one.as<std::uint64_t>());
    return true;
  });
  return out;
}

/// Elements of the list under "objects", taken one after the other: looking each up by its number would walk over all
/// that come before it. Behind the last one, and where there is no list, an empty map.
class rest_reader {
 public:
  explicit rest_reader(const std::optional<cbor_view>& list) {
    more_ = list && list->kind() == cbor_kind::array && list->first(at_);
  }
  cbor_view next() {
    more_ = more_ && cbor_view::next(at_);
    return more_ ? at_.value : nothing_.view();
  }

 private:
  cbor_view::cursor at_{};
  bool more_ = false;
  cbor_value nothing_ = cbor_value::map();
};

/// One object: what its tensor says and what the metadata of the message says besides.
struct restored_object {
  stored_object stored{};
  described_object said{};

  restored_object(const tensor_view& t, const cbor_view& rest) {
    if (t.kind.size() != 1) not_ours();
    said.words = {t.kind.front(), t.word};
    said.shape.assign(t.shape().begin(), t.shape().end());
    stored.payload_and_masks = t.bytes;
    stored.base = map_in(rest.find("base"));
    if (t.metadata.kind() != cbor_kind::null) stored.base.update(t.metadata);
    if (const auto descriptor = rest.find("descriptor")) {
      said.descriptor = map_in(descriptor);
      stored.descriptor = *said.descriptor;
    } else {
      describe(t, rest);
    }
  }

 private:
  void describe(const tensor_view& t, const cbor_view& rest) {
    said.more = map_in(rest.find("more"));
    if (const auto type = rest.find("type")) said.type = type->as<std::string_view>();
    std::optional<tgmap::dtype> elements = t.dtype();
    std::vector<std::uint64_t> shape = said.shape;
    if (const auto named = rest.find("dtype")) {
      said.dtype = named->as<std::string_view>();
      elements = dtype_from_name(said.dtype);
      if (elements == dtype::bitmask) {
        const auto listed = rest.find("shape");
        shape = listed ? numbers_in(*listed) : std::vector<std::uint64_t>();
        said.true_shape = shape;
      }
    }
    if (!elements) not_ours();
    stored.descriptor = plain_descriptor(said.type, *elements, shape, c_strides(shape));
    stored.descriptor.update(said.more);
  }
};

/// What stands under our key, and the keys of the message beside it or in it.
cbor_value keys_of_message(const cbor_view& all, const cbor_view& ours) {
  if (const auto apart = ours.find("extra")) return map_in(apart);
  std::vector<std::pair<std::string, cbor_value>> kept;
  all.visit([&](const cbor_view& key, const cbor_view& one) {
    const auto text = key.as<std::string_view>();
    if (text != tensogram_key) kept.emplace_back(text, unspelled(one));
    return true;
  });
  return cbor_value::map(std::vector<cbor_value::pair>(kept.begin(), kept.end()));
}

class no_sink final : public sink {
 public:
  failure write(std::span<const std::span<const std::byte>>) noexcept override { return {}; }
};

/// Descriptors and keys that travel are whatever the sender made of them, and what a writer refuses would be lost.
bool can_be_written(const new_message& m) {
  no_sink nowhere;
  writer(nowhere, {.hashes = false, .provenance = provenance::reproducible()}).write(m);
  return true;
}

bool each_in_its_part(const message& m, const tens& read) {
  if (read.tensors().size() != m.payload.size()) return false;
  for (std::size_t j = 0; j < m.payload.size(); ++j) {
    const tensor_view& t = read.tensors()[j];
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

bool restore(const message& m, const tens& read, const frame_format& spelling, new_message& into) {
  const cbor_view all = read.metadata().view();
  const auto ours = all.kind() == cbor_kind::map ? all.find(tensogram_key) : std::nullopt;
  if (!ours || ours->kind() != cbor_kind::map || !each_in_its_part(m, read)) return false;

  into.extra = keys_of_message(all, *ours);
  if (into.extra.view().find(zio_key)) return false;  // which is what this message has to say itself
  described_message said;
  said.objects.reserve(m.payload.size());
  into.objects.reserve(m.payload.size());
  rest_reader rests(ours->find("objects"));
  for (std::size_t j = 0; j < m.payload.size(); ++j) {
    restored_object one(read.tensors()[j], rests.next());
    said.objects.push_back(std::move(one.said));
    into.objects.emplace_back(std::move(one.stored));
  }
  into.provenance = map_in(ours->find("provenance"));  // of nobody where nobody is named

  // Whether all that is made of this message again is the same message.
  for (std::size_t j = 0; j < said.objects.size(); ++j)
    said.objects[j].base = entries_of(std::get<stored_object>(into.objects[j]).base);
  said.extra = entries_of(into.extra);
  said.provenance = entries_of(*into.provenance);
  std::string label;
  write_described(said, label);
  recorded_besides besides;
  besides.label = label != m.label;
  for (const described_object& object : said.objects) {
    besides.encoded = besides.encoded || object.descriptor;
    besides.raw_words = besides.raw_words || !object.dtype.empty();
  }
  if (besides.label || besides.encoded || besides.raw_words || has_headers(m, spelling))
    into.extra.set(zio_key, write_recorded(m, spelling, besides));
  return can_be_written(into);
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
