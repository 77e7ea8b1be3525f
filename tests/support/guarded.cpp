// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <support/guarded.hpp>
#include <system_error>

namespace tgmap_test {

guarded_bytes::guarded_bytes(std::size_t capacity) : page_(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))) {
  mapped_ = (capacity / page_ + 3) * page_;
  void* address = ::mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
  mapping_ = static_cast<std::byte*>(address);
  if (::mprotect(mapping_, page_, PROT_NONE) || ::mprotect(mapping_ + mapped_ - page_, page_, PROT_NONE))
    throw std::system_error(errno, std::generic_category(), "mprotect");
}

guarded_bytes::~guarded_bytes() { ::munmap(mapping_, mapped_); }

std::span<const std::byte> guarded_bytes::hold(std::string_view data) {
  if (data.size() > mapped_ - 2 * page_) throw std::length_error("guarded_bytes: more than its capacity");
  std::byte* address = mapping_ + mapped_ - page_ - data.size();
  if (!data.empty()) std::memcpy(address, data.data(), data.size());
  return {address, data.size()};
}

}  // namespace tgmap_test
