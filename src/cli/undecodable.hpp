// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tgmap/object.hpp>

#include "cli/complaint.hpp"

namespace tgmap::cli {

/// "encoding simple_packing, compression szip": what stands between the payload and its elements; empty: nothing.
std::string stages_of(const descriptor&);

/// What kept an object from being decoded, in one line, and what to do next: which codec it is, and
/// which option of the build brings it. `name`: the object as a target, of that file.
complaint undecodable(const object&, const failure&, const std::string& name, const std::string& file);

}  // namespace tgmap::cli
