// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tgmap::cli {

/// One thing that was tried on this machine.
struct test_result {
  std::string label;
  std::optional<std::string> reason;  ///< why it failed; nothing: it did not
};

/// Opens a message of our own making in every way there is and reads it back.
std::vector<test_result> run_self_test();

}  // namespace tgmap::cli
