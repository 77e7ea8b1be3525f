// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tgmap/export.hpp>
#include <vector>

namespace tgmap {
inline namespace v0 {

/// A `parameter` is a quantity to which ECMWF's parameter database gives a number, such as the temperature 2 m above
/// ground. Lifetime: its texts are valid until the process ends.
struct parameter {
  std::uint32_t id = 0;              ///< ecCodes' paramId: 167
  std::string_view short_name{};     ///< ecCodes' shortName: "2t"
  std::string_view variable{};       ///< name of a variable in NetCDF files, ecCodes' cfVarName: "t2m"
  std::string_view units{};          ///< "K"; empty if unknown
  std::string_view standard_name{};  ///< of the CF conventions, "air_temperature"; empty if it has none
};

/// Returns the parameter of a number, or nothing. Thread safety: any number of threads.
/// Complexity: O(log n) in the number of known parameters.
TGMAP_API std::optional<parameter> find_parameter(std::uint64_t id) noexcept;

/// Returns the parameters that a text names: by a short name ("2t"), a number ("167"), or the number and table of GRIB
/// 1 as MARS writes them ("167.128"). Some short names belong to several parameters. They are in the order of their
/// numbers. Empty for other texts. Thread safety: any number of threads.
/// Errors: throws std::bad_alloc.
/// Complexity: O(log n) in the number of known parameters.
TGMAP_API std::vector<parameter> find_parameters(std::string_view text);

/// Returns the texts that name one of the parameters of find_parameters(text), without `text` itself: for "2t" these
/// are "167" and "167.128". Conditions with `=` and `!=` on keys whose last part is `param` or `paramId` accept them,
/// too. Thread safety, errors, complexity: as find_parameters.
TGMAP_API std::vector<std::string> parameter_synonyms(std::string_view text);

}  // namespace v0
}  // namespace tgmap
