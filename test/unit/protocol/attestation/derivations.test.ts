import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

import { expect } from "chai";
import { AbiCoder, TypedDataEncoder, getAddress, keccak256, solidityPacked } from "ethers";
import type { Address, Hex } from "viem";

import { MalformedDataError } from "../../../../packages/protocol/src/core/errors.ts";
import { type Action, decodeAction, encodeAction } from "../../../../packages/protocol/src/attestation/action.ts";
import {
  deterministicId,
  hubAlias,
  hubTokenId,
  onchainId,
  orderAddress,
  withdrawalAddress,
} from "../../../../packages/protocol/src/attestation/hubIds.ts";
import {
  decodeEvmWithdrawal,
  encodeEvmWithdrawal,
  hashEvmWithdrawal,
  withdrawnByEvm,
} from "../../../../packages/protocol/src/attestation/evmWithdrawal.ts";
import {
  EXECUTE_AND_WITHDRAW_TYPES,
  HASHES_TO_SIGN_TYPES,
  hashSubmitWithdrawRequest,
  hashWithdrawRequest,
  SUBMIT_WITHDRAW_REQUEST_TYPES,
  WITHDRAW_REQUEST_TYPES,
  type WithdrawRequest,
} from "../../../../packages/protocol/src/attestation/withdrawRequest.ts";
import {
  depositExecutionKey,
  EXECUTION_TYPES,
  executionDomain,
  expiredWithdrawalExecutionKey,
  expiredWithdrawRequestExecutionKey,
  hashExecution,
  initiationExecutionKey,
  recoverExecutionKey,
  settlementExecutionKey,
  transferExecutionKey,
  withdrawalExecutionKey,
} from "../../../../packages/protocol/src/attestation/execution.ts";
import {
  SET_ENTRY_TYPES,
  genericMappingDomain,
  noFillEntry,
  noFillEntryId,
  nonceMappingEntry,
} from "../../../../packages/protocol/src/attestation/genericMapping.ts";
import { type OwnerOrder, hashOwnerOrder } from "../../../../packages/protocol/src/attestation/ownerDigest.ts";
import { TRIGGER_TYPES, type Trigger, hashTrigger } from "../../../../packages/protocol/src/attestation/trigger.ts";
import type { Order } from "../../../../packages/protocol/src/order/order.ts";
import { hashOrder } from "../../../../packages/protocol/src/order/orderId.ts";
import { vmCodecOf } from "../../../../packages/protocol/src/vms/vmCodecOf.ts";
import { malformed } from "../everyField.ts";

const abi = AbiCoder.defaultAbiCoder();
const DEPOSITORY: Address = "0x4cd00e387622c35bddb9b4c962c136462338bc31";
const DEPOSITOR: Address = "0xf0ae622e463fa757cf72243569e18be7df1996cd";
const TOKEN: Address = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const ALIAS = getAddress("0xf70da97812cb96acdf810712aa562db8dfa3dbef") as Address;
const word = (digit: string): Hex => `0x${digit.repeat(64)}`;

function sha256(text: string): Hex {
  return `0x${createHash("sha256").update(text, "utf8").digest("hex")}`;
}

function lastAddress(types: string[], values: unknown[]): string {
  return `0x${keccak256(solidityPacked(types, values)).slice(26)}`;
}

describe("deterministic ids", () => {
  it("hash the lowercase parts joined by colons", () => {
    expect(deterministicId("Base", "0xABC", 7, 8n)).to.equal(sha256("base:0xabc:7:8"));
    expect(deterministicId("id", undefined)).to.equal(sha256("id:"));
    expect(onchainId("base", word("A"), 42)).to.equal(sha256(`base:${word("a")}:42`));
  });

  it("are the keys of executions", () => {
    const [low, high] = [word("1"), word("f")];
    expect(depositExecutionKey("base", "0xAB")).to.equal(sha256("base:0xab"));
    const settlement = (ids: string) => sha256(`${sha256(ids)}:${word("2")}`);
    expect(settlementExecutionKey([high, low], word("2"))).to.equal(settlement(`${low}:${high}`));
    expect(settlementExecutionKey([low, low], word("2"))).to.equal(settlement(`${low}:${low}`));
    expect(withdrawalExecutionKey(high, undefined)).to.equal(sha256(`${high}:`));
    expect(expiredWithdrawalExecutionKey(high, "0xAB")).to.equal(sha256(`${high}:0xab:2`));
    expect(expiredWithdrawRequestExecutionKey(high)).to.equal(sha256(`${high}:2`));
    expect(initiationExecutionKey("relay", 12n, ALIAS)).to.equal(sha256(`relay:12:${ALIAS.toLowerCase()}`));
    const transfer = { from: ALIAS, to: DEPOSITOR, nonce: "9" };
    expect(transferExecutionKey("relay", 12n, transfer)).to.equal(
      sha256(`relay:12:${ALIAS.toLowerCase()}:${DEPOSITOR}:9`),
    );
    expect(recoverExecutionKey(low)).to.equal(sha256(`${low}:recover`));
  });
});

describe("hub ids", () => {
  it("are hashes of the chain's name and the encoded address", () => {
    const hash = keccak256(solidityPacked(["string", "bytes"], ["base", TOKEN]));
    expect(hubTokenId("base", TOKEN)).to.equal(BigInt(hash));
    expect(hubAlias("base", TOKEN)).to.equal(getAddress(`0x${hash.slice(26)}`));
  });

  it("include the order's owner in the hash for an order's account", () => {
    expect(
      orderAddress({
        chainId: "base",
        depositor: DEPOSITOR,
        depositTimestamp: 1_790_000_000,
        depositId: word("3"),
      }),
    ).to.equal(lastAddress(["string", "bytes", "uint256", "bytes32"], ["base", DEPOSITOR, 1_790_000_000, word("3")]));
  });

  it("include the withdrawal's owner in the hash for a withdrawal's account", () => {
    expect(
      withdrawalAddress({
        chainId: "base",
        depository: DEPOSITORY,
        currency: TOKEN,
        recipient: DEPOSITOR,
        ownerAlias: ALIAS,
        nonce: 5n,
      }),
    ).to.equal(
      lastAddress(
        ["string", "bytes", "bytes", "bytes", "address", "uint256"],
        ["base", DEPOSITORY, TOKEN, DEPOSITOR, ALIAS, 5],
      ),
    );
  });
});

describe("actions", () => {
  const moved = { tokenId: 11n, amount: 22n };
  const actions: [Action, string][] = [
    [{ type: "mint", to: ALIAS, ...moved }, abi.encode(["uint8", "address", "uint256", "uint256"], [0, ALIAS, 11, 22])],
    [
      { type: "burn", from: ALIAS, ...moved },
      abi.encode(["uint8", "address", "uint256", "uint256"], [1, ALIAS, 11, 22]),
    ],
    [
      { type: "transfer", from: ALIAS, to: getAddress(TOKEN) as Address, ...moved },
      abi.encode(["uint8", "address", "address", "uint256", "uint256"], [2, ALIAS, TOKEN, 11, 22]),
    ],
    [
      {
        type: "fastMint",
        to: ALIAS,
        ...moved,
        feeCalculator: ALIAS,
        feeCalculatorData: "0x01",
        rateLimiter: getAddress(TOKEN) as Address,
        rateLimiterData: "0x",
      },
      abi.encode(
        ["uint8", "address", "uint256", "uint256", "address", "bytes", "address", "bytes"],
        [3, ALIAS, 11, 22, ALIAS, "0x01", TOKEN, "0x"],
      ),
    ],
  ];
  for (const [action, encoded] of actions) {
    it(`${action.type} are plain ABI parameters, and decode to the same action`, () => {
      expect(encodeAction(action)).to.equal(encoded);
      expect(decodeAction(encoded as Hex)).to.deep.equal(action);
    });
  }

  it("cannot be decoded from other data", () => {
    const mint = encodeAction(actions[0]![0]);
    const dirtyAddress = `${mint.slice(0, 66)}01${mint.slice(68)}` as Hex;
    for (const encoded of ["0x", word("0"), word("4"), `${mint}00`, mint.slice(0, -2), dirtyAddress] as Hex[]) {
      expect(malformed(() => decodeAction(encoded)).code).to.equal("MALFORMED_DATA");
    }
  });
});

describe("typed data", () => {
  it("includes the contracts' type hashes", () => {
    const seen = Object.fromEntries(
      (
        [
          ["Execution", EXECUTION_TYPES],
          ["SetEntry", SET_ENTRY_TYPES],
          ["SubmitWithdrawRequest", SUBMIT_WITHDRAW_REQUEST_TYPES],
          ["WithdrawRequest", WITHDRAW_REQUEST_TYPES],
          ["HashesToSign", HASHES_TO_SIGN_TYPES],
          ["ExecuteAndWithdrawRequest", EXECUTE_AND_WITHDRAW_TYPES],
          ["Trigger", TRIGGER_TYPES],
        ] as const
      ).map(([name, types]) => {
        const encoder = TypedDataEncoder.from(toEthers(types));
        return [name, keccak256(new TextEncoder().encode(encoder.encodeType(encoder.primaryType))).slice(0, 10)];
      }),
    );
    expect(seen).to.deep.equal({
      Execution: "0x821c9f21",
      SetEntry: "0x1a4153ec",
      SubmitWithdrawRequest: "0x111e0715",
      WithdrawRequest: "0x607f5669",
      HashesToSign: "0x611988fa",
      ExecuteAndWithdrawRequest: "0x782ae981",
      Trigger: "0x5b475a02",
    });
  });

  it("hashes an execution as the typed data of its domain", () => {
    const domain = { oracleVersion: "2", evmChainId: 537_713, oracleAddress: ALIAS };
    const execution = { idempotencyKey: word("7"), actions: ["0x1234", "0x"] as Hex[] };
    expect(executionDomain(domain)).to.deep.equal({
      name: "RelayOracle",
      version: "2",
      chainId: 537_713,
      verifyingContract: ALIAS,
    });
    expect(hashExecution(domain, execution)).to.equal(
      TypedDataEncoder.hash(executionDomain(domain), toEthers(EXECUTION_TYPES), execution),
    );
  });

  it("assigns a generic mapping entry to its contract", () => {
    expect(genericMappingDomain(5, ALIAS)).to.deep.equal({
      name: "RelayGenericMapping",
      version: "1",
      chainId: 5,
      verifyingContract: ALIAS,
    });
  });
});

describe("generic mapping entries", () => {
  it("declare that an order was not filled or refunded, preserving the user's letter case in the hash", () => {
    const orderId = word("a");
    expect(noFillEntry(ALIAS, orderId)).to.deep.equal({
      ...{
        user: ALIAS,
        id: sha256(`NO_FILL_OR_REFUND:${orderId}`),
        data: "0x01",
        nonce: sha256(`${ALIAS}:${orderId}`),
      },
    });
    expect(noFillEntryId(orderId)).to.equal(sha256(`NO_FILL_OR_REFUND:${orderId}`));
  });

  it("connect a wallet's nonce to a deposit id", () => {
    const depositor = getAddress(DEPOSITOR) as Address;
    expect(nonceMappingEntry({ user: ALIAS, nonce: "77", id: word("b"), depositor })).to.deep.equal({
      user: ALIAS,
      id: sha256("NONCE_MAPPING:77"),
      data: `${word("b")}${DEPOSITOR.slice(2)}`,
      nonce: sha256(`${ALIAS}:77`),
    });
  });
});

describe("withdrawals", () => {
  const call = { to: getAddress(TOKEN) as Address, data: "0x" as Hex, value: 9n, allowFailure: false };
  const withdrawal = { calls: [call], nonce: 3n, expiration: 1_790_000_000n };
  const CALL = "tuple(address to,bytes data,uint256 value,bool allowFailure)";
  const payload = abi.encode([`tuple(${CALL}[] calls,uint256 nonce,uint256 expiration)`], [withdrawal]) as Hex;
  const transfer = `0xa9059cbb${abi.encode(["address", "uint256"], [ALIAS, 123]).slice(2)}` as Hex;

  it("are decoded from their payload, and encoded to the same payload", () => {
    expect(encodeEvmWithdrawal(withdrawal)).to.equal(payload);
    expect(decodeEvmWithdrawal(payload)).to.deep.equal(withdrawal);
    expect(malformed(() => decodeEvmWithdrawal("0x1234"))).to.be.instanceOf(MalformedDataError);
  });

  it("are identified by the depository's struct hash", () => {
    const types = {
      CallRequest: [
        { name: "calls", type: "Call[]" },
        { name: "nonce", type: "uint256" },
        { name: "expiration", type: "uint256" },
      ],
      Call: [
        { name: "to", type: "address" },
        { name: "data", type: "bytes" },
        { name: "value", type: "uint256" },
        { name: "allowFailure", type: "bool" },
      ],
    };
    expect(hashEvmWithdrawal(withdrawal)).to.equal(TypedDataEncoder.hashStruct("CallRequest", types, withdrawal));
  });

  it("pay the amount in their first call", () => {
    const paidBy = (data: Hex) => withdrawnByEvm({ ...withdrawal, calls: [{ ...call, data }] });
    expect(paidBy("0x")).to.deep.equal({ currency: `0x${"0".repeat(40)}`, recipient: TOKEN, amount: 9n });
    expect(paidBy(transfer)).to.deep.equal({ currency: TOKEN, recipient: ALIAS.toLowerCase(), amount: 123n });
    for (const bad of [() => paidBy("0x23b872dd"), () => withdrawnByEvm({ ...withdrawal, calls: [] })]) {
      expect(malformed(bad).what).to.equal("the payload of a withdrawal");
    }
  });

  it("are requested from the allocators as a single tuple", () => {
    const old = {
      chainId: 8453n,
      depository: DEPOSITORY,
      currency: TOKEN,
      amount: 4n,
      spender: ALIAS,
      receiver: DEPOSITOR,
      data: "0x" as Hex,
      nonce: word("5"),
    };
    expect(hashSubmitWithdrawRequest(old)).to.equal(
      keccak256(
        abi.encode(
          ["tuple(uint256,string,string,uint256,address,string,bytes,bytes32)"],
          [[8453, DEPOSITORY, TOKEN, 4, ALIAS, DEPOSITOR, "0x", word("5")]],
        ),
      ),
    );
    const request: WithdrawRequest = {
      chainId: "base",
      depository: DEPOSITORY,
      currency: TOKEN,
      amount: 4n,
      spenderChainId: "relay",
      spender: DEPOSITOR,
      receiver: TOKEN,
      data: "0x01",
      nonce: word("5"),
    };
    expect(hashWithdrawRequest(request)).to.equal(
      keccak256(
        abi.encode(
          ["tuple(string,bytes,bytes,uint256,string,bytes,bytes,bytes,bytes32)"],
          [["base", DEPOSITORY, TOKEN, 4, "relay", DEPOSITOR, TOKEN, "0x01", word("5")]],
        ),
      ),
    );
  });

  it("are authorized by the owner's signature over sorted JSON", () => {
    const order: OwnerOrder = {
      operation: "withdrawal",
      chainId: "base",
      currency: TOKEN,
      amount: "1",
      ownerChainId: "base",
      owner: DEPOSITOR,
      recipient: TOKEN,
      nonce: "2",
    };
    const fields =
      `"chainId":"base","currency":"${TOKEN}","nonce":"2","operation":"withdrawal","owner":"${DEPOSITOR}",` +
      `"ownerChainId":"base","recipient":"${TOKEN}"}`;
    expect(hashOwnerOrder(order)).to.equal(sha256(`{"amount":"1",${fields}`));
    expect(hashOwnerOrder({ ...order, additionalData: { b: [{ d: 1, c: null }], a: undefined } })).to.equal(
      sha256(`{"additionalData":{"b":[{"c":null,"d":1}]},"amount":"1",${fields}`),
    );
  });
});

describe("hashTrigger", () => {
  it("hashes its seven ABI parameters", () => {
    const trigger: Trigger = {
      input: { vmType: "ethereum-vm", chainId: "base", currency: TOKEN, amount: 1n },
      derivationFields: {
        ...{
          inputVmType: "ethereum-vm",
          outputVmType: "solana-vm",
          outputChainId: "solana",
          outputCurrency: word("1"),
        },
        outputRecipient: word("2"),
        solver: ALIAS,
        pricingOracle: ALIAS,
        depositor: DEPOSITOR,
        refundRecipient: DEPOSITOR,
        priceImpactBps: 30n,
      },
      orderId: word("3"),
      nonce: 4n,
      currencies: [{ chainId: "base", currency: TOKEN }],
      prices: [{ usdPrice: 100n, usdPriceDecimals: 2, currencyDecimals: 6, expiration: 1_790_000_000n }],
      extraData: "0xabcd",
    };
    const { input, derivationFields } = trigger;
    expect(hashTrigger(trigger)).to.equal(
      keccak256(
        abi.encode(
          [
            "tuple(string,string,bytes,uint256)",
            "tuple(string,string,string,bytes,bytes,address,address,bytes,bytes,uint256)",
            "bytes32",
            "uint256",
            "tuple(string,bytes)[]",
            "tuple(uint256,uint8,uint8,uint256)[]",
            "bytes",
          ],
          [
            Object.values(input),
            Object.values(derivationFields),
            word("3"),
            4,
            [["base", TOKEN]],
            [[100, 2, 6, 1_790_000_000]],
            "0xabcd",
          ],
        ),
      ),
    );
  });
});

describe("hashOrder with codecs", () => {
  const vectors = JSON.parse(readFileSync(new URL("../../../vectors/orders.json", import.meta.url), "utf8")) as {
    orderId: string;
    order: Order;
  }[];
  const evm = vmCodecOf("ethereum-vm");

  it("returns the live service's ids", () => {
    for (const { order, orderId } of vectors) {
      expect(hashOrder(order, (_chainId, address, field) => evm.encodeAddress(address, field))).to.equal(orderId);
    }
  });

  it("encodes every address in the format of its own chain", () => {
    const order = vectors[0]!.order;
    const fee = { recipientChainId: "solana", recipient: "a", currencyChainId: "tron", currency: "b", amount: "1" };
    const encoded: string[] = [];
    hashOrder({ ...order, fees: [fee] }, (chainId, address, field) => {
      encoded.push(`${field} ${chainId} ${address}`);
      return "0x01";
    });
    const [native, user] = [`0x${"0".repeat(40)}`, "0xF0AE622e463fa757Cf72243569E18Be7Df1996cd"];
    expect(encoded).to.deep.equal([
      `inputs[0].payment.currency base ${native}`,
      `inputs[0].refunds[0].recipient base ${user}`,
      `inputs[0].refunds[0].currency base ${native}`,
      `inputs[0].refunds[1].recipient optimism ${user}`,
      `inputs[0].refunds[1].currency optimism ${native}`,
      `output.payments[0].recipient optimism ${user}`,
      `output.payments[0].currency optimism ${native}`,
      "fees[0].recipient solana a",
      "fees[0].currency tron b",
    ]);
  });
});

function toEthers(types: Record<string, readonly { name: string; type: string }[]>) {
  return Object.fromEntries(Object.entries(types).map(([name, members]) => [name, [...members]]));
}
