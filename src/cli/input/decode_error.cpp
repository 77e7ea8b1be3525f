// SPDX-License-Identifier: Apache-2.0
#include "cli/input/decode_error.hpp"

#include <fmt/format.h>

#include "cli/app/report.hpp"
#include "edit/decode_failure.hpp"

namespace tgmap::cli {

cli_error decode_error(const object& of, const failure& why, const std::string& name, const std::string& file) {
  const std::string text = text_without_address(why);
  if (why.code == errc::hash_mismatch) return cli_error(text, next_step(why, file), name).as_damage();
  if (!edit::is_codec_failure(why)) return {text, next_step(why, file), name};
  const codec_info* const absent = edit::absent_codec(of, why);
  const std::string other_codec = absent == nullptr ? ""
                                                    : fmt::format("install {}, or configure a build with -D{}=ON, or ",
                                                                  absent->library, absent->option);
  return {"the elements cannot be decoded: " + edit::decode_failure_text(of, why, why.offset),
          other_codec + "run `tgmap extract --stored -o OUT " + name + "` to get the payload as stored", name};
}

}  // namespace tgmap::cli
