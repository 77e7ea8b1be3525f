// SPDX-License-Identifier: Apache-2.0
#include "cli/app/input_bytes.hpp"

#include <unistd.h>

#include "cli/app/cli_error.hpp"

namespace tgmap::cli {

input_bytes read_input(const std::string& file) {
  failure why;
  input_bytes out = file == "-" ? input_bytes::read(STDIN_FILENO, why) : input_bytes::read(file, why);
  if (why.code == errc::is_directory) throw cli_error("is a directory", "name the files in it", file);
  if (why.code == errc::file_shrank)
    throw cli_error("became shorter while it was read", "try again once nothing writes to it");
  if (why) throw file_error(why.code.value(), file);
  return out;
}

}  // namespace tgmap::cli
