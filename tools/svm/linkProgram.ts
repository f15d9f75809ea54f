// Links one object file of clang's BPF target into a shared object that the Solana runtime loads (SBPF version 0).
// Code and constants are placed at fixed addresses, so only the calls of the runtime remain relocations.

/** Address at which the runtime maps the file. */
const BASE = 0x1_0000_0000n;

const SECTION = { PROGBITS: 1, SYMTAB: 2, STRTAB: 3, DYNAMIC: 6, REL: 9, DYNSYM: 11 } as const;
const ALLOCATED = 2n;
const EXECUTABLE = 4n;
const WRITABLE = 1n;

/** Relocations of the target: a 64-bit immediate, a 64-bit word of data, and the target of a call. */
const RELOCATION = { IMMEDIATE: 1, WORD: 2, CALL: 10 } as const;

const BPF_MACHINE = 247;
const HEADER_BYTES = 64;
const SEGMENT_BYTES = 56;
const SECTION_BYTES = 64;

interface Section {
  readonly name: string;
  readonly type: number;
  readonly flags: bigint;
  readonly data: Buffer;
  readonly link: number;
  /** Index of the section that a relocation section applies to. */
  readonly info: number;
}

interface Symbol {
  readonly name: string;
  readonly section: number;
  readonly value: bigint;
}

interface Call {
  /** Offset of the instruction in the file. */
  readonly offset: number;
  readonly name: string;
}

/**
 * @param entry name of the function at which the program starts
 * @throws if the object has writable data or a relocation that the runtime does not know
 */
export function linkProgram(object: Buffer, entry: string): Buffer {
  const sections = readSections(object);
  const symbols = readSymbols(sections);
  const placed = new Map<number, number>();
  const code: Buffer[] = [];
  let end = HEADER_BYTES + 4 * SEGMENT_BYTES;
  const start = end;
  // The code comes first, then the constants.
  const kept = [...sections.entries()]
    .filter(([, { type, flags, data }]) => type === SECTION.PROGBITS && (flags & ALLOCATED) !== 0n && data.length > 0)
    .toSorted(([, a], [, b]) => Number((b.flags & EXECUTABLE) - (a.flags & EXECUTABLE)));
  let textEnd = start;
  for (const [index, { name, flags, data }] of kept) {
    if ((flags & WRITABLE) !== 0n) throw new Error(`section ${name} is writable, which the runtime does not support`);
    placed.set(index, end);
    const padded = Buffer.concat([data, Buffer.alloc(-data.length & 7)]);
    code.push(padded);
    end += padded.length;
    if ((flags & EXECUTABLE) !== 0n) textEnd = end;
  }
  const image = Buffer.concat([Buffer.alloc(start), ...code]);
  const calls = relocate(image, { sections, symbols, placed });
  const first = symbols.find(({ name }) => name === entry);
  if (first === undefined) throw new Error(`the object has no function ${entry}`);
  return write(image, { start, textEnd, calls, entry: addressOf(first, placed) });
}

function readSections(object: Buffer): Section[] {
  const table = Number(object.readBigUInt64LE(40));
  const count = object.readUInt16LE(60);
  const headers = Array.from({ length: count }, (_, index) => object.subarray(table + index * SECTION_BYTES));
  const dataOf = (header: Buffer): Buffer => {
    const offset = Number(header.readBigUInt64LE(24));
    return Buffer.from(object.subarray(offset, offset + Number(header.readBigUInt64LE(32))));
  };
  const names = dataOf(headers[object.readUInt16LE(62)] ?? Buffer.alloc(SECTION_BYTES));
  return headers.map((header) => ({
    name: textAt(names, header.readUInt32LE(0)),
    type: header.readUInt32LE(4),
    flags: header.readBigUInt64LE(8),
    data: dataOf(header),
    link: header.readUInt32LE(40),
    info: header.readUInt32LE(44),
  }));
}

function readSymbols(sections: readonly Section[]): Symbol[] {
  const table = sections.find(({ type }) => type === SECTION.SYMTAB);
  const names = sections[table?.link ?? 0]?.data;
  if (table === undefined || names === undefined) throw new Error("the object has no symbols");
  return Array.from({ length: table.data.length / 24 }, (_, index) => {
    const entry = table.data.subarray(index * 24);
    const section = entry.readUInt16LE(6);
    return { name: textAt(names, entry.readUInt32LE(0)), section, value: entry.readBigUInt64LE(8) };
  });
}

function textAt(table: Buffer, offset: number): string {
  return table.toString("latin1", offset, table.indexOf(0, offset));
}

function addressOf({ section, value, name }: Symbol, placed: ReadonlyMap<number, number>): number {
  const at = placed.get(section);
  if (at === undefined) throw new Error(`symbol ${name} is not in a section of the program`);
  return at + Number(value);
}

interface Layout {
  readonly sections: readonly Section[];
  readonly symbols: readonly Symbol[];
  /** Offsets of sections in the file, by index. */
  readonly placed: ReadonlyMap<number, number>;
}

/** Writes all addresses that are known. Returns the calls of the runtime. */
function relocate(image: Buffer, { sections, symbols, placed }: Layout): Call[] {
  const calls: Call[] = [];
  for (const { type, info, data } of sections) {
    const base = placed.get(info);
    if (type !== SECTION.REL || base === undefined) continue;
    for (let at = 0; at < data.length; at += 16) {
      const offset = base + Number(data.readBigUInt64LE(at));
      const kind = data.readUInt32LE(at + 8);
      const symbol = symbols[data.readUInt32LE(at + 12)];
      if (symbol === undefined) throw new Error("a relocation has no symbol");
      if (kind === RELOCATION.CALL && symbol.section === 0) {
        calls.push({ offset, name: symbol.name });
      } else if (kind === RELOCATION.CALL) {
        // The addend counts instructions from the section's start, less one.
        const target = addressOf(symbol, placed) / 8 + image.readInt32LE(offset + 4) + 1;
        image.writeInt32LE(target - offset / 8 - 1, offset + 4);
      } else if (kind === RELOCATION.IMMEDIATE) {
        const address = BASE + BigInt(addressOf(symbol, placed) + image.readUInt32LE(offset + 4));
        image.writeUInt32LE(Number(address & 0xffff_ffffn), offset + 4);
        image.writeUInt32LE(Number(address >> 32n), offset + 12);
      } else if (kind === RELOCATION.WORD) {
        const address = BASE + BigInt(addressOf(symbol, placed)) + image.readBigUInt64LE(offset);
        image.writeBigUInt64LE(address, offset);
      } else {
        throw new Error(`relocation ${kind} is not supported`);
      }
    }
  }
  return calls;
}

interface Program {
  readonly start: number;
  readonly textEnd: number;
  readonly calls: readonly Call[];
  readonly entry: number;
}

/** Appends the dynamic tables, and writes the headers. */
function write(image: Buffer, { start, textEnd, calls, entry }: Program): Buffer {
  const names = [...new Set(calls.map(({ name }) => name))];
  const dynstr = textTable(names);
  const dynsym = Buffer.concat([
    Buffer.alloc(24),
    // Global and undefined.
    ...names.map((name) =>
      Buffer.concat([numbers(4, dynstr.offsets.get(name) ?? 0), Buffer.from([0x10]), Buffer.alloc(19)]),
    ),
  ]);
  const relocations = Buffer.concat(
    calls.map(({ offset, name }) =>
      numbers(8, offset, (BigInt(names.indexOf(name) + 1) << 32n) | BigInt(RELOCATION.CALL)),
    ),
  );
  const dynamicBytes = 16 * 7;
  const dynamicAt = image.length;
  const dynsymAt = dynamicAt + dynamicBytes;
  const dynstrAt = dynsymAt + dynsym.length;
  const relAt = dynstrAt + dynstr.bytes.length;
  const dynamic = numbers(
    8,
    ...[17, relAt, 18, relocations.length, 19, 16], // DT_REL, DT_RELSZ, DT_RELENT
    ...[6, dynsymAt, 5, dynstrAt, 10, dynstr.bytes.length, 0, 0], // DT_SYMTAB, DT_STRTAB, DT_STRSZ, DT_NULL
  );
  const sectionNames = textTable([".text", ".rodata", ".dynamic", ".dynsym", ".dynstr", ".rel.dyn", ".shstrtab"]);
  const namesAt = relAt + relocations.length;
  const tableAt = namesAt + sectionNames.bytes.length;
  const section = (name: string, type: number, flags: bigint, at: number, end: number, link = 0, size = 0): Buffer =>
    Buffer.concat([
      numbers(4, sectionNames.offsets.get(name) ?? 0, type),
      numbers(8, flags, flags === 0n ? 0 : at, at, end - at),
      numbers(4, link, 0),
      numbers(8, type === SECTION.STRTAB ? 1 : 8, size),
    ]);
  const table = [
    Buffer.alloc(SECTION_BYTES),
    section(".text", SECTION.PROGBITS, ALLOCATED | EXECUTABLE, start, textEnd),
    section(".rodata", SECTION.PROGBITS, ALLOCATED, textEnd, image.length),
    section(".dynamic", SECTION.DYNAMIC, ALLOCATED, dynamicAt, dynsymAt, 5, 16),
    section(".dynsym", SECTION.DYNSYM, ALLOCATED, dynsymAt, dynstrAt, 5, 24),
    section(".dynstr", SECTION.STRTAB, ALLOCATED, dynstrAt, relAt),
    section(".rel.dyn", SECTION.REL, ALLOCATED, relAt, namesAt, 4, 16),
    section(".shstrtab", SECTION.STRTAB, 0n, namesAt, tableAt),
  ];
  const segment = (type: number, flags: number, at: number, end: number): Buffer =>
    Buffer.concat([numbers(4, type, flags), numbers(8, at, at, at, end - at, end - at, 8)]);
  const headers = Buffer.concat([
    // 64 bits, little-endian; a shared object.
    Buffer.from("\x7fELF\x02\x01\x01".padEnd(16, "\0"), "latin1"),
    numbers(2, 3, BPF_MACHINE),
    numbers(4, 1),
    numbers(8, entry, HEADER_BYTES, tableAt),
    numbers(4, 0),
    numbers(2, HEADER_BYTES, SEGMENT_BYTES, 4, SECTION_BYTES, table.length, table.length - 1),
    segment(1, 5, start, textEnd),
    segment(1, 4, textEnd, dynamicAt),
    segment(1, 4, dynamicAt, namesAt),
    segment(2, 4, dynamicAt, dynsymAt),
  ]);
  headers.copy(image);
  return Buffer.concat([image, dynamic, dynsym, dynstr.bytes, relocations, sectionNames.bytes, ...table]);
}

/** Encodes little-endian numbers of `size` bytes. */
function numbers(size: 2 | 4 | 8, ...values: readonly (bigint | number)[]): Buffer {
  const bytes = Buffer.alloc(8 * values.length);
  for (const [index, value] of values.entries()) bytes.writeBigUInt64LE(BigInt(value), index * 8);
  return Buffer.concat(values.map((_, index) => bytes.subarray(index * 8, index * 8 + size)));
}

/** Joins texts with their terminators, padded to whole words. */
function textTable(texts: readonly string[]): {
  readonly bytes: Buffer;
  readonly offsets: ReadonlyMap<string, number>;
} {
  const offsets = new Map<string, number>();
  let all = "\0";
  for (const text of texts) {
    offsets.set(text, all.length);
    all += `${text}\0`;
  }
  return { bytes: Buffer.from(all.padEnd((all.length + 7) & ~7, "\0"), "latin1"), offsets };
}
