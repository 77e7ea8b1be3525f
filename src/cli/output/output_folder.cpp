// SPDX-License-Identifier: Apache-2.0
#include "cli/output/output_folder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "cli/app/cli_error.hpp"

namespace tgmap::cli {

bool names_folder(const std::string& output) {
  std::error_code ignored;
  return output.ends_with('/') || (output != "-" && std::filesystem::is_directory(output, ignored));
}

void make_parent_folders(const std::string& file) {
  const auto folder = std::filesystem::path(file).parent_path();
  std::error_code problem;
  if (!folder.empty()) std::filesystem::create_directories(folder, problem);
  if (problem) throw file_error(problem.value(), folder.string());
}

bool needs_parent_folders(const std::string& file) {
  const auto folder = std::filesystem::path(file).parent_path();
  if (folder.empty() || ::access(folder.c_str(), F_OK) == 0) return false;
  auto existing = folder;
  while (!existing.empty() && existing.has_relative_path() && ::access(existing.c_str(), F_OK) != 0 && errno == ENOENT)
    existing = existing.parent_path();
  if (::access(existing.empty() ? "." : existing.c_str(), W_OK | X_OK) != 0) throw file_error(errno, folder.string());
  return true;
}

void refuse_missing_folder(const std::string& output, bool takes_folder) {
  if (output.ends_with('/') && !takes_folder) throw cli_error("is the name of a folder", "name a file in it", output);
  const std::string folder = std::filesystem::path(output).parent_path().string();
  if (folder.empty() || ::access(folder.c_str(), F_OK) == 0 || errno != ENOENT) return;
  const std::string other = takes_folder ? fmt::format("write '{}/' to have it created", folder) : "name another file";
  throw cli_error(fmt::format("the folder '{}' does not exist", folder), "create it, or " + other, output);
}

}  // namespace tgmap::cli
