// SPDX-License-Identifier: Apache-2.0
// Writes manual pages and completion scripts into a directory, laid out as below /usr/share. Used by the build.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <tgmap/version.hpp>

#include "cli/command/command.hpp"
#include "cli/command/option_model.hpp"
#include "manual/completion/completion_script.hpp"
#include "manual/page.hpp"

namespace {

void write(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream out;
  out.exceptions(std::ios::failbit | std::ios::badbit);
  out.open(file, std::ios::binary);
  out << text;
  out.close();
}

}  // namespace

int main(int argc, char** argv) try {
  using namespace tgmap::cli;
  namespace manual = tgmap::manual;
  if (argc != 2) {
    std::fputs("usage: tgmap_documents DIRECTORY\n", stderr);
    return 2;
  }
  const std::filesystem::path share = argv[1];
  session run;
  command of(run);
  const verb_model all = model_of(of.app());
  for (const manual::page& page : manual::all_pages(all)) {
    const std::string section = std::to_string(page.section);
    write(share / "man" / ("man" + section) / (page.name + "." + section), manual::as_roff(page, TGMAP_VERSION_STRING));
  }
  write(share / "bash-completion/completions/tgmap", manual::bash_script(all));
  write(share / "zsh/site-functions/_tgmap", manual::zsh_script(all));
  write(share / "fish/vendor_completions.d/tgmap.fish", manual::fish_script(all));
  return 0;
} catch (const std::exception& why) {
  std::fprintf(stderr, "tgmap_documents: %s\n", why.what());
  return 1;
}
