import { createHash } from "node:crypto";

import { bech32, createBase58check } from "@scure/base";
import { expect } from "chai";
import type { Hex } from "viem";
import { privateKeyToAccount, sign } from "viem/accounts";

import { isSignedOnBitcoin } from "../../../../src/oracle/attest/isSignedOnBitcoin.ts";

const TEXT = "5e".repeat(32);
const PRIVATE_KEY: Hex = `0x${"77".repeat(32)}`;

const sha256 = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest();
const hash160 = (bytes: Uint8Array): Buffer => createHash("ripemd160").update(sha256(bytes)).digest();
const base58check = createBase58check(sha256);

/** The addresses of the key, one per kind. */
function addresses() {
  const { publicKey } = privateKeyToAccount(PRIVATE_KEY);
  const whole = Buffer.from(publicKey.slice(2), "hex");
  const key = Buffer.concat([Buffer.from([2 + (whole[64]! & 1)]), whole.subarray(1, 33)]);
  const witness = Buffer.concat([Buffer.from([0, 20]), hash160(key)]);
  const legacy = (version: number, hash: Buffer): string =>
    base58check.encode(Buffer.concat([Buffer.from([version]), hash]));
  return {
    uncompressed: legacy(0, hash160(whole)),
    legacy: legacy(0, hash160(key)),
    wrapped: legacy(5, hash160(witness)),
    segwit: bech32.encode("bc", [0, ...bech32.toWords(hash160(key))]),
  };
}

/** Signs like wallets, with an offset added to the first byte. */
async function signText(text: string, added: number): Promise<string> {
  const bytes = Buffer.from(`\u0018Bitcoin Signed Message:\n${String.fromCharCode(text.length)}${text}`, "latin1");
  const hash: Hex = `0x${sha256(sha256(bytes)).toString("hex")}`;
  const signature = await sign({ hash, privateKey: PRIVATE_KEY, to: "hex" });
  const header = Number.parseInt(signature.slice(-2), 16) + added;
  return `${header.toString(16)}${signature.slice(2, -2)}`;
}

describe("a text signed on Bitcoin", () => {
  it("is recognized by a published signature", async () => {
    const published = "H9L5yLFjti0QTHhPyFrZCT1V/MMnBtXKmoiKDZ78NDBjERki6ZTQZdSMCtkgoNmp17By9ItJr8o7ChX0XxY91nk=";
    const signature = Buffer.from(published, "base64").toString("hex");
    const owner = "1F3sAm6ZtwLAUnj7d38pGFxtP3RVEvtsbV";
    expect(await isSignedOnBitcoin("This is an example of a signed message.", owner, signature)).to.equal(true);
    expect(await isSignedOnBitcoin("This is an example of a signed message!", owner, signature)).to.equal(false);
  });

  it("is accepted for every address kind of the key, with the first bytes that wallets write for it", async () => {
    const { uncompressed, legacy, wrapped, segwit } = addresses();
    const taken = async (owner: string): Promise<number[]> => {
      const added = [0, 4, 8, 12, 16];
      const seen = await Promise.all(
        added.map(async (more) => isSignedOnBitcoin(TEXT, owner, await signText(TEXT, more))),
      );
      return added.filter((_, index) => seen[index]);
    };
    expect(await taken(uncompressed)).to.deep.equal([0]);
    expect(await taken(legacy)).to.deep.equal([4]);
    expect(await taken(wrapped)).to.deep.equal([4, 8]);
    expect(await taken(segwit)).to.deep.equal([4, 12]);
    expect(await isSignedOnBitcoin(TEXT, segwit, `0x${await signText(TEXT, 4)}`)).to.equal(true);
  });

  it("is invalid with another key, malformed, or without a valid address", async () => {
    const { segwit } = addresses();
    const signature = await signText(TEXT, 4);
    const owners = ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "3P14159f73E4gFr7JterCCQh9QjiTjiZrG", "invalid"];
    for (const owner of owners) expect(await isSignedOnBitcoin(TEXT, owner, signature)).to.equal(false);
    for (const broken of ["", "0x12", "nothing", "00".repeat(65), `1f${"ff".repeat(64)}`, `${signature}00`]) {
      expect(await isSignedOnBitcoin(TEXT, segwit, broken)).to.equal(false);
    }
  });
});
