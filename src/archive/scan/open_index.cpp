// SPDX-License-Identifier: Apache-2.0
#include "archive/scan/open_index.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>
#include <span>
#include <utility>

#include "archive/scan/index_owner.hpp"
#include "index_file/open_file.hpp"
#include "index_file/samples.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

/// Number of samples compared when an archive is opened: the first and the last bytes, and two others. As many are
/// read at once.
constexpr std::size_t samples_at_once = 4;

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

/// Compares samples, at most `samples_at_once`.
failure compare_samples(const index_file::trailer& facts, const io::source& archive,
                        std::span<const std::uint64_t> numbers, const index_file::sample_digests& expected) noexcept {
  std::array<std::array<std::byte, index_file::sample_size>, samples_at_once> bytes;
  std::array<byte_request, samples_at_once> samples;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const auto range = index_file::sample_at(facts.sample_seed, numbers[k], facts.covered);
    samples[k] = {range.offset, std::span(bytes[k]).first(range.size)};
  }
  if (failure why = archive.load(std::span<const byte_request>(samples).first(numbers.size()))) return why;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const std::uint64_t stored = expected[static_cast<std::size_t>(numbers[k])];
    const std::uint64_t found = index_file::sample_digest(samples[k].out);
    if (found != stored)
      return {.code = errc::index_mismatch, .offset = samples[k].offset, .expected = stored, .found = found};
  }
  return {};
}

}  // namespace

failure compare_sample(const index_file::reader& index, const io::source& archive, std::uint64_t i) noexcept {
  std::uint64_t expected = 0;
  failure why = index.read_sample(i, expected);
  if (why) return why;
  const index_file::trailer& facts = index.facts();
  const std::uint64_t found = digest_sample(archive, facts.sample_seed, i, facts.covered, why);
  if (why || found == expected) return why;
  const std::uint64_t offset = index_file::sample_at(facts.sample_seed, i, facts.covered).offset;
  return {.code = errc::index_mismatch, .offset = offset, .expected = expected, .found = found};
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
  if (!is_current || facts.samples <= 2) {
    for (std::uint64_t first = 0; first < facts.samples; first += samples_at_once) {
      std::array<std::uint64_t, samples_at_once> numbers{};
      std::iota(numbers.begin(), numbers.end(), first);
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(samples_at_once, facts.samples - first));
      if (failure why = compare_samples(facts, archive, std::span(numbers).first(count), expected)) return why;
    }
    return {};
  }
  const auto other = [&](std::uint64_t k) { return 2 + (turn + k) % (facts.samples - 2); };
  return compare_samples(facts, archive, std::array{std::uint64_t{0}, std::uint64_t{1}, other(0), other(1)}, expected);
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
