// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <span>
#include <tgmap/constant/read.hpp>
#include <tgmap/error.hpp>

#include "constant/binary/lz4_text.hpp"
#include "constant/json/json_reader.hpp"
#include "constant/model/byte_buffer.hpp"
#include "constant/model/report.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

namespace {

/// The `file_bytes` of a file are mapped, or read into memory if that is not possible, for example from a pipe.
class file_bytes {
 public:
  file_bytes(const std::filesystem::path&, failure&) noexcept;
  ~file_bytes();
  file_bytes(const file_bytes&) = delete;
  file_bytes& operator=(const file_bytes&) = delete;

  std::span<const std::byte> bytes() const noexcept { return mapped_.empty() ? read_.bytes() : mapped_; }
  bool is_mapped() const noexcept { return !mapped_.empty(); }

 private:
  failure load(int descriptor) noexcept;
  failure read_all(int descriptor) noexcept;

  std::span<const std::byte> mapped_{};
  byte_buffer read_{};
};

failure system_error(int number) noexcept { return {.code = std::error_code(number, std::system_category())}; }

file_bytes::file_bytes(const std::filesystem::path& path, failure& why) noexcept {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    why = system_error(errno);
    return;
  }
  why = load(descriptor);
  ::close(descriptor);
}

file_bytes::~file_bytes() {
  if (is_mapped()) ::munmap(const_cast<std::byte*>(mapped_.data()), mapped_.size());
}

failure file_bytes::load(int descriptor) noexcept {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return system_error(errno);
  if (S_ISDIR(status.st_mode)) return system_error(EISDIR);
  if (S_ISREG(status.st_mode) && status.st_size > 0) {
    const auto size = static_cast<std::size_t>(status.st_size);
    void* at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (at != MAP_FAILED) {
      ::madvise(at, size, MADV_SEQUENTIAL);
      mapped_ = {static_cast<const std::byte*>(at), size};
      return {};
    }
  }
  return read_all(descriptor);
}

failure file_bytes::read_all(int descriptor) noexcept {
  constexpr std::size_t step = std::size_t{1} << 16;
  for (;;) {
    if (!read_.grow(step)) return {.code = tgmap::errc::out_of_memory};
    const ::ssize_t got = ::read(descriptor, read_.data() + read_.size() - step, step);
    if (got < 0 && errno != EINTR) return system_error(errno);
    read_.shrink(step - static_cast<std::size_t>(got > 0 ? got : 0));
    if (got == 0) return {};
  }
}

constexpr std::uint64_t max_decompressed = std::uint64_t{1} << 32;

json::text_view as_text(std::span<const std::byte> bytes, bool is_mapped) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size(), is_mapped};
}

}  // namespace

tensor_constant read_file(const std::filesystem::path& path, const read_options& options, report& into) noexcept {
  failure why;
  const file_bytes file(path, why);
  if (why) return set_problem(into, why), tensor_constant();
  const std::string_view name = path.native();
  if (name.ends_with(".tbf")) return read_typed_binary(file.bytes(), options, into);
  if (!name.ends_with(".lz4")) return json::read_text(as_text(file.bytes(), file.is_mapped()), options, into);
  byte_buffer text;
  why = read_lz4(file.bytes(), file.is_mapped(), max_decompressed, text);
  if (why) return set_problem(into, why), tensor_constant();
  return json::read_text(as_text(text.bytes(), false), options, into);
}

tensor_constant read_file(const std::filesystem::path& path, const read_options& options) {
  report all;
  tensor_constant out = read_file(path, options, all);
  throw_first(all);
  return out;
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
