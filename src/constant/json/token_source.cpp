// SPDX-License-Identifier: Apache-2.0
#include "constant/json/token_source.hpp"

#include <simdjson.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <tgmap/constant/errc.hpp>
#include <tgmap/mapping_guard.hpp>
#include <utility>

#include "constant/json/text_fault.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {
namespace json {

namespace {

constexpr std::size_t padding = 64;
static_assert(padding >= simdjson::SIMDJSON_PADDING);
constexpr std::uint32_t no_more[] = {0, 0};

}  // namespace

/// A window's bytes, and simdjson, which keeps its index.
struct token_source::indexer {
  std::unique_ptr<simdjson::internal::dom_parser_implementation> scan{};
  char* bytes = nullptr;
  std::size_t room = 0;    // without the padding
  std::size_t filled = 0;  // bytes of the text that are there
  ~indexer() { std::free(bytes); }

  void grow(std::size_t wanted) {
    if (wanted <= room) return;
    auto* moved = static_cast<char*>(std::realloc(bytes, wanted + padding));
    if (moved == nullptr) throw std::bad_alloc();
    bytes = moved;
    room = wanted;
    const auto failed = scan ? scan->set_capacity(room)
                             : simdjson::get_active_implementation()->create_dom_parser_implementation(room, 1, scan);
    if (failed) throw std::bad_alloc();
  }
};

token_source::token_source(text_view text, std::size_t window, std::uint64_t from)
    : text_(text), usual_(window), indexer_(std::make_unique<indexer>()), base_(from) {
  load();
}

token_source::~token_source() = default;

/// Whether the window has `wanted` bytes of the text, or all that are left.
bool token_source::fill(std::size_t wanted) {
  indexer& in = *indexer_;
  wanted = static_cast<std::size_t>(std::min<std::uint64_t>(wanted, text_.size - base_));
  in.grow(wanted);
  const auto copy = [&]() noexcept {
    std::memcpy(in.bytes + in.filled, text_.data + base_ + in.filled, wanted - in.filled);
  };
  if (!text_.mapped) {
    if (wanted > in.filled) copy();
  } else if (const failure why = mapping_guard::run(copy)) {
    end_here({.why = why, .offset = base_});
    return false;
  }
  in.filled = wanted;
  return true;
}

void token_source::load() {
  if (stopped_) {
    at_ = 0;
    return;
  }
  for (;;) {
    base_ += length_;
    length_ = 0;
    at_ = count_ = 0;
    if (faulty_) return end_here(std::move(stop_));
    if (base_ == text_.size) return end_here({.offset = base_});
    indexer_->filled = 0;
    index_window();
    if (stopped_ || count_ != 0) return;
  }
}

/// Finds the tokens of the window that begins at base_. In a string that is longer windows become longer, too.
void token_source::index_window() {
  indexer& in = *indexer_;
  constexpr std::size_t most = std::size_t{1} << 32;
  for (std::size_t wanted = usual_;; wanted *= 2) {
    const bool large = wanted >= most;
    if (large) wanted = most - 2 * padding;
    if (!fill(wanted)) return;
    length_ = in.filled;
    if (base_ + length_ != text_.size) {
      const void* comma = memrchr(in.bytes, ',', length_);
      length_ = comma == nullptr ? 0 : static_cast<std::size_t>(static_cast<const char*>(comma) - in.bytes) + 1;
    }
    if (length_ != 0) {
      // What is behind the comma, or the text, is not looked at: kept, for a longer window goes on with it.
      char behind[padding];
      std::memcpy(behind, in.bytes + length_, padding);
      std::memset(in.bytes + length_, ' ', padding);
      const auto* bytes = reinterpret_cast<const std::uint8_t*>(in.bytes);
      const auto failed = in.scan->stage1(bytes, length_, simdjson::stage1_mode::regular);
      if (failed == simdjson::SUCCESS || failed == simdjson::EMPTY) {
        count_ = failed ? 0 : in.scan->n_structural_indexes;
        break;
      }
      const bool last = base_ + length_ == text_.size;
      if (failed != simdjson::UNCLOSED_STRING || last) return find_fault();
      std::memcpy(in.bytes + length_, behind, padding);
    }
    if (large)
      return end_here({.why = {.code = errc::too_large, .offset = base_, .expected = most},
                       .offset = base_,
                       .expected = "strings below 4 GiB",
                       .found = "a longer one"});
  }
  window_ = in.bytes;
  index_ = in.scan->structural_indexes.get();
}

/// The window up to what is wrong in it; the stop is behind.
void token_source::find_fault() {
  indexer& in = *indexer_;
  const text_fault fault = first_fault({in.bytes, length_});
  stop_ = {.why = {.code = errc::bad_json, .offset = base_ + fault.at},
           .offset = base_ + fault.at,
           .expected = fault.expected,
           .found = fault.found};
  faulty_ = true;
  length_ = fault.sound;
  std::memset(in.bytes + length_, ' ', padding);
  window_ = in.bytes;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(in.bytes);
  if (length_ != 0 && in.scan->stage1(bytes, length_, simdjson::stage1_mode::regular) == simdjson::SUCCESS)
    count_ = in.scan->n_structural_indexes;
  index_ = in.scan->structural_indexes.get();
}

void token_source::end_here(token_stop why) {
  stop_ = std::move(why);
  stopped_ = true;
  window_ = "";
  index_ = no_more;
  at_ = 0;
  count_ = 1;
  length_ = 0;
  base_ = stop_.offset;
}

void token_source::seek(std::uint64_t offset) {
  if (!stopped_ && offset >= base_ && offset < base_ + length_) {
    const auto* found = std::lower_bound(index_, index_ + count_, static_cast<std::uint32_t>(offset - base_));
    at_ = static_cast<std::size_t>(found - index_);
    if (at_ >= count_) load();
    return;
  }
  stopped_ = faulty_ = false;
  base_ = offset;
  length_ = 0;
  load();
}

std::string_view token_source::raw_string_ahead(std::size_t tokens) const noexcept {
  if (tokens >= left() || window_[index_[at_ + tokens]] != '"') return {};
  return between_quotes(window_ + index_[at_ + tokens], window_ + index_[at_ + tokens + 1]);
}

std::string_view token_source::scalar() const noexcept {
  const char* begin = here();
  const char* end = begin;
  while (end < window_end() && !is_terminator(*end)) ++end;
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace json
}  // namespace constant
}  // namespace v0
}  // namespace tgmap
