// SPDX-License-Identifier: Apache-2.0
// Shared cases: a text, a type, and the expected constant.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tgmap/constant/tensor_constant.hpp>

namespace tgmap_test {

/// Returns a file of shared cases as JSON, or nothing with a message if it is absent.
std::optional<nlohmann::json> shared_cases(const char* file);

/// Returns a constant in the form of the cases: {"canonical_type", "cells": [{"address", "value"}]}, in the order
/// stored.
nlohmann::json to_case(const tgmap::constant::tensor_constant&);

/// Returns the difference between a constant and the expected one: cells in any order, exact values. Empty if none.
std::string difference(const tgmap::constant::tensor_constant&, const nlohmann::json& expected);

/// Makes the constant of a case without a reader.
tgmap::constant::tensor_constant constant_of(const std::string& type, const nlohmann::json& cells);

}  // namespace tgmap_test
