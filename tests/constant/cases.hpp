// SPDX-License-Identifier: Apache-2.0
// Recorded cases: a text, a type, and what it must be read as.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tgmap/constant/tensor_constant.hpp>

namespace tgmap_test {

/// A file of the shared cases as JSON; nothing, and said loudly, where that is absent.
std::optional<nlohmann::json> shared_cases(const char* file);

/// A constant as the cases tell of one: {"canonical_type", "cells": [{"address", "value"}]}, in the order stored.
nlohmann::json told(const tgmap::constant::tensor_constant&);

/// What is different between a constant and what a case expects, cells as a set, values exactly; empty: nothing.
std::string difference(const tgmap::constant::tensor_constant&, const nlohmann::json& expected);

/// The constant that a case tells of, made without any reader: its cells put into blocks in their order.
tgmap::constant::tensor_constant constant_of(const std::string& type, const nlohmann::json& cells);

}  // namespace tgmap_test
