// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "../cli/process.hpp"

namespace tgmap_test {

/// Runs "tgmap ARGUMENTS" as a shell line in a folder, with faults of fault_library.cpp.
outcome run_with_faults(const std::filesystem::path& folder, const std::string& arguments, const std::string& faults);

/// Returns how often each call is made by that line without faults.
std::map<std::string, long> calls_of(const std::filesystem::path& folder, const std::string& arguments,
                                     const std::string& faults = {});

/// Returns names and contents of the files in a folder, without subfolders.
std::map<std::string, bytes> contents_of(const std::filesystem::path& folder);

/// Returns a message with a payload of `size` pseudo-random bytes that depend on `seed`.
bytes large_message(std::size_t size, unsigned seed);

}  // namespace tgmap_test
