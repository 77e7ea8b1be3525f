// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/doomed_name.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <new>

namespace tgmap::cli {

namespace {

/// Names, for a signal handler: found without a lock, never moved, never freed. Who takes a name out owns it.
struct name_block {
  std::array<std::atomic<const char*>, 64> slots{};
  std::atomic<name_block*> next = nullptr;
};
static_assert(std::atomic<const char*>::is_always_lock_free, "a signal handler reads it");

constinit name_block first_names{};

std::atomic<const char*>& keep_for_handler(const char* name) {
  for (name_block* block = &first_names;; block = block->next) {
    for (auto& slot : block->slots) {
      const char* none = nullptr;
      if (slot.compare_exchange_strong(none, name)) return slot;
    }
    if (block->next == nullptr) block->next = new name_block;  // one thread makes outputs
  }
}

extern "C" void remove_names_and_die(int signal) {
  for (name_block* block = &first_names; block != nullptr; block = block->next)
    for (auto& slot : block->slots)
      if (const char* const name = slot.exchange(nullptr)) ::unlink(name);
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

doomed_name::doomed_name(std::filesystem::path path) : path_(std::move(path)) {
  [[maybe_unused]] static const bool installed = (install_handlers(), true);
  char* const copy = ::strdup(path_.c_str());
  if (copy == nullptr) throw std::bad_alloc();
  try {
    slot_ = &keep_for_handler(copy);
  } catch (...) {
    std::free(copy);
    throw;
  }
}

doomed_name::~doomed_name() {
  if (slot_ == nullptr) return;
  ::unlink(path_.c_str());
  spare();
}

doomed_name& doomed_name::operator=(doomed_name&& from) noexcept {
  std::swap(slot_, from.slot_);
  std::swap(path_, from.path_);
  return *this;
}

void doomed_name::spare() noexcept {
  if (slot_ == nullptr) return;
  std::free(const_cast<char*>(slot_->exchange(nullptr)));  // null: the handler has it
  slot_ = nullptr;
}

}  // namespace tgmap::cli
