import { expect } from "chai";

import { InvalidInputError } from "../../../../packages/protocol/src/core/errors.ts";
import { VM_TYPES, type VmType } from "../../../../packages/protocol/src/vms/vmCodec.ts";
import { vmCodecOf } from "../../../../packages/protocol/src/vms/vmCodecOf.ts";

/** Published pairs of an address in its chain's format and its bytes. */
const ADDRESSES: readonly [VmType, string, string][] = [
  ["ethereum-vm", "0x4cd00e387622c35bddb9b4c962c136462338bc31", "0x4cd00e387622c35bddb9b4c962c136462338bc31"],
  ["hyperliquid-vm", `0x${"0".repeat(32)}`, `0x${"0".repeat(32)}`],
  ["hyperliquid-vm", "0x6d1e7cde53ba9467b783cb7c530ce05478796e", "0x6d1e7cde53ba9467b783cb7c530ce05478796e"],
  [
    "solana-vm",
    "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
    "0xc6fa7af3bedbad3a3d65f36aabc97431b1bbe4c2d2f6e0e47ca60203452f5d61",
  ],
  ["solana-vm", "11111111111111111111111111111111", `0x${"0".repeat(64)}`],
  ["bitcoin-vm", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "0xff0062e907b15cbf27d5425399ebf6f0fb50ebb88f18"],
  ["bitcoin-vm", "3P14159f73E4gFr7JterCCQh9QjiTjiZrG", "0xff05e9c3dd0c07aac76179ebc76a6c78d4d67c6c160a"],
  ["bitcoin-vm", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "0x00751e76e8199196d454941c45d1b3a323f1433bd6"],
  // Native currency, encoded as a 19-byte program, which no script can have.
  ["bitcoin-vm", "bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8", `0x${"0".repeat(40)}`],
  [
    "bitcoin-vm",
    "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
    "0x0179be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
  ],
  ["tron-vm", "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb", `0x41${"0".repeat(40)}`],
  ["tron-vm", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "0x41a614f803b6fd780986a42c78ec9c7f77e6ded13c"],
  ["ton-vm", `0:${"ab".repeat(32)}`, `0x${"ab".repeat(32)}`],
  ["lighter-vm", "0", `0x${"0".repeat(32)}`],
  ["lighter-vm", "281474976710655", "0x00000000000000000000ffffffffffff"],
  ["xrp-vm", "rrrrrrrrrrrrrrrrrrrrrhoLvTp", `0x${"0".repeat(40)}`],
  ["xrp-vm", "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh", "0xb5f762798a53d543a014caf8b297cff8f2f937e8"],
];

const REFUSED: readonly [VmType, string][] = [
  ["ethereum-vm", "0x4cd00e387622c35bddb9b4c962c136462338bc"],
  ["ethereum-vm", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"],
  ["hyperliquid-vm", "USDC"],
  ["hyperliquid-vm", "0x"],
  ["solana-vm", "0x4cd00e387622c35bddb9b4c962c136462338bc31"],
  ["solana-vm", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"],
  ["bitcoin-vm", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb"],
  ["bitcoin-vm", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5"],
  // Version 1 address with a version 0 checksum (BIP-350).
  ["bitcoin-vm", "bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4"],
  ["tron-vm", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u"],
  ["tron-vm", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"],
  ["ton-vm", `-1:${"ab".repeat(32)}`],
  ["ton-vm", "EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9d"],
  ["lighter-vm", "01"],
  ["lighter-vm", (1n << 128n).toString()],
  ["xrp-vm", "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTi"],
  ["xrp-vm", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"],
];

describe("vmCodecOf", () => {
  it("returns a codec for every VM by name", () => {
    expect(VM_TYPES.map((vmType) => vmCodecOf(vmType).vmType)).to.deep.equal(VM_TYPES);
  });

  for (const [vmType, text, bytes] of ADDRESSES) {
    it(`encodes and decodes ${text} for ${vmType}`, () => {
      expect(vmCodecOf(vmType).encodeAddress(text, "a")).to.equal(bytes);
      expect(vmCodecOf(vmType).decodeAddress(bytes as `0x${string}`)).to.equal(text);
    });
  }

  for (const [vmType, text] of REFUSED) {
    it(`rejects ${text} for ${vmType}`, () => {
      expect(() => vmCodecOf(vmType).encodeAddress(text, "order.recipient"))
        .to.throw(InvalidInputError)
        .with.property("field", "order.recipient");
    });
  }

  it("reads EVM addresses in any letter case, and returns them in lowercase", () => {
    const address = "0x4cD00E387622C35bDDB9b4c962C136462338BC31";
    expect(vmCodecOf("ethereum-vm").encodeAddress(address, "a")).to.equal(address.toLowerCase());
  });

  it("reads user-friendly TON addresses in both alphabets", () => {
    const zero = `0x${"0".repeat(64)}`;
    expect(vmCodecOf("ton-vm").encodeAddress(vmCodecOf("ton-vm").nativeCurrency, "a")).to.equal(zero);
    // Hash of a published wallet. One alphabet uses - and _ where the other uses + and /.
    const friendly = "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N";
    expect(vmCodecOf("ton-vm").encodeAddress(friendly, "a")).to.equal(
      "0x83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8",
    );
  });

  it("encodes every native currency", () => {
    for (const vmType of VM_TYPES) {
      const codec = vmCodecOf(vmType);
      expect(BigInt(codec.encodeAddress(codec.nativeCurrency, "a")) % (1n << 128n)).to.equal(0n);
    }
  });

  it("formats transaction ids as their chains do", () => {
    const hash = "ab".repeat(32);
    const written: Record<VmType, string> = {
      "bitcoin-vm": hash,
      "ethereum-vm": `0x${hash}`,
      "hyperliquid-vm": `0x${hash}`,
      "lighter-vm": hash,
      "solana-vm": "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ3uJJo5f5xN6fEXUBuw3QJXbWLoEV4Vcg1b5Gm",
      "ton-vm": hash,
      "tron-vm": hash,
      "xrp-vm": hash.toUpperCase(),
    };
    for (const vmType of VM_TYPES) {
      const codec = vmCodecOf(vmType);
      const id = vmType === "solana-vm" ? codec.decodeTransactionId(`0x${hash.repeat(2)}`) : written[vmType];
      const bytes = vmType === "solana-vm" ? `0x${hash.repeat(2)}` : `0x${hash}`;
      expect(codec.encodeTransactionId(id, "transactionId")).to.equal(bytes);
      expect(codec.decodeTransactionId(codec.encodeTransactionId(id, "transactionId"))).to.equal(id);
      expect(() => codec.encodeTransactionId("zz", "transactionId")).to.throw(InvalidInputError);
    }
  });
});
