// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "../cli/process.hpp"

namespace tgmap_test {

/// Runs "tgmap ARGUMENTS" in a folder, a line of shell, with the faults of fault_library.cpp.
outcome run_with_faults(const std::filesystem::path& folder, const std::string& arguments, const std::string& faults);

/// How often each call is made by that, without faults.
std::map<std::string, long> calls_of(const std::filesystem::path& folder, const std::string& arguments,
                                     const std::string& faults = {});

/// Names of files in a folder, but those in folders of it, and their contents.
std::map<std::string, bytes> contents_of(const std::filesystem::path& folder);

/// A message with a payload of so many bytes, which differ from one another and from `seed` to `seed`.
bytes large_message(std::size_t size, unsigned seed);

}  // namespace tgmap_test
