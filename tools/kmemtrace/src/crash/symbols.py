# SPDX-License-Identifier: GPL-2.0
"""The symbols of the kernel and of its modules, as kmemtraced saves them."""
import struct

from common import Damage
from elf import Elf
from records import printable

SHT_SYMTAB, STT_NOTYPE, STT_FUNC, SHF_EXECINSTR = 2, 0, 2, 4

MAX_MODULES = 1 << 13
MAX_SYMBOLS = 1 << 22
# KSYM_NAME_LEN, without the zero at its end
MAX_NAME = 511


def text_symbols(path):
    """Yield value, binding and name of the symbols of code in an ELF file."""
    with Elf(path) as elf:
        symbol = struct.Struct(elf.order + ("IBBHQQ" if elf.wide else "IIIBBH"))
        sections = elf.sections()
        table = next((entry for entry in sections if entry[1] == SHT_SYMTAB), None)
        if not table:
            raise Damage(f"{path}: no table of symbols")
        names = elf.read(*sections[table[6]][4:6])
        data = elf.read(*table[4:6])
        left = elf.room
    for fields in symbol.iter_unpack(data[:len(data) // symbol.size * symbol.size]):
        if elf.wide:
            at, info, _, index, value, _ = fields
        else:
            at, value, _, info, _, index = fields
        # functions, and labels without a type, in sections with instructions
        if info & 15 not in (STT_NOTYPE, STT_FUNC) or not 0 < index < len(sections) or \
                not sections[index][2] & SHF_EXECINSTR:
            continue
        name = names[at:at + MAX_NAME].split(b"\0", 1)[0]
        # Names may have the end of another one in common, but not all of them.
        left -= len(name)
        if left < 0:
            raise Damage(f"{path}: the names of symbols have more bytes than the file")
        if name and not name.startswith((b".L", b"$", b"L0")):
            yield value, info >> 4, name


def kernel_symbols(dump, vmlinux):
    """Return lines as in /proc/kallsyms for the code of the kernel."""
    symbols = list(text_symbols(vmlinux))
    start, = (value for value, _, name in symbols if name == b"_stext")
    offset = dump.prog.symbol("_stext").address - start
    mask = (1 << dump.word_bits) - 1
    # Of several names of an address, the first one is shown: as scripts/kallsyms.c sorts them.
    symbols.sort(key=lambda s: (s[0], s[1] == 2, len(s[2]) - len(s[2].lstrip(b"_"))))
    letters = "tTW"
    return ["%0*x %s %s\n" % (dump.word_bits // 4, value + offset & mask,
                              letters[min(binding, 2)], printable(name).decode())
            for value, binding, name in symbols]


def module_memory(module):
    """Return the base of a module's code, and the bytes of all its memory."""
    try:
        return int(module.mem[0].base), sum(int(mem.size) for mem in module.mem)
    except AttributeError:
        return (int(module.core_layout.base),
                int(module.core_layout.size) + int(module.init_layout.size))


def module_symbols(dump, module, name):
    table = module.kallsyms
    nr = int(table.num_symtab)
    if nr > MAX_SYMBOLS:
        raise Damage(f"module {name} has {nr} symbols")
    wide = dump.word_bits == 64
    symbol = struct.Struct(dump.fmt.order + ("IBBHQQ" if wide else "IIIBBH"))
    types = dump.read(int(table.typetab), nr)
    for i, fields in enumerate(symbol.iter_unpack(dump.read(int(table.symtab), nr * symbol.size))):
        at, value, index = (fields[0], fields[4], fields[3]) if wide else \
            (fields[0], fields[1], fields[5])
        letter = chr(types[i])
        if not index or letter not in "tTwW":
            continue
        text = printable(dump.text(int(table.strtab) + at))
        if not text.startswith((b".L", b"$")):
            yield "%0*x %s %s\t[%s]\n" % (dump.word_bits // 4, value, letter, text.decode(), name)


def read_modules(dump, doubts):
    """Return the lines of the file modules, and those of kallsyms."""
    lines, symbols = [], []
    try:
        for module in dump.list_entries(dump.prog["modules"], "struct module", "list",
                                        MAX_MODULES):
            name = printable(module.name.string_()).decode()
            base, size = module_memory(module)
            lines.append(f"{name} {base:#x} {size}\n")
            try:
                symbols += module_symbols(dump, module, name)
            except Exception as error:
                doubts.add(f"symbols of module {name}: {error}")
    except Exception as error:
        doubts.add(f"modules: {error}: {len(lines)} have names")
    return lines, symbols
