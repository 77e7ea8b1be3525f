// SPDX-License-Identifier: Apache-2.0
#include <tgmap/write/packing.hpp>

#include "errors.hpp"
#include "input_array.hpp"
#include "pipeline.hpp"

namespace tgmap_python {
namespace {

nb::dict compute_packing(nb::handle values, nb::kwargs given) {
  const input_array elements = dense_elements_of(values, tgmap::dtype::float64);
  given["encoding"] = "simple_packing";
  keywords options(std::move(given));
  const tgmap::pipeline how = take_pipeline(options).pipeline;
  const std::span<const double> numbers(reinterpret_cast<const double*>(elements.data.data()),
                                        elements.data.size() / sizeof(double));
  tgmap::failure why;
  const tgmap::packing_options found =
      without_lock(elements.data.size() > long_work_bytes, [&] { return tgmap::compute_packing(numbers, how, why); });
  raise_if(why);
  nb::dict out;
  out["bits"] = found.bits;
  out["decimal_scale"] = found.decimal_scale;
  out["reference"] = found.reference.value_or(0);
  out["binary_scale"] = found.binary_scale.value_or(0);
  return out;
}

}  // namespace

void register_packing(nb::module_& m) {
  m.def("compute_packing", compute_packing, "values"_a, "pipeline"_a,
        "Return the parameters with which simple_packing encodes float64 values, without encoding them: a dict of "
        "bits, decimal_scale, reference and binary_scale, which tgmap.encode takes as keywords.\n\n"
        "Args:\n"
        "    values: an array of float64.\n"
        "    pipeline: bits or max_error, decimal_scale, and the further stages; see tgmap.encode.\n\n"
        "Raises:\n"
        "    Error: NaN or an infinity, or no scale fits the range of the values.");
}

}  // namespace tgmap_python
