// SPDX-License-Identifier: Apache-2.0
#include "cli/input/damaged_content.hpp"

#include <fmt/format.h>

#include "cli/app/report.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/hash_check.hpp"

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

cli_error error_of(const failure& why) {
  cli_error out(text_of(why), "add --take-damaged to accept it as it is");
  if (why.object) out.in_object(static_cast<std::size_t>(*why.object));
  return out;
}

}  // namespace

CLI::Option* add_take_damaged(CLI::App& app, on_mismatch& into, const std::string& effect) {
  return app.add_flag_callback(
      "--take-damaged", [&into] { into = on_mismatch::take; }, effect);
}

hash_result check_hash(const object& of, on_mismatch rule, std::vector<failure>& damage) {
  failure why;
  std::uint64_t found = 0;
  const hash_result out = of.verify(found, why);
  if (why) throw error(why);
  if (out != hash_result::mismatch) return out;
  why = {.code = errc::hash_mismatch,
         .offset = of.frame().offset(),
         .expected = of.stored_hash().value_or(0),
         .found = found,
         .message = of.frame().message().index(),
         .object = of.index()};
  if (rule == on_mismatch::refuse) throw error_of(why);
  damage.push_back(why);
  return out;
}

void damage_check::load(const std::string& file, const message& from, stored_message& to) {
  failure why;
  to.load(from, on_mismatch::take, why);
  accept(file, from, to.mismatches);
  if (why) throw error(why);
}

void damage_check::load(const std::string& file, const message& from, std::span<const std::size_t> objects,
                        stored_message& to) {
  failure why;
  to.load(from, objects, on_mismatch::take, why);
  accept(file, from, to.mismatches);
  if (why) throw error(why);
}

void damage_check::accept(const std::string& file, const message& in, const std::vector<failure>& damage) {
  for (const failure& each : damage) {
    const cli_error why = error_of(each);
    const std::string address = address_text(file, in, why.object());
    if (rule_ == on_mismatch::refuse) throw cli_error(why.what(), why.next_step(), address);
    run_.report.mark_damaged();
    if (++reported_ <= max_lines) run_.report.damaged(address, why.what(), "it is taken as it is");
  }
}

void damage_check::finish(const std::string& file) {
  if (reported_ > max_lines)
    run_.report.say(fmt::format("{}: {} more such errors; all of it is taken as it is", file, reported_ - max_lines));
}

}  // namespace tgmap::cli
