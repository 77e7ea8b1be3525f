// SPDX-License-Identifier: Apache-2.0
#include "cli/input/damaged_content.hpp"

#include <fmt/format.h>

#include "cli/app/report.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/hash_mismatch.hpp"

namespace tgmap::cli {

namespace {

constexpr std::uint64_t max_lines = 10;  // later ones are only counted

/// Returns for example "object 1 of message 0" or "the header metadata of message 0".
std::string subject_of(const failure& why) {
  std::string out = why.argument != nullptr ? fmt::format("the {}", why.argument) : std::string();
  if (why.object) out += fmt::format("{}object {}", out.empty() ? "" : " of ", *why.object);
  return out + (why.message ? fmt::format(" of message {}", *why.message)
                            : fmt::format(" of a message, at offset {},", why.offset));
}

std::string text_of(const failure& why) {
  const std::string reason =
      is_hash_mismatch(why)
          ? fmt::format("its hash does not match ({:#x} is stored, the bytes have {:#x})", why.expected, why.found)
          : text_without_address(why);
  return fmt::format("{} is damaged: {}", subject_of(why), reason);
}

}  // namespace

CLI::Option* add_take_damaged(CLI::App& app, on_mismatch& into, const std::string& effect) {
  return app.add_flag_callback(
      "--take-damaged", [&into] { into = on_mismatch::take; }, effect);
}

void damage_check::load(const std::string& file, const message& from, std::span<const std::size_t> objects,
                        stored_message& to) {
  failure why;
  to.load(from, objects, on_mismatch::take, why);
  for (const failure& each : to.mismatches) accept(file, from, each);
  if (why) throw error(why);
}

void damage_check::accept(const std::string& file, const message& in, const failure& damage) {
  const std::string address = address_text(file, in, damage), text = text_of(damage);
  if (rule_ == on_mismatch::refuse) throw cli_error(text, "add --take-damaged to accept it as it is", address);
  run_.report.mark_damaged();
  if (++reported_ <= max_lines) run_.report.damaged(address, text, "it is taken as it is");
}

void damage_check::finish(const std::string& file) {
  if (reported_ > max_lines)
    run_.report.say(fmt::format("{}: {} more such errors; all of it is taken as it is", file, reported_ - max_lines));
}

}  // namespace tgmap::cli
