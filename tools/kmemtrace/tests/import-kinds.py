#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# import-kinds.py KIND N DIR: write a foreign file whose N parts claim more than they have, as
# DIR/file, and the symbols for -k as DIR/symbols where the kind has them. "import-kinds.py list"
# prints the kinds, each with a small N.

import ctypes
import os
import struct
import sys

zstd = ctypes.CDLL('libzstd.so.1')
zstd.ZSTD_versionString.restype = ctypes.c_char_p

PAGE = 4096
# The largest page that a file may claim.
LARGE_PAGE = 256 << 10

# perf.data: bits of sample_type, records, features
TIME, TID, ID, CPU, RAW, CALLCHAIN = 1 << 2, 1 << 1, 1 << 6, 1 << 7, 1 << 10, 1 << 5
IDENTIFIER = 1 << 16
MMAP, LOST, SAMPLE, LOST_SAMPLES, ATTR, TRACING, FEATURE = 1, 2, 9, 13, 64, 66, 80
TRACING_BIT, HOST_BIT = 1, 3
ALL_SAMPLE_IDS = 1 << 18

FIELDS = '''\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;

\tfield:unsigned long call_site;\toffset:8;\tsize:8;\tsigned:0;
\tfield:const void * ptr;\toffset:16;\tsize:8;\tsigned:0;
\tfield:size_t bytes_req;\toffset:24;\tsize:8;\tsigned:0;
\tfield:size_t bytes_alloc;\toffset:32;\tsize:8;\tsigned:0;
\tfield:unsigned long gfp_flags;\toffset:40;\tsize:8;\tsigned:0;
\tfield:unsigned long pfn;\toffset:8;\tsize:8;\tsigned:0;
\tfield:unsigned int order;\toffset:16;\tsize:4;\tsigned:0;
'''


def text_of_format(name, number, fields=FIELDS):
    return f'name: {name}\nID: {number}\nformat:\n{fields}\nprint fmt: ""\n'.encode()


KMALLOC, PAGES = 600, 601
FORMATS = [text_of_format('kmalloc', KMALLOC), text_of_format('mm_page_alloc', PAGES)]


def sized(data):
    return struct.pack('<Q', len(data)) + data


def systems(formats, system=b'kmem'):
    return struct.pack('<I', 1) + system + b'\0' + struct.pack('<I', len(formats)) + \
        b''.join(map(sized, formats))


def tracing(formats=None, page=PAGE, nr_ftrace=0):
    head = b'\x17\x08\x44tracing' + b'0.6\0' + struct.pack('<BBI', 0, 8, page)
    return head + b'header_page\0' + sized(b'') + b'header_event\0' + sized(b'') + \
        struct.pack('<I', nr_ftrace) + nr_ftrace * sized(b'') + systems(formats or FORMATS)


def kmalloc(i):
    return struct.pack('<HHIQQQQQ', KMALLOC, 0, 0, 0xffffffff81001000, 0xffff888000000000 + 64 * i,
                       64, 64, 0xcc0)


# ---- perf.data ----

def attr(sample_type, size=64, flags=ALL_SAMPLE_IDS):
    return struct.pack('<IIQQQQQ', 2, size, KMALLOC, 1, sample_type, 0, flags)[:size].ljust(size, b'\0')


def record(kind, body):
    body += b'\0' * (-len(body) % 8)
    return struct.pack('<IHH', kind, 0, 8 + len(body)) + body


def lost_record(i, cpu=0):
    return record(LOST, struct.pack('<QQQII', 0, 1, 1000 + i, cpu, 0))


def sample(i, cpu=0, stack=None):
    raw = kmalloc(i) if stack is None else struct.pack('<HHIQQQQQ', PAGES, 0, 0, i, 0, 0, 0, 0)
    body = struct.pack('<QII', 1000 + i, cpu, 0)
    if stack is not None:
        body += struct.pack(f'<Q{len(stack)}Q', len(stack), *stack)
    return record(SAMPLE, body + struct.pack('<I', len(raw)) + raw)


def perf_pipe(records, formats=None, page=PAGE, sample_type=TIME | CPU | RAW):
    data = tracing(formats, page)
    return b'PERFILE2' + struct.pack('<Q', 16) + record(ATTR, attr(sample_type)) + \
        record(TRACING, struct.pack('<I', len(data))) + data + b''.join(records)


def perf_file(attrs, records, features, attr_size=80):
    """Return a perf.data. @attrs: the bytes of that section, when it knows where it begins."""
    begin = 104
    section = attrs(begin)
    at = begin + len(section)
    bits = sum(1 << bit for bit, _ in features)
    parts = at + len(records) + 16 * len(features)
    table = body = b''
    for _, data in features:
        table += struct.pack('<QQ', parts + len(body), len(data))
        body += data
    return b'PERFILE2' + struct.pack('<9Q', 104, attr_size, begin, len(section), at, len(records),
                                     0, 0, bits) + bytes(24) + section + records + table + body


def shared_ids(n):
    """Return n events, all of which have the same n ids."""
    def attrs(begin):
        return n * (attr(TIME | CPU | RAW | ID) + struct.pack('<QQ', begin + 80 * n, 8 * n)) + \
            struct.pack(f'<{n}Q', *range(n))
    data = perf_file(attrs, sample(0), [(TRACING_BIT, tracing())])
    # The ids are no attrs.
    return data[:32] + struct.pack('<Q', 80 * n) + data[40:]


def late_attrs(n):
    part = [record(ATTR, attr(TIME | ID) + struct.pack('<Q', i)) +
            record(LOST_SAMPLES, struct.pack('<QQQ', 1, 0, i)) for i in range(n)]
    return perf_pipe(part, sample_type=TIME | ID)


def many_ids(n):
    head = attr(TIME | ID)
    part = [record(ATTR, head + struct.pack('<1000Q', *range(1000 * i, 1000 * i + 1000)))
            for i in range(n)]
    return perf_pipe(part + [record(LOST_SAMPLES, struct.pack('<QQQ', 1, 0, i)) for i in range(n)],
                     sample_type=TIME | ID)


def small_attrs(n):
    return perf_file(lambda begin: n * (bytes(1) + struct.pack('<QQ', 0, 0)), sample(0),
                     [(TRACING_BIT, tracing())], attr_size=17)


def hole(n):
    # a format of 2^20 n bytes that the file does not have
    data = perf_pipe([])
    end = data.index(b'kmem\0') + 5
    return data[:end] + struct.pack('<IQ', 1, n << 20), n << 20


def hole_of_records(n):
    return perf_pipe([sample(i) for i in range(10)]), n << 20


def mmap(path, i=0):
    return record(MMAP, struct.pack('<IIQQQ', 0, 0, 0xffffffffc0000000 + PAGE * i, PAGE, 0) +
                  path.encode() + b'\0')


SYMBOLS = 'ffffffff81000000 T _stext\n'


def stacks(n, name):
    stack = [0xffffffff81000010 + i for i in range(60)]
    return perf_pipe([sample(i, 0, stack) for i in range(n)],
                     sample_type=TIME | CPU | CALLCHAIN | RAW), SYMBOLS + \
        f'ffffffff81000008 T {name}\n'


# ---- trace.dat ----

HEADER_PAGE = b'''\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;
\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;
\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;
\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;
'''


def option(number, data):
    return struct.pack('<HI', number, len(data)) + data


def ring_page(n=0, time=1000, stuffed=False):
    """Return a page of the ring buffer with n events, or as many as it has room for."""
    event = kmalloc(0)
    one = struct.pack('<I', (len(event) // 4) | 1 << 5) + event
    n = (PAGE - 16) // len(one) if stuffed else n
    return (struct.pack('<QQ', time, n * len(one)) + n * one).ljust(PAGE, b'\0')


def trace_head(version, page=PAGE):
    return b'\x17\x08\x44tracing' + version + b'\0' + struct.pack('<BBI', 0, 8, page)


def stats(cpu, lost=0):
    return f'CPU: {cpu}\nentries: 0\noverrun: {lost}\ncommit overrun: 0\n'.encode() + b'\0'


def trace_6(cpus=1, formats=None, kallsyms=b'', options=b'', cmdlines=b'', pages=None):
    """Return a trace.dat of version 6. @pages: the pages of all CPUs, which share them."""
    pages = pages or ring_page(10)
    head = trace_head(b'6') + b'header_page\0' + sized(HEADER_PAGE) + b'header_event\0' + sized(b'')
    head += struct.pack('<I', 0) + systems(formats or FORMATS)
    head += struct.pack('<I', len(kallsyms)) + kallsyms + struct.pack('<I', 0) + sized(cmdlines)
    head += struct.pack('<I', cpus) + b'options  \0' + option(4, b'[mono]\0') + options + \
        struct.pack('<H', 0) + b'flyrecord\0'
    at = len(head) + 16 * cpus
    at += -at % PAGE
    head += cpus * struct.pack('<QQ', at, len(pages))
    return head.ljust(at, b'\0') + pages


def compressed(data):
    room = ctypes.create_string_buffer(len(data) + 1024)
    size = zstd.ZSTD_compress(room, len(room), data, len(data), 3)
    return struct.pack('<II', size, len(data)) + room.raw[:size]


def section(number, data):
    packed = compressed(data)
    return struct.pack('<HHIQ', number, 1, 0, len(packed)) + packed


def trace_7(cpus=1, chunks=1, kallsyms=b''):
    """Return a trace.dat of version 7: chunks of 16 pages, which all CPUs share."""
    data = trace_head(b'7') + b'zstd\0' + zstd.ZSTD_versionString() + b'\0'
    parts = {16: b'header_page\0' + sized(HEADER_PAGE) + b'header_event\0' + sized(b''),
             18: systems(FORMATS), 19: struct.pack('<I', len(kallsyms)) + kallsyms}
    options, body, at = b'', b'', len(data) + 8
    for number, part in parts.items():
        options += option(number, struct.pack('<Q', at + len(body)))
        body += section(number, part)
    chunk = compressed(16 * ring_page(stuffed=True))
    pages = struct.pack('<I', chunks) + chunks * chunk
    begin = at + len(body)
    body += struct.pack('<HHIQ', 3, 1, 0, len(pages)) + pages
    buffer = struct.pack('<Q', begin) + b'\0mono\0' + struct.pack('<II', PAGE, cpus) + \
        b''.join(struct.pack('<IQQ', cpu, begin + 16, len(pages)) for cpu in range(cpus))
    options += option(3, buffer) + option(8, struct.pack('<I', cpus)) + \
        option(0, struct.pack('<Q', 0))
    options = struct.pack('<HHIQ', 0, 0, 0, len(options)) + options
    return data + struct.pack('<Q', at + len(body)) + body + options


def lines(n, text):
    return ''.join(text % i for i in range(n)).encode()


# A small N; and the file of N parts; or it, and the bytes of a hole behind it or the symbols.
KINDS = {
    # perf.data
    'lost': (500, lambda n: perf_pipe([lost_record(i) for i in range(n)], page=LARGE_PAGE)),
    'cpus': (100, lambda n: perf_pipe([sample(i, i % 60000) for i in range(n)], page=LARGE_PAGE)),
    'lost-cpus': (100, lambda n: perf_pipe([lost_record(i, i % 60000) for i in range(n)],
                                     page=LARGE_PAGE)),
    'late': (500, lambda n: perf_pipe([sample(n - i) for i in range(n)])),
    'samples': (500, lambda n: perf_pipe([sample(i) for i in range(n)])),
    'repeated': (2, lambda n: perf_pipe(n * [b''.join(sample(i) for i in range(2000))])),
    'hole': (40, hole),
    'hole-of-records': (40, hole_of_records),
    'shared-ids': (50, shared_ids),
    'late-attrs': (500, late_attrs),
    'many-ids': (10, many_ids),
    'small-attrs': (500, small_attrs),
    'formats': (500, lambda n: perf_pipe(
        [sample(0)], [text_of_format('kmalloc', 60000 - i % 60000, '') for i in range(n)])),
    'other-formats': (500, lambda n: perf_pipe(
        [sample(0)], [text_of_format(f'event{i}', 60000 - i % 60000, '') for i in range(n)] +
        FORMATS)),
    'long-format': (500, lambda n: perf_pipe(
        [sample(0)], [text_of_format('kmalloc', KMALLOC, '\tfield:' + 'a ' * n + ';\n')])),
    'many-fields': (20, lambda n: perf_pipe(
        [sample(0)], [text_of_format('kmalloc', KMALLOC, n * '\tfield:int a;\toffset:0;\tsize:4;\n')])),
    'tracings': (50, lambda n: perf_pipe(
        [record(TRACING, struct.pack('<I', len(tracing()))) + tracing() for i in range(n)])),
    'features': (500, lambda n: perf_pipe(
        [record(FEATURE, struct.pack('<QI', HOST_BIT, 4) + b'abc\0') for i in range(n)])),
    'long-host': (5, lambda n: perf_pipe(
        [record(FEATURE, struct.pack('<QI', HOST_BIT, 60000) + b'h' * 59999 + b'\0')
         for i in range(n)])),
    'modules': (500, lambda n: perf_pipe([mmap(f'/m{i}.ko', i) for i in range(n)])),
    'long-modules': (100, lambda n: perf_pipe([mmap('m' * 200 + '.ko', i) for i in range(n)])),
    'long-paths': (5, lambda n: perf_pipe([mmap('m/' * 30000 + '.ko', i) for i in range(n)])),
    'stacks': (50, lambda n: stacks(n, 'f' * 50000 * n)),
    'long-symbols': (50, lambda n: (perf_pipe([sample(0)]),
                               ''.join(f'{0xffffffff81000000 + i:x} T {"s" * 10000}\n'
                                       for i in range(n)))),
    # trace.dat
    'dat-cpus': (10, lambda n: trace_6(cpus=n)),
    'dat-shared': (2, lambda n: trace_6(cpus=n, pages=8 * ring_page(stuffed=True))),
    'dat-stats': (100, lambda n: trace_6(options=b''.join(option(2, stats(i % 60000, 1))
                                                    for i in range(n)))),
    'dat-formats': (500, lambda n: trace_6(formats=FORMATS + [
        text_of_format(f'event{i}', 60000 - i % 60000, '') for i in range(n)])),
    'dat-long-format': (500, lambda n: trace_6(formats=[
        text_of_format('kmalloc', KMALLOC, '\tfield:' + 'a ' * n + ';\n')])),
    'dat-symbols': (500, lambda n: trace_6(kallsyms=lines(n, 'ffffffff81%06x t function\n'))),
    'dat-long-symbols': (20, lambda n: trace_6(kallsyms=lines(n, 'ffffffff81%06x t ' + 's' * 5000 + '\n'))),
    'dat-options': (500, lambda n: trace_6(options=n * option(5, b'Linux a b c\0'))),
    'dat-commands': (500, lambda n: trace_6(cmdlines=lines(n, '%d command\n'))),
    'dat-chunks': (1, lambda n: trace_7(chunks=n)),
    'dat-packed-cpus': (1, lambda n: trace_7(cpus=n, chunks=4)),
    'dat-packed-symbols': (2, lambda n: trace_7(kallsyms=1000 * n *
                                            b'ffffffff81000000 t function\n')),
}


def main():
    if sys.argv[1] == 'list':
        for kind, (n, _) in KINDS.items():
            print(kind, n)
        return
    kind, n, to = sys.argv[1:]
    data, more = KINDS[kind][1](int(n)), None
    if isinstance(data, tuple):
        data, more = data
    with open(os.path.join(to, 'file'), 'wb') as file:
        file.write(data)
        if isinstance(more, int):
            file.truncate(len(data) + more)
    if isinstance(more, str):
        with open(os.path.join(to, 'symbols'), 'w', encoding='ascii') as file:
            file.write(more)


main()
