// SPDX-License-Identifier: Apache-2.0
#include "support/survey.hpp"

#include <algorithm>
#include <complex>
#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>
#include <tgmap/tgmap.hpp>
#include <utility>

namespace tgmap_test {

namespace {

std::uint64_t digest(std::span<const std::byte> data) {
  std::uint64_t h = 0xcbf29ce484222325u;
  for (const std::byte b : data) h = (h ^ static_cast<std::uint8_t>(b)) * 0x100000001b3u;
  return h;
}

class surveyor {
 public:
  survey out;

  void run(const tgmap::archive& archive) {
    tgmap::failure why;
    const auto done = archive.scan(UINT64_MAX, {}, why);
    note("scan", why);
    line("bytes ", done.scanned_bytes, " of ", done.total_bytes, " messages ", done.messages, " complete ",
         done.is_complete);
    const std::size_t count = archive.size(why);
    note("size", why);
    out.messages = count;
    for (std::size_t i = 0; i < count; ++i) message(archive.at(i, why), why);
    for (const auto& gap : archive.gaps()) {
      line("gap ", gap.begin, " ", gap.end);
      note("gap", gap.cause);
    }
    if (const auto tail = archive.incomplete_tail()) {
      if (tail->begin != tail->end || tail->cause) line("tail ", tail->begin, " ", tail->end);
      note("tail", tail->cause);
    }
  }

 private:
  template <class... T>
  void line(const T&... parts) {
    (append(parts), ...);
    out.text += '\n';
  }
  void append(std::string_view s) { out.text += s; }
  void append(const char* s) { out.text += s; }
  template <std::integral I>
  void append(I i) {
    out.text += std::to_string(i);
  }

  /// Kept apart from the text, which has only contents of the file.
  void contradict(const char* what) {
    line("  ", what);
    if (out.contradiction.empty()) out.contradiction = what;
  }

  void note(const char* what, const tgmap::failure& why) {
    if (!why) return;
    out.whole = false;
    line("  ! ", what, " ", why.code.value(), " ", why.code.category().name(), " at ", why.offset, ": ", why.expected,
         " ", why.found);
    if (why.text().empty() || why.code.message().empty()) contradict("a failure without words");
  }

  void value(const tgmap::cbor_view& v, unsigned depth) {
    append(to_string_view(v.kind()));
    append(v.size());
    if (depth < 8)
      v.visit([&](auto, const tgmap::cbor_view& item) {
        value(item, depth + 1);
        return true;
      });
    if (const auto t = v.tag()) append(*t), value(v.untagged(), depth + 1);
    append(v.text());
    append(v.bytes().size());
  }

  void metadata(const char* what, const tgmap::metadata& m, const tgmap::failure& why) {
    note(what, why);
    for (const auto& entry : m.entries()) {
      append("  ");
      append(entry.key);
      append("=");
      value(entry.value, 0);
      if (!entry.key.empty() && m.find(entry.key)) append(" found");
      line();
    }
  }

  void message(const tgmap::message& m, const tgmap::failure& missing) {
    note("message", missing);
    tgmap::failure why;
    line("message ", m.offset(), " ", m.length(), " v", m.version(), m.is_streamed() ? " streamed" : "",
         m.is_incomplete() ? " incomplete" : "", " flags ", m.flags());
    line(" bytes ", digest(m.bytes(why)));
    note("bytes", why);
    if (m.version() != 1) frames(m);
    line(" layout ", to_string_view(m.index_location(why)));
    note("layout", why);
    auto kept = m.metadata(why);
    metadata("metadata", kept, why);
    kept = m.provenance(why);
    metadata("reserved", kept, why);
    const std::size_t count = m.size(why);
    line(" objects ", count);
    note("objects", why);
    for (std::size_t j = 0; j < count; ++j) {
      kept = m.base(j, why);
      metadata("base", kept, why);
      const auto o = m.at(j, why);
      note("object", why);
      if (!why) object(o, m.version());
    }
  }

  void frames(const tgmap::message& m) {
    tgmap::failure why;
    auto range = m.frames(why);
    note("frames", why);
    tgmap::frame f;
    std::uint64_t end = m.offset() + 24;
    while (range.next(f, why)) {
      out.tight = out.tight && f.padding() < 8;
      end = f.offset() + f.length();
      tgmap::failure bad;
      const auto body = f.body(bad);
      note("body", bad);
      out.bodies.push_back(std::to_string(digest(body)));
      const auto verdict = f.verify(bad);
      note("verify", bad);
      line(" frame ", f.offset(), " ", f.length(), " type ", static_cast<unsigned>(f.type()), " ",
           to_string_view(f.type()), " flags ", f.flags(), " padding ", f.padding(), " ", to_string_view(verdict), " ",
           digest(body));
      if (m.version() == 3 && verdict != tgmap::hash_result::match) out.all_match = false;
    }
    const std::uint64_t postamble = m.offset() + m.length() - (m.version() == 3 ? 24 : 16);
    out.tight = out.tight && (m.is_incomplete() || postamble - end < 8);
    note("frames", why);
  }

  template <class T>
  void view(const tgmap::object& o) {
    tgmap::failure why;
    const auto v = o.view<T>(why);
    if (why.code == tgmap::make_error_code(tgmap::errc::dtype_mismatch)) return;
    if (why) return line("  view: ", why.code.value());
    const auto found = o.why_not_in_place(tgmap::dtype_of<T>);
    if (found && found.code != tgmap::make_error_code(tgmap::errc::not_mapped)) contradict("in_place contradicts view");
    // The first and the last element that an index can reach, wherever the strides put them.
    std::int64_t last = 0;
    for (std::size_t d = 0; d < v.rank(); ++d)
      last += v.strides()[d] * static_cast<std::int64_t>(v.shape()[d] ? v.shape()[d] - 1 : 0);
    std::uint64_t sum = 0;
    if (v.size())
      sum = digest(std::as_bytes(std::span(v.data(), 1))) ^ digest(std::as_bytes(std::span(v.data() + last, 1)));
    line("  view of ", v.size(), " ", sum);
  }

  /// Decodes objects, whole and in parts. Failures do not count as damage, because codecs may be absent. If offsets of
  /// pieces are damaged, either the whole or the parts may fail alone.
  void decoded(const tgmap::object& o) {
    constexpr std::uint64_t most = 1u << 20;
    tgmap::failure why;
    const auto report_failure = [&](const char* what) {
      if (why) line("  ! ", what, " ", why.code.value(), " ", why.code.category().name());
      return static_cast<bool>(why);
    };
    const std::uint64_t size = o.decoded_size(why);
    if (report_failure("decoded_size") || size > most) return;
    const auto whole = o.decode({}, why);
    const bool failed = report_failure("decode");
    line("  decoded ", whole.size(), " ", digest(whole.bytes()));
    if (failed ? !whole.bytes().empty() : whole.bytes().size() != size) contradict("decode of another size");
    std::vector<std::byte> again(static_cast<std::size_t>(size));
    o.decode_into(std::span<std::byte>(again), {}, why);
    if (!report_failure("decode_into") && !failed && !std::equal(again.begin(), again.end(), whole.bytes().begin()))
      contradict("decode_into differs from decode");
    const auto masks = o.masks(why);
    report_failure("masks");
    line("  masks ", masks.size());
    const auto parts = tgmap::part_reader::open(o, {}, why);
    if (report_failure("parts")) return;
    const auto what = o.descriptor(why);
    if (report_failure("descriptor")) return;
    const std::uint64_t first = what.element_count / 3;
    const auto part = parts.range(first, what.element_count - first - what.element_count / 5, why);
    report_failure("part");
    line("  part ", part.size(), " ", digest(part.bytes()));
  }

  void object(const tgmap::object& o, int version) {
    tgmap::failure why;
    const auto payload = o.payload(why);
    note("payload", why);
    out.payloads.push_back(std::to_string(digest(payload)));
    const auto region = o.payload_and_masks(why);
    note("region", why);
    line(" object ", o.index(), " at ", o.frame().offset(), " payload ", o.payload_offset(), "+", o.payload_size(),
         " of ", o.payload_and_masks_size(), " ", digest(payload), " ", digest(region));
    std::vector<std::byte> copy(static_cast<std::size_t>(std::min<std::uint64_t>(o.payload_size(), 1u << 20)));
    o.read(0, copy, why);
    note("read", why);
    if (payload.size() >= copy.size() && !std::equal(copy.begin(), copy.end(), payload.begin()))
      contradict("read differs from payload");
    const auto d = o.descriptor(why);
    note("descriptor", why);
    if (!why) {
      line("  ", to_string_view(d.dtype), " ", to_string_view(d.byte_order), " elements ", d.element_count, " ndim ",
           d.ndim, " ", d.encoding_name.view(), " ", d.filter_name.view(), " ", d.compression_name.view());
      for (const auto n : d.shape()) append(n), append(" ");
      for (const auto n : d.strides()) append(n), append(" ");
      for (const auto& mask : d.masks())
        line("  mask ", to_string_view(mask.kind), " ", mask.method.view(), " ", mask.offset, "+", mask.length);
      value(d.type, 0);
      value(d.entries, 0);
      line();
    }
    decoded(o);
    metadata("object metadata", o.metadata(why), why);
    const auto verdict = o.verify(why);
    note("object verify", why);
    line("  ", to_string_view(verdict));
    if (version == 2 && verdict != tgmap::hash_result::match) out.all_match = false;
    view<tgmap::float16>(o), view<tgmap::bfloat16>(o), view<float>(o), view<double>(o);
    view<std::complex<float>>(o), view<std::complex<double>>(o);
    view<std::int8_t>(o), view<std::int16_t>(o), view<std::int32_t>(o), view<std::int64_t>(o);
    view<std::uint8_t>(o), view<std::uint16_t>(o), view<std::uint32_t>(o), view<std::uint64_t>(o);
  }
};

}  // namespace

survey survey_of(const tgmap::archive& archive) {
  surveyor all;
  all.run(archive);
  all.out.whole = all.out.whole && archive.gaps().empty() &&
                  (!archive.incomplete_tail() || archive.incomplete_tail()->begin == archive.incomplete_tail()->end);
  return std::move(all.out);
}

std::string broken_invariant(const tgmap::archive& archive) {
  tgmap::failure why;
  const auto done = archive.scan(UINT64_MAX, {}, why);
  if (why) return "scan fails: " + why.text();
  if (!done.is_complete || done.scanned_bytes != archive.size_bytes()) return "the scan is not complete";
  struct part {
    std::uint64_t begin, end;
    bool message;
  };
  std::vector<part> parts;
  const std::size_t count = archive.size(why);
  if (why) return "size fails: " + why.text();
  if (count != done.messages) return "size and scan disagree";
  for (std::size_t i = 0; i < count; ++i) {
    const auto m = archive.at(i, why);
    if (why) return "message " + std::to_string(i) + ": " + why.text();
    if (m.index() != i) return "message " + std::to_string(i) + " has another number";
    parts.push_back({m.offset(), m.offset() + m.length(), true});
  }
  for (const auto& gap : archive.gaps()) {
    if (!gap.cause) return "a gap without a reason";
    if (gap.begin != gap.end) parts.push_back({gap.begin, gap.end, false});
  }
  if (const auto tail = archive.incomplete_tail(); tail && tail->begin != tail->end)
    parts.push_back({tail->begin, tail->end, false});
  std::sort(parts.begin(), parts.end(), [](const part& a, const part& b) { return a.begin < b.begin; });
  std::uint64_t at = 0;
  for (const auto& p : parts) {
    if (p.begin != at || p.end <= p.begin) return "bytes from " + std::to_string(at) + " are in no part or in two";
    at = p.end;
  }
  if (at != archive.size_bytes()) return "bytes from " + std::to_string(at) + " are in no part";
  return {};
}

}  // namespace tgmap_test
