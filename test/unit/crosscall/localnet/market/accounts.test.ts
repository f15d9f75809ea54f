import { expect } from "chai";

import { parseAccountOf } from "../../../../../packages/crosscall/src/localnet/market/accounts.ts";
import { BITCOIN_CHAIN_ID, TRON_CHAIN_ID } from "../../../../../packages/protocol/src/chains/chainIds.ts";
import { refusal } from "../../../../support/rejection.ts";

const EVM_ADDRESS = "0xF0AE622e463fa757Cf72243569E18Be7Df1996cd";
const TAPROOT = "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0";
const BITCOIN_NATIVE = "bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8";
const BITCOIN = [
  TAPROOT,
  "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
  "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy",
];
const TRON_USDT = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";

describe("parseAccountOf", () => {
  it("keeps accounts of Bitcoin, Tron and EVM chains, and writes segwit addresses in lower case", () => {
    for (const address of [...BITCOIN, BITCOIN_NATIVE]) {
      expect(parseAccountOf(BITCOIN_CHAIN_ID, address, "a")).to.equal(address);
    }
    expect(parseAccountOf(BITCOIN_CHAIN_ID, TAPROOT.toUpperCase(), "a")).to.equal(TAPROOT);
    expect(parseAccountOf(TRON_CHAIN_ID, TRON_USDT, "a")).to.equal(TRON_USDT);
    expect(parseAccountOf(8_453, EVM_ADDRESS.toLowerCase(), "a")).to.equal(EVM_ADDRESS);
  });

  const rejected: Readonly<Record<string, readonly [chainId: number, address: string]>> = {
    "an EVM account on Bitcoin": [BITCOIN_CHAIN_ID, EVM_ADDRESS],
    "a Bitcoin account that is too long": [BITCOIN_CHAIN_ID, `${TAPROOT}q`],
    "a base58 account with a wrong checksum": [BITCOIN_CHAIN_ID, "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3"],
    "a segwit account of a test network": [BITCOIN_CHAIN_ID, "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx"],
    "a base58 account of a test network": [BITCOIN_CHAIN_ID, "mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn"],
    "a program of 19 bytes with a valid checksum": [BITCOIN_CHAIN_ID, "bc1qqyqszqgpqyqszqgpqyqszqgpqyqszqgtfc669"],
    "an EVM account on Tron": [TRON_CHAIN_ID, EVM_ADDRESS],
    "a Tron account in lower case": [TRON_CHAIN_ID, TRON_USDT.toLowerCase()],
    "a Tron account with a wrong checksum": [TRON_CHAIN_ID, `${TRON_USDT.slice(0, -1)}u`],
    "a Bitcoin account on Tron": [TRON_CHAIN_ID, "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"],
    "the hex form of a Tron account": [TRON_CHAIN_ID, `41${"0".repeat(40)}`],
    "no account": [TRON_CHAIN_ID, ""],
  };
  for (const [name, [chainId, address]] of Object.entries(rejected)) {
    it(`rejects ${name}`, () => {
      expect(refusal(() => parseAccountOf(chainId, address, "user"))).to.include({
        code: "INVALID_INPUT",
        field: "user",
      });
    });
  }
});
