// SPDX-License-Identifier: Apache-2.0
#include "cli/input/hash_check.hpp"

#include <fmt/format.h>

#include "cli/input/archives.hpp"
#include "cli/print/human_numbers.hpp"

namespace tgmap::cli {

namespace {

failure mismatch(std::optional<std::uint64_t> stored, std::uint64_t found) {
  return {.code = errc::hash_mismatch, .expected = stored.value_or(0), .found = found};
}

/// Compares the frames that are not objects. Frames of version 2 have no hashes.
failure check_frames(const message& m) {
  failure why;
  frame_range frames = m.frames(why);
  for (frame each; !why && frames.next(each, why);) {
    if (each.is_object()) continue;
    std::uint64_t found = 0;
    const hash_result result = each.verify(found, why);
    if (!why && result == hash_result::mismatch) why = mismatch(each.stored_hash(), found);
  }
  return why ? failure_in(m, why) : why;
}

std::string address_of(const std::string& file, const object& one) {
  const message_position& at = one.frame().message();
  const auto number = at.index();
  return (number ? fmt::format("{}:{}", file, *number) : fmt::format("{}@{}", file, at.offset())) + ":" +
         std::to_string(one.index());
}

}  // namespace

CLI::Option* add_verify(CLI::App& app, bool& into, const std::string& effect) {
  return app.add_flag("--verify", into, "Compare stored hashes with the bytes " + effect);
}

bool is_hash_mismatch(const failure& why) { return why.code == make_error_code(errc::hash_mismatch); }

std::string address_text(const std::string& file, const message& of, const failure& why) {
  const auto object = why.object;
  return address_text(file, of, object ? std::optional(static_cast<std::size_t>(*object)) : std::nullopt);
}

failure hash_check::check(const std::string& file, const message& m) {
  if (m.version() == 1) {
    add(file, &unverified::messages, address_text(file, m));
    return {};
  }
  failure why = check_frames(m);
  const std::size_t objects = why ? 0 : m.size(why);
  for (std::size_t j = 0; j < objects && !why; ++j) {
    const object one = m.at(j, why);
    if (!why) why = check_object(file, one);
  }
  return why ? failure_in(m, why) : why;
}

failure hash_check::check(const std::string& file, const message& m, std::size_t object) {
  {
    const std::lock_guard lock(mutex_);
    const auto [known, is_new] = checked_frames_.try_emplace({file, m.offset()});
    if (is_new) known->second = check_frames(m);
    if (known->second) return known->second;
  }
  failure why;
  const tgmap::object one = m.at(object, why);
  if (!why) why = check_object(file, one);
  return why ? failure_in(m, why) : why;
}

failure hash_check::check_object(const std::string& file, const object& one) {
  failure why;
  std::uint64_t found = 0;
  const hash_result result = one.verify(found, why);
  if (!why && result == hash_result::mismatch) why = mismatch(one.stored_hash(), found);
  if (why) {
    why.message = one.frame().message().index();
    why.object = one.index();
    if (why.offset == 0) why.offset = one.frame().offset();
    return why;
  }
  if (result != hash_result::match) add(file, &unverified::objects, address_of(file, one));
  return {};
}

void hash_check::count(const std::string& file, const object& one) {
  if (!one.stored_hash()) add(file, &unverified::objects, address_of(file, one));
}

void hash_check::add(const std::string& file, std::uint64_t unverified::*which, std::string address) {
  const std::lock_guard lock(mutex_);
  unverified& to = unverified_[file];
  if (++(to.*which) == 1 && to.first.empty()) to.first = std::move(address);
}

void hash_check::report(session& run) const {
  for (const auto& [file, each] : unverified_) {
    std::string what;
    if (each.objects != 0) what = count_text(each.objects, "object") + " without a hash";
    if (each.messages != 0)
      what += (what.empty() ? "" : " and ") + count_text(each.messages, "message") + " of version 1";
    run.report.say(fmt::format("{}: not verified: {}, first {}; `tgmap rehash` adds hashes", file, what, each.first));
  }
}

}  // namespace tgmap::cli
