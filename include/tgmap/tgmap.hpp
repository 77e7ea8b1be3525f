// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \mainpage tgmap
/// Opens `.tgm` archives through a memory mapping and gives O(1) access to any message and any object, as const views
/// into the mapping, with nothing copied. Start with tgmap::archive.

#include <tgmap/access_report.hpp>
#include <tgmap/appender.hpp>
#include <tgmap/archive.hpp>
#include <tgmap/array_view.hpp>
#include <tgmap/build_info.hpp>
#include <tgmap/codecs.hpp>
#include <tgmap/decode_many.hpp>
#include <tgmap/decoding.hpp>
#include <tgmap/descriptor.hpp>
#include <tgmap/digest.hpp>
#include <tgmap/dtype.hpp>
#include <tgmap/errc.hpp>
#include <tgmap/error.hpp>
#include <tgmap/executor.hpp>
#include <tgmap/finding.hpp>
#include <tgmap/frame.hpp>
#include <tgmap/fwd.hpp>
#include <tgmap/gap.hpp>
#include <tgmap/item.hpp>
#include <tgmap/keys.hpp>
#include <tgmap/mapping_guard.hpp>
#include <tgmap/message.hpp>
#include <tgmap/metadata.hpp>
#include <tgmap/missing_mask.hpp>
#include <tgmap/new_object.hpp>
#include <tgmap/object.hpp>
#include <tgmap/options.hpp>
#include <tgmap/part_reader.hpp>
#include <tgmap/pin.hpp>
#include <tgmap/pipeline.hpp>
#include <tgmap/sink.hpp>
#include <tgmap/slab.hpp>
#include <tgmap/sort_value.hpp>
#include <tgmap/stored_message.hpp>
#include <tgmap/stream_writer.hpp>
#include <tgmap/tensor.hpp>
#include <tgmap/validate.hpp>
#include <tgmap/value.hpp>
#include <tgmap/version.hpp>
#include <tgmap/where.hpp>
#include <tgmap/where_fault.hpp>
#include <tgmap/writer.hpp>
