// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <tgmap/write/new_message.hpp>
#include <tgmap/zio/from_archive.hpp>

#include "zio/described.hpp"
#include "zio/object_part.hpp"
#include "zio/recorded.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

constexpr std::string_view hidden_key = "_reserved_";

/// Nothing but the keys that every descriptor has.
bool usual(const descriptor& d) {
  return d.is_plain() && d.has_byte_order && !d.encoding_name.view().empty() && d.entries.size() == 9 &&
         d.type.get<std::string_view>() == "ntensor";
}

/// One message on its way out of an archive.
class departure {
 public:
  departure(const archive& in, const tgmap::message& from, const from_archive_options& how, from_archive_result& into)
      : in_(in), from_(from), how_(how), into_(into) {}

  failure run() {
    failure why;
    // One look for all that it says; of a message without metadata the number of objects is asked for by itself.
    message_summary keys = from_.summary(why);
    if (why.code == tgmap::errc::no_metadata) keys.object_count = from_.size(why);
    if (why) return why;
    const metadata& wide = keys.message_metadata;
    const auto kept = wide.find(zio_key);
    if (auto headers = kept ? read_recorded(*kept) : std::nullopt) {
      take(*headers);
      if (headers->label) return as_recorded(keys.object_count, *std::move(headers->label));
    }
    described_message what;
    what.extra = wide.entries();
    if (into_.is_original) std::erase_if(what.extra, [](const auto& e) { return e.key == zio_key; });
    if (const metadata by = from_.provenance(why); !why)
      what.provenance = by.entries();
    else if (why.code == tgmap::errc::no_metadata)
      why = {};
    if (why) return why;
    for (std::size_t j = 0; j < keys.object_count && !why; ++j)
      why = describe(j, j == 0 ? std::optional(keys.first_object_metadata) : std::nullopt, what);
    if (!why) write_described(what, into_.message.label);
    return why;
  }

 private:
  void take(recorded_headers& headers) {
    zio::message& m = into_.message;
    m.level = headers.level;
    m.form = headers.form;
    m.origin = headers.origin;
    m.granule = headers.granule;
    m.seqno = headers.seqno;
    into_.format = std::move(headers.spelling);
    into_.is_original = true;
    how_.keep_encoded = how_.keep_encoded || headers.encoded;
    how_.raw_words = how_.raw_words || headers.raw_words;
  }

  /// The label is what it was; the parts are the objects.
  failure as_recorded(std::size_t objects, std::string label) {
    into_.message.label = std::move(label);
    failure why;
    for (std::size_t j = 0; j < objects && !why; ++j) {
      const object one = from_.at(j, why);
      const descriptor d = why ? descriptor() : one.descriptor(why);
      if (!why)
        add(how_.keep_encoded && !d.is_plain() ? region_of(in_, one, copied(), why)
                                               : elements_of(in_, one, d, part_order::as_stored, copied(), why));
      if (why && !why.object) why.object = j;
    }
    return why;
  }

  failure describe(std::size_t j, const std::optional<metadata>& known, described_message& what) {
    failure why;
    describe(j, known, what.objects.emplace_back(), why);
    if (why && !why.object) why.object = j;
    return why;
  }

  void describe(std::size_t j, const std::optional<metadata>& known, described_object& out, failure& why) {
    const object one = from_.at(j, why);
    if (why) return;
    const descriptor d = one.descriptor(why);
    if (why) return;
    const metadata own = known ? *known : from_.base(j, why);
    if (why && why.code != tgmap::errc::no_metadata) return;
    why = {};
    out.base = own.entries();
    std::erase_if(out.base, [](const auto& e) { return e.key == hidden_key; });

    if (how_.keep_encoded && !d.is_plain()) {
      out.descriptor = cbor_value::copy(d.entries, why);
      if (!why) add(region_of(in_, one, copied(), why));
      if (!why) out.shape = {into_.message.payload.back().bytes.size()};
      return;
    }
    if (!usual(d)) {
      const new_object like = new_object::like(tensor(), d, why);
      // Of a pipeline that makes no sense nothing is wanted but its other keys.
      if (why && why.code != tgmap::errc::unknown_codec && why.code != tgmap::errc::bad_parameter) return;
      why = {};
      out.more = like.descriptor_extra;
      out.type = like.type;
    }
    // Packed elements are numbers of 64 bits once they are not.
    const dtype elements = d.encoding == encoding::simple_packing ? dtype::float64 : d.dtype;
    const auto words = word_of(elements);
    if (!words && !how_.raw_words) {
      why = {.code = errc::no_counterpart, .found = static_cast<std::uint64_t>(elements)};
      return;
    }
    out.words = raw_word_of(elements);
    out.shape.assign(d.shape().begin(), d.shape().end());
    if (!words) out.dtype = to_string_view(elements);
    part bytes = elements_of(in_, one, d, part_order::c, copied(), why);
    if (elements == dtype::bitmask) {
      out.true_shape = std::move(out.shape);
      out.shape = {bytes.bytes.size()};
    }
    if (!why) add(std::move(bytes));
  }

  copied_bytes copied() noexcept { return {into_.bytes_copied, how_.max_copied}; }
  void add(part one) { into_.message.payload.push_back(std::move(one)); }

  const archive& in_;
  const tgmap::message& from_;
  from_archive_options how_;  // and what the message travelled by when it was recorded
  from_archive_result& into_;
};

void restart(from_archive_result& out) {
  out.message.payload.clear();
  out.message.label.clear();
  out.message.level = level::undefined;
  out.message.form = tens_form;
  out.message.origin = out.message.granule = out.message.seqno = 0;
  out.format.long_lengths.clear();
  out.is_original = false;
  out.bytes_copied = 0;
}

failure depart(const archive& in, const tgmap::message& from, const from_archive_options& how,
               from_archive_result& into) try {
  return departure(in, from, how, into).run();
} catch (const error& e) {
  return e.details();
} catch (const nlohmann::json::exception&) {
  return {.code = errc::bad_label};
} catch (const std::bad_alloc&) {
  return {.code = tgmap::errc::out_of_memory};
}

}  // namespace

void from_archive(const archive& in, const tgmap::message& from, const from_archive_options& how,
                  from_archive_result& into, failure& why) noexcept {
  restart(into);
  why = depart(in, from, how, into);
  if (why && !why.message) why.message = from.index();
}

from_archive_result from_archive(const archive& in, const tgmap::message& from, const from_archive_options& how,
                                 failure& why) noexcept {
  from_archive_result out;
  from_archive(in, from, how, out, why);
  return out;
}

from_archive_result from_archive(const archive& in, const tgmap::message& from, const from_archive_options& how) {
  failure why;
  from_archive_result out = from_archive(in, from, how, why);
  detail::raise_if(why);
  return out;
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
