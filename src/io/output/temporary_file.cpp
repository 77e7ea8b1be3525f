// SPDX-License-Identifier: Apache-2.0
#include "io/output/temporary_file.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <random>
#include <utility>

#include "io/file.hpp"
#ifdef __linux__
#include <sys/random.h>
#endif

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

/// A block of names that the signal handler removes. Blocks are found without a lock, never move and are never freed.
/// The code that takes an entry out of a slot owns it.
struct name_block {
  std::array<std::atomic<const temporary_file::entry*>, 64> slots{};
  std::atomic<name_block*> next = nullptr;
};
static_assert(std::atomic<const temporary_file::entry*>::is_always_lock_free, "a signal handler reads it");

constinit name_block first_block{};

std::atomic<const temporary_file::entry*>& register_entry(const temporary_file::entry* name) {
  for (name_block* block = &first_block;; block = block->next) {
    for (auto& slot : block->slots) {
      const temporary_file::entry* none = nullptr;
      if (slot.compare_exchange_strong(none, name)) return slot;
    }
    if (block->next != nullptr) continue;
    auto more = std::make_unique<name_block>();
    name_block* none = nullptr;
    if (block->next.compare_exchange_strong(none, more.get())) static_cast<void>(more.release());
  }
}

extern "C" void remove_files_and_raise(int signal) {
  for (name_block* block = &first_block; block != nullptr; block = block->next)
    for (auto& slot : block->slots)
      if (const temporary_file::entry* const one = slot.exchange(nullptr); one != nullptr && one->owner == ::getpid())
        ::unlinkat(one->folder, one->name.c_str(), 0);
  ::raise(signal);  // its action is the default again, and runs once this handler returns
}

failure random_number(std::uint64_t& out) {
#ifdef __linux__
  if (::getrandom(&out, sizeof out, 0) != sizeof out) return io::system_failure();
#else
  std::random_device device;
  out = std::uint64_t{device()} << 32 | device();
#endif
  return {};
}

}  // namespace

void remove_temporary_files_at_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGXCPU}) {
    struct ::sigaction current {};
    if (::sigaction(signal, nullptr, &current) != 0 || current.sa_handler != SIG_DFL) continue;
    struct ::sigaction ours {};
    ours.sa_handler = remove_files_and_raise;
    ours.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(signal, &ours, nullptr);
  }
}

temporary_file::temporary_file(std::shared_ptr<const output_folder> folder, failure& why) : folder_(std::move(folder)) {
  std::uint64_t number = 0;
  why = random_number(number);
  if (why) return;
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), ".tgmap-%016llx", static_cast<unsigned long long>(number));
  name_ = text.data();
  auto own = std::make_unique<const entry>(entry{folder_->descriptor(), ::getpid(), name_});
  slot_ = &register_entry(own.get());
  static_cast<void>(own.release());  // the slot owns it now
}

temporary_file::~temporary_file() {
  if (slot_ == nullptr) return;
  const std::unique_ptr<const entry> own(slot_->exchange(nullptr));  // null if the handler took it
  if (own && own->owner == ::getpid()) ::unlinkat(own->folder, own->name.c_str(), 0);
}

void temporary_file::release() noexcept {
  if (slot_ == nullptr) return;
  delete slot_->exchange(nullptr);
  slot_ = nullptr;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
