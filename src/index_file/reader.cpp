// SPDX-License-Identifier: Apache-2.0
#include "index_file/reader.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace tgmap::index_file {

namespace {

std::size_t number_of(section kind) noexcept { return static_cast<std::size_t>(kind); }

/// Checks the numbers of the trailer that bound what is read, so that no product or sum below overflows.
bool is_possible(const trailer& facts, std::uint64_t pages) noexcept {
  if (pages < min_pages || facts.pages != pages) return false;
  return facts.runs <= trailer::runs_inside + (pages - min_pages) * records_per_page(page_run::size);
}

}  // namespace

failure reader::damaged(std::uint64_t page) const noexcept {
  return {.code = errc::index_damaged, .expected = facts_.pages, .found = page};
}

std::unique_ptr<const reader> reader::open(std::unique_ptr<io::source> bytes, failure& why) noexcept {
  why = {};
  const std::uint64_t size = bytes->size(), pages = size / page_size;
  if (pages == 0) {
    why = {.code = errc::not_an_index, .expected = page_size, .found = size};
    return nullptr;
  }
  std::array<std::byte, page_size> last;
  why = bytes->load((pages - 1) * page_size, last);
  if (why) return nullptr;
  if (!wire::starts_with(last, 0, magic) || size % page_size != 0) {
    why = {.code = errc::not_an_index, .expected = pages * page_size, .found = size};
    return nullptr;
  }
  const trailer facts = trailer::load(last);
  if (facts.version != format_version || facts.required_features != 0) {
    why = {.code = errc::unknown_index_version, .expected = format_version, .found = facts.version};
    return nullptr;
  }
  if (!is_sound_page(last, facts.identity, pages - 1) || !is_possible(facts, pages)) {
    why = {.code = errc::index_damaged, .expected = pages, .found = pages - 1};
    return nullptr;
  }
  std::unique_ptr<reader> out(new (std::nothrow) reader(std::move(bytes), facts, last));
  if (out) out->checked_.reset(static_cast<std::uint64_t*>(std::calloc(pages / 64 + 1, sizeof(std::uint64_t))));
  if (!out || !out->checked_) {
    why = {.code = errc::out_of_memory, .found = pages / 8};
    return nullptr;
  }
  why = out->read_runs();
  return why ? nullptr : std::unique_ptr<const reader>(std::move(out));
}

stamp_page reader::stamps() const noexcept {
  std::array<std::byte, page_size> page;
  const std::uint64_t number = stamp_page_number();
  if (bytes_->load(number * page_size, page) || !is_sound_page(page, facts_.identity, number)) return {};
  return stamp_page::load(page);
}

/// Reads a page run by its number: the first ones are on the last page, the others on the pages before the stamps.
failure reader::run_at(std::uint64_t number, page_run& out) const noexcept {
  std::array<std::byte, page_run::size> bytes;
  const std::uint64_t last = facts_.pages - 1;
  failure why;
  if (number < trailer::runs_inside) {
    why = load(last, static_cast<std::size_t>(trailer::size + number * page_run::size), bytes);
  } else {
    constexpr std::uint64_t each = records_per_page(page_run::size);
    const std::uint64_t rest = number - trailer::runs_inside, total = facts_.runs - trailer::runs_inside;
    const std::uint64_t first = stamp_page_number() - pages_for(total, page_run::size);
    why = load(first + rest / each, static_cast<std::size_t>(rest % each * page_run::size), bytes);
  }
  if (!why) out = page_run::load(bytes);
  return why;
}

/// Finds the runs of each section. Their records must be consecutive, and their pages must exist.
failure reader::read_runs() noexcept {
  std::uint64_t unused_pages = stamp_page_number();  // runs share no pages, so records are in proportion to the file
  for (std::uint64_t n = 0; n < facts_.runs; ++n) {
    page_run run;
    if (failure why = run_at(n, run)) return why;
    const std::size_t kind = number_of(run.kind), size = record_size(run.kind);
    if (size == 0) continue;  // of a later version, which marks it as not required
    section_runs& in = runs_[kind];
    const std::uint64_t expected = in.count == 0 ? 0 : in.only.end_record();
    const std::uint64_t pages = pages_for(run.records, size);
    if (!wire::fits(run.first_page, pages, stamp_page_number()) || pages > unused_pages || run.records == 0 ||
        run.first_record != expected || run.column != 0 || (in.count != 0 && in.first + in.count != n) ||
        run.records > UINT64_MAX - run.first_record)
      return damaged(facts_.pages - 1);
    unused_pages -= pages;
    if (in.count++ == 0) in.first = n;
    in.only = run;  // the last one until all are read
  }
  for (section_runs& each : runs_) {
    if (each.count < 2) continue;
    const std::uint64_t all = each.only.end_record();
    each.only = {.records = all};
  }
  const auto counts = {std::pair{section::messages, facts_.messages}, std::pair{section::objects, facts_.objects},
                       std::pair{section::layouts, facts_.layouts}, std::pair{section::gaps, facts_.gaps},
                       std::pair{section::samples, facts_.samples}};
  const bool agree = std::ranges::all_of(counts, [&](const auto& c) { return records(c.first) == c.second; });
  return agree ? failure{} : damaged(facts_.pages - 1);
}

std::uint64_t reader::records(section kind) const noexcept { return runs_[number_of(kind)].only.end_record(); }

failure reader::find_run(section kind, std::uint64_t record, page_run& out) const noexcept {
  const section_runs& in = runs_[number_of(kind)];
  if (in.count == 1) {
    out = in.only;
    return {};
  }
  std::uint64_t low = in.first, high = in.first + in.count;  // the run that begins last at or before the record
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (failure why = run_at(middle, out)) return why;
    (out.first_record <= record ? low : high) = middle;
  }
  if (failure why = run_at(low, out)) return why;
  // The bytes may have changed since they were checked.
  const bool holds = out.kind == kind && out.first_record <= record && record - out.first_record < out.records &&
                     out.first_page < facts_.pages;
  return holds ? failure{} : damaged(facts_.pages - 1);
}

/// Reads a page and checks it.
failure reader::check(std::uint64_t page, page_bytes out) const noexcept {
  if (failure why = bytes_->load(page * page_size, out)) return why;
  if (!is_sound_page(out, facts_.identity, page)) return damaged(page);
  mark_sound(page);
  return {};
}

void reader::mark_sound(std::uint64_t page) const noexcept {
  std::atomic_ref(checked_[page / 64]).fetch_or(std::uint64_t{1} << page % 64, std::memory_order_relaxed);
}

failure reader::load(std::uint64_t page, std::size_t at, std::span<std::byte> out) const noexcept {
  if (page >= facts_.pages) return damaged(page);
  if (page == facts_.pages - 1) {
    std::ranges::copy(std::span(last_page_).subspan(at, out.size()), out.begin());
    return {};
  }
  const std::uint64_t word = std::atomic_ref(checked_[page / 64]).load(std::memory_order_relaxed);
  if ((word >> page % 64 & 1) != 0) return bytes_->load(page * page_size + at, out);
  std::array<std::byte, page_size> whole;
  if (failure why = check(page, whole)) return why;
  std::ranges::copy(std::span(whole).subspan(at, out.size()), out.begin());
  return {};
}

failure reader::read_record(section kind, std::uint64_t i, std::span<std::byte> out) const noexcept {
  page_run run;
  if (failure why = find_run(kind, i, run)) return why;
  const std::uint64_t at = i - run.first_record, each = records_per_page(out.size());
  return load(run.first_page + at / each, static_cast<std::size_t>(at % each * out.size()), out);
}

failure reader::read_bytes(section kind, std::uint64_t at, std::span<std::byte> out) const noexcept {
  while (!out.empty()) {
    page_run run;
    if (failure why = find_run(kind, at, run)) return why;
    const std::uint64_t in_run = at - run.first_record;
    const auto on_page = static_cast<std::size_t>(in_run % content_size);
    const auto count =
        static_cast<std::size_t>(std::min<std::uint64_t>({out.size(), content_size - on_page, run.records - in_run}));
    if (failure why = load(run.first_page + in_run / content_size, on_page, out.first(count))) return why;
    out = out.subspan(count);
    at += count;
  }
  return {};
}

std::span<const std::byte> reader::read_page(section kind, std::uint64_t i, std::span<std::byte> out,
                                             failure& why) const noexcept {
  page_run run;
  why = find_run(kind, i, run);
  if (why) return {};
  const std::size_t size = record_size(kind);
  const std::uint64_t in_run = i - run.first_record, each = records_per_page(size);
  const std::uint64_t count = std::min<std::uint64_t>({each - in_run % each, run.records - in_run, out.size() / size});
  const auto records = out.first(static_cast<std::size_t>(count) * size);
  why = load(run.first_page + in_run / each, static_cast<std::size_t>(in_run % each * size), records);
  return records;
}

failure reader::read_sample(std::uint64_t i, std::uint64_t& digest) const noexcept {
  std::array<std::byte, sizeof digest> bytes;
  failure why = read_record(section::samples, i, bytes);
  if (!why) digest = wire::load_le<std::uint64_t>(bytes.data());
  return why;
}

failure reader::read_samples(sample_digests& out) const noexcept {
  std::array<std::byte, content_size> page;
  const std::uint64_t count = std::min<std::uint64_t>(records(section::samples), out.size());
  for (std::uint64_t i = 0; i < count;) {
    failure why;
    auto digests = read_page(section::samples, i, page, why);
    if (why) return why;
    for (; !digests.empty() && i < count; ++i) {
      out[static_cast<std::size_t>(i)] = wire::load_le<std::uint64_t>(digests.data());
      digests = digests.subspan(sizeof(std::uint64_t));
    }
  }
  return {};
}

failure reader::read_layout(std::uint64_t i, std::vector<std::byte>& out) const noexcept {
  text_place place;
  if (failure why = read_as(section::layouts, i, place)) return why;
  return read_place(section::layout_items, place, out);
}

failure reader::read_column_items(const text_place& place, std::vector<std::byte>& out) const noexcept {
  return read_place(section::column_items, place, out);
}

failure reader::read_place(section kind, const text_place& place, std::vector<std::byte>& out) const noexcept {
  if (!wire::fits(place.offset, place.size, records(kind))) return damaged(facts_.pages - 1);
  try {
    out.resize(static_cast<std::size_t>(place.size));
  } catch (const std::bad_alloc&) {
    return {.code = errc::out_of_memory, .found = place.size};
  }
  return read_bytes(kind, place.offset, out);
}

failure reader::check_pages() const noexcept {
  std::array<std::byte, page_size> bytes;
  for (std::uint64_t page = 0; page < facts_.pages; ++page)
    if (failure why = page == stamp_page_number() ? failure{} : check(page, bytes)) return why;
  return {};
}

}  // namespace tgmap::index_file
