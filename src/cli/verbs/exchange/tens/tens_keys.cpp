// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <tgmap/zio/curve_keys.hpp>
#include <utility>

#include "cli/app/cli_error.hpp"
#include "cli/verbs/exchange/tens/tens.hpp"
#include "core/text/escape.hpp"
#include "edit/output/output_location.hpp"

namespace tgmap::cli {

namespace {

/// A new file, which appears when both are written.
class key_file {
 public:
  /// Errors: throws cli_error if the name exists; as throw_if.
  key_file(std::string name, unsigned permissions) : name_(std::move(name)) {
    failure why;
    auto place = edit::output_location::of_entry(name_, why);
    if (!why && place.exists) throw_exists();
    edit::throw_if(why, place, name_);
    file_ = std::make_unique<edit::output_file>(place, edit::output_file::appearance::complete, why, permissions);
    edit::throw_if(why, place, name_);
  }

  /// Writes and flushes to the disk.
  void write(const std::string& text) {
    failure why = file_->write(std::as_bytes(std::span(text)));
    if (!why) why = file_->sync();
    edit::throw_if(why, file_->location(), name_);
  }

  void publish() {
    const failure why = file_->publish(edit::output_file::replacement::refused);
    if (why.code == std::errc::file_exists) throw_exists();
    edit::throw_if(why, file_->location(), name_);
  }
  const std::string& name() const noexcept { return name_; }

 private:
  [[noreturn]] void throw_exists() const {
    throw cli_error("already exists, and keys are never replaced", "choose another name", name_);
  }

  std::string name_;
  std::unique_ptr<edit::output_file> file_{};
};

constexpr unsigned readable_by_all = 0644, readable_by_owner = 0600;

void make_keys(const std::string& name, session& run) {
  key_file shared(name + ".key", readable_by_all), secret(name + ".key_secret", readable_by_owner);
  const zio::curve_keys keys = zio::make_curve_keys();
  secret.write(zio::curve_certificate(keys));
  shared.write(zio::curve_certificate({.public_key = keys.public_key, .secret_key = {}}));
  secret.publish();
  try {
    shared.publish();
  } catch (...) {
    std::error_code stays;
    std::filesystem::remove(secret.name(), stays);  // half a pair is of no use
    throw;
  }
  run.out.write(core::escaped(shared.name()) + ": the public key " + keys.public_key + "\n" +
                core::escaped(secret.name()) + ": both keys, readable by its owner only\n");
}

}  // namespace

action declare_tens_keys(CLI::App& app, session& run) {
  const auto name = std::make_shared<std::string>();
  app.add_option("PAIR", *name, "Common name of the two files PAIR.key and PAIR.key_secret")->required()->type_name("");
  return [name, &run] { run.report.guard(*name, [&] { make_keys(*name, run); }); };
}

}  // namespace tgmap::cli
