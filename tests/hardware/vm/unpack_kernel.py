"""Unpack a Linux bzImage (packed with xz or zstd) to the ELF file in it: unpack_kernel.py IN OUT."""

import lzma
import struct
import subprocess
import sys
from pathlib import Path

SECTORS_AT, OFFSET_AT = 0x1F1, 0x248
"""Where the boot protocol's header has the set-up's sectors, and the payload's offset and length."""


def unpacked(image: bytes) -> bytes:
    """Return the kernel as an ELF file.

    Raises:
        ValueError: it is packed in a way that is not known.
    """
    protected = ((image[SECTORS_AT] or 4) + 1) * 512
    offset, length = struct.unpack_from("<II", image, OFFSET_AT)
    payload = image[protected + offset : protected + offset + length]
    if payload.startswith(b"\xfd7zXZ\0"):
        # The four bytes after the stream tell how long it is unpacked.
        kernel = lzma.LZMADecompressor(lzma.FORMAT_XZ).decompress(payload)
    elif payload.startswith(b"\x28\xb5\x2f\xfd"):
        kernel = subprocess.run(
            ["zstd", "-dcq"], input=payload[:-4], stdout=subprocess.PIPE, check=True
        ).stdout
    else:
        raise ValueError(f"a payload that begins with {payload[:6].hex()} is not known")
    if not kernel.startswith(b"\x7fELF"):
        raise ValueError("what was unpacked is no ELF file")
    return kernel


if __name__ == "__main__":
    Path(sys.argv[2]).write_bytes(unpacked(Path(sys.argv[1]).read_bytes()))
