import { expect } from "chai";
import { AbiCoder } from "ethers";
import type { Address, Hex } from "viem";

import { InvalidInputError } from "../../../../packages/protocol/src/core/errors.ts";
import { bitcoinScript } from "../../../../packages/protocol/src/attestation/bitcoinOutputs.ts";
import {
  type SubmitWithdrawParameters,
  toSubmitWithdrawRequest,
} from "../../../../packages/protocol/src/attestation/toSubmitWithdrawRequest.ts";
import { toWithdrawRequest } from "../../../../packages/sdk/src/attestation.ts";
import type { WithdrawParameters } from "../../../../packages/protocol/src/attestation/toWithdrawRequest.ts";
import { vmCodecOf, type VmType } from "../../../../packages/protocol/src/vms/index.ts";

const abi = AbiCoder.defaultAbiCoder();
const ALIAS: Address = "0xF70da97812CB96acDF810712Aa562db8dfA3dbEF";
const NONCE: Hex = `0x${"9e".repeat(32)}`;
const TXID = Array.from({ length: 32 }, (_, index) => index.toString(16).padStart(2, "0")).join("");
const REVERSED: Hex = `0x${Array.from({ length: 32 }, (_, index) => (31 - index).toString(16).padStart(2, "0")).join("")}`;

/** Addresses and scripts published in the address standards (BIP-173, BIP-350) and in explorers. */
const SCRIPTS: Readonly<Record<string, Hex>> = {
  bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4: "0x0014751e76e8199196d454941c45d1b3a323f1433bd6",
  bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0:
    "0x512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
  "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa": "0x76a91462e907b15cbf27d5425399ebf6f0fb50ebb88f1888ac",
  "3P14159f73E4gFr7JterCCQh9QjiTjiZrG": "0xa914e9c3dd0c07aac76179ebc76a6c78d4d67c6c160a87",
};
const [SEGWIT, TAPROOT, LEGACY, WRAPPED] = Object.keys(SCRIPTS) as [string, string, string, string];

function refuses(work: () => unknown, field: string): void {
  try {
    work();
  } catch (error) {
    expect(error).to.be.instanceOf(InvalidInputError);
    expect((error as InvalidInputError).field).to.equal(field);
    return;
  }
  expect.fail("it was taken");
}

describe("bitcoinScript", () => {
  for (const [address, script] of Object.entries(SCRIPTS)) {
    it(`returns the script for ${address}`, () => {
      expect(bitcoinScript(address, "recipient")).to.equal(script);
    });
  }

  it("rejects addresses of other networks", () => {
    // Address with the same hash on the test network.
    for (const address of ["invalid", "mvVHEsx6vzPfrqwFcEzqxhXqZmQVhUbCmw"]) {
      refuses(() => bitcoinScript(address, "recipient"), "recipient");
    }
  });
});

describe("toSubmitWithdrawRequest", () => {
  const parameters = (vmType: VmType, change: Partial<SubmitWithdrawParameters>): SubmitWithdrawParameters => ({
    vmType,
    chainId: 7n,
    depository: "",
    currency: "",
    recipient: "",
    amount: 70n,
    spender: ALIAS,
    nonce: NONCE,
    ...change,
  });
  const common = { chainId: 7n, amount: 70n, spender: ALIAS, nonce: NONCE };

  it("writes all values for EVM chains in lowercase", () => {
    const address = ALIAS as string;
    const given = { depository: address, currency: address, recipient: address };
    const lower = ALIAS.toLowerCase();
    expect(toSubmitWithdrawRequest(parameters("ethereum-vm", given))).to.deep.equal({
      ...common,
      depository: lower,
      currency: lower,
      spender: lower,
      receiver: lower,
      data: "0x",
    });
  });

  it("writes Tron addresses in their EVM form", () => {
    const token = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
    const hex = "0xa614f803b6fd780986a42c78ec9c7f77e6ded13c";
    expect(
      toSubmitWithdrawRequest(parameters("tron-vm", { depository: token, currency: token, recipient: token })),
    ).to.deep.equal({ ...common, depository: hex, currency: hex, receiver: hex, data: "0x" });
  });

  it("writes Solana addresses as hex without 0x, and an empty string for the native currency", () => {
    const depository = "99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2";
    const recipient = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
    const hex = "c6fa7af3bedbad3a3d65f36aabc97431b1bbe4c2d2f6e0e47ca60203452f5d61";
    const given = { depository, recipient, currency: "11111111111111111111111111111111" };
    const expected = { ...common, depository, receiver: hex, data: "0x" };
    expect(toSubmitWithdrawRequest(parameters("solana-vm", given))).to.deep.equal({ ...expected, currency: "" });
    expect(toSubmitWithdrawRequest(parameters("solana-vm", { ...given, currency: recipient }))).to.deep.equal({
      ...expected,
      currency: hex,
    });
  });

  it("includes the outputs that Bitcoin's allocator spends", () => {
    const currency = vmCodecOf("bitcoin-vm").nativeCurrency;
    const allocatorUtxos = [{ txid: TXID, vout: 3, value: "5000" }];
    const given = { depository: SEGWIT, recipient: LEGACY, currency };
    const withData = { ...given, additionalData: { "bitcoin-vm": { allocatorUtxos, feeRate: 12 } } };
    expect(toSubmitWithdrawRequest(parameters("bitcoin-vm", withData))).to.deep.equal({
      ...common,
      depository: SEGWIT,
      currency,
      receiver: Buffer.from(SCRIPTS[LEGACY]!.slice(2), "hex").toString("base64"),
      data: abi.encode(
        ["tuple(tuple(bytes32,uint32,uint64,bytes)[],uint64)"],
        [[[[REVERSED, 3, 5000, SCRIPTS[SEGWIT]]], 12]],
      ),
    });
    refuses(() => toSubmitWithdrawRequest(parameters("bitcoin-vm", given)), "additionalData.bitcoin-vm");
    const unknown = { allocatorUtxos: [{ ...allocatorUtxos[0]!, txid: "12" }], feeRate: 1 };
    const broken = { ...given, additionalData: { "bitcoin-vm": unknown } };
    refuses(() => toSubmitWithdrawRequest(parameters("bitcoin-vm", broken)), "txid");
  });

  it("includes the market and the time for Hyperliquid", () => {
    const additionalData = { "hyperliquid-vm": { currencyHyperliquidSymbol: "USDC", currentTime: 1_790_000_000_000 } };
    const given = { depository: ALIAS as string, recipient: ALIAS as string, additionalData };
    const expected = { ...common, depository: ALIAS, receiver: ALIAS };
    const native = `0x${"0".repeat(32)}`;
    expect(toSubmitWithdrawRequest(parameters("hyperliquid-vm", { ...given, currency: native }))).to.deep.equal({
      ...expected,
      currency: "",
      data: abi.encode(["uint64"], [1_790_000_000_000]),
    });
    const spot = `0x${"AB".repeat(16)}`;
    for (const [currency, market] of [
      [spot, "spot"],
      [`${spot}${Buffer.from("xyz").toString("hex")}`, "xyz"],
    ] as const) {
      expect(toSubmitWithdrawRequest(parameters("hyperliquid-vm", { ...given, currency }))).to.deep.equal({
        ...expected,
        currency: `USDC:${currency.toLowerCase()}`,
        data: abi.encode(["uint64", "string", "string"], [1_790_000_000_000, market, market]),
      });
    }
  });

  it("includes the asset, the markets and the memo for Lighter", () => {
    const transfer = { nonce: 42, fromRouteType: 0, toRouteType: 1, apiKeyIndex: 5, usdcFee: 100, assetIndex: 3 };
    const given = { depository: "723071", recipient: "99" };
    const requestOf = (currency: string, change: object = {}) =>
      toSubmitWithdrawRequest(
        parameters("lighter-vm", {
          ...given,
          currency,
          additionalData: { "lighter-vm": { ...transfer, memo: "abcd1234", ...change } },
        }),
      );
    const types = ["uint8", "uint64", "uint64", "uint64", "uint64", "uint64", "bytes32"];
    const dataOf = (memo: string, fromRoute = 0) => abi.encode(types, [0, 42, fromRoute, 1, 5, 100, memo]);
    const expected = { ...common, depository: "723071", receiver: "99" };
    const padded = `0xabcd1234${"0".repeat(56)}`;
    expect(requestOf("0")).to.deep.equal({ ...expected, currency: "3", data: dataOf(padded) });
    expect(requestOf("3", { fromRouteType: 1 })).to.deep.equal({
      ...expected,
      currency: "3",
      data: dataOf(padded, 1),
    });
    expect(requestOf("1", { fromRouteType: 1, assetIndex: 1, memo: "" })).to.deep.equal({
      ...expected,
      currency: "1",
      data: dataOf(`0x${"0".repeat(64)}`, 1),
    });
    expect(requestOf("0", { memo: NONCE }).data).to.equal(dataOf(NONCE));
    const field = "additionalData.lighter-vm";
    for (const memo of ["xyz", `${NONCE}00`, "0x0x12"]) refuses(() => requestOf("0", { memo }), `${field}.memo`);
    // Requests for dollars in another market, and for another asset.
    refuses(() => requestOf("3"), `${field}.assetIndex`);
    refuses(() => requestOf("0", { fromRouteType: 1 }), `${field}.assetIndex`);
    refuses(() => requestOf("77", { assetIndex: 1, fromRouteType: 1 }), `${field}.assetIndex`);
    refuses(() => toSubmitWithdrawRequest(parameters("lighter-vm", { ...given, currency: "0" })), field);
  });

  it("rejects VM families that this request version does not support", () => {
    for (const vmType of ["ton-vm", "xrp-vm"] as const) {
      refuses(() => toSubmitWithdrawRequest(parameters(vmType, {})), "chainId");
    }
  });
});

describe("toWithdrawRequest", () => {
  const SPENDER = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
  const parameters = (vmType: VmType, change: Partial<WithdrawParameters>): WithdrawParameters => ({
    vmType,
    chainId: "there",
    depository: "",
    currency: "",
    receiver: "",
    amount: 70n,
    nonce: NONCE,
    spenderCodec: vmCodecOf("tron-vm"),
    spenderChainId: "tron",
    spender: SPENDER,
    ...change,
  });
  const common = {
    chainId: "there",
    amount: 70n,
    spenderChainId: "tron",
    nonce: NONCE,
    spender: "0x41a614f803b6fd780986a42c78ec9c7f77e6ded13c",
  };

  it("encodes each address in its chain's format", () => {
    const lower = ALIAS.toLowerCase();
    const given = { depository: ALIAS as string, currency: ALIAS as string, receiver: ALIAS as string };
    expect(toWithdrawRequest(parameters("ethereum-vm", given))).to.deep.equal({
      ...common,
      depository: lower,
      currency: lower,
      receiver: lower,
      data: "0x",
    });
    for (const [vmType, address] of [
      ["solana-vm", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"],
      ["ton-vm", `0:${"ab".repeat(32)}`],
      ["tron-vm", SPENDER],
    ] as const) {
      const bytes = vmCodecOf(vmType).encodeAddress(address, "address");
      expect(
        toWithdrawRequest(parameters(vmType, { depository: address, currency: address, receiver: address })),
      ).to.deep.equal({ ...common, depository: bytes, currency: bytes, receiver: bytes, data: "0x" });
    }
  });

  it("includes both kinds of outputs on Bitcoin, where the allocator is a key hash", () => {
    const output = { txid: `0x${TXID}`, vout: 3, value: "5000" };
    const additionalData = {
      "bitcoin-vm": {
        allocatorUtxos: [output],
        feeUtxos: [{ ...output, vout: 4, address: WRAPPED }],
        feeRate: 12,
        feeChangeAddress: TAPROOT,
      },
    };
    const given = { depository: SEGWIT, receiver: LEGACY, currency: vmCodecOf("bitcoin-vm").nativeCurrency };
    const { data } = toWithdrawRequest(parameters("bitcoin-vm", { ...given, additionalData }));
    const outputs = "tuple(bytes32,uint32,uint64,bytes)[]";
    expect(data).to.equal(
      abi.encode(
        [`tuple(${outputs},${outputs},bytes,uint64)`],
        [[[[REVERSED, 3, 5000, SCRIPTS[SEGWIT]]], [[REVERSED, 4, 5000, SCRIPTS[WRAPPED]]], ...[SCRIPTS[TAPROOT], 12]]],
      ),
    );
    const legacy = parameters("bitcoin-vm", { ...given, depository: LEGACY, additionalData });
    refuses(() => toWithdrawRequest(legacy), "depository");
    refuses(() => toWithdrawRequest(parameters("bitcoin-vm", given)), "additionalData.bitcoin-vm");
  });

  it("includes the fields for exchanges and XRP", () => {
    const account = "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh";
    const dataOf = (vmType: VmType, address: string, additionalData: WithdrawParameters["additionalData"]) => {
      const given = { depository: address, currency: address, receiver: address };
      return toWithdrawRequest(parameters(vmType, additionalData === undefined ? given : { ...given, additionalData }))
        .data;
    };
    expect(dataOf("hyperliquid-vm", ALIAS, { "hyperliquid-vm": { nonce: "12" } })).to.equal(
      abi.encode(["uint64"], [12]),
    );
    const lighter = { nonce: "1", apiKeyIndex: 2, usdcFee: "3" };
    expect(dataOf("lighter-vm", "5", { "lighter-vm": lighter })).to.equal(
      abi.encode(["uint64", "uint64", "uint64"], [1, 2, 3]),
    );
    const xrp = { sequence: 1, fee: "12", lastLedgerSequence: 3 };
    const types = ["tuple(uint32,uint64,uint32,uint32,uint32,bool)"];
    expect(dataOf("xrp-vm", account, { "xrp-vm": xrp })).to.equal(abi.encode(types, [[1, 12, 3, 0, 0, false]]));
    expect(dataOf("xrp-vm", account, { "xrp-vm": { ...xrp, flags: 4, destinationTag: 0 } })).to.equal(
      abi.encode(types, [[1, 12, 3, 4, 0, true]]),
    );
    for (const [vmType, address] of [
      ["hyperliquid-vm", ALIAS],
      ["lighter-vm", "5"],
      ["xrp-vm", account],
    ] as const) {
      refuses(() => dataOf(vmType, address, undefined), `additionalData.${vmType}`);
    }
  });
});
