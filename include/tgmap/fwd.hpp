// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Declares the classes and enumerations of tgmap without defining them, for headers that only name them. Leaves out
/// class templates, which need the concepts of dtype.hpp, and `hash_result`, since gcc would then ignore its attribute.
/// Leaves out the components `tools`, `zio` and `constant`, too.

#include <cstdint>

namespace tgmap {
inline namespace v0 {

struct access_cost;
struct access_obstacle;
struct access_report;
struct access_step;
struct access_target;
struct append_options;
class appender;  // NOLINT(bugprone-forward-declaration-namespace): {fmt} has one, too
class archive;
struct archive_range;
struct bfloat16;
class bit_view;
struct blosc2_options;
struct build_info;
struct byte_range;
struct byte_request;
class byte_source;
class cbor_value;
class cbor_view;
struct codec_info;
class codec_set;
struct decode_many_options;
struct decode_many_result;
struct decode_options;
struct dependency;
struct descriptor;
class descriptor_sink;
class error;
class executor;
struct failed_object;
struct failure;
class file_sink;
struct file_sink_options;
struct finding;
struct float16;
class frame;
class frame_range;
struct gap;
struct incomplete_tail;
class indexed_keys;
class key_check;
struct key_column;
struct key_columns;
struct key_columns_options;
class key_lookup;
class key_result;
class known_keys;
struct mask;
class memory_sink;
class message;  // NOLINT(bugprone-forward-declaration-namespace): zio has one, too
class message_position;
struct message_report;
struct message_summary;
class metadata;
class metadata_key;
class missing_mask;
struct missing_options;
struct new_message;
struct new_object;
class object;
struct open_options;
struct opening_request;
class optional_index;
struct packing_options;
struct part_cost;
class part_reader;
class pin;
struct pipeline;
struct pipeline_change;
struct progress;
struct provenance;
struct search_counts;
struct search_match;
struct search_options;
struct selected_message;
class selected_messages;
struct selected_object;
class selected_objects;
class selection;
struct selection_match;
class selection_search;
struct self_test_result;
class short_name;
class sink;
struct slab;
struct sort_column;
class sort_key;
class sort_reader;
struct source_costs;
struct source_state;
struct stored_message;
struct stored_object;
class stream_writer;
struct sz3_options;
struct szip_options;
class tensor;
struct total_limit;
struct unread_message;
struct untyped_view;
struct validate_options;
struct validation_result;
class validation_visitor;
struct write_options;  // NOLINT(bugprone-forward-declaration-namespace): constant has one, too
class writer;
struct zfp_options;

enum class access_route : std::uint8_t;
enum class access_stage : std::uint8_t;
enum class blosc2_codec : std::uint8_t;
enum class byte_order : std::uint8_t;
enum class cbor_kind : std::uint8_t;
enum class column_type : std::uint8_t;
enum class compression : std::uint8_t;
enum class condition : int;
enum class dtype : std::uint8_t;
enum class encoding : std::uint8_t;
enum class errc : int;
enum class filter : std::uint8_t;
enum class finding_code : std::uint8_t;
enum class frame_type : std::uint16_t;
enum class guard_use : std::uint8_t;
enum class index_answer : std::uint8_t;
enum class index_location : std::uint8_t;
enum class index_placement : std::uint8_t;
enum class index_trust : std::uint8_t;
enum class index_use : std::uint8_t;
enum class io_mode : std::uint8_t;
enum class mask_kind : std::uint8_t;
enum class mask_method : std::uint8_t;
enum class memory : std::uint8_t;
enum class object_lookup : std::uint8_t;
enum class on_damage : std::uint8_t;
enum class on_failure : std::uint8_t;
enum class on_mismatch : std::uint8_t;
enum class on_tail : std::uint8_t;
enum class output_byte_order : std::uint8_t;
enum class search_purpose : std::uint8_t;
enum class selection_error : std::uint8_t;
enum class selection_syntax : std::uint8_t;
enum class severity : std::uint8_t;
enum class storage_order : std::uint8_t;
enum class stride_policy : std::uint8_t;
enum class sz3_bound : std::uint8_t;
enum class validation_level : std::uint8_t;
enum class validation_mode : std::uint8_t;
enum class zfp_mode : std::uint8_t;

}  // namespace v0
}  // namespace tgmap
