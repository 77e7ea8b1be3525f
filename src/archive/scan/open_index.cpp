// SPDX-License-Identifier: Apache-2.0
#include "archive/scan/open_index.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "archive/scan/index_owner.hpp"
#include "index_file/open_file.hpp"
#include "index_file/samples.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

/// Number of samples compared when an archive is opened, besides the first and the last bytes.
constexpr std::uint64_t samples_at_open = 2;

}  // namespace

std::uint64_t digest_sample(const io::source& archive, std::uint64_t seed, std::uint64_t i, std::uint64_t covered,
                            failure& why) noexcept {
  const auto range = index_file::sample_at(seed, i, covered);
  std::array<std::byte, index_file::sample_size> bytes;
  const auto sample = std::span(bytes).first(range.size);
  why = archive.load(range.offset, sample);
  return why ? 0 : index_file::sample_digest(sample);
}

namespace {

failure compare_sample(const index_file::trailer& facts, const io::source& archive, std::uint64_t i,
                       std::uint64_t expected) noexcept {
  failure why;
  const std::uint64_t found = digest_sample(archive, facts.sample_seed, i, facts.covered, why);
  if (why || found == expected) return why;
  const std::uint64_t offset = index_file::sample_at(facts.sample_seed, i, facts.covered).offset;
  return {.code = errc::index_mismatch, .offset = offset, .expected = expected, .found = found};
}

}  // namespace

failure compare_sample(const index_file::reader& index, const io::source& archive, std::uint64_t i) noexcept {
  std::uint64_t expected = 0;
  if (failure why = index.read_sample(i, expected)) return why;
  return compare_sample(index.facts(), archive, i, expected);
}

std::shared_ptr<const index_file::reader> open_index(const std::filesystem::path& index, const io::source& archive,
                                                     const open_options& options, failure& why) {
  index_file::owner_check check;  // anybody may own an index that was named
  if (options.index_path.empty())
    check = [&](std::uint32_t owner) { return check_index_owner(owner, archive.owner(), options.trust_index_of); };
  io::file file = index_file::open_file(index, check, why);
  if (why) return nullptr;
  auto bytes = io::source::from_file(std::move(file), {.io = options.io, .guard = options.guard}, why);
  if (why) return nullptr;
  return index_file::reader::open(std::move(bytes), why);
}

bool is_stamped_for(const index_file::reader& index, const io::source& archive, const io::file_stamp& state) noexcept {
  return index.facts().archive_offset == archive.begin() && index.stamps().contains(state);
}

std::optional<io::file_stamp> current_stamp(const index_file::reader& index, const io::source& archive) noexcept {
  const auto now = archive.stamp();
  return now && is_stamped_for(index, archive, *now) ? now : std::nullopt;
}

failure compare_with_archive(const index_file::reader& index, const io::source& archive, const open_options& options,
                             bool is_current, std::uint64_t turn) noexcept {
  const index_file::trailer& facts = index.facts();
  if (facts.covered > archive.size())
    return {.code = errc::index_mismatch, .offset = archive.size(), .expected = facts.covered, .found = archive.size()};
  const std::array limits{std::pair{facts.max_padding, options.max_padding},
                          std::pair{facts.max_objects, options.max_objects},
                          std::pair{facts.max_metadata_bytes, options.max_metadata_bytes}};
  for (const auto& [indexed, asked] : limits)
    if (indexed != asked) return {.code = errc::index_mismatch, .expected = indexed, .found = asked};
  if (const std::uint64_t samples = index_file::sample_count(facts.covered); facts.samples != samples)
    return {.code = errc::index_mismatch, .expected = facts.samples, .found = samples};
  index_file::sample_digests expected{};
  if (failure why = index.read_samples(expected)) return why;
  const auto compare = [&](std::uint64_t i) {
    return compare_sample(facts, archive, i, expected[static_cast<std::size_t>(i)]);
  };
  const std::uint64_t first = is_current ? std::min<std::uint64_t>(facts.samples, 2) : facts.samples;
  for (std::uint64_t i = 0; i < first; ++i)
    if (failure why = compare(i)) return why;
  if (first == facts.samples) return {};
  for (std::uint64_t k = 0; k < samples_at_open; ++k)
    if (failure why = compare(2 + (turn + k) % (facts.samples - 2))) return why;
  return {};
}

fitting_index fit(std::shared_ptr<const index_file::reader> index, const io::source& archive,
                  const open_options& options, failure& why) {
  const auto turn = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  const auto stamp = current_stamp(*index, archive);
  why = compare_with_archive(*index, archive, options, stamp.has_value(), turn);
  return why ? fitting_index() : fitting_index{std::move(index), stamp};
}

fitting_index open_fitting_index(const std::filesystem::path& path, const io::source& archive,
                                 const open_options& options, failure& why) {
  auto index = open_index(path, archive, options, why);
  return why ? fitting_index() : fit(std::move(index), archive, options, why);
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
