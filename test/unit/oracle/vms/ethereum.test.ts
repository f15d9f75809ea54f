import { expect } from "chai";
import {
  type Address,
  concat,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  keccak256,
  numberToHex,
  pad,
  toEventSelector,
  zeroAddress,
  zeroHash,
} from "viem";

import { encodeOrderCall } from "../../../../packages/protocol/src/order/orderCalls.ts";
import type { EvmLog } from "../../../../packages/oracle/src/vms/ethereum/evmReader.ts";
import { fastFinalityOf, finalityOf, isDeepEnough } from "../../../../packages/oracle/src/vms/ethereum/transactions.ts";
import {
  findAnyTrailingId,
  findDeposits,
  findTopLevelTrailingId,
  type FoundDeposit,
  madeCalls,
  soleBareTransfer,
  tokenPayment,
} from "../../../../packages/oracle/src/vms/ethereum/events.ts";
import { depositoryAbi } from "../../../../packages/protocol/src/abi/service.generated.ts";

const address = (digit: string): Address => `0x${digit.repeat(40)}`;
const [DEPOSITORY, TOKEN, OTHER_TOKEN] = [address("d"), address("a"), address("b")];
const [USER, PAYER] = [address("1"), address("2")];
const ID: Hex = `0x${"c1".repeat(32)}`;
const OTHER_ID: Hex = `0x${"c2".repeat(32)}`;

const transfer = (to: Address, amount: bigint, token = TOKEN, from = PAYER) => ({
  address: token,
  topics: encodeEventTopics({ abi: erc20Abi, eventName: "Transfer", args: { from, to } }) as Hex[],
  data: pad(numberToHex(amount)),
});
const erc20Event = (from: Address, token: Address, amount: bigint, id: Hex, by = DEPOSITORY) => ({
  address: by,
  topics: encodeEventTopics({ abi: depositoryAbi, eventName: "RelayErc20Deposit" }) as Hex[],
  data: encodeAbiParameters(
    [{ type: "address" }, { type: "address" }, { type: "uint256" }, { type: "bytes32" }],
    [from, token, amount, id],
  ),
});
const nativeEvent = (from: Address, amount: bigint, id: Hex, by = DEPOSITORY) => ({
  address: by,
  topics: encodeEventTopics({ abi: depositoryAbi, eventName: "RelayNativeDeposit" }) as Hex[],
  data: encodeAbiParameters([{ type: "address" }, { type: "uint256" }, { type: "bytes32" }], [from, amount, id]),
});

function find(
  logs: Omit<EvmLog, "logIndex">[],
  options: { isZksyncStack?: boolean; eventsFollowLater?: boolean } = {},
): readonly FoundDeposit[] {
  return findDeposits(
    logs.map((log, index) => ({ ...log, logIndex: 10 + index })),
    { depository: DEPOSITORY, isZksyncStack: false, eventsFollowLater: false, ...options },
  );
}

const found = (logIndex: number, change: Partial<FoundDeposit> = {}): FoundDeposit => ({
  logIndex,
  depositor: PAYER,
  currency: TOKEN,
  amount: 5n,
  id: zeroHash,
  ...change,
});

describe("findDeposits", () => {
  it("reads the depositor and id from the event after a transfer", () => {
    expect(find([transfer(DEPOSITORY, 5n), erc20Event(USER, TOKEN, 5n, ID)])).to.deep.equal([
      found(10, { depositor: USER, id: ID }),
    ]);
  });

  it("reads the last matching event, and the depositor from an event without an id", () => {
    const events = [erc20Event(USER, TOKEN, 5n, ID), erc20Event(PAYER, TOKEN, 5n, OTHER_ID)];
    expect(find([transfer(DEPOSITORY, 5n), ...events])).to.deep.equal([found(10, { depositor: PAYER, id: OTHER_ID })]);
    expect(find([transfer(DEPOSITORY, 5n), erc20Event(USER, TOKEN, 5n, zeroHash)])).to.deep.equal([
      found(10, { depositor: USER }),
    ]);
  });

  it("ignores an event with another token or amount, from another contract, or before the transfer", () => {
    for (const event of [
      erc20Event(USER, OTHER_TOKEN, 5n, ID),
      erc20Event(USER, TOKEN, 6n, ID),
      erc20Event(USER, TOKEN, 5n, ID, OTHER_TOKEN),
    ]) {
      expect(find([transfer(DEPOSITORY, 5n), event])).to.deep.equal([found(10)]);
    }
    expect(find([erc20Event(USER, TOKEN, 5n, ID), transfer(DEPOSITORY, 5n)])).to.deep.equal([found(11)]);
    expect(find([erc20Event(USER, TOKEN, 5n, ID)])).to.deep.equal([]);
  });

  it("assigns an event only to the last transfer", () => {
    const logs = [transfer(DEPOSITORY, 5n), transfer(DEPOSITORY, 5n), erc20Event(USER, TOKEN, 5n, ID)];
    expect(find(logs)).to.deep.equal([found(10), found(11, { depositor: USER, id: ID })]);
  });

  it("assigns an event after other transfers only if the family allows it and only one transfer matches", () => {
    const logs = [transfer(DEPOSITORY, 5n), transfer(DEPOSITORY, 6n), erc20Event(USER, TOKEN, 5n, ID)];
    expect(find(logs)).to.deep.equal([found(10), found(11, { amount: 6n })]);
    const later = { eventsFollowLater: true };
    expect(find(logs, later)).to.deep.equal([found(10, { depositor: USER, id: ID }), found(11, { amount: 6n })]);
    const twice = [transfer(DEPOSITORY, 5n), erc20Event(USER, TOKEN, 5n, ID)];
    const both = [...twice, transfer(DEPOSITORY, 5n), erc20Event(PAYER, TOKEN, 5n, OTHER_ID)];
    expect(find(both, later)).to.deep.equal([
      found(10, { depositor: USER, id: ID }),
      found(12, { depositor: PAYER, id: OTHER_ID }),
    ]);
  });

  it("does not count a transfer from the depository to itself", () => {
    const logs = [
      transfer(DEPOSITORY, 5n),
      erc20Event(USER, TOKEN, 5n, ID),
      transfer(DEPOSITORY, 5n, TOKEN, DEPOSITORY),
    ];
    expect(find(logs)).to.deep.equal([found(10, { depositor: USER, id: ID })]);
  });

  it("reads native deposits only from the depository's event", () => {
    expect(find([nativeEvent(USER, 7n, ID), nativeEvent(USER, 7n, ID, OTHER_TOKEN)])).to.deep.equal([
      found(10, { depositor: USER, currency: zeroAddress, amount: 7n, id: ID }),
    ]);
  });

  it("accepts only well-formed transfers to the depository", () => {
    const strict = transfer(DEPOSITORY, 5n);
    for (const log of [
      transfer(USER, 5n),
      { ...strict, topics: [...strict.topics, pad("0x05")], data: "0x" as Hex },
      { ...strict, topics: strict.topics.slice(0, 2) },
      { ...strict, data: concat([strict.data, "0x00"]) },
    ]) {
      expect(find([log])).to.deep.equal([]);
    }
  });

  it("ignores events from the native currency contract on zkSync chains", () => {
    const log = transfer(DEPOSITORY, 5n, "0x000000000000000000000000000000000000800a");
    expect(find([log], { isZksyncStack: true })).to.deep.equal([]);
    expect(find([log])).to.have.length(1);
  });
});

describe("soleBareTransfer", () => {
  const sole = (logs: Omit<EvmLog, "logIndex">[], isZksyncStack = false): number | undefined => {
    const numbered = logs.map((log, index) => ({ ...log, logIndex: 10 + index }));
    return soleBareTransfer(numbered, DEPOSITORY, find(logs, { isZksyncStack }))?.logIndex;
  };

  it("returns the only transfer to the depository, if it has no id", () => {
    const native = nativeEvent(USER, 7n, ID);
    expect(sole([native, transfer(DEPOSITORY, 5n), transfer(USER, 5n)])).to.equal(11);
    expect(sole([transfer(DEPOSITORY, 5n), transfer(DEPOSITORY, 6n)])).to.equal(undefined);
    expect(sole([transfer(DEPOSITORY, 5n), erc20Event(USER, TOKEN, 5n, ID)])).to.equal(undefined);
    expect(sole([native])).to.equal(undefined);
    const inNative = transfer(DEPOSITORY, 5n, "0x000000000000000000000000000000000000800a");
    expect(sole([inNative, transfer(DEPOSITORY, 5n)], true)).to.equal(undefined);
  });
});

describe("an id appended to a token transfer", () => {
  const call = (amount = 5n, to = DEPOSITORY): Hex =>
    encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, amount] });
  const callFrom = encodeFunctionData({ abi: erc20Abi, functionName: "transferFrom", args: [USER, DEPOSITORY, 5n] });
  const bare = { depository: DEPOSITORY, amount: 5n };
  const idIn = (...parts: Hex[]): Hex => findAnyTrailingId(concat(parts), bare);

  it("is read after either transfer function, with any bytes, even if the call is inside a batch or a wallet's call", () => {
    expect(idIn(call(), ID)).to.equal(ID);
    expect(idIn(callFrom, ID)).to.equal(ID);
    expect(idIn(call(), ID, "0x99")).to.equal(ID);
    expect(idIn("0x12345678", call(), ID)).to.equal(ID);
    expect(idIn("0x12345678", pad("0x20"), "0x99", callFrom, ID, pad("0x20"))).to.equal(ID);
    expect(idIn(call(), ID, "0x99", call(6n), OTHER_ID, call(), ID)).to.equal(ID);
  });

  it("is zero if it is missing or starts with 16 zero bytes, or if several calls differ", () => {
    expect(idIn(call())).to.equal(zeroHash);
    expect(idIn(call(), "0x1234")).to.equal(zeroHash);
    expect(idIn(call(6n), ID)).to.equal(zeroHash);
    expect(idIn(call(5n, USER), ID)).to.equal(zeroHash);
    expect(idIn(call(), pad("0x00", { size: 16 }), ID)).to.equal(zeroHash);
    expect(idIn(call(), pad("0x00", { size: 15 }), ID)).not.to.equal(zeroHash);
    expect(idIn(call(), ID, callFrom, OTHER_ID)).to.equal(zeroHash);
    expect(idIn(call(), ID, callFrom)).to.equal(zeroHash);
  });

  it("is read on Tron only after the transaction's own call, for any amount", () => {
    const onTron = (...parts: Hex[]): Hex => findTopLevelTrailingId(concat(parts), bare);
    expect([onTron(call(), ID), onTron(callFrom, ID), onTron(call(6n), ID)]).to.deep.equal([ID, ID, ID]);
    expect([onTron("0x12345678", call(), ID), onTron(call(5n, USER), ID), onTron(call())]).to.deep.equal([
      zeroHash,
      zeroHash,
      zeroHash,
    ]);
    expect(onTron(call(), pad("0x00", { size: 16 }), ID)).to.equal(zeroHash);
  });
});

describe("tokenPayment", () => {
  it("adds up transfers, excluding those from the recipient to itself", () => {
    const logs = [transfer(USER, 5n), transfer(USER, 100n, TOKEN, USER), transfer(USER, 2n)];
    const numbered = logs.map((log, logIndex) => ({ ...log, logIndex }));
    expect(tokenPayment(numbered, TOKEN, USER)).to.equal(7n);
  });

  it("excludes withdrawals from the depository", () => {
    const logs = [transfer(USER, 5n), transfer(USER, 100n, TOKEN, DEPOSITORY)];
    const numbered = logs.map((log, logIndex) => ({ ...log, logIndex }));
    expect(tokenPayment(numbered, TOKEN, USER, [DEPOSITORY])).to.equal(5n);
  });
});

describe("madeCalls", () => {
  const call = { to: USER, data: "0x12345678" as Hex, value: "3" };
  const [WORD, UINT] = [{ type: "bytes32" }, { type: "uint256" }] as const;
  const reported = (selector: string, type: "bytes" | "bytes32", data: Hex, logIndex = 1, by = TOKEN) => ({
    ...{ address: by, topics: [toEventSelector(`SolverCallExecuted(address,${selector},uint256)`)], logIndex },
    data: encodeAbiParameters([{ type: "address" }, type === "bytes" ? { type } : WORD, UINT], [USER, data, 3n]),
  });
  const isMade = (log: EvmLog): boolean => madeCalls([log], TOKEN, [encodeOrderCall(call)]);

  it("accepts events with the call data, or with its hash", () => {
    expect(isMade(reported("bytes", "bytes", call.data))).to.equal(true);
    expect(isMade(reported("bytes32", "bytes32", keccak256(call.data)))).to.equal(true);
    expect(isMade(reported("bytes32", "bytes32", keccak256("0x12345679")))).to.equal(false);
    expect(isMade(reported("bytes32", "bytes32", keccak256(call.data), 1, OTHER_TOKEN))).to.equal(false);
    // A call with the hash as its data is a different call.
    expect(isMade(reported("bytes", "bytes", keccak256(call.data)))).to.equal(false);
  });
});

describe("the finality of a deposit", () => {
  it("requires ten blocks and sixty seconds by default", () => {
    expect(finalityOf({})).to.deep.equal({ blocks: 10, seconds: 60 });
    expect(finalityOf({ finalizationBlocks: 0, finalizationTime: 0 })).to.deep.equal({ blocks: 0, seconds: 0 });
  });

  it("is reached by both blocks and time", () => {
    const deep = (blocks: number, seconds: number): boolean =>
      isDeepEnough(
        { number: 100, timestamp: 1000 },
        { number: 100 + blocks, timestamp: 1000 + seconds },
        { blocks: 10, seconds: 60 },
      );
    expect([deep(10, 60), deep(9, 60), deep(10, 59), deep(11, 61)]).to.deep.equal([true, false, false, true]);
  });

  it("requires the strictest tier for the amounts in fast mode", () => {
    const additionalData = {
      fastMode: {
        finalityTiers: {
          x: [
            { maxAmount: "1000", finalizationBlocks: 5 },
            { maxAmount: "100", finalizationBlocks: 1, finalizationTime: 2 },
          ],
        },
      },
    };
    const fast = (...deposits: [string, bigint][]) =>
      fastFinalityOf(
        additionalData,
        deposits.map(([currency, amount]) => ({ currency, amount })),
      );
    expect(fast(["x", 99n])).to.deep.equal({ blocks: 1, seconds: 2 });
    // A tier applies to amounts below its maximum.
    expect(fast(["x", 100n])).to.deep.equal({ blocks: 5, seconds: 60 });
    expect(fast(["x", 99n], ["x", 999n])).to.deep.equal({ blocks: 5, seconds: 60 });
    expect([fast(["x", 1000n]), fast(["y", 1n]), fast(["x", 1n], ["y", 1n])]).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
    expect(fast()).to.deep.equal({ blocks: 0, seconds: 0 });
    expect(fastFinalityOf({}, [{ currency: "x", amount: 1n }])).to.equal(undefined);
  });
});
