// SPDX-License-Identifier: Apache-2.0
#include "samples.hpp"

namespace tgmap_test {

bytes two_objects() {
  object_spec grid = numbers_object<float>("float32", {1, 2, 3, 4, 5, 6});
  grid.shape = {2, 3};
  return message({.objects = {grid, bytes_object("abcd")}});
}

bytes old_message() {
  object_spec numbers{.dtype = "int16", .shape = {3}, .payload = bytes("\0\1\0\2\0\3", 6), .byte_order = "big"};
  return message({.version = 2, .objects = {numbers}});
}

bytes streamed_message() {
  return message({.objects = {numbers_object<double>("float64", {0.5, -1})}, .writing = writing::streamed});
}

bytes packed_message() {
  object_spec packed = bytes_object("not really zstd");
  packed.filter = "shuffle";
  packed.compression = "zstd";
  packed.masks = {{.kind = "nan", .method = "rle", .blob = bytes("\0\x0f", 2)}};
  return message({.objects = {packed}});
}

bytes lying_message() {
  return message({.objects = {bytes_object("abcd")}, .lie = [](index_spec& index) { index.offsets[0] = 8; }});
}

bytes forecast() { return two_objects() + old_message() + streamed_message(); }

}  // namespace tgmap_test
