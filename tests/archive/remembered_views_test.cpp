// SPDX-License-Identifier: Apache-2.0
// A view that is asked for again says what the first one said.
#include <algorithm>
#include <support/samples.hpp>
#include <support/shared_data.hpp>
#include <tgmap/tgmap.hpp>

using namespace tgmap_test;
using tgmap::array_view;
using tgmap::failure;
using tgmap::stride_policy;
