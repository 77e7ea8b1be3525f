// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tgmap/object.hpp>

#include "cli/complaint.hpp"

namespace tgmap::cli {

/// "encoding simple_packing, compression szip": the stages of an object that a failure is about: the one that it tells
/// of, or all of them; empty where it is about none.
std::string stages_concerned(const object&, const failure&);

/// "compression sz3: the codec is not built in, or its library is not installed": what kept an object from being
/// decoded, without its place.
std::string why_not_decoded(const object&, const failure&);

/// The same for people, with what to do next, such as the option that brings a codec. `name`: the object as a target,
/// of that file.
complaint undecodable(const object&, const failure&, const std::string& name, const std::string& file);

}  // namespace tgmap::cli
