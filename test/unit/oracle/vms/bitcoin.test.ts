import { expect } from "chai";
import { concat, type Hex, stringToHex } from "viem";

import { encodePsbt, inputSignature } from "../../../../packages/oracle/src/vms/bitcoin/withdrawals.ts";
import { carriedText, isAddress, paidAddress } from "../../../../packages/oracle/src/vms/bitcoin/deposits.ts";
import { BITCOIN_CODEC } from "../../../../packages/protocol/src/vms/bitcoin.ts";

/** Scripts and addresses from BIP-173, BIP-350 and BIP-13, and from the genesis block. */
const PAIRS: readonly [Hex, string][] = [
  ["0x0014751e76e8199196d454941c45d1b3a323f1433bd6", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
  [
    "0x512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
    "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
  ],
  ["0x6002751e", "bc1sw50qgdz25j"],
  ["0x5210751e76e8199196d454941c45d1b3a323", "bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs"],
  ["0x76a91462e907b15cbf27d5425399ebf6f0fb50ebb88f1888ac", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"],
  ["0xa914f815b036d9bbbce5e9f2a00abd1bf3dc91e9551087", "3QJmV3qfvL9SuYo34YihAf3sRCW3qSinyC"],
];

describe("the Bitcoin codec", () => {
  it("reads the address that a script pays", () => {
    for (const [script, address] of PAIRS) {
      const encoded = paidAddress(script);
      expect(encoded && BITCOIN_CODEC.decodeAddress(encoded), script).to.equal(address);
    }
    for (const script of [
      "0x",
      "0x51",
      "0x6a0568656c6c6f",
      // The script's length is one byte more or less than the push requires.
      "0x0014751e76e8199196d454941c45d1b3a323f1433b",
      "0x0014751e76e8199196d454941c45d1b3a323f1433bd6d6",
      "0x76a91462e907b15cbf27d5425399ebf6f0fb50ebb88f1888ad",
      "0xa914f815b036d9bbbce5e9f2a00abd1bf3dc91e95510",
    ] as const) {
      expect(paidAddress(script), script).to.equal(undefined);
    }
  });

  it("recognizes addresses that outputs can pay", () => {
    for (const [, address] of PAIRS) expect(isAddress(address), address).to.equal(true);
    for (const text of [
      "invalid",
      "bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8",
      // Address with a key hash on the test network.
      "mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn",
      "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5",
    ]) {
      expect(isAddress(text), text).to.equal(false);
    }
  });

  it("writes a PSBT with the same bytes as bitcoinjs-lib 6.1.7, with and without signatures", () => {
    const inputs = [
      { txid: `${"aa".repeat(31)}01`, vout: 1, script: `0x0014${"22".repeat(20)}`, amount: 5_000n },
      { txid: `${"bb".repeat(31)}02`, vout: 300, script: `0x76a914${"33".repeat(20)}88ac`, amount: 700n },
    ] as const;
    const outputs = [
      { script: `0x0014${"44".repeat(20)}`, amount: 3_800n },
      { script: "0x6a04deadbeef", amount: 0n },
    ] as const;
    const key = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
    const signatures = [0, 1].map((index) => {
      const [r, s] = [0x21 + index, 0x31 + index].map((byte) => byte.toString(16).repeat(32));
      return { signature: `0x30440220${r}0220${s}01`, publicKey: `0x${key}` } as const;
    });
    const signed = (byte: string, next: string) => [
      `2202${key}4730440220${byte.repeat(32)}0220${next.repeat(32)}010103040100000022`,
      `06${key}0400000000`,
    ];
    const transaction = [
      "70736274ff01008a010000000201",
      "aa".repeat(31),
      "0100000000fdffffff02",
      "bb".repeat(31),
      `2c01000000fdffffff02d80e000000000000160014${"44".repeat(20)}0000000000000000066a04deadbeef0000000000`,
    ];
    const first = `01011f8813000000000000160014${"22".repeat(20)}`;
    const second = `010122bc020000000000001976a914${"33".repeat(20)}88ac`;
    const sighash = "01030401000000";
    const plain = [...transaction, first, sighash, "00", second, sighash, "000000"];
    expect(encodePsbt(inputs, outputs)).to.equal(`0x${plain.join("")}`);
    const whole = [...transaction, first, ...signed("21", "31"), "00", second, ...signed("22", "32"), "000000"];
    expect(encodePsbt(inputs, outputs, signatures)).to.equal(`0x${whole.join("")}`);
  });

  it("reads the signature and the key that unlock an output from a witness or a script", () => {
    const [signature, publicKey] = ["0x300602010102010201", `0x03${"11".repeat(32)}`] as const;
    expect(inputSignature({ scriptSig: "0x", witness: [signature, publicKey] })).to.deep.equal({
      signature,
      publicKey,
    });
    const scriptSig = concat(["0x09", signature, "0x21", publicKey]);
    expect(inputSignature({ scriptSig, witness: [] })).to.deep.equal({ signature, publicKey });
    for (const other of [
      { scriptSig: "0x", witness: [] },
      { scriptSig: "0x", witness: [signature, signature] },
      { scriptSig: "0x0930", witness: [] },
    ] as const) {
      expect(inputSignature(other)).to.equal(undefined);
    }
  });

  it("reads the text that an output contains", () => {
    const carrying = (push: string, text: string) => carriedText(`0x6a${push}${stringToHex(text).slice(2)}`);
    expect(carrying("05", "hello")).to.equal("hello");
    expect(carrying("4c50", "a".repeat(80))).to.equal("a".repeat(80));
    // A longer push is not read as text, so such an output has no id.
    expect(carrying("4d0001", "a".repeat(256))).not.to.match(/^a/u);
    expect(carriedText("0x6a")).to.equal("");
    expect(carriedText("0x0014751e76e8199196d454941c45d1b3a323f1433bd6")).to.equal(undefined);
  });
});
