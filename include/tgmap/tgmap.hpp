// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \mainpage tgmap
/// Opens `.tgm` archives through a memory mapping. Gives O(1) access to any message and any object as const views into
/// the mapping; nothing is copied. Start with tgmap::archive.
///
/// This header includes all headers of the CMake target `tgmap::tgmap` except the adapters. Include these where they
/// are needed:
/// - `adapters/mdspan.hpp`: takes `std::mdspan` or the implementation that a program includes before it;
/// - `adapters/multi_array.hpp` and `adapters/iostreams.hpp`: need the headers of Boost.MultiArray and Boost.Iostreams.
///
/// It does not include three libraries of their own, which a build may leave out:
/// - `tools/address.hpp`, `caption.hpp`, `collection.hpp`, `compare.hpp`, `copy.hpp`, `disk_usage.hpp`, `grid.hpp`,
///   `metadata_edits.hpp`, `rewrite.hpp`, `survey.hpp`: whole archives, target `tgmap::tools`, CMake component `tools`;
/// - `zio/`: ZIO messages and sockets, target `tgmap::zio`, CMake component `zio`; see docs/zio.md;
/// - `constant/`: tensor constants, target `tgmap::constant`, CMake component `constant`; see docs/constant.md.

#include <tgmap/archive.hpp>
#include <tgmap/array_view.hpp>
#include <tgmap/build_info.hpp>
#include <tgmap/byte_source.hpp>
#include <tgmap/cbor_view.hpp>
#include <tgmap/decode/archive_cache.hpp>
#include <tgmap/decode/codecs.hpp>
#include <tgmap/decode/decode_many.hpp>
#include <tgmap/decode/executor.hpp>
#include <tgmap/decode/gather.hpp>
#include <tgmap/decode/missing_mask.hpp>
#include <tgmap/decode/part_reader.hpp>
#include <tgmap/descriptor.hpp>
#include <tgmap/dtype.hpp>
#include <tgmap/enum_names.hpp>
#include <tgmap/errc.hpp>
#include <tgmap/error.hpp>
#include <tgmap/frame.hpp>
#include <tgmap/fwd.hpp>
#include <tgmap/gap.hpp>
#include <tgmap/index_status.hpp>
#include <tgmap/mapping_guard.hpp>
#include <tgmap/message.hpp>
#include <tgmap/metadata.hpp>
#include <tgmap/object.hpp>
#include <tgmap/options.hpp>
#include <tgmap/query/indexed_selection.hpp>
#include <tgmap/query/key_columns.hpp>
#include <tgmap/query/key_listing.hpp>
#include <tgmap/query/known_keys.hpp>
#include <tgmap/query/metadata_key.hpp>
#include <tgmap/query/parameters.hpp>
#include <tgmap/query/selection.hpp>
#include <tgmap/query/selection_search.hpp>
#include <tgmap/query/sort_reader.hpp>
#include <tgmap/tensor.hpp>
#include <tgmap/tools/explain.hpp>
#include <tgmap/tools/index.hpp>
#include <tgmap/tools/self_test.hpp>
#include <tgmap/tools/validate.hpp>
#include <tgmap/untyped_view.hpp>
#include <tgmap/version.hpp>
#include <tgmap/write/appender.hpp>
#include <tgmap/write/cbor_value.hpp>
#include <tgmap/write/new_message.hpp>
#include <tgmap/write/packing.hpp>
#include <tgmap/write/pipeline.hpp>
#include <tgmap/write/sink.hpp>
#include <tgmap/write/stream_writer.hpp>
#include <tgmap/write/szip_offsets.hpp>
#include <tgmap/write/writer.hpp>
