// SPDX-License-Identifier: Apache-2.0
#include <tgmap/write/packing.hpp>

#include "cpp/arrays/input_array.hpp"
#include "cpp/interpreter/errors.hpp"
#include "cpp/writing/pipeline.hpp"

namespace tgmap_python {
namespace {

nb::dict compute_packing(nb::handle array, nb::kwargs given) {
  keywords options(std::move(given));
  const pipeline_options how = take_pipeline(options, tgmap::encoding::simple_packing);
  const input_array elements = dense_elements_of(array, tgmap::dtype::float64);
  const std::span numbers(reinterpret_cast<const double*>(elements.data.data()), elements.data.size() / sizeof(double));
  tgmap::failure why;
  tgmap::packing_options found;
  without_lock(elements.data.size() > long_work_bytes,
               [&] { found = tgmap::compute_packing(numbers, how.pipeline, why); });
  raise_if(why);
  nb::dict out;
  out["bits"] = found.bits;
  out["decimal_scale"] = found.decimal_scale;
  out["reference"] = *found.reference;
  out["binary_scale"] = *found.binary_scale;
  return out;
}

}  // namespace

void register_packing(nb::module_& m) {
  m.def("compute_packing", compute_packing, "array"_a, "pipeline"_a,
        "Return the parameters of simple_packing for float64 elements, as keywords of a pipeline: bits, decimal_scale, "
        "reference and binary_scale.\n\n"
        "Args:\n"
        "    array: float64 elements.\n"
        "    pipeline: bits or max_error, decimal_scale, and stages that limit the bits; see tgmap.encode.\n\n"
        "Raises:\n"
        "    Error: NaN or infinities that are not allowed, or a range that no scale fits.");
}

}  // namespace tgmap_python
