// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <tgmap/object.hpp>

#include "cli/report.hpp"

namespace tgmap::cli {

/// Reports that the elements of an object could not be had. Where the reason is one of its codecs, also what they are.
void tell_undecoded(std::string_view file, const object&, failure, reporter&);

}  // namespace tgmap::cli
