// SPDX-License-Identifier: Apache-2.0
// Folders of outputs: names that are folders, and folders that are made.
#pragma once

#include <string>

namespace tgmap::cli {

/// Returns true if the name of an output is that of a folder: it ends with "/", or the folder exists.
bool names_folder(const std::string& output);

/// Makes the missing folders on the path of a file. Called for outputs with keys in brackets and for outputs that are
/// folders. Errors: throws file_error.
void make_parent_folders(const std::string& file);

/// Returns true if make_parent_folders would make a folder. Errors: throws file_error if it could not.
bool needs_parent_folders(const std::string& file);

/// Throws cli_error if the folder of an output does not exist, and for a name that ends with "/". `takes_folder`: the
/// verb makes a folder with such a name.
void refuse_missing_folder(const std::string& output, bool takes_folder);

}  // namespace tgmap::cli
