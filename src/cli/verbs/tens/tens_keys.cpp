// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <memory>
#include <string>
#include <tgmap/zio/curve_keys.hpp>

#include "cli/app/cli_error.hpp"
#include "cli/output/output_folder.hpp"
#include "cli/verbs/tens/tens.hpp"
#include "core/text/escape.hpp"

namespace tgmap::cli {

namespace {

/// A new file, which is removed again unless it is kept.
class new_file {
 public:
  /// Errors: throws cli_error if the name exists; file_error.
  new_file(const std::string& name, mode_t mode)
      : name_(name),
        folder_(std::filesystem::path(name).parent_path(), nullptr, name),
        descriptor_(::openat(folder_.descriptor(), name_in_folder().c_str(),
                             O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)) {
    if (descriptor_ >= 0) return;
    if (errno == EEXIST) throw cli_error("already exists, and keys are never replaced", "choose another name", name_);
    throw file_error(errno, name_);
  }
  ~new_file() {
    ::close(descriptor_);
    if (!kept_) ::unlinkat(folder_.descriptor(), name_in_folder().c_str(), 0);
  }
  new_file(const new_file&) = delete;
  new_file& operator=(const new_file&) = delete;

  /// Writes and flushes to the disk.
  void write(const std::string& text) const {
    if (!write_all(descriptor_, std::as_bytes(std::span(text))) || ::fsync(descriptor_) != 0)
      throw file_error(errno, name_);
  }
  void keep() noexcept { kept_ = true; }
  const std::string& name() const noexcept { return name_; }

 private:
  std::string name_in_folder() const { return std::filesystem::path(name_).filename().string(); }

  std::string name_;
  output_folder folder_;
  int descriptor_;
  bool kept_ = false;
};

constexpr mode_t readable_by_all = 0644, readable_by_owner = 0600;

void make_keys(const std::string& name, session& run) {
  new_file shared(name + ".key", readable_by_all), secret(name + ".key_secret", readable_by_owner);
  const zio::curve_keys keys = zio::make_curve_keys();
  secret.write(zio::curve_certificate(keys));
  shared.write(zio::curve_certificate({.public_key = keys.public_key, .secret_key = {}}));
  secret.keep();
  shared.keep();
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
