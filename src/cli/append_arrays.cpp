// SPDX-License-Identifier: Apache-2.0
#include "cli/append_arrays.hpp"

namespace tgmap::cli {

bool make_messages(const array_messages& of, const new_metadata& metadata, memory_sink& to, session& run) {
  message_maker made(to, of.plan, metadata);
  bool fine = true;
  const auto take = [&](const auto& work) {
    try {
      work();
    } catch (const refused_array& why) {
      run.report.failed(why.array(), why.what(), why.next_step());
      fine = false;
    }
  };
  for (const std::string& file : of.files) {
    bool whole = false;
    run.report.guard(file, [&] {
      for_each_array(file, of.arrays, run.limits.of_object(),
                     [&](array_input&& each) { take([&] { made.add(std::move(each)); }); });
      whole = true;
    });
    if (!whole || !fine) return false;
  }
  take([&] { made.finish(); });
  return fine;
}

}  // namespace tgmap::cli
