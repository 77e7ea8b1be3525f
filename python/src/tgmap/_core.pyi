from collections.abc import (
    ItemsView,
    Iterator,
    KeysView,
    Mapping,
    Sequence,
    ValuesView
)
from types import EllipsisType
from typing import Any, overload

from ._sequence import Messages, Objects
from ._types import Gap, PartCost, Tail
import numpy
from numpy.typing import NDArray
from typing_extensions import Self


__version__: str

def _shown(text: str) -> str:
    """Return text of a file for people: escaped as the command does it."""

class Metadata:
    """
    Keys and values, as a read-only mapping. What is no key may be a path: metadata['mars.levelist[0]'].
    """

    def __getitem__(self, key: str, /) -> Any: ...

    def get(self, key: str, default: Any = None) -> Any: ...

    def __contains__(self, key: object | None) -> bool: ...

    def __len__(self) -> int: ...

    def __bool__(self) -> bool: ...

    def __iter__(self) -> Iterator[str]: ...

    def keys(self) -> KeysView[str]: ...

    def values(self) -> ValuesView[Any]: ...

    def items(self) -> ItemsView[str, Any]: ...

    def to_dict(self) -> dict[str, Any]:
        """Return all keys as a dict."""

    def __eq__(self, other: object, /) -> bool: ...

    def __reduce__(self) -> tuple[Any, ...]: ...

    def __repr__(self) -> str: ...

class Descriptor:
    """The description of a tensor, as it is stored."""

    @property
    def type(self) -> str: ...

    @property
    def dtype(self) -> str:
        """Name of the dtype in the format, such as 'float32' or 'bitmask'."""

    @property
    def shape(self) -> tuple[int, ...]:
        """(self) -> tuple"""

    @property
    def strides(self) -> tuple[int, ...]:
        """Strides in elements, as stated."""

    @property
    def ndim(self) -> int: ...

    @property
    def byte_order(self) -> str: ...

    @property
    def encoding(self) -> str: ...

    @property
    def filter(self) -> str: ...

    @property
    def compression(self) -> str: ...

    @property
    def is_plain(self) -> bool:
        """Whether the payload holds the elements themselves."""

    @property
    def params(self) -> dict[str, Any]:
        """Parameters of the stages, and further keys."""

    def to_dict(self) -> dict[str, Any]:
        """Return all entries as stored."""

    def __getitem__(self, key: str, /) -> Any: ...

    def __repr__(self) -> str: ...

class _ObjectIterator:
    def __iter__(self) -> _ObjectIterator: ...

    def __next__(self) -> Object: ...

class Message:
    """One message of an archive: its metadata and its objects."""

    def __len__(self) -> int: ...

    def __bool__(self) -> bool: ...

    @overload
    def __getitem__(self, number: int) -> Object: ...
    @overload
    def __getitem__(self, numbers: slice) -> Objects: ...

    def __iter__(self) -> Iterator[Object]: ...

    @property
    def offset(self) -> int:
        """Offset of the first byte in the archive."""

    @property
    def length(self) -> int:
        """Number of bytes."""

    @property
    def version(self) -> int:
        """Version of the wire format: 1, 2 or 3."""

    @property
    def index(self) -> int | None:
        """
        Number in the archive; None for a message found by its offset or from the end, until a scan has reached it.
        """

    @property
    def is_streamed(self) -> bool:
        """
        Whether it was written as a stream, without its length at the beginning.
        """

    @property
    def is_incomplete(self) -> bool:
        """Whether it is a stream that was cut; its whole objects can be read."""

    @property
    def metadata(self) -> Metadata:
        """Keys that hold for the whole message."""

    @property
    def reserved(self) -> Metadata:
        """Keys that say what wrote the message and when."""

    def base(self, number: int) -> Metadata:
        """
        Return the keys of one object alone, without those of the whole message.
        """

    def arrays(self) -> list[NDArray[Any]]:
        """Return the arrays of all objects, as Object.array gives them."""

    def verify(self) -> bool | None:
        """
        Compare the bytes with the stored hashes: True if all match, False if one does not, None if an object has none.
        """

    @property
    def bytes(self) -> memoryview:
        """The bytes as stored: a read-only memoryview of the mapping."""

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __reduce__(self) -> tuple[Any, ...]: ...

    @property
    def _opened(self) -> object: ...

    def __repr__(self) -> str: ...

class Object:
    """One object of a message: a tensor and its description."""

    @property
    def array(self) -> NDArray[Any]:
        """
        The elements: in place if they are stored as they are, else decoded. Read-only in place.
        """

    def view(self) -> NDArray[Any]:
        """
        Return the elements in place, read-only; raise Error if they must be decoded.
        """

    def decode(self, out: NDArray[Any] | None = None, *, threads: int = 1, restore_missing: bool = True, verify: bool = False, ignore_strides: bool = False) -> NDArray[Any]:
        """
        Return the elements in a new array, or in `out`. `threads` of 0 uses all processors. `verify` compares the hash. `ignore_strides` takes the bytes in C order, whatever strides are stated.
        """

    def __getitem__(self, key: int | slice | EllipsisType | tuple[int | slice | EllipsisType, ...]) -> Any: ...

    def cost(self, key: int | slice | EllipsisType | tuple[int | slice | EllipsisType, ...]) -> PartCost:
        """
        Return how many bytes reading a part takes: (bytes_read, bytes_decoded, decodes_whole_object).
        """

    def ranges(self, pairs: object, *, threads: int = 1, restore_missing: bool = True, verify: bool = False) -> list:
        """
        Return elements [first, first + count) of each pair (first, count) as flat arrays, in the order of the payload. Those of a bitmask are bytes of eight elements. Reads and decodes only what holds them, as far as the pipeline allows.
        """

    def __len__(self) -> int: ...

    def __bool__(self) -> bool: ...

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]: ...

    def __dlpack__(self, *, stream: Any = None, max_version: tuple[int, int] | None = None, dl_device: tuple[int, int] | None = None, copy: bool | None = None) -> Any: ...

    def __dlpack_device__(self) -> tuple[int, int]: ...

    def __buffer__(self, flags: int, /) -> memoryview: ...

    @property
    def shape(self) -> tuple[int, ...]:
        """(self) -> tuple"""

    @property
    def dtype(self) -> numpy.dtype[Any]:
        """The dtype of `array`."""

    @property
    def ndim(self) -> int: ...

    @property
    def size(self) -> int:
        """Number of elements."""

    @property
    def nbytes(self) -> int:
        """Bytes of `array`."""

    @property
    def strides(self) -> tuple[int, ...]:
        """Strides of `array` in bytes."""

    @property
    def index(self) -> int:
        """Number in its message."""

    @property
    def message(self) -> Message: ...

    @property
    def descriptor(self) -> Descriptor:
        """Description of the tensor: type, shape, pipeline."""

    @property
    def metadata(self) -> Metadata:
        """Keys of this object, and of the whole message."""

    def masks(self) -> dict[str, NDArray[numpy.bool_]]:
        """
        Return where elements were NaN or infinite: a dict of 'nan', 'inf+', 'inf-' to bool arrays.
        """

    @property
    def payload(self) -> memoryview:
        """The stored bytes without masks: a read-only memoryview of the mapping."""

    @property
    def frame_offset(self) -> int:
        """Where the frame of the object begins in the archive, in bytes."""

    @property
    def payload_offset(self) -> int:
        """Where the stored bytes begin in the archive, in bytes."""

    @property
    def stored_nbytes(self) -> int:
        """Bytes of payload and masks in the archive."""

    def verify(self) -> bool | None:
        """
        Compare the bytes with the stored hash: True, False, or None without a hash.
        """

    def __reduce__(self) -> tuple[Any, ...]: ...

    @property
    def _opened(self) -> object: ...

    def __repr__(self) -> str: ...

    def _repr_html_(self) -> str: ...

class _MessageIterator:
    def __iter__(self) -> _MessageIterator: ...

    def __next__(self) -> Message: ...

class _FoundMessages:
    def __iter__(self) -> _FoundMessages: ...

    def __next__(self) -> Message: ...

class _FoundObjects:
    def __iter__(self) -> _FoundObjects: ...

    def __next__(self) -> Object: ...

class _OpenedArchive:
    """Keeps an archive open for arrays and handles."""

    @property
    def origin(self) -> object: ...

    @origin.setter
    def origin(self, arg: object | None, /) -> None: ...

    @property
    def buffer(self) -> object: ...

    def at_offset(self, arg: int, /) -> Message: ...

    @property
    def nbytes(self) -> int: ...

    @property
    def file_state(self) -> object: ...

    @property
    def max_decoded(self) -> int: ...

    def is_replaced(self) -> bool: ...

    def read(self, offset: int, size: int) -> bytes: ...

class Archive:
    @overload
    def __init__(self, arg: _OpenedArchive, /) -> None: ...

    @overload
    def __init__(self, source: object, *, mode: str = 'auto', damage: str = 'stop', index: str = 'use', index_cache: bool = False, index_path: object | None = None, trust_index_of: str = '', offset: int = 0, length: int | None = None, max_decoded: int = 4294967296, index_bytes: object | None = None, stream_name: object | None = None) -> None: ...

    def __len__(self) -> int: ...

    def __bool__(self) -> bool: ...

    @overload
    def __getitem__(self, number: int) -> Message: ...
    @overload
    def __getitem__(self, numbers: slice) -> Messages: ...

    def __iter__(self) -> Iterator[Message]: ...

    def find(self, where: str | Mapping[str, Any] | None = None) -> Iterator[Message]:
        """
        Return an iterator over the messages that a selection matches, such as 'mars.param=2t' or {'mars.param': '2t', 'mars.step': [0, 6]}. At its end, KeyWarning names keys that no message has.
        """

    def find_objects(self, where: str | Mapping[str, Any] | None = None) -> Iterator[Object]:
        """
        Return an iterator over the objects that a selection matches, as find does.
        """

    def at_offset(self, offset: int) -> Message:
        """
        Return the message that begins at this offset in the archive. Scans nothing.
        """

    @property
    def gaps(self) -> list[Gap]:
        """
        Ranges of bytes that belong to no message, as far as the archive was scanned.
        """

    @property
    def tail(self) -> Tail | None:
        """
        The incomplete message at the end, or None. Known once the archive was scanned.
        """

    @property
    def is_complete(self) -> bool:
        """Whether all messages are known."""

    @property
    def nbytes(self) -> int:
        """Size of the archive in bytes."""

    @property
    def mode(self) -> str:
        """How bytes are read: 'map' or 'read'."""

    @property
    def uses_index(self) -> bool:
        """Whether the archive was opened by an index file."""

    @property
    def index_is_current(self) -> bool:
        """Whether the index answers: it was made of the archive as it is now."""

    @property
    def index_problem(self) -> str:
        """Why an index file that exists is not used; else empty."""

    @property
    def path(self) -> str:
        """The path that was opened; empty for other sources."""

    @property
    def is_closed(self) -> bool: ...

    @property
    def is_replaced(self) -> bool:
        """
        Whether the path leads to another file now. False if it leads to none, and without a path.
        """

    def _parts(self, arg: int, /) -> list: ...

    def _share(self, other: Archive) -> None: ...

    @property
    def _opened(self) -> object: ...

    def _read(self, arg0: int, arg1: int, /) -> bytes: ...

    def index_bytes(self) -> bytes:
        """
        Return the bytes of the index that the archive uses, for other processes.
        """

    def refresh(self) -> None:
        """
        See messages that were appended since the archive was opened. Handles and arrays stay valid.
        """

    def close(self) -> None:
        """Close the archive. Messages, objects and arrays stay valid."""

    def __reduce__(self) -> tuple[Any, ...]: ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *args) -> None: ...

def install_guard() -> None:
    """
    Install a handler of SIGBUS, so that archives that are opened later are scanned through the mapping, which is faster. It does not protect views. Raise OSError (EBUSY) if another handler has replaced it.
    """

def has_guard() -> bool:
    """Return whether the guard is installed and nothing has replaced it."""

def xxh3(data: object) -> int:
    """
    Return the xxh3 hash of 64 bits that the format uses, of any object with a buffer.
    """

def _validate(opened: object, level: str, check_canonical: bool, threads: int, max_findings: int) -> object: ...

class _Table:
    """Columns of keys."""

    def __len__(self) -> int: ...

    @property
    def has_objects(self) -> bool: ...

    @property
    def messages(self) -> object: ...

    @property
    def objects(self) -> object: ...

    @property
    def archives(self) -> object: ...

    @property
    def addresses(self) -> object: ...

    @property
    def unread(self) -> list: ...

    @property
    def keys(self) -> list: ...

    @property
    def omitted(self) -> list: ...

    @property
    def omits_more(self) -> bool: ...

    def column(self, number: int) -> tuple: ...

    def codes(self, number: int) -> tuple: ...

    def present(self, number: int) -> object: ...

    def __arrow_c_stream__(self) -> object: ...

def _quote(text: object) -> str: ...

def _read_tables(opened: Sequence, keys: Sequence, objects: bool, where: object | None, skip_unread: bool, threads: int, all_keys: object) -> _Table: ...

def _list_keys(opened: object, skip_unread: bool) -> tuple: ...

def _read_table(opened: object, keys: Sequence, objects: bool, where: object | None, skip_unread: bool, threads: int, all_keys: object) -> _Table: ...

class _Collection:
    """Many archives as one sequence."""

    def __init__(self, places: Sequence, mode: str, damage: str, index: str, index_cache: bool, trust_index_of: str, max_decoded: int, max_open: int) -> None: ...

    @property
    def archive_count(self) -> int: ...

    @property
    def open_count(self) -> int: ...

    def open(self, number: int) -> object: ...

    def size(self) -> int: ...

    def size_of(self, archive: int) -> int: ...

    def address_of(self, number: int) -> object: ...

    def number_of(self, archive: int, message: int) -> int: ...

    def text_of(self, archive: int, message: int, object: int | None) -> object: ...

    def parse_address(self, text: object) -> object: ...

    def failures(self) -> list: ...

    def find(self, where: object | None, of_objects: bool, sort: Sequence, limit: int | None) -> tuple: ...

    def table(self, keys: Sequence, objects: bool, where: object | None, skip_unread: bool, threads: int, all_keys: object, at_once: int) -> tuple: ...

    def keys(self, skip_unread: bool) -> tuple: ...

    def facets(self, keys: Sequence, where: object | None, of_objects: bool) -> tuple: ...

    def group(self, keys: Sequence, where: object | None, of_objects: bool, sort: Sequence, limit: int | None) -> tuple: ...

@overload
def _hash_structure(of: Message) -> int:
    """Return a hash of metadata and descriptors."""

@overload
def _hash_structure(of: Object) -> int: ...

@overload
def _hash_payload(of: Message, checks: bool) -> object:
    """
    Return a hash of payloads; of their stored hashes if there are any. With `checks`, these are compared with the payloads: None if they differ.
    """

@overload
def _hash_payload(of: Object, checks: bool) -> object: ...

def _gather(opened: object, objects: object, slab: object | None, out: object | None, threads: int) -> object: ...

class _Gatherer:
    """Objects by their places; see tgmap.gather."""

    def __init__(self, arg0: list, arg1: object, arg2: object, arg3: object, arg4: object, arg5: int, arg6: int, /) -> None: ...

    @property
    def shape(self) -> object: ...

    @property
    def dtype(self) -> object: ...

    def box(self, key: object | None, out: object | None, fill: object | None) -> object: ...

    def points(self, numbers: object, of_each: bool, out: object | None, fill: object | None) -> object: ...

def _gather_addresses(opened: object, addresses: object, slab: object | None, out: object | None, threads: int) -> object: ...

def _message_offsets(opened: object, numbers: object) -> object: ...

def _archive_cache() -> tuple: ...

def _clear_archive_cache() -> None: ...

class NewObject:
    """
    NewObject(array, metadata=None, *, dtype=None, type='ntensor', descriptor=None, preceder=False, **pipeline)

    An array that is to be written, with its own keys and pipeline. It keeps the array and reads it when it is written, without the lock of the interpreter: no other thread may change it meanwhile.

    Args:
        array: any array, or what NumPy makes an array of. bool becomes a bitmask.
        metadata: keys of this object alone.
        dtype: a name of the format or a dtype of NumPy that elements are converted to. 'bfloat16' takes uint16 as bits.
        type: type of the object in its descriptor.
        descriptor: further keys of the descriptor.
        preceder: in a stream, also write the metadata in front of the object.
        pipeline: see tgmap.encode.

    Raises:
        TypeError: the format has no such elements, or a keyword is not used.
        Error: the stages of the pipeline do not fit each other or the elements.
    """

    def __init__(self, array: object, metadata: object | None = None, *, dtype: object | None = None, type: str = 'ntensor', descriptor: object | None = None, preceder: bool = False, **pipeline) -> None: ...

    @property
    def shape(self) -> tuple:
        """Extents, slowest first."""

    @property
    def dtype(self) -> str:
        """Name of the dtype in the format."""

    def __repr__(self) -> str: ...

class StoredObject:
    """
    An object that is encoded already: its descriptor and its stored bytes. Both are written unchanged, and are only partly checked.

    Args:
        descriptor: every key of the descriptor, such as type, dtype, shape and the parameters of its stages.
        payload: the stored bytes, then those of the masks; any object with a buffer.
        metadata: keys of this object alone.
        preceder: in a stream, also write the metadata in front of the object.
    """

    def __init__(self, descriptor: object, payload: object, metadata: object | None = None, *, preceder: bool = False) -> None: ...

def compute_packing(array: object, **pipeline) -> dict:
    """
    Return the parameters of simple_packing for float64 elements, as keywords of a pipeline: bits, decimal_scale, reference and binary_scale.

    Args:
        array: float64 elements.
        pipeline: bits or max_error, decimal_scale, and stages that limit the bits; see tgmap.encode.

    Raises:
        Error: NaN or infinities that are not allowed, or a range that no scale fits.
    """

def encode(objects: object, metadata: object | None = None, **options) -> object: ...

class Writer:
    def __init__(self, target: object, seeks: bool, exclusive: bool, sync: bool, **options) -> None: ...

    @overload
    def write(self, message: Message, metadata: object | None = None, **options) -> None:
        """Copy a message of an archive byte for byte."""

    @overload
    def write(self, objects: object, metadata: object | None = None, **pipeline) -> None:
        """
        Write one message. If the message is at fault, nothing was written, and the next one may be.

        Args:
            objects: an array, a NewObject, an Object of an archive, or a list of them.
            metadata: keys of the whole message.
            pipeline: how arrays are encoded; see tgmap.encode.
        """

    def flush(self, *, sync: bool = False) -> None:
        """
        Give all bytes to the operating system; with `sync` wait until they are on the disk.
        """

    def close(self) -> None:
        """
        Write what is buffered and close the file. An older file of this name is replaced now, unless bytes could not be written. A message that was refused is not in the new file.
        """

    def abandon(self) -> None:
        """
        Close the file and keep an older one that it would replace. A file of a new name keeps what was written.
        """

    @property
    def is_closed(self) -> bool: ...

    @property
    def messages(self) -> int:
        """Number of messages written."""

    @property
    def nbytes(self) -> int:
        """Number of bytes written."""

    @property
    def path(self) -> str:
        """The path; empty for other targets."""

    def __enter__(self) -> object: ...

    def __exit__(self, type: object | None, value: object | None, traceback: object | None) -> None: ...

class Appender:
    def __init__(self, path: object, **options) -> None: ...

    @overload
    def write(self, message: Message, metadata: object | None = None, **options) -> None:
        """Copy a message of an archive byte for byte."""

    @overload
    def write(self, objects: object, metadata: object | None = None, **pipeline) -> None:
        """
        Append one message, as Writer.write does. After an error the archive is as it was.
        """

    def sync(self) -> None:
        """Wait until all appended messages are on the disk."""

    def close(self) -> None:
        """
        Close the archive and give up its lock. An open stream that is not finished is cut off. An index beside the archive that was current before is extended.
        """

    @property
    def is_closed(self) -> bool: ...

    @property
    def nbytes(self) -> int:
        """Bytes of the archive with what was appended; 0 once it is closed."""

    @property
    def path(self) -> object: ...

    def __enter__(self) -> object: ...

    def __exit__(self, *args) -> None: ...

class StreamWriter:
    @overload
    def __init__(self, target: object, seeks: bool, exclusive: bool, sync: bool, metadata: object | None, **options) -> None: ...

    @overload
    def __init__(self, appender: Appender, metadata: object | None) -> None: ...

    def write(self, objects: object, metadata: object | None = None, **pipeline) -> None:
        """
        Write an object, or each of a list. One that is refused leaves the stream unchanged.

        Args:
            objects: an array, a NewObject, an Object of an archive, or a list of them.
            metadata: keys of this object alone, for an array.
            pipeline: how arrays are encoded; see tgmap.encode.
        """

    def begin_object(self, shape: object, dtype: object, metadata: object | None = None, *, type: str = 'ntensor', descriptor: object | None = None, preceder: bool = False, **pipeline) -> None:
        """
        Begin an object whose elements come in pieces. The pipeline has no filter, compression or masks, and either no encoding or simple_packing with reference and binary_scale.
        """

    def append(self, elements: object) -> None:
        """
        Append elements of the object that was begun, in C order: any array of its dtype.
        """

    def end_object(self) -> None:
        """End the object after its last element."""

    def finish(self, backfill: bool = True) -> None:
        """
        Finish the message. With `backfill` also write its length at the beginning, if the file can seek.
        """

    def close(self) -> None:
        """
        Finish the message unless that was done, and close the file. An older file of this name is replaced now, unless bytes could not be written. An object that was refused is not in the new file.
        """

    def abort(self) -> None:
        """
        Close the file without finishing the message: readers find its whole objects. An older file that it would replace stays. Of an appender: cut the message off and close the appender.
        """

    @property
    def is_closed(self) -> bool: ...

    @property
    def objects(self) -> int:
        """Number of whole objects written."""

    def __enter__(self) -> object: ...

    def __exit__(self, type: object | None, value: object | None, traceback: object | None) -> None: ...

def _warn_of_leaks(warns: bool) -> None: ...

def doctor() -> dict[str, Any]:
    """Return what the library is and which libraries it uses, as a dict."""
