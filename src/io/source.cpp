// SPDX-License-Identifier: Apache-2.0
#include "io/source.hpp"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>
#include <string>
#include <utility>

#include "io/file_status.hpp"
#include "io/finder.hpp"
#include "io/spool.hpp"

namespace tgmap::io {

namespace {

/// Returns the size of the range that the options select.
failure select(const open_options& options, std::uint64_t available, std::uint64_t& size) noexcept {
  if (options.offset > available)
    return {.code = errc::invalid_option,
            .expected = available,
            .found = options.offset,
            .argument = "open_options::offset"};
  const std::uint64_t rest = available - options.offset;
  if (options.length != UINT64_MAX && options.length > rest)
    return {
        .code = errc::invalid_option, .expected = rest, .found = options.length, .argument = "open_options::length"};
  size = std::min(rest, options.length);
  return {};
}

/// Returns true for a regular file that has bytes although its size is 0, as in /proc: it is read as a stream.
bool hides_its_size(const file& f) noexcept {
  std::array<std::byte, 1> first;
  file_kind kind{};
  std::uint64_t size = 0;
  // Another process may have written to an empty file just now.
  return !f.read(0, first) && !f.stat(kind, size) && size == 0;
}

failure no_memory() noexcept { return {.code = errc::out_of_memory, .found = sizeof(source)}; }

}  // namespace

void source::choose_mode(const open_options& options, failure& why) noexcept {
  if (size_ == 0) {
    mode_ = options.io == io_mode::read ? io_mode::read : io_mode::map;
    mode_reason_ = "empty";
    return;
  }
  if (options.io == io_mode::read) {
    mode_reason_ = "asked for";
    return;
  }
  if (options.io == io_mode::automatic && file_.network_file_system() != nullptr) {
    mode_reason_ = file_.network_file_system();
    return;
  }
  failure unmapped;
  mapping_ = mapping::of(file_, begin_, size_, unmapped);
  if (!unmapped) {
    memory_ = mapping_.bytes();
    mode_ = io_mode::map;
    is_constant_ = file_.is_sealed() && !check_not_truncated();  // it may have shrunk before it was sealed
    mode_reason_ = options.io == io_mode::map ? "asked for" : "local file";
    return;
  }
  if (options.io == io_mode::map) why = unmapped;
  mode_reason_ = "mapping failed";
}

void source::expect_many() const noexcept {
  if (!file_ || memory_.data() == nullptr || guard_ == guard_use::never || direct()) return;
  const std::lock_guard lock(structure_mutex_);
  if (!core::offer_bus_guard() || structure_.load(std::memory_order_relaxed) != nullptr) return;
  // A separate mapping: structure is read in single pages far apart, while views want the kernel to read ahead.
  failure unmapped;
  structure_mapping_ = mapping::of(file_, begin_, size_, unmapped, access_pattern::scattered);
  if (!unmapped) structure_.store(structure_mapping_.bytes().data(), std::memory_order_release);
}

std::unique_ptr<source> source::from_file(file f, const open_options& options, failure& why) noexcept {
  file_kind kind{};
  std::uint64_t available = 0, size = 0;
  why = f.stat(kind, available);
  if (!why && kind == file_kind::directory) why = {.code = errc::is_directory};
  if (!why && kind == file_kind::regular && available == 0) {
    if (hides_its_size(f))
      kind = file_kind::stream;
    else
      why = f.stat(kind, available);
  }
  const bool is_copy = !why && kind == file_kind::stream;
  if (is_copy) {
    f = spool(f, why);
    if (!why) why = f.stat(kind, available);
  }
  if (!why) why = select(options, available, size);
  if (why) return nullptr;
  std::unique_ptr<source> out(new (std::nothrow) source(std::move(f), options.offset, size, options));
  if (!out) why = no_memory();
  if (out) out->is_copy_ = is_copy;
  if (out) out->choose_mode(options, why);
  return why ? nullptr : std::move(out);
}

std::unique_ptr<source> source::from_memory(std::span<const std::byte> bytes, memory what, const open_options& options,
                                            failure& why) noexcept {
  std::uint64_t size = 0;
  why = select(options, bytes.size(), size);
  if (why) return nullptr;
  std::unique_ptr<source> out(new (std::nothrow) source(file(), options.offset, size, options));
  if (!out) {
    why = no_memory();
    return nullptr;
  }
  out->memory_ = bytes.subspan(static_cast<std::size_t>(options.offset), static_cast<std::size_t>(size));
  out->structure_ = out->memory_.data();
  out->mode_ = io_mode::map;
  out->mode_reason_ = "in memory";
  out->is_constant_ = what == memory::constant;
  if (!out->is_constant_ && options.guard != guard_use::never) core::offer_bus_guard();
  return out;
}

std::unique_ptr<source> source::from_memory(std::vector<std::byte>&& bytes, const open_options& options,
                                            failure& why) noexcept {
  try {
    const auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    auto out = from_memory(std::span(*owner), memory::constant, options, why);
    if (out) out->owner_ = owner;
    return out;
  } catch (const std::bad_alloc&) {
    why = no_memory();
    return nullptr;
  }
}

std::unique_ptr<source> source::from_reader(std::unique_ptr<const byte_source_reader> reader,
                                            const open_options& options, failure& why) noexcept {
  std::uint64_t size = 0;
  if (!why) why = select(options, reader->size(), size);
  if (why) return nullptr;
  std::unique_ptr<source> out(new (std::nothrow) source(file(), options.offset, size, options));
  if (!out) {
    why = no_memory();
    return nullptr;
  }
  out->reader_ = std::move(reader);
  out->mode_reason_ = "source of bytes";
  return out;
}

std::unique_ptr<source> source::from_bytes(std::shared_ptr<byte_source> bytes, const open_options& options,
                                           failure& why, opening_end end) noexcept {
  const auto begin = end == opening_end::front ? std::optional(options.offset) : std::nullopt;
  return from_reader(byte_source_reader::open(std::move(bytes), begin, why), options, why);
}

failure source::read(std::uint64_t offset, std::span<std::byte> out) const noexcept {
  if (file_) {
    failure why = file_.read(begin_ + offset, out);
    if (why) why.offset -= begin_;
    return why;
  }
  if (reader_) {
    read_cost unused{};
    return read(offset, out, unused);
  }
  if (out.empty()) return {};
  if (may_fault()) return core::guarded_copy(out, memory_.data() + offset) ? failure{} : fault();
  std::memcpy(out.data(), memory_.data() + offset, out.size());
  return {};
}

failure source::read(std::uint64_t offset, std::span<const std::span<std::byte>> parts) const noexcept {
  if (file_) {
    failure why = file_.read(begin_ + offset, parts);
    if (why) why.offset -= begin_;
    return why;
  }
  constexpr std::size_t at_once = 8;
  std::array<byte_request, at_once> requests;
  std::size_t count = 0;
  const auto send = [&]() noexcept -> failure {
    const auto now = std::span<const byte_request>(requests).first(std::exchange(count, 0));
    if (reader_ && !now.empty()) return load(now);
    for (const byte_request& each : now)
      if (failure why = read(each.offset, each.out)) return why;
    return {};
  };
  for (const std::span<std::byte> each : parts) {
    if (!each.empty()) requests[count++] = {offset, each};
    offset += each.size();
    if (count == at_once)
      if (failure why = send()) return why;
  }
  return send();
}

failure source::read(std::uint64_t offset, std::span<std::byte> out, read_cost& cost,
                     const std::stop_token& stop) const noexcept {
  if (in_memory()) {
    cost = read_cost::in_memory;
    return read(offset, out);
  }
  failure why = reader_ ? reader_->read(begin_ + offset, out, cost, stop) : file_.read(begin_ + offset, out, cost);
  if (why) why.offset -= begin_;
  return why;
}

failure source::load(std::span<const byte_request> requests) const noexcept {
  if (reader_) {
    failure why = reader_->read(requests, begin_);
    if (why) why.offset -= begin_;
    return why;
  }
  for (const byte_request& each : requests)
    if (failure why = load(each.offset, each.out)) return why;
  return {};
}

std::optional<file_stamp> source::version_stamp() const noexcept {
  const auto digest = reader_->version_digest();
  return digest ? std::optional(file_stamp{.size = reader_->size(), .time = *digest}) : std::nullopt;
}

std::span<const std::byte> source::resident_view(std::uint64_t offset, std::uint64_t size, budget budget,
                                                 failure& why) const noexcept {
  return resident_.view(*this, offset, size, budget, why);
}

failure source::prefetch(std::uint64_t offset, std::uint64_t size) const noexcept {
  failure why;
  const auto bytes = view(offset, size, budget::payload, why);
  if (why || bytes.empty() || !may_fault() || memory_.data() == nullptr) return why;
  // The rest of a file's last page reads as zeros without an error: compare the size.
  if (failure f = check_not_truncated()) {
    const std::uint64_t left = f.found > offset ? f.found - offset : 0;
    if (f.code != make_error_code(errc::file_shrank)) return f;
    if (left < size) return {.code = errc::file_shrank, .offset = offset, .expected = size, .found = left};
  }
  bool supported = false;
  why = populate(bytes, supported);
  if (supported) {
    why.offset = why ? offset : 0;
    return why;
  }
  std::byte one;  // an older kernel: read a byte of each page
  for (std::uint64_t done = 0; done < size; done += 4096)
    if (failure f = read(offset + done, {&one, 1})) return f;
  return {};
}

failure source::check_not_truncated() const noexcept {
  if (!file_) return {};
  file_kind kind{};
  std::uint64_t now = 0;
  if (failure why = file_.stat(kind, now)) return why;
  const std::uint64_t existing = now > begin_ ? now - begin_ : 0;
  if (existing >= size_) return {};
  return {.code = errc::file_shrank, .offset = existing, .expected = size_, .found = existing};
}

std::optional<std::uint32_t> source::owner() const noexcept {
  file_kind kind{};
  std::uint64_t size = 0;
  std::uint32_t out = 0;
  return file_ && !file_.stat(kind, size, &out) ? std::optional(out) : std::nullopt;
}

failure source::fault() const noexcept {
  if (!file_) return {.code = errc::file_shrank};
  const failure why = check_not_truncated();
  return why ? why : failure{.code = {EIO, std::system_category()}};
}

std::uint64_t source::find(std::span<const std::byte> pattern, std::uint64_t from, std::uint64_t to,
                           failure& why) const noexcept {
  if (!may_look(to - from)) return finder(*this).find(pattern, from, to, why);
  std::uint64_t found = to;
  why = look([&](std::span<const std::byte> all) noexcept { found = find_in_memory(all, pattern, from, to); });
  return why ? to : found;
}

std::unique_ptr<source> source::refreshed(const open_options& options, failure& why) const noexcept {
  if (reader_) {
    auto out = from_reader(reader_->reopened(options.offset, why), options, why);
    if (!out || out->size() >= size_ || !out->continues(*this)) return out;
    why = {.code = errc::file_shrank, .expected = size_, .found = out->size()};
    return nullptr;
  }
  if (!file_) {
    auto out = from_memory(memory_, is_constant_ ? memory::constant : memory::may_change,
                           {.io = options.io, .guard = guard_, .max_resident_bytes = options.max_resident_bytes}, why);
    if (out) out->owner_ = owner_;
    return out;
  }
  file copy = file::duplicate(file_.descriptor(), why);
  if (why) return nullptr;
  auto out = from_file(std::move(copy), options, why);
  if (out && out->size() < size_) {
    why = {.code = errc::file_shrank, .expected = size_, .found = out->size()};
    return nullptr;
  }
  if (out) out->is_copy_ = is_copy_;
  return out;
}

bool source::is_replaced_at(const std::filesystem::path& path, failure& why) const noexcept {
  if (reader_) return reader_->is_replaced(why);
  if (!file_ || is_copy_ || path.empty()) return false;
  file_status own, named;
  if (!read_status(file_.descriptor(), own)) {
    why = system_failure();
  } else if (!read_status(AT_FDCWD, path.c_str(), true, named)) {
    if (errno != ENOENT && errno != ENOTDIR) why = system_failure();
  } else {
    return !is_named(file_.descriptor(), own, AT_FDCWD, path.c_str(), named);
  }
  return false;
}

}  // namespace tgmap::io
