// SPDX-License-Identifier: Apache-2.0
#include "io/mapping.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <boost/interprocess/exceptions.hpp>
#include <cerrno>
#include <new>

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22  // Linux 5.14; older headers lack the name
#endif

namespace tgmap::io {

namespace {

/// Lets boost::interprocess::mapped_region map a descriptor that we opened.
struct mappable_descriptor {
  boost::interprocess::mapping_handle_t get_mapping_handle() const {
    return boost::interprocess::ipcdetail::mapping_handle_from_file_handle(descriptor);
  }
  int descriptor;
};

}  // namespace

mapping mapping::of(const file& file, std::uint64_t offset, std::uint64_t size, failure& why,
                    access_pattern pattern) noexcept {
  mapping out;
  if (size > SIZE_MAX) {
    why = {.code = errc::out_of_memory, .found = size};
    return out;
  }
  try {
    out.region_ = boost::interprocess::mapped_region(
        mappable_descriptor{file.descriptor()}, boost::interprocess::read_only,
        static_cast<boost::interprocess::offset_t>(offset), static_cast<std::size_t>(size));
    if (pattern == access_pattern::scattered)
      out.region_.advise(boost::interprocess::mapped_region::advice_random);  // a hint: nothing depends on it
  } catch (const boost::interprocess::interprocess_exception& e) {
    const int code = e.get_native_error();
    why = {.code = {code != 0 ? code : EIO, std::system_category()}};
  } catch (const std::bad_alloc&) {
    why = {.code = errc::out_of_memory};
  }
  return out;
}

failure populate(std::span<const std::byte> mapped, bool& supported) noexcept {
#ifdef __linux__
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(mapped.data()) & ~(page - 1);
  const auto end = reinterpret_cast<std::uintptr_t>(mapped.data()) + mapped.size();
  supported = true;
  while (::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_POPULATE_READ) != 0) {
    if (errno == EINTR || errno == EAGAIN) continue;
    supported = errno != EINVAL;
    if (!supported) return {};
    if (errno == EFAULT) return {.code = errc::file_shrank, .expected = mapped.size()};
    return system_failure();
  }
  return {};
#else
  supported = false;
  return {};
#endif
}

}  // namespace tgmap::io
