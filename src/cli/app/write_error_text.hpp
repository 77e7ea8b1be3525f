// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "edit/output/write_error.hpp"

namespace tgmap::cli {

/// Throws what went wrong with an output in words: closed_pipe if it is standard output and its reader is gone;
/// usage_error; cli_error; file_error; tgmap::error.
[[noreturn]] void throw_in_words(const edit::output_fault&);

/// Runs `work`, and throws what went wrong with an output in words.
template <class Work>
void with_words(Work&& work) {
  try {
    work();
  } catch (const edit::write_error& why) {
    throw_in_words(why.fault());
  }
}

}  // namespace tgmap::cli
