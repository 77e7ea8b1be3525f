// SPDX-License-Identifier: Apache-2.0
#include "cli/output/temporary_file.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <initializer_list>

namespace tgmap::cli {

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
    if (block->next == nullptr) block->next = new name_block;  // only one thread creates outputs
  }
}

extern "C" void remove_files_and_raise(int signal) {
  for (name_block* block = &first_block; block != nullptr; block = block->next)
    for (auto& slot : block->slots)
      if (const temporary_file::entry* const one = slot.exchange(nullptr))
        ::unlinkat(one->folder, one->name.c_str(), 0);
  ::raise(signal);  // its action is the default again, and runs once this handler returns
}

void install_handlers() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGXCPU}) {
    struct sigaction current {};
    if (::sigaction(signal, nullptr, &current) != 0 || current.sa_handler != SIG_DFL) continue;
    struct sigaction ours {};
    ours.sa_handler = remove_files_and_raise;
    ours.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(signal, &ours, nullptr);
  }
}

}  // namespace

temporary_file::temporary_file(std::shared_ptr<const output_folder> folder, std::string name)
    : folder_(std::move(folder)), name_(std::move(name)) {
  [[maybe_unused]] static const bool installed = (install_handlers(), true);
  auto own = std::make_unique<const entry>(entry{folder_->descriptor(), name_});
  slot_ = &register_entry(own.get());
  static_cast<void>(own.release());  // the slot owns it now
}

temporary_file::~temporary_file() {
  if (slot_ == nullptr) return;
  ::unlinkat(folder_->descriptor(), name_.c_str(), 0);
  release();
}

temporary_file& temporary_file::operator=(temporary_file&& from) noexcept {
  std::swap(slot_, from.slot_);
  std::swap(folder_, from.folder_);
  std::swap(name_, from.name_);
  return *this;
}

void temporary_file::release() noexcept {
  if (slot_ == nullptr) return;
  delete slot_->exchange(nullptr);  // null if the handler took it
  slot_ = nullptr;
}

}  // namespace tgmap::cli
