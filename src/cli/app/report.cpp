// SPDX-License-Identifier: Apache-2.0
#include "cli/app/report.hpp"

#include <unistd.h>

#include <new>
#include <string>
#include <system_error>

#include "cli/app/cli_error.hpp"
#include "cli/app/write_error_text.hpp"
#include "core/text/escape.hpp"

namespace tgmap::cli {

std::string address_of(std::string_view file, const failure& why) {
  std::string out(file);
  if (!why.message) return out;
  out += ":" + std::to_string(*why.message);
  return why.object ? out + ":" + std::to_string(*why.object) : out;
}

std::string text_without_address(failure why) {
  why.message.reset();
  why.object.reset();
  return why.text();
}

void reporter::say(std::string_view text) {
  out_->flush();  // keeps the order of lines if both streams go to the same place
  out_->clear_progress();
  const std::string line = "tgmap: " + core::escaped(text) + "\n";
  // There is nowhere to report that standard error cannot be written.
  static_cast<void>(write_all(STDERR_FILENO, std::as_bytes(std::span(line))));
}

void reporter::failed(std::string_view file, std::string_view text, std::string_view next_step) {
  status_ = combine(status_, failure_);
  say(std::string(file) + ": " + std::string(text) + "; " + std::string(next_step));
}

void reporter::damaged(std::string_view address, std::string_view text, std::string_view next_step) {
  mark_damaged();
  say(std::string(address) + ": " + std::string(text) + "; " + std::string(next_step));
}

void reporter::failed(std::string_view file, const cli_error& why) {
  const std::string_view name = why.file().empty() ? file : why.file();
  why.is_damage() ? damaged(name, why.what(), why.next_step()) : failed(name, why.what(), why.next_step());
}

void reporter::failed(std::string_view file, const failure& why) {
  if (why.message) return failed_at(address_of(file, why), file, why);
  const std::string text = why.text(), next = next_step(why, file);
  why.code == make_error_code(errc::hash_mismatch) ? damaged(file, text, next) : failed(file, text, next);
}

void reporter::failed_at(std::string_view address, std::string_view file, const failure& why) {
  const std::string text = text_without_address(why), next = next_step(why, file);
  why.code == make_error_code(errc::hash_mismatch) ? damaged(address, text, next) : failed(address, text, next);
}

/// Reports a file that cannot be written.
void reporter::failed_with_words(std::string_view file, const edit::output_fault& of) {
  guard(file, [&] { throw_in_words(of); });
}

void reporter::failed_with_current_exception(std::string_view file) {
  try {
    throw;
  } catch (const usage_error&) {
    throw;
  } catch (const output_error&) {
    throw;
  } catch (const cli_error& why) {
    failed(file, why);
  } catch (const file_error& why) {
    failed(why.file(), failure{.code = why.code()});
  } catch (const edit::write_error& why) {
    failed_with_words(file, why.fault());
  } catch (const error& why) {
    failed(file, why.details());
  } catch (const std::bad_alloc&) {
    failed(file, failure{.code = errc::out_of_memory});
  } catch (const std::system_error& why) {
    failed(file, failure{.code = why.code()});
  } catch (const std::exception& why) {
    failed(file, why.what(), please_report);
  }
}

}  // namespace tgmap::cli
