import { createHash } from "node:crypto";

import { bech32, createBase58check } from "@scure/base";
import { RawTx, RawWitness } from "@scure/btc-signer";
import { expect } from "chai";
import type { Hex } from "viem";
import { privateKeyToAccount, sign } from "viem/accounts";

import { isSignedOnBitcoin } from "../../../../packages/oracle/src/attest/bitcoinSignature.ts";

const TEXT = "5e".repeat(32);
const PRIVATE_KEY: Hex = `0x${"77".repeat(32)}`;

const sha256 = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest();
const hash160 = (bytes: Uint8Array): Buffer => createHash("ripemd160").update(sha256(bytes)).digest();
const base58check = createBase58check(sha256);

/** Returns the key's addresses, one of each kind. */
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

/** Signs as wallets do, with an offset added to the signature's first byte. */
async function signText(text: string, added: number): Promise<string> {
  const bytes = Buffer.from(`\u0018Bitcoin Signed Message:\n${String.fromCharCode(text.length)}${text}`, "latin1");
  const hash: Hex = `0x${sha256(sha256(bytes)).toString("hex")}`;
  const signature = await sign({ hash, privateKey: PRIVATE_KEY, to: "hex" });
  const header = Number.parseInt(signature.slice(-2), 16) + added;
  return `${header.toString(16)}${signature.slice(2, -2)}`;
}

describe("a text signed by a Bitcoin key", () => {
  it("is accepted with a published signature", async () => {
    const published = "H9L5yLFjti0QTHhPyFrZCT1V/MMnBtXKmoiKDZ78NDBjERki6ZTQZdSMCtkgoNmp17By9ItJr8o7ChX0XxY91nk=";
    const signature = Buffer.from(published, "base64").toString("hex");
    const owner = "1F3sAm6ZtwLAUnj7d38pGFxtP3RVEvtsbV";
    expect(await isSignedOnBitcoin("This is an example of a signed message.", owner, signature)).to.equal(true);
    expect(await isSignedOnBitcoin("This is an example of a signed message!", owner, signature)).to.equal(false);
  });

  it("is accepted for each kind of the key's addresses, with the first bytes that wallets use for that kind", async () => {
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

  it("is rejected if the key differs, the signature is malformed, or the address is invalid", async () => {
    const { segwit } = addresses();
    const signature = await signText(TEXT, 4);
    const owners = ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "3P14159f73E4gFr7JterCCQh9QjiTjiZrG", "invalid"];
    for (const owner of owners) expect(await isSignedOnBitcoin(TEXT, owner, signature)).to.equal(false);
    for (const broken of ["", "0x12", "nothing", "00".repeat(65), `1f${"ff".repeat(64)}`, `${signature}00`]) {
      expect(await isSignedOnBitcoin(TEXT, segwit, broken)).to.equal(false);
    }
  });

  /**
   * Signatures from BIP-322 (basic-test-vectors.json) and Bitcoin Core, which signs Taproot with an explicit signature
   * hash type.
   */
  const KEY_OWNER = "bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l";
  const CORE_OWNER = "bc1ppv609nr0vr25u07u95waq5lucwfm6tde4nydujnu8npg4q75mr5sxq8lt3";
  const BIP322_VECTORS = [
    [
      "",
      KEY_OWNER,
      "AkcwRAIgM2gBAQqvZX15ZiysmKmQpDrG83avLIT492QBzLnQIxYCIBaTpOaD20qRlEylyxFSeEA2ba9YOixpX8z46TSDtS40ASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=",
    ],
    [
      "",
      KEY_OWNER,
      "AkgwRQIhAPkJ1Q4oYS0htvyuSFHLxRQpFAY56b70UvE7Dxazen0ZAiAtZfFz1S6T6I23MWI2lK/pcNTWncuyL8UL+oMdydVgzAEhAsfxIAMZZEKUPYWI4BruhAQjzFT8FSFSajuFwrDL1Yhy",
    ],
    [
      "Hello World",
      KEY_OWNER,
      "AkcwRAIgZRfIY3p7/DoVTty6YZbWS71bc5Vct9p9Fia83eRmw2QCICK/ENGfwLtptFluMGs2KsqoNSk89pO7F29zJLUx9a/sASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=",
    ],
    [
      "Hello World",
      KEY_OWNER,
      "AkgwRQIhAOzyynlqt93lOKJr+wmmxIens//zPzl9tqIOua93wO6MAiBi5n5EyAcPScOjf1lAqIUIQtr3zKNeavYabHyR8eGhowEhAsfxIAMZZEKUPYWI4BruhAQjzFT8FSFSajuFwrDL1Yhy",
    ],
    [
      "No prefix fallback",
      "bc1pss0zhytly75awhm6x2hhvd5lnzv3vssgrf9axfheq8ldyzn88ges79fler",
      "AUCJYOwOjxYAvatTAGYaVlNXBVyFuc4MwNQkOuK2tl8xhfKDONd0NjfYyNSYcRqeCp8hsAnCEPHAVEkO9h6vbQ/R",
    ],
    [
      "Hello World",
      CORE_OWNER,
      "AUHd69PrJQEv+oKTfZ8l+WROBHuy9HKrbFCJu7U1iK2iiEy1vMU5EfMtjc+VSHM7aU0SDbak5IUZRVno2P5mjSafAQ==",
    ],
    // Created by bip322-js 3.0.0 with the key of the BIP's vectors.
    [
      TEXT,
      KEY_OWNER,
      "AkgwRQIhAPWV4gSl9fAhFvANn/hEnI1DZDhtbnCkoRYOkCsIsiYtAiBKFQBRjtG3OjWvX24S8kqCscgfngjY4LrXCN11wW5t+wEhAsfxIAMZZEKUPYWI4BruhAQjzFT8FSFSajuFwrDL1Yhy",
    ],
    [TEXT, CORE_OWNER, "AUERTRA2LMlSkOisYbbIIG4ZK70H4bkTRaG0W5Dk7gV3CHm+0M0jR7T8RTax612lNIQwLowsjCQlVW1/90cOH+vQAQ=="],
  ] as const;

  it("is accepted with BIP-322's published witnesses and with another signer's", async () => {
    for (const [text, owner, base64] of BIP322_VECTORS) {
      const signature = Buffer.from(base64, "base64").toString("hex");
      const others = BIP322_VECTORS.map(([, other]) => other).filter((other) => other !== owner);
      expect(await isSignedOnBitcoin(text, owner, signature)).to.equal(true);
      expect(await isSignedOnBitcoin(text, owner, `0x${signature}`)).to.equal(true);
      expect(await isSignedOnBitcoin(`${text}!`, owner, signature)).to.equal(false);
      for (const other of others) expect(await isSignedOnBitcoin(text, other, signature)).to.equal(false);
    }
  });

  it("is accepted with a full BIP-322 transaction, which is rejected for any other text", async () => {
    const [, , , [text, owner, base64]] = BIP322_VECTORS;
    const witness = RawWitness.decode(Buffer.from(base64, "base64"));
    // The BIP states the id of the transaction that commits to "Hello World".
    const txid = Buffer.from("b79d196740ad5217771c1098fc4a4b51e0535c32236c71f1ea4d61a2d603352b", "hex");
    const input = { txid, index: 0, finalScriptSig: new Uint8Array(), sequence: 0 };
    const output = { amount: 0n, script: Uint8Array.of(0x6a) };
    const spending = { version: 0, segwitFlag: true, inputs: [input], outputs: [output], lockTime: 0 };
    const write = (change: object): string =>
      Buffer.from(RawTx.encode({ ...spending, witnesses: [witness], ...change })).toString("hex");
    expect(await isSignedOnBitcoin(text, owner, write({}))).to.equal(true);
    expect(await isSignedOnBitcoin("", owner, write({}))).to.equal(false);
    for (const change of [
      { version: 2 },
      { lockTime: 1 },
      { inputs: [{ ...input, sequence: 1 }] },
      { inputs: [{ ...input, index: 1 }] },
      { inputs: [{ ...input, txid: new Uint8Array(32) }] },
      { inputs: [input, input], witnesses: [witness, witness] },
      { outputs: [output, output] },
      { outputs: [{ ...output, amount: 1n }] },
      { segwitFlag: false, witnesses: undefined },
    ]) {
      expect(await isSignedOnBitcoin(text, owner, write(change))).to.equal(false);
    }
  });

  it("is rejected with a changed or malformed BIP-322 witness", async () => {
    for (const [text, owner, base64] of BIP322_VECTORS) {
      const witness = RawWitness.decode(Buffer.from(base64, "base64"));
      const [signed = new Uint8Array(), ...rest] = witness;
      const changed = signed.map((byte, index) => (index === 40 ? byte ^ 1 : byte));
      const ofKind = (kind: number): Uint8Array =>
        Uint8Array.of(...signed.subarray(0, rest.length > 0 ? -1 : 64), kind);
      const broken = [
        [changed, ...rest],
        [ofKind(0), ...rest],
        [ofKind(2), ...rest],
        [ofKind(0x81), ...rest],
        [signed.subarray(1), ...rest],
        [signed.subarray(0, 5), ...rest],
        [new Uint8Array(), ...rest],
        [...witness, new Uint8Array()],
        [signed, ...rest.map((key) => key.subarray(1))],
        [signed, ...rest.map((key) => key.toReversed())],
        [],
      ].filter((stack) => stack.length !== 1 || stack[0] !== signed);
      for (const stack of broken) {
        const signature = Buffer.from(RawWitness.encode(stack)).toString("hex");
        expect(await isSignedOnBitcoin(text, owner, signature)).to.equal(false);
      }
      expect(await isSignedOnBitcoin(text, owner, `${Buffer.from(base64, "base64").toString("hex")}00`)).to.equal(
        false,
      );
    }
  });
});
