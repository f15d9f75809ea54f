import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";

import { expect } from "chai";

import { InvalidInputError } from "../../../../packages/protocol/src/core/errors.ts";
import {
  declaredSize,
  MAX_UNPACKED_BYTES,
  unpack,
} from "../../../../packages/crosscall/src/localnet/snapshot/unpack.ts";

/** File with gzip members, read in small parts. */
class Source {
  /** Number of bytes read. */
  read = 0;
  readonly stream: Readable;

  constructor(packed: Buffer) {
    this.stream = Readable.from(this.#parts(packed));
  }

  *#parts(packed: Buffer): Generator<Buffer> {
    while (this.read < packed.length) {
      const start = this.read;
      this.read += PART;
      yield packed.subarray(start, start + PART);
    }
  }
}

const PART = 256;

const refuse = (reason: string): InvalidInputError =>
  new InvalidInputError({ field: "file", value: "", reason, hint: "" });

async function refused(packed: Buffer, declared = declaredSize(packed)): Promise<{ reason: string; read: number }> {
  const source = new Source(packed);
  const error = await unpack(source.stream, declared, refuse).catch((cause: unknown) => cause);
  if (!(error instanceof InvalidInputError)) return expect.fail("it was unpacked");
  expect(source.stream.destroyed).to.equal(true);
  return { reason: error.reason, read: source.read };
}

/** Returns a file that repeats the same text. */
const repeated = (text: string, times: number): Buffer => Buffer.concat(Array<Buffer>(times).fill(gzipSync(text)));

describe("unpack", () => {
  it("returns the text of a gzip file with the declared size", async () => {
    const packed = gzipSync('{"a":["é"]}');
    expect(declaredSize(packed)).to.equal(12);
    expect(await unpack(new Source(packed).stream, declaredSize(packed), refuse)).to.equal('{"a":["é"]}');
  });

  it("stops when the data exceeds the declared size", async () => {
    const packed = repeated("a".repeat(1_000_000), 1_000);
    const { reason, read } = await refused(packed);
    expect(reason).to.equal("it unpacks to more than the 1000000 bytes that it declares");
    expect(read).to.be.lessThan(packed.length / 4);
  });

  it("does not read a file that declares a size above the limit", async () => {
    const { reason, read } = await refused(gzipSync("a"), MAX_UNPACKED_BYTES + 1);
    expect([reason, read]).to.deep.equal(["it unpacks to 67108865 bytes, more than the limit of 67108864", 0]);
  });

  it("stops when there are too many values", async () => {
    const packed = repeated("[],".repeat(1_000_000), 100);
    const { reason, read } = await refused(packed, MAX_UNPACKED_BYTES);
    expect(reason).to.equal("it has more than 2500000 values");
    expect(read).to.be.lessThan(packed.length / 4);
  });

  it("rejects values that are nested too deeply", async () => {
    const { reason } = await refused(gzipSync(`${"[".repeat(100_000)}${"]".repeat(100_000)}`));
    expect(reason).to.equal("its values are nested too deeply");
  });
});
