import { expect } from "chai";
import { toEventSignature, toFunctionSignature } from "viem";

import {
  encodeAddress,
  encodeAddressWord,
  EVM_NATIVE_CURRENCY,
  isEvmNative,
  isSameAddress,
  parseEvmAddress,
} from "../../../../packages/protocol/src/chains/address.ts";
import { DEPOSIT_ABI, DEPOSIT_EVENTS } from "../../../../packages/protocol/src/chains/depositAbi.ts";
import { refusal } from "../../../support/rejection.ts";
import { depositoryAbi } from "../../../../packages/protocol/src/abi/service.generated.ts";

// From the EIP-55 specification.
const CHECKSUMMED = [
  "0x52908400098527886E0F7030069857D2E4169EE7",
  "0xde709f2102306220921060314715629080e2fb77",
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
] as const;
const MIXED = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const SVM = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const SVM_KEY = "0xc6fa7af3bedbad3a3d65f36aabc97431b1bbe4c2d2f6e0e47ca60203452f5d61";

describe("EVM_NATIVE_CURRENCY", () => {
  it("is the zero address", () => {
    expect(EVM_NATIVE_CURRENCY).to.equal(`0x${"00".repeat(20)}`);
    expect([isEvmNative(EVM_NATIVE_CURRENCY), isEvmNative(MIXED)]).to.deep.equal([true, false]);
  });
});

describe("parseEvmAddress", () => {
  for (const address of CHECKSUMMED) {
    it(`accepts ${address} with its checksum, in lowercase and in uppercase`, () => {
      const digits = address.slice(2);
      for (const given of [address, `0x${digits.toLowerCase()}`, `0x${digits.toUpperCase()}`]) {
        expect(parseEvmAddress(given, "to")).to.equal(address);
      }
    });
  }

  const refused: Record<string, unknown> = {
    "a wrong checksum": MIXED.replace("5aA", "5Aa"),
    "one character in another letter case": MIXED.replace("Aed", "aed"),
    "19 bytes": MIXED.slice(0, -2),
    "21 bytes": `${MIXED}00`,
    "an uppercase prefix": MIXED.replace("0x", "0X"),
    "no prefix": MIXED.slice(2),
    "a character that is not a hex digit": MIXED.replace("d", "g"),
    "a space after": `${MIXED} `,
    "a base58 address": SVM,
    "an empty text": "",
  };
  for (const [name, value] of Object.entries(refused)) {
    it(`rejects ${name} and reports the field`, () => {
      expect(refusal(() => parseEvmAddress(value, "txs[0].to"))).to.deep.equal({
        code: "INVALID_INPUT",
        field: "txs[0].to",
        value: JSON.stringify(value),
      });
    });
  }

  it("rejects values that are not strings", () => {
    for (const value of [5, null, undefined, [MIXED]]) {
      expect(refusal(() => parseEvmAddress(value, "to"))).to.include({ code: "INVALID_INPUT", field: "to" });
    }
  });
});

describe("isSameAddress", () => {
  it("compares EVM addresses case-insensitively", () => {
    expect(isSameAddress(MIXED, MIXED.toLowerCase())).to.equal(true);
    expect(isSameAddress(`0x${MIXED.slice(2).toUpperCase()}`, MIXED)).to.equal(true);
    expect(isSameAddress(MIXED, CHECKSUMMED[0])).to.equal(false);
  });

  it("compares base58 addresses case-sensitively", () => {
    expect(isSameAddress(SVM, SVM)).to.equal(true);
    expect(isSameAddress(SVM, SVM.toLowerCase())).to.equal(false);
    expect(isSameAddress(SVM, SVM.replace("EPj", "Epj"))).to.equal(false);
  });

  it("compares other addresses exactly", () => {
    expect(isSameAddress("0xAB", "0xab")).to.equal(false);
    expect(isSameAddress(MIXED, SVM)).to.equal(false);
    expect(isSameAddress("3", "3")).to.equal(true);
  });
});

describe("encodeAddress", () => {
  it("returns the bytes of an EVM address", () => {
    expect(encodeAddress(MIXED, "user")).to.equal(MIXED.toLowerCase());
  });

  it("returns the public key of an SVM address", () => {
    expect(encodeAddress(SVM, "user")).to.equal(SVM_KEY);
    expect(encodeAddress("1".repeat(32), "user")).to.equal(`0x${"00".repeat(32)}`);
  });

  it("accepts hex with an even number of digits", () => {
    expect(encodeAddress("0xAB", "user")).to.equal("0xab");
    expect(encodeAddress(SVM_KEY, "user")).to.equal(SVM_KEY);
  });

  for (const value of ["", "0x", "0xabc", "0xzz", SVM.slice(3), `1${SVM}`, SVM.replace("E", "0"), "user"]) {
    it(`rejects ${JSON.stringify(value)} and reports the field`, () => {
      expect(refusal(() => encodeAddress(value, "fees[0].recipient"))).to.deep.equal({
        code: "INVALID_INPUT",
        field: "fees[0].recipient",
        value: JSON.stringify(value),
      });
    });
  }
});

describe("encodeAddressWord", () => {
  it("pads an EVM address with zeros on the left", () => {
    expect(encodeAddressWord(MIXED, "user")).to.equal(`0x${"00".repeat(12)}${MIXED.slice(2).toLowerCase()}`);
  });

  it("leaves the 32 bytes of an SVM address unchanged", () => {
    expect(encodeAddressWord(SVM, "user")).to.equal(SVM_KEY);
  });

  it("rejects more than 32 bytes and values that are not addresses, and reports the field", () => {
    for (const value of [`0x${"11".repeat(33)}`, "invalid"]) {
      expect(refusal(() => encodeAddressWord(value, "requestData.originUser"))).to.deep.equal({
        code: "INVALID_INPUT",
        field: "requestData.originUser",
        value: JSON.stringify(value),
      });
    }
  });
});

describe("the depository ABI for apps", () => {
  it("contains every function and event of a deposit, as in the interface", () => {
    const functions = depositoryAbi.flatMap((item) =>
      item.type === "function" && item.name.startsWith("deposit")
        ? [`${toFunctionSignature(item)} ${item.stateMutability}`]
        : [],
    );
    const shown = DEPOSIT_ABI.map((item) => `${toFunctionSignature(item)} ${item.stateMutability}`);
    expect(shown).to.have.members(functions);
    const events = depositoryAbi.flatMap((item) =>
      item.type === "event" && item.name.endsWith("Deposit") ? [toEventSignature(item)] : [],
    );
    expect(DEPOSIT_EVENTS.map((item) => toEventSignature(item))).to.have.members(events);
    expect(DEPOSIT_EVENTS.flatMap(({ inputs }) => inputs.map((input) => "indexed" in input))).not.to.include(true);
  });
});
