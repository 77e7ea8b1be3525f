// SPDX-License-Identifier: Apache-2.0
#include "cli/stream/sent_files.hpp"

#include <fmt/format.h>

#include <chrono>

#include "cli/app/session.hpp"
#include "cli/input/archives.hpp"

namespace tgmap::cli {

archive sent_files::archive_of(const target& what) {
  const auto known = archives_.find(what.file);
  if (known != archives_.end()) return known->second;
  return archives_.emplace(what.file, open_archive(what, *run_)).first->second;
}

zio::leased_file& sent_files::lease_of(const target& what) {
  const auto known = leases_.find(what.file);
  if (known != leases_.end()) return known->second;
  zio::leased_file& out = leases_.try_emplace(what.file, what.file).first->second;
  if (out.may_change() && !copies_)
    run_->report.hint(fmt::format("{}: another program is writing it; payloads are copied", what.file));
  return out;
}

void sent_files::release_requested(zio::socket& over) {
  for (auto& [name, file] : leases_) {
    if (!file.is_break_requested()) continue;
    failure why;
    over.drain(std::chrono::milliseconds(file.may_change() ? 0 : 500), {}, why);
    if (!file.may_change())
      run_->report.hint(fmt::format("{}: another program is writing it; payloads are copied from now on", name));
    file.force_copies();
    if (!why) file.release_lease();
  }
}

}  // namespace tgmap::cli
