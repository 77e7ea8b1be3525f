// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/doomed_name.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <initializer_list>

namespace tgmap::cli {

namespace {

/// Names, for a signal handler: found without a lock, never moved, never freed. Who takes a name out owns it.
struct name_block {
  std::array<std::atomic<const doomed_name::entry*>, 64> slots{};
  std::atomic<name_block*> next = nullptr;
};
static_assert(std::atomic<const doomed_name::entry*>::is_always_lock_free, "a signal handler reads it");

constinit name_block first_names{};

std::atomic<const doomed_name::entry*>& keep_for_handler(const doomed_name::entry* name) {
  for (name_block* block = &first_names;; block = block->next) {
    for (auto& slot : block->slots) {
      const doomed_name::entry* none = nullptr;
      if (slot.compare_exchange_strong(none, name)) return slot;
    }
    if (block->next == nullptr) block->next = new name_block;  // one thread makes outputs
  }
}

extern "C" void remove_names_and_die(int signal) {
  for (name_block* block = &first_names; block != nullptr; block = block->next)
    for (auto& slot : block->slots)
      if (const doomed_name::entry* const one = slot.exchange(nullptr)) ::unlinkat(one->folder, one->name.c_str(), 0);
  ::raise(signal);  // its action is the default one again, and it is taken once this returns
}

/// Once, before there is a name.
void install_handlers() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGXCPU}) {
    struct sigaction now {};
    if (::sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
    struct sigaction ours {};
    ours.sa_handler = remove_names_and_die;
    ours.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(signal, &ours, nullptr);
  }
}

}  // namespace

doomed_name::doomed_name(std::shared_ptr<const output_folder> folder, std::string name)
    : folder_(std::move(folder)), name_(std::move(name)) {
  [[maybe_unused]] static const bool installed = (install_handlers(), true);
  auto seen = std::make_unique<const entry>(entry{folder_->descriptor(), name_});
  slot_ = &keep_for_handler(seen.get());
  static_cast<void>(seen.release());  // the slot owns it
}

doomed_name::~doomed_name() {
  if (slot_ == nullptr) return;
  ::unlinkat(folder_->descriptor(), name_.c_str(), 0);
  spare();
}

doomed_name& doomed_name::operator=(doomed_name&& from) noexcept {
  std::swap(slot_, from.slot_);
  std::swap(folder_, from.folder_);
  std::swap(name_, from.name_);
  return *this;
}

void doomed_name::spare() noexcept {
  if (slot_ == nullptr) return;
  delete slot_->exchange(nullptr);  // null: the handler has it
  slot_ = nullptr;
}

}  // namespace tgmap::cli
