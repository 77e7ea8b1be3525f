// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <tgmap/decode/executor.hpp>
#include <tgmap/error.hpp>
#include <tgmap/message.hpp>
#include <tgmap/object.hpp>
#include <utility>
#include <vector>

#include "statistics/element_statistics.hpp"

namespace tgmap::statistics {

/// An object and the statistics of its elements.
struct object_statistics {
  tgmap::message message;
  tgmap::object object;
  element_statistics found{};
  std::uint64_t masked = 0;  ///< masked elements
  failure why{};             ///< set if the elements could not be decoded; `found` is then empty
};

/// Options of an `object_measurement`.
struct measurement_options {
  tgmap::executor* executor = nullptr;  ///< null: the calling thread alone
  bool verify = false;                  ///< compares the hash of each object
  std::uint64_t max_bytes = 0;          ///< decoded bytes that are held at once
};

/// An `object_measurement` computes the statistics of many objects. It decodes them in batches with several threads,
/// and passes the results on in the order of the objects. Strides are ignored.
/// Lifetime: the archives, or pins of them, must outlive the objects that wait.
class object_measurement {
 public:
  using receiver = std::function<void(const object_statistics&)>;

  object_measurement(const measurement_options& how, receiver take) : how_(how), take_(std::move(take)) {}

  /// Adds an object, and measures those that wait if they are enough for a batch. Errors: throws std::bad_alloc, and
  /// what the receiver throws. An object that cannot be decoded is a result.
  void add(const message&, const object&);

  /// Measures the objects that still wait. Errors: as add().
  void finish();

 private:
  measurement_options how_;
  receiver take_;
  std::vector<message> messages_{};
  std::vector<object> objects_{};
  std::uint64_t bytes_ = 0;
};

}  // namespace tgmap::statistics
