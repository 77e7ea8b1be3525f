// SPDX-License-Identifier: Apache-2.0
#include "cli/options/decode_limit_options.hpp"

#include "cli/options/option_checks.hpp"

namespace tgmap::cli {

namespace {

constexpr std::uint64_t default_object = std::uint64_t{4} << 30;  // several times the largest fields in use

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
