// SPDX-License-Identifier: Apache-2.0
#include "zio/stream/leased_files.hpp"

#include <chrono>

namespace tgmap::zio {

leased_file& leased_files::lease_of(const std::string& file) {
  const auto known = leases_.find(file);
  if (known != leases_.end()) return known->second;
  leased_file& out = leases_.try_emplace(file, file).first->second;
  if (out.may_change()) notify_(file, copy_reason::written);
  return out;
}

void leased_files::release_requested(socket& over) {
  for (auto& [name, file] : leases_) {
    if (!file.is_break_requested()) continue;
    failure why;
    over.drain(std::chrono::milliseconds(file.may_change() ? 0 : 500), {}, why);
    if (!file.may_change()) notify_(name, copy_reason::requested);
    file.force_copies();
    if (!why) file.release_lease();
  }
}

}  // namespace tgmap::zio
