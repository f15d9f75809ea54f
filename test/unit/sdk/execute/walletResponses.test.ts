import { expect } from "chai";
import { hashMessage, recoverAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";

import {
  dependsOnCode,
  normalizeSignature,
  readAtomicCapability,
  readChainId,
  readTransactionHash,
} from "../../../../packages/sdk/src/execute/walletResponses.ts";
import { factsOf, caught } from "../../../support/rejection.ts";

const DIGITS = "ab".repeat(32);
const HASH = `0x${DIGITS}`;
const account = privateKeyToAccount(`0x${"11".repeat(32)}`);

describe("the hash that a wallet returns", () => {
  const hashes: Record<string, unknown> = {
    "lower case": HASH,
    "upper case": HASH.toUpperCase(),
    "without 0x": DIGITS,
    "with spaces": ` ${HASH}\n`,
    "the hash field of an object": { hash: HASH },
    "the transactionHash field of an object": { transactionHash: HASH },
    "the txHash field of an object": { txHash: HASH.toUpperCase() },
    "the result of a JSON-RPC response": { jsonrpc: "2.0", id: 1, result: HASH },
    nested: { result: { hash: HASH } },
    "next to an empty field": { hash: null, transactionHash: HASH },
    "next to an empty hash": { hash: "0x", result: HASH },
  };
  for (const [name, answer] of Object.entries(hashes)) {
    it(`is read from ${name}`, () => expect(readTransactionHash(answer)).to.equal(HASH));
  }

  const cyclic: Record<string, unknown> = {};
  cyclic.result = cyclic;
  const none = [
    null,
    undefined,
    "",
    "0x",
    true,
    5,
    "0xab",
    `${HASH}ab`,
    `0x${"0".repeat(64)}`,
    "g".repeat(64),
    {},
    { safeTxHash: HASH },
    { hash: "0x" },
    [HASH],
    cyclic,
    () => HASH,
  ];
  for (const answer of none) {
    it(`is invalid: ${typeof answer} ${answer === cyclic ? "that contains itself" : JSON.stringify(answer)}`, () =>
      expect(readTransactionHash(answer)).to.equal(undefined));
  }
});

describe("the signature that a wallet returns", () => {
  for (const [message, v] of [
    ["b", 27],
    ["a", 28],
  ] as const) {
    it(`has the same v, ${v}, in every format`, async () => {
      const signature = await account.signMessage({ message });
      const [r, s] = [signature.slice(2, 66), signature.slice(66, 130)];
      expect(Number.parseInt(signature.slice(130), 16)).to.equal(v);
      const half = (BigInt(`0x${s}`) | (BigInt(v - 27) << 255n)).toString(16).padStart(64, "0");
      const forms = [
        signature,
        signature.toUpperCase(),
        signature.slice(2),
        `0x${r}${s}0${v - 27}`,
        `0x${r}${s}${(37 + v - 27).toString(16)}`,
        `0x${r}${half}`,
        { signature },
        { result: signature },
      ];
      for (const form of forms) expect(normalizeSignature(form, { forContract: false })).to.equal(signature);
      expect(await recoverAddress({ hash: hashMessage(message), signature })).to.equal(account.address);
    });
  }

  const raw = (v: string): string => `0x${"12".repeat(64)}${v}`;
  for (const [name, signature] of [
    ["v of 0", raw("00")],
    ["an approved hash", raw("01")],
    ["eth_sign of an owner", raw("1f")],
    ["64 bytes", `0x${"12".repeat(64)}`],
    ["20 bytes", `0x${"12".repeat(20)}`],
    ["two owners", `0x${"12".repeat(130)}`],
    ["ERC-6492", `0x${"12".repeat(160)}${"6492".repeat(16)}`],
  ] as const) {
    it(`is not changed for a contract account: ${name}`, () =>
      expect(normalizeSignature(signature, { forContract: true })).to.equal(signature));
  }

  it("is not changed for any account if it has more than 65 bytes", () => {
    const signature = `0x${"12".repeat(66)}`;
    expect(normalizeSignature(signature, { forContract: false })).to.equal(signature);
  });

  for (const answer of [null, undefined, "", "0x", "0x1", "zz", {}, raw("02"), raw("1f"), `0x${"12".repeat(63)}`]) {
    it(`is refused: ${JSON.stringify(answer)}`, () => {
      const facts = { code: "MALFORMED_DATA", what: "the signature from the wallet", path: "" };
      expect(factsOf(caught(() => normalizeSignature(answer, { forContract: false })))).to.deep.equal(facts);
    });
  }

  it("reads the account's code only if it affects normalization", () => {
    const answers = [raw("1b"), raw("1C"), `0x${"12".repeat(66)}`, raw("00"), raw("01"), `0x${"12".repeat(64)}`];
    expect(answers.map(dependsOnCode)).to.deep.equal([false, false, false, true, true, true]);
  });
});

describe("a chain id", () => {
  for (const answer of ["0x2105", "0X2105", "0x02105", "8453", " 8453 ", 8453, 8453n, "eip155:8453", "EIP155:0x2105"]) {
    it(`is read from ${typeof answer} ${String(answer)}`, () => expect(readChainId(answer)).to.equal(8_453));
  }
  for (const answer of [null, undefined, "", "0x", "base", {}, Number.NaN, -1, 1.5, "1e3", `0x${"f".repeat(40)}`]) {
    it(`is missing in ${JSON.stringify(answer)}`, () => expect(readChainId(answer)).to.equal(undefined));
  }
});

describe("a wallet's capabilities", () => {
  const supported = { atomic: { status: "supported" } };
  const unsupported = { atomic: { status: "unsupported" } };
  const atomic: Record<string, unknown> = {
    hex: { "0x2105": supported },
    "upper case": { "0X2105": supported },
    decimal: { 8453: { atomic: { status: "READY" } } },
    "CAIP-2": { "eip155:8453": supported },
    "every chain": { "0x0": supported },
    "every chain, with an entry that does not mention atomic": { "0x0": supported, "0x2105": { paymasterService: {} } },
    "this chain, unlike the other chains": { "0x0": unsupported, "0x2105": supported },
    "an older draft": { "0x2105": { atomicBatch: { supported: true } } },
    "another draft": { "0x2105": { atomic: { supported: "true" } } },
    "a list": [{ chainId: "0x2105", capabilities: supported }],
    "a flat list": [{ chainId: 8453, ...supported }],
  };
  for (const [name, answer] of Object.entries(atomic)) {
    it(`include atomic bundles: ${name}`, () => expect(readAtomicCapability(answer, 8_453)).to.equal(true));
  }

  const others: Record<string, unknown> = {
    null: null,
    nothing: undefined,
    text: "supported",
    "an empty object": {},
    "an empty list": [],
    "another chain": { "0x1": supported },
    unsupported: { "0x2105": unsupported },
    "unsupported here": { "0x0": supported, "0x2105": unsupported },
    "null for the chain": { "0x2105": null },
    "an unknown status": { "0x2105": { atomic: { status: "later" } } },
    "an older draft without support": { "0x2105": { atomicBatch: { supported: false } } },
    "a list of null": [null],
  };
  for (const [name, answer] of Object.entries(others)) {
    it(`include none: ${name}`, () => expect(readAtomicCapability(answer, 8_453)).to.equal(false));
  }
});
