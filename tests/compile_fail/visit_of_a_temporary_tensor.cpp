// SPDX-License-Identifier: Apache-2.0
// The view that the function gets would outlive the tensor.
#include <tgmap/tgmap.hpp>

std::size_t size(const tgmap::object& object) {
  const auto count = [](const auto& view) { return view.size(); };
#ifdef TGMAP_MUST_FAIL
  return object.decode().visit(count);
#else
  const tgmap::tensor field = object.decode();
  return field.visit(count);
#endif
}
