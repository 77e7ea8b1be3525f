// SPDX-License-Identifier: Apache-2.0
#include "edit/output/index_beside.hpp"

#include <tgmap/archive.hpp>
#include <tgmap/tools/index.hpp>

#include "edit/output/write_error.hpp"

namespace tgmap::edit {

void write_index_beside(const std::string& archive, executor* threads) {
  failure why;
  write_index(archive, {.executor = threads}, why);
  if (why) throw write_error({.what = output_fault::kind::index, .why = why, .name = index_path(archive).string()});
}

void complete_index_beside(const std::string& file, std::string_view trust_index_of, executor* threads) {
  failure why;
  const archive of = archive::open(file, {.trust_index_of = trust_index_of}, why);
  const index_status index = of.index_status();
  if (why || !index.is_current || index.covered_bytes != of.size_bytes()) write_index_beside(file, threads);
}

}  // namespace tgmap::edit
