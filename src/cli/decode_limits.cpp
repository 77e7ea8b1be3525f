// SPDX-License-Identifier: Apache-2.0
#include "cli/decode_limits.hpp"

#include <algorithm>
#include <string>
#include <tgmap/decode/decode_many.hpp>

#include "cli/number_checks.hpp"
#include "cli/session.hpp"

namespace tgmap::cli {

namespace {

constexpr std::uint64_t gib = std::uint64_t{1} << 30;
constexpr std::uint64_t usual_object = 4 * gib;  // some times the largest fields there are
constexpr std::uint64_t usual_message = 16 * gib;
constexpr total_limit usual_total{.bytes = 64 * gib, .ratio = 1000};

struct limit_words {
  std::string decoded, memory;
};

limit_words words_of(decoding_verb verb) {
  const std::string memory = "Hold no more bytes of decoded objects at one time, with fewer threads where need be";
  switch (verb) {
    case decoding_verb::messages:
      return {"Refuse objects that decode to more bytes; 4GiB unless given",
              "Refuse messages of which more bytes are decoded, all objects together; 16GiB unless given"};
    case decoding_verb::received:
      return {"Refuse messages with a part of more bytes; 4GiB unless given",
              "Refuse messages of more bytes, all parts together; 16GiB unless given"};
    case decoding_verb::constants:
      return {"Refuse constants of more bytes; unless given 1GiB, or 32 for each byte of text", memory};
    case decoding_verb::inputs: return {"Refuse arrays that decompress to more bytes; 4GiB unless given", {}};
    default: return {"Refuse objects that decode to more bytes; 4GiB unless given", memory};
  }
}

}  // namespace

std::uint64_t decode_limits::of_object() const noexcept {
  const std::uint64_t most = max_decoded.value_or(usual_decoded);
  return max_memory ? std::min(most, std::max<std::uint64_t>(*max_memory / objects_each, 1)) : most;
}

std::optional<std::uint64_t> decode_limits::asked_of_object() const noexcept {
  return max_decoded || max_memory ? std::optional(of_object()) : std::nullopt;
}

std::uint64_t decode_limits::ahead() const noexcept { return max_memory.value_or(decode_many_options{}.max_bytes); }

std::uint64_t decode_limits::of_message() const noexcept { return max_memory.value_or(usual_message); }

unsigned decode_limits::threads(unsigned wanted) const noexcept {
  if (!max_memory) return wanted;
  const std::uint64_t fitting = *max_memory / objects_each / of_object();
  return static_cast<unsigned>(std::clamp<std::uint64_t>(fitting, 1, std::max(wanted, 1U)));
}

total_limit decode_limits::of_all() const noexcept {
  return max_total ? total_limit{.bytes = *max_total} : usual_total;
}

void add_decode_limits(CLI::App& app, session& run, decoding_verb verb) {
  // Only of the verb that is run: all are declared for the help and the manual.
  app.preparse_callback([&run, verb](std::size_t) {
    run.limits.usual_decoded = usual_object;
    run.limits.objects_each = verb == decoding_verb::pairs ? 2 : 1;
  });
  app.add_option("--max-decoded", run.limits.max_decoded, words_of(verb).decoded)
      ->transform(size_in_bytes())
      ->type_name("BYTES");
  if (verb == decoding_verb::inputs) return;
  add_max_memory(app, run, words_of(verb).memory);
}

void add_max_memory(CLI::App& app, session& run, const std::string& description) {
  app.add_option("--max-memory", run.limits.max_memory, description)->transform(size_in_bytes())->type_name("BYTES");
}

void add_max_total(CLI::App& app, session& run) {
  app.add_option(
         "--max-total", run.limits.max_total,
         "End before more bytes of an archive than that are decoded in all; unless given 64GiB, and 1000 times the "
         "bytes read so far and 1GiB")
      ->transform(size_in_bytes())
      ->type_name("BYTES");
}

}  // namespace tgmap::cli
