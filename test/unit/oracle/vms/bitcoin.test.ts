import { expect } from "chai";
import { type Hex, stringToHex } from "viem";

import { carriedText, isAddress, paidAddress } from "../../../../src/oracle/vms/bitcoin/script.ts";
import { BITCOIN_CODEC } from "../../../../sdk/src/protocol/vms/bitcoin.ts";

/** Scripts and addresses of BIP-173, BIP-350 and BIP-13, and of the genesis block. */
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

describe("Bitcoin", () => {
  it("reads the address that a script pays", () => {
    for (const [script, address] of PAIRS) {
      const encoded = paidAddress(script);
      expect(encoded && BITCOIN_CODEC.decodeAddress(encoded), script).to.equal(address);
    }
    for (const script of [
      "0x",
      "0x51",
      "0x6a0568656c6c6f",
      // One byte more or less than the push length.
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
      // A key hash of the test network.
      "mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn",
      "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5",
    ]) {
      expect(isAddress(text), text).to.equal(false);
    }
  });

  it("reads the text that an output carries", () => {
    const carrying = (push: string, text: string) => carriedText(`0x6a${push}${stringToHex(text).slice(2)}`);
    expect(carrying("05", "hello")).to.equal("hello");
    expect(carrying("4c50", "a".repeat(80))).to.equal("a".repeat(80));
    // Bytes of a longer push are not read as text, so such outputs have no id.
    expect(carrying("4d0001", "a".repeat(256))).not.to.match(/^a/u);
    expect(carriedText("0x6a")).to.equal("");
    expect(carriedText("0x0014751e76e8199196d454941c45d1b3a323f1433bd6")).to.equal(undefined);
  });
});
