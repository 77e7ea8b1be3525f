// SPDX-License-Identifier: Apache-2.0
#include "cli/rewrite/layout_writers.hpp"

namespace tgmap::cli {

void layout_writers::write(const message_parts& what) {
  const write_options& how = what.options;
  auto& by = writers_[{how.version, how.hashes, how.index, how.hash_list}];
  if (!by) by = std::make_unique<writer>(*to_, how);
  failure why;
  by->write(what.content, why);
  if (!why) return;
  to_->rethrow_problem();
  throw error(why);
}

}  // namespace tgmap::cli
