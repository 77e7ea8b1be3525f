// SPDX-License-Identifier: Apache-2.0
#include "index/add_stamp.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

using index_file::page_size;

/// Checks that a file is that of an index: it has the identity of its trailer.
failure check_identity(const io::file& file, const index_file::trailer& facts) noexcept {
  std::array<std::byte, page_size> last;
  if (failure why = file.read((facts.pages - 1) * page_size, last)) return why;
  if (index_file::trailer::load(last) == facts) return {};
  return {.code = errc::index_mismatch, .expected = facts.identity};
}

}  // namespace

failure write_stamps(int descriptor, const index_file::reader& index, const index_file::stamp_page& stamps) noexcept {
  std::array<std::byte, page_size> page{};
  stamps.store(page);
  const std::uint64_t number = index.stamp_page_number();
  index_file::seal_page(page, index.facts().identity, number);
  const auto written = ::pwrite(descriptor, page.data(), page.size(), static_cast<::off_t>(number * page_size));
  if (written < 0) return io::system_failure();
  const bool is_whole = static_cast<std::size_t>(written) == page.size();
  return is_whole ? failure{} : failure{.code = std::make_error_code(std::errc::io_error)};
}

failure add_stamp(const std::filesystem::path& path, const index_file::reader& index,
                  const io::file_stamp& stamp) noexcept {
  const io::file file(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK));
  if (!file) return io::system_failure();
  if (failure why = check_identity(file, index.facts())) return why;
  auto stamps = index.stamps();
  stamps.add(stamp);
  return write_stamps(file.descriptor(), index, stamps);
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
