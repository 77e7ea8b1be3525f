// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <deque>
#include <new>
#include <optional>
#include <tgmap/write/new_message.hpp>
#include <tgmap/zio/from_archive.hpp>

#include "core/or_throw.hpp"
#include "zio/bridge/label_model.hpp"
#include "zio/bridge/object_part.hpp"
#include "zio/bridge/zio_headers.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

constexpr std::string_view reserved_key = "_reserved_";

/// Returns true if a descriptor has only the keys that every descriptor has.
bool is_plain_tensor(const descriptor& d) {
  return d.is_plain() && d.has_byte_order && !d.encoding_name.view().empty() && d.entries.size() == 9 &&
         d.type.get<std::string_view>() == "ntensor";
}

/// An `exporter` converts one message.
class exporter {
 public:
  exporter(const archive& in, const tgmap::message& message, const from_archive_options& options,
           from_archive_result& into)
      : in_(in), from_(message), options_(options), into_(into) {}

  failure run() {
    failure why;
    // The summary has all in one lookup. Without metadata it has no number of objects.
    message_summary summary = from_.summary(why);
    if (why.code == tgmap::errc::no_metadata) summary.object_count = from_.size(why);
    if (why) return why;
    const metadata& extra = copy_of(summary.message_metadata, why);
    if (why) return why;
    const auto recorded = extra.find(zio_key);
    if (auto headers = recorded ? read_zio_headers(*recorded) : std::nullopt) {
      set_headers(*headers);
      if (headers->label) return add_recorded_parts(summary.object_count, *headers->label);
    }
    label_model model;
    model.extra = extra.entries();
    if (into_.is_original) std::erase_if(model.extra, [](const auto& e) { return e.key == zio_key; });
    if (const metadata by = from_.provenance(why); !why)
      model.provenance = copy_of(by, why).entries();
    else if (why.code == tgmap::errc::no_metadata)
      why = {};
    if (why) return why;
    model.objects.reserve(summary.object_count);
    for (std::size_t j = 0; j < summary.object_count && !why; ++j)
      why = describe(j, j == 0 ? std::optional(summary.first_object_metadata) : std::nullopt, model);
    if (!why) format_label(model, into_.message.label);
    return why;
  }

 private:
  /// Returns a copy that lives as long as the exporter: a label must not lack keys because the file was cut meanwhile.
  const metadata& copy_of(const metadata& keys, failure& why) {
    return copies_.emplace_back(metadata_copy::of(keys, why)).keys();
  }

  void set_headers(zio_headers& headers) {
    zio::message& m = into_.message;
    m.level = headers.level;
    m.form = headers.form;
    m.origin = headers.origin;
    m.granule = headers.granule;
    m.seqno = headers.seqno;
    into_.format = std::move(headers.format);
    into_.is_original = true;
    options_.keep_encoded = options_.keep_encoded || headers.is_encoded;
    options_.raw_words = options_.raw_words || headers.has_raw_words;
  }

  /// Uses the recorded label. The parts are the objects.
  failure add_recorded_parts(std::size_t object_count, const cbor_view& label) {
    read_bytes(label, into_.message.label);
    failure why;
    for (std::size_t j = 0; j < object_count && !why; ++j) {
      const object source = from_.at(j, why);
      const auto d = why ? nullptr : shared_descriptor(source, why);
      if (!why)
        add(options_.keep_encoded && !d->is_plain()
                ? stored_part(in_, source, limit(), why)
                : element_part(in_, source, *d, part_order::as_stored, limit(), why));
      if (why && !why.object) why.object = j;
    }
    return why;
  }

  failure describe(std::size_t j, const std::optional<metadata>& base, label_model& model) {
    failure why;
    describe(j, base, model.objects.emplace_back(), why);
    if (why && !why.object) why.object = j;
    return why;
  }

  void describe(std::size_t j, const std::optional<metadata>& base, object_model& out, failure& why) {
    const object source = from_.at(j, why);
    if (why) return;
    const auto held = shared_descriptor(source, why);
    if (why) return;
    const descriptor& d = *held;
    const metadata keys = base ? *base : from_.base(j, why);
    if (why && why.code != tgmap::errc::no_metadata) return;
    why = {};
    out.base = copy_of(keys, why).entries();
    if (why) return;
    std::erase_if(out.base, [](const auto& e) { return e.key == reserved_key; });

    if (options_.keep_encoded && !d.is_plain()) {
      out.descriptor = cbor_value::copy(d.entries, why);
      if (!why) add(stored_part(in_, source, limit(), why));
      if (!why) out.shape = {into_.message.payload.back().bytes.size()};
      return;
    }
    if (!is_plain_tensor(d)) {
      const new_object like = new_object::like(tensor(), d, why);
      // An invalid pipeline is no error here, because only the other keys are needed.
      if (why && why.code != tgmap::errc::unknown_codec && why.code != tgmap::errc::bad_parameter) return;
      why = {};
      out.descriptor_extra = like.descriptor_extra;
      out.type = like.type;
    }
    // Decoding makes packed elements 64-bit numbers.
    const dtype elements = d.encoding == encoding::simple_packing ? dtype::float64 : d.dtype;
    const bool has_tens_dtype = to_tens_dtype(elements).has_value();
    if (!has_tens_dtype && !options_.raw_words) {
      why = {.code = errc::no_counterpart, .found = static_cast<std::uint64_t>(elements)};
      return;
    }
    out.elements = to_raw_tens_dtype(elements);
    out.shape.assign(d.shape().begin(), d.shape().end());
    if (!has_tens_dtype) out.dtype = to_string_view(elements);
    part bytes = element_part(in_, source, d, part_order::c, limit(), why);
    if (elements == dtype::bitmask) {
      out.bitmask_shape = std::move(out.shape);
      out.shape = {bytes.bytes.size()};
    }
    if (!why) add(std::move(bytes));
  }

  copy_limit limit() noexcept { return {into_.bytes_copied, options_.max_copied}; }
  void add(part data) { into_.message.payload.push_back(std::move(data)); }

  const archive& in_;
  const tgmap::message& from_;
  from_archive_options options_;  // and those that the recorded message was sent with
  from_archive_result& into_;
  std::deque<metadata_copy> copies_{};
};

void reset(from_archive_result& out) {
  out.message.payload.clear();
  out.message.label.clear();
  out.message.level = level::undefined;
  out.message.form = tens_form;
  out.message.origin = out.message.granule = out.message.seqno = 0;
  out.format.long_lengths.clear();
  out.is_original = false;
  out.bytes_copied = 0;
}

failure export_message(const archive& in, const tgmap::message& message, const from_archive_options& options,
                       from_archive_result& into) try {
  return exporter(in, message, options, into).run();
} catch (const error& e) {
  return e.details();
} catch (const std::bad_alloc&) {
  return {.code = tgmap::errc::out_of_memory};
}

}  // namespace

void from_archive(const archive& in, const tgmap::message& message, const from_archive_options& options,
                  from_archive_result& into, failure& why) noexcept {
  reset(into);
  why = export_message(in, message, options, into);
  if (why && !why.message) why.message = message.index();
}

from_archive_result from_archive(const archive& in, const tgmap::message& message, const from_archive_options& options,
                                 failure& why) noexcept {
  from_archive_result out;
  from_archive(in, message, options, out, why);
  return out;
}

from_archive_result from_archive(const archive& in, const tgmap::message& message,
                                 const from_archive_options& options) {
  return core::or_throw([&](failure& why) { return from_archive(in, message, options, why); });
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
