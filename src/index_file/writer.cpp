// SPDX-License-Identifier: Apache-2.0
#include "index_file/writer.hpp"

#include <algorithm>
#include <array>

namespace tgmap::index_file {

namespace {

/// Pages of a run. A run takes 32 bytes on the last pages, and a reader looks for the run of a record.
constexpr std::size_t pages_per_run = 1024;

page_bytes page_of(std::span<std::byte> pages, std::size_t number) {
  return pages.subspan(number * page_size).first<page_size>();
}

}  // namespace

failure writer::write_pages(std::span<std::byte> pages) {
  for (std::size_t i = 0; i * page_size < pages.size(); ++i) seal_page(page_of(pages, i), identity_, pages_ + i);
  pages_ += pages.size() / page_size;
  return to_->write(std::span<const std::byte>(pages));
}

/// Writes the first page. It holds no records: programs recognise the file by it.
failure writer::begin() {
  std::array<std::byte, page_size> first{};
  std::ranges::copy(magic, first.begin());
  return write_pages(first);
}

/// Returns the place for another record.
std::byte* writer::next(section kind) {
  const std::size_t size = record_size(kind);
  pending& in = sections_[kind];
  const auto each = static_cast<std::size_t>(records_per_page(size));
  const auto at = static_cast<std::size_t>(in.count);
  if (at % each == 0) in.pages.resize((at / each + 1) * page_size);
  return in.pages.data() + at / each * page_size + at % each * size;
}

failure writer::end_record(section kind) {
  pending& in = sections_[kind];
  ++in.count;
  return in.count == pages_per_run * records_per_page(record_size(kind)) ? flush(kind, in) : failure{};
}

failure writer::flush(section kind, pending& from) {
  if (from.count == 0) return {};
  if (pages_ == 0)
    if (failure why = begin()) return why;
  runs_.push_back({.kind = kind, .first_record = from.first, .records = from.count, .first_page = pages_});
  failure why = write_pages(from.pages);
  from.pages.clear();
  from.first += from.count;
  from.count = 0;
  return why;
}

failure writer::add_sample(std::uint64_t digest) {
  wire::store_le(next(section::samples), digest);
  return end_record(section::samples);
}

failure writer::add_layout(std::span<const std::byte> item) {
  const text_place place{.offset = records(section::layout_items), .size = item.size()};
  if (failure why = add_as(section::layouts, place)) return why;
  return add_records(section::layout_items, item);
}

failure writer::add_column_items(std::span<const std::byte> bytes, text_place& out) {
  out = {.offset = records(section::column_items), .size = bytes.size()};
  return add_records(section::column_items, bytes);
}

/// Adds records, as many at a time as fit on a page.
failure writer::add_records(section kind, std::span<const std::byte> records) {
  const std::size_t size = record_size(kind);
  const auto each = static_cast<std::size_t>(records_per_page(size));
  while (!records.empty()) {
    std::byte* const to = next(kind);
    pending& in = sections_[kind];
    const auto count = std::min(records.size() / size, each - static_cast<std::size_t>(in.count) % each);
    std::ranges::copy(records.first(count * size), to);
    in.count += count - 1;  // end_record() adds the last one
    if (failure why = end_record(kind)) return why;
    records = records.subspan(count * size);
  }
  return {};
}

failure writer::copy(section kind, const reader& from, record_digest& digest) {
  std::array<std::byte, content_size> page;
  for (std::uint64_t i = 0; i < from.records(kind);) {
    failure why;
    const auto records = from.read_page(kind, i, page, why);
    if (why) return why;
    digest.add_records(kind, records);
    why = add_records(kind, records);
    if (why) return why;
    i += records.size() / record_size(kind);
  }
  return {};
}

std::uint64_t writer::records(section kind) const noexcept {
  const auto found = sections_.find(kind);
  return found == sections_.end() ? 0 : found->second.first + found->second.count;
}

failure writer::finish(trailer facts, const stamp_page& stamps) {
  for (auto& [kind, pending] : sections_)
    if (failure why = flush(kind, pending)) return why;
  if (pages_ == 0)
    if (failure why = begin()) return why;
  std::ranges::stable_sort(runs_, {}, &page_run::kind);  // the runs of a section stand together

  const std::uint64_t outside = runs_.size() > trailer::runs_inside ? runs_.size() - trailer::runs_inside : 0;
  std::vector<std::byte> pages(static_cast<std::size_t>(pages_for(outside, page_run::size) + 2) * page_size);
  const std::size_t last = pages.size() / page_size - 1;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    constexpr auto each = static_cast<std::size_t>(records_per_page(page_run::size));
    if (i < trailer::runs_inside) {
      runs_[i].store(page_of(pages, last).data() + trailer::size + i * page_run::size);
    } else {
      const std::size_t rest = i - static_cast<std::size_t>(trailer::runs_inside);
      runs_[i].store(page_of(pages, rest / each).data() + rest % each * page_run::size);
    }
  }
  stamps.store(page_of(pages, last - 1));
  facts.identity = identity_;
  facts.messages = records(section::messages);
  facts.objects = records(section::objects);
  facts.layouts = records(section::layouts);
  facts.gaps = records(section::gaps);
  facts.samples = records(section::samples);
  facts.runs = runs_.size();
  facts.pages = pages_ + last + 1;
  facts.store(page_of(pages, last));
  return write_pages(pages);
}

}  // namespace tgmap::index_file
