// SPDX-License-Identifier: Apache-2.0
// The elements are owned by the tensor, which a range-for would destroy before the first iteration.
#include <tgmap/tgmap.hpp>

double sum(const tgmap::object& object) {
  double out = 0;
#ifdef TGMAP_MUST_FAIL
  for (const double x : object.decode_as<double>().view<double>().values()) out += x;
#else
  const tgmap::tensor field = object.decode_as<double>();
  for (const double x : field.view<double>().values()) out += x;
#endif
  return out;
}
