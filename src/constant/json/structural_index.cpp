// SPDX-License-Identifier: Apache-2.0
#include "constant/json/structural_index.hpp"

#include <simdjson.h>

#include <algorithm>
#include <bit>
#include <new>

namespace tgmap {
inline namespace v0 {
namespace constant::json {

static_assert(structural_index::padding >= simdjson::SIMDJSON_PADDING);

struct structural_index::scanner {
  std::unique_ptr<simdjson::internal::dom_parser_implementation> stages{};
};

structural_index::structural_index() : scanner_(std::make_unique<scanner>()) {}
structural_index::~structural_index() = default;

structural_index::status structural_index::find(const char* text, std::size_t size) {
  auto& stages = scanner_->stages;
  size_ = 0;
  if (!stages || stages->capacity() < size) {
    const std::size_t capacity = std::min(std::bit_ceil(size), simdjson::SIMDJSON_MAXSIZE_BYTES);
    const auto failed =
        stages ? stages->set_capacity(capacity)
               : simdjson::get_active_implementation()->create_dom_parser_implementation(capacity, 1, stages);
    if (failed) throw std::bad_alloc();
  }
  switch (stages->stage1(reinterpret_cast<const std::uint8_t*>(text), size, simdjson::stage1_mode::regular)) {
    case simdjson::SUCCESS: size_ = stages->n_structural_indexes; return status::valid;
    case simdjson::EMPTY: return status::valid;
    case simdjson::UNCLOSED_STRING: return status::unclosed_string;
    default: return status::invalid;
  }
}

const std::uint32_t* structural_index::offsets() const noexcept { return scanner_->stages->structural_indexes.get(); }

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap
