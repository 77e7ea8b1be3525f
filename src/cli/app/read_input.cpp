// SPDX-License-Identifier: Apache-2.0
#include "cli/app/read_input.hpp"

#include <unistd.h>

#include "cli/app/cli_error.hpp"

namespace tgmap::cli {

convert::file_bytes read_input(const std::string& file) {
  failure why;
  convert::file_bytes out =
      file == "-" ? convert::file_bytes::read(STDIN_FILENO, why) : convert::file_bytes::read(file, why);
  if (why.code == errc::is_directory) throw cli_error("is a directory", "name the files in it", file);
  if (why.code == errc::file_shrank)
    throw cli_error("became shorter while it was read", "try again once nothing writes to it");
  if (why) throw file_error(why.code.value(), file);
  return out;
}

}  // namespace tgmap::cli
