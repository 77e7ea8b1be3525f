// SPDX-License-Identifier: Apache-2.0
#include "operations/decode_floors.hpp"

#include <cstring>

#include "floors/packing_loops.hpp"

namespace tgmap_bench {

namespace {

bool has_loop(unsigned bits) { return bits == 8 || bits == 12 || bits == 16 || bits == 24; }

std::string name_of_finish(const pipeline& how) {
  if (how.packed == 0) return "memcpy";
  const std::string loop = std::to_string(has_loop(how.packed) ? how.packed : 16) + "-bit loop";
  return how.shuffled != 0 ? "memcpy, " + loop : loop;
}

}  // namespace

floor_loop floor_of(const pipeline& how, const std::shared_ptr<const opened_objects>& in, std::size_t j,
                    shared_octets out, bool in_memory) {
  pipeline loop = how;
  // Other widths use the loop for 16 bits on arbitrary bytes: as many elements, other values.
  const bool other = how.packed != 0 && !has_loop(how.packed);
  if (other) loop.packed = 16;
  const auto stored = (*in)[j].payload();
  const std::size_t encoded = in->encoded()[j].decompressed;
  const std::size_t needed = other ? out->size() / sizeof(double) * 2 : encoded;
  const auto between = make_octets(std::max(needed, encoded) + unpack_overread);
  if (how.codec.empty()) {
    if (other || (how.packed != 0 && how.shuffled != 0))
      return {.name = name_of_finish(how), .run = [=] {
                if (how.shuffled != 0) std::memcpy(between->data(), stored.data(), encoded);
                bare_finish(loop, *between, *out);
              }};
    return {.name = name_of_finish(how), .run = [=] { bare_finish(loop, stored, *out); }};
  }
  const bare_codec& codec = *find_bare_codec(how.codec);
  const shared_octets copy = in_memory ? nullptr : make_octets(stored.size());
  const auto from = in_memory ? stored : std::span<const std::byte>(*copy);
  const bare_call library = codec.decoding({from, encoded}, how.sample());
  const bare_call call = [=](std::span<std::byte> to) {
    if (copy) std::memcpy(copy->data(), stored.data(), stored.size());
    library(to);
  };
  const std::string first = in_memory ? "" : "memcpy, ";
  if (how.packed == 0 && how.shuffled == 0)
    return {.name = first + std::string(codec.library), .run = [=] { call(*out); }};
  return {.name = first + std::string(how.codec) + ", " + name_of_finish(how), .run = [=] {
            call(std::span(*between).first(encoded));
            bare_finish(loop, *between, *out);
            static_cast<void>(in);
          }};
}

}  // namespace tgmap_bench
