// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tgmap/constant/read.hpp>
#include <tgmap/constant/tensor_constant.hpp>

#include "cli/app/session.hpp"

namespace tgmap::cli {

/// Reads a constant: of a file of JSON (also in an LZ4 frame, or on standard input) or typed binary, or of a message of
/// an archive: FILE.tgm:MESSAGE, or FILE.tgm with only one. Of an archive the options count as far as they say a type.
/// Throws usage_error (several messages, objects named); tgmap::error and cli_error of archives. What is wrong with a
/// file's content is in the report.
constant::tensor_constant read_constant(const std::string& from, const constant::read_options&, session&,
                                        constant::report&);

/// The same; what is wrong is thrown, after all of it but the last has been told. Throws cli_error.
constant::tensor_constant sound_constant(const std::string& from, const constant::read_options&, session&);

/// Whether it begins as an archive does, or names a message.
bool names_archive(const std::string& from);

/// `FILE:12:7`, where it is known.
std::string place_of(const std::string& file, const constant::problem&);

/// What to do about it.
std::string next_step_of_constant(const constant::problem&, const std::string& file);

}  // namespace tgmap::cli
