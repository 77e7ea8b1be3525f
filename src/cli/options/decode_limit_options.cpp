// SPDX-License-Identifier: Apache-2.0
#include "cli/options/decode_limit_options.hpp"

#include <algorithm>
#include <tgmap/decode/decode_many.hpp>

#include "cli/app/session.hpp"
#include "cli/options/option_checks.hpp"

namespace tgmap::cli {

namespace {

constexpr std::uint64_t gib = std::uint64_t{1} << 30;
constexpr std::uint64_t default_object = 4 * gib;  // several times the largest fields in use
constexpr std::uint64_t default_message = 16 * gib;
constexpr total_limit default_total{.bytes = 64 * gib, .ratio = 1000};

struct limit_descriptions {
  std::string decoded, memory;
};

limit_descriptions descriptions_for(decoding_verb verb) {
  const std::string memory = "Maximum bytes of objects decoded at the same time; may use fewer threads";
  switch (verb) {
    case decoding_verb::messages:
      return {"Maximum decoded bytes of an object; default: 4GiB",
              "Maximum decoded bytes of a message; default: 16GiB"};
    case decoding_verb::received:
      return {"Maximum bytes of a part of a message; default: 4GiB", "Maximum bytes of a message; default: 16GiB"};
    case decoding_verb::constants:
      return {"Maximum bytes of a constant; default: 1GiB, or 32 per byte of text", memory};
    case decoding_verb::inputs: return {"Maximum decompressed bytes of an array; default: 4GiB", {}};
    default: return {"Maximum decoded bytes of an object; default: 4GiB", memory};
  }
}

}  // namespace

std::uint64_t decode_limits::object_bytes() const noexcept {
  const std::uint64_t limit = max_decoded.value_or(default_decoded);
  return max_memory ? std::min(limit, std::max<std::uint64_t>(*max_memory / objects_per_thread, 1)) : limit;
}

std::optional<std::uint64_t> decode_limits::requested_object_bytes() const noexcept {
  return max_decoded || max_memory ? std::optional(object_bytes()) : std::nullopt;
}

std::uint64_t decode_limits::read_ahead_bytes() const noexcept {
  return max_memory.value_or(decode_many_options{}.max_bytes);
}

std::uint64_t decode_limits::message_bytes() const noexcept { return max_memory.value_or(default_message); }

unsigned decode_limits::threads(unsigned wanted) const noexcept {
  if (!max_memory) return wanted;
  const std::uint64_t fitting = *max_memory / objects_per_thread / object_bytes();
  return static_cast<unsigned>(std::clamp<std::uint64_t>(fitting, 1, std::max(wanted, 1U)));
}

total_limit decode_limits::total() const noexcept {
  return max_total ? total_limit{.bytes = *max_total} : default_total;
}

void add_decode_limits(CLI::App& app, session& run, decoding_verb verb) {
  // Set only for the verb that runs: help and manual declare all verbs.
  app.preparse_callback([&run, verb](std::size_t) {
    run.limits.default_decoded = default_object;
    run.limits.objects_per_thread = verb == decoding_verb::pairs ? 2 : 1;
  });
  app.add_option("--max-decoded", run.limits.max_decoded, descriptions_for(verb).decoded)
      ->transform(size_in_bytes())
      ->type_name("BYTES");
  if (verb == decoding_verb::inputs) return;
  add_max_memory(app, run, descriptions_for(verb).memory);
}

void add_max_memory(CLI::App& app, session& run, const std::string& description) {
  app.add_option("--max-memory", run.limits.max_memory, description)->transform(size_in_bytes())->type_name("BYTES");
}

void add_max_total(CLI::App& app, session& run) {
  app.add_option(
         "--max-total", run.limits.max_total,
         "Maximum decoded bytes of a whole archive; default: 64GiB, and at most 1000 times the bytes read plus 1GiB")
      ->transform(size_in_bytes())
      ->type_name("BYTES");
}

}  // namespace tgmap::cli
