import { expect } from "chai";
import { AbiCoder, keccak256, TypedDataEncoder } from "ethers";
import { type Address, type Hex, parseAbi, recoverAddress, zeroAddress, zeroHash } from "viem";

import type { TriggerAttestation } from "../../../packages/protocol/src/attestation/messages/trigger.ts";
import type { Oracle } from "../../../packages/oracle/src/startOracle.ts";
import { Answers } from "../support/answers.ts";
import {
  ask,
  CHAIN,
  ORACLE_SIGNER,
  type OracleNetwork,
  startOracleNetwork,
  startTestOracle,
} from "../support/oracleNetwork.ts";

const ROUTE = "/attestations/deposit-address-triggers/v1";
const MANAGER: Address = "0x00000000000000000000000000000000000da3a9";
const MANAGER_ABI = parseAbi(["function triggers(bytes32) view returns (bytes32)"]);
const ORDER_ID: Hex = `0x${"0d".repeat(32)}`;

const body = {
  input: { vmType: "ethereum-vm", chainId: CHAIN, currency: zeroAddress, amount: "70" },
  derivationFields: {
    inputVmType: "ethereum-vm",
    outputVmType: "solana-vm",
    outputChainId: "solana",
    outputCurrency: `0x${"01".repeat(32)}`,
    outputRecipient: `0x${"02".repeat(32)}`,
    solver: MANAGER,
    pricingOracle: MANAGER,
    depositor: MANAGER,
    refundRecipient: MANAGER,
    priceImpactBps: "30",
  },
  orderId: ORDER_ID,
  nonce: "4",
  extraData: "0xabcd",
  currencies: [{ chainId: CHAIN, currency: zeroAddress }],
  prices: [{ usdPrice: "100", usdPriceDecimals: 2, currencyDecimals: 6, expiration: "1790000000" }],
};

const TRIGGER_HASH = keccak256(
  AbiCoder.defaultAbiCoder().encode(
    [
      "tuple(string vmType,string chainId,bytes currency,uint256 amount)",
      "tuple(string inputVmType,string outputVmType,string outputChainId,bytes outputCurrency,bytes outputRecipient," +
        "address solver,address pricingOracle,bytes depositor,bytes refundRecipient,uint256 priceImpactBps)",
      "bytes32",
      "uint256",
      "tuple(string chainId,bytes currency)[]",
      "tuple(uint256 usdPrice,uint8 usdPriceDecimals,uint8 currencyDecimals,uint256 expiration)[]",
      "bytes",
    ],
    [body.input, body.derivationFields, ORDER_ID, "4", body.currencies, body.prices, "0xabcd"],
  ),
) as Hex;

describe("an attestation of a trigger", () => {
  let network: OracleNetwork;
  let oracle: Oracle;
  let peer: Oracle;
  let manager: Answers<typeof MANAGER_ABI>;

  before(async () => {
    network = await startOracleNetwork();
    manager = await Answers.at(network, MANAGER, MANAGER_ABI, [{ functionName: "triggers", result: zeroHash }]);
    const hub = { depositAddressManagerAddress: MANAGER };
    const privateKey: Hex = `0x${"6b".repeat(32)}`;
    peer = await startTestOracle(network, { hub, settings: { signing: { module: "raw-private-key", privateKey } } });
    oracle = await startTestOracle(network, { hub, settings: { peers: [{ baseUrl: peer.url, apiKey: "k" }] } });
  });
  after(async () => {
    await oracle.close();
    await peer.close();
    await network.close();
  });

  it("is rejected until the hub records it for the order, and signed afterwards", async () => {
    const refused = { status: 400, body: { message: "Trigger hash does not map to the provided order id" } };
    expect(await ask(oracle, ROUTE, body)).to.deep.include(refused);
    await manager.set({ functionName: "triggers", args: [TRIGGER_HASH], result: ORDER_ID });
    const answer = await ask<TriggerAttestation>(oracle, ROUTE, { ...body, requestPeerSignatures: true });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    const { signatures, ...message } = answer.body.trigger;
    const inputDepository = network.contracts.depository.toLowerCase();
    expect(message).to.deep.equal({
      chainId: "31337",
      depositAddressManager: MANAGER,
      inputDepository,
      triggerHash: TRIGGER_HASH,
    });
    const digest = TypedDataEncoder.hash(
      { name: "Trigger", version: "1", chainId: 31_337, verifyingContract: zeroAddress },
      {
        Trigger: [
          { name: "chainId", type: "uint256" },
          { name: "depositAddressManager", type: "address" },
          { name: "inputDepository", type: "bytes" },
          { name: "triggerHash", type: "bytes32" },
        ],
      },
      message,
    ) as Hex;
    const signers = await Promise.all(
      signatures.map(({ signature }) => recoverAddress({ hash: digest, signature: signature as Hex })),
    );
    expect(signers.map((address) => address.toLowerCase())).to.deep.equal([ORACLE_SIGNER, peer.signer]);
    for (const change of [{ nonce: "5" }, { extraData: "0x" }, { orderId: zeroHash }]) {
      expect(await ask(oracle, ROUTE, { ...body, ...change })).to.deep.include(refused);
    }
  });

  it("is rejected if something is not configured, and for invalid decimals", async () => {
    await using without = await startTestOracle(network);
    expect(await ask(without, ROUTE, body)).to.deep.include({
      status: 400,
      body: { message: "Missing deposit address manager config" },
    });
    await using bare = await startTestOracle(network, {
      hub: { depositAddressManagerAddress: MANAGER },
      chain: { depository: undefined as unknown as string },
    });
    expect(await ask(bare, ROUTE, body)).to.deep.include({
      status: 400,
      body: { message: `Missing depository for input chain ${CHAIN}` },
    });
    const prices = [{ ...body.prices[0], usdPriceDecimals: 256 }];
    expect(await ask(oracle, ROUTE, { ...body, prices })).to.deep.include({
      status: 400,
      body: { message: "body/prices/0/usdPriceDecimals must be <= 255" },
    });
  });
});
