import { base58, base58xrp, base64, bech32, bech32m, createBase58check } from "@scure/base";
import { expect } from "chai";
import * as fc from "fast-check";
import { sha256 } from "viem";

import {
  BASE58_ALPHABET,
  decodeBase58,
  decodeBase58Check,
  decodeBase64,
  encodeBase58,
  encodeBase58Check,
  encodeBase64,
} from "../../../../packages/protocol/src/encoding/baseTexts.ts";
import { decodeSegwit, encodeSegwit, type SegwitProgram } from "../../../../packages/protocol/src/encoding/segwit.ts";

const XRP_ALPHABET = "rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz";

const base58check = createBase58check((bytes: Uint8Array) => sha256(bytes, "bytes"));

/** Bytes with leading zeros, which base 58 encodes one by one. */
const anyBytes = fc
  .tuple(fc.nat(3), fc.uint8Array({ maxLength: 70 }))
  .map(([zeros, bytes]) => Uint8Array.from([...new Uint8Array(zeros), ...bytes]));

/** Generates valid texts, valid texts with one changed character, and arbitrary texts. */
const textsOf = (toText: (bytes: Uint8Array) => string, characters: string): fc.Arbitrary<string> => {
  const valid = anyBytes.map(toText);
  const character = fc.constantFrom(...Array.from(characters), "=", "0", "1", "-", " ", "\n", "é", "😀");
  const changed = fc
    .tuple(valid, fc.nat(), character)
    .map(
      ([text, at, other]) => text.slice(0, at % (text.length + 1)) + other + text.slice((at % (text.length + 1)) + 1),
    );
  return fc.oneof(
    valid,
    changed,
    fc.array(character, { maxLength: 40 }).map((parts) => parts.join("")),
    fc.string(),
  );
};

/** Decodes with the library. Returns undefined if the library throws. */
function libraryResult(decode: () => Uint8Array): Uint8Array | undefined {
  try {
    return Uint8Array.from(decode());
  } catch {
    return undefined;
  }
}

/** Decodes a mainnet address with the library. */
function librarySegwit(text: string): SegwitProgram | undefined {
  for (const variant of [bech32, bech32m]) {
    const decoded = variant.decodeUnsafe(text);
    const [version, ...words] = decoded?.words ?? [];
    if (decoded?.prefix !== "bc" || version === undefined || version > 16) continue;
    if ((version === 0) !== (variant === bech32)) continue;
    const program = variant.fromWordsUnsafe(words);
    if (program instanceof Uint8Array) return { version, program };
  }
  return undefined;
}

describe("text encodings of bytes, compared with @scure/base,", () => {
  const runs = { numRuns: 2_000 };

  it("are encoded the same in base 58", () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        expect(encodeBase58(bytes)).to.equal(base58.encode(bytes));
        expect(encodeBase58(bytes, XRP_ALPHABET)).to.equal(base58xrp.encode(bytes));
        expect(encodeBase58Check(bytes)).to.equal(base58check.encode(bytes));
      }),
      runs,
    );
  });

  it("are decoded the same in base 58", () => {
    fc.assert(
      fc.property(textsOf(base58.encode, BASE58_ALPHABET), (text) => {
        expect(decodeBase58(text)).to.deep.equal(libraryResult(() => base58.decode(text)));
        expect(decodeBase58(text, XRP_ALPHABET)).to.deep.equal(libraryResult(() => base58xrp.decode(text)));
      }),
      runs,
    );
  });

  it("are decoded the same in base 58 with a checksum", () => {
    fc.assert(
      fc.property(textsOf(base58check.encode, BASE58_ALPHABET), (text) => {
        expect(decodeBase58Check(text)).to.deep.equal(libraryResult(() => base58check.decode(text)));
      }),
      runs,
    );
  });

  it("are encoded and decoded the same in base 64", () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        expect(encodeBase64(bytes)).to.equal(base64.encode(bytes));
      }),
      runs,
    );
    fc.assert(
      fc.property(textsOf(base64.encode, "ABCDwxyz0189+/"), (text) => {
        expect(decodeBase64(text)).to.deep.equal(libraryResult(() => base64.decode(text)));
      }),
      runs,
    );
  });

  it("match segwit addresses, and are decoded the same", () => {
    const toText = (version: number, program: Uint8Array): string => {
      const variant = version === 0 ? bech32 : bech32m;
      return variant.encode("bc", [version, ...variant.toWords(program)], false);
    };
    const programs = fc.record({ version: fc.nat(16), program: fc.uint8Array({ maxLength: 48 }) });
    fc.assert(
      fc.property(programs, ({ version, program }) => {
        const text = toText(version, program);
        expect(encodeSegwit({ version, program })).to.equal(text);
        expect(decodeSegwit(text)).to.deep.equal({ version, program });
        expect(decodeSegwit(text.toUpperCase())).to.deep.equal({ version, program });
      }),
      runs,
    );
    const words = fc.array(fc.nat(31), { maxLength: 84 });
    const others = fc.oneof(
      textsOf((bytes) => toText(bytes.length % 17, bytes.slice(0, 48)), "qpzry9x8gf2tvdw0s3jn54khce6mua7lQP1b"),
      // Words with a valid checksum of either kind, including addresses on another network.
      fc
        .tuple(words, fc.constantFrom(bech32, bech32m), fc.constantFrom("bc", "tb", "bc1"))
        .map(([digits, variant, prefix]) => variant.encode(prefix, digits, false)),
    );
    fc.assert(
      fc.property(others, (text) => {
        expect(decodeSegwit(text)).to.deep.equal(librarySegwit(text));
      }),
      runs,
    );
  });

  it("are decoded to undefined for a segwit address with an unknown version or a program that is too long", () => {
    expect(encodeSegwit({ version: 17, program: new Uint8Array(20) })).to.equal(undefined);
    expect(encodeSegwit({ version: 1, program: new Uint8Array(60) })).to.equal(undefined);
  });

  it("are decoded to undefined if the value is not a string", () => {
    for (const value of [undefined, null, 5, ["1"]]) {
      expect([decodeBase58(value), decodeBase58Check(value), decodeBase64(value)]).to.deep.equal([
        undefined,
        undefined,
        undefined,
      ]);
    }
  });
});
