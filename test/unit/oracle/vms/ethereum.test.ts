import { expect } from "chai";
import {
  type Address,
  concat,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  numberToHex,
  pad,
  zeroAddress,
  zeroHash,
} from "viem";

import { depositoryAbi } from "../../../../sdk/src/abi/depository.generated.ts";
import type { EvmCall, EvmLog } from "../../../../src/oracle/vms/ethereum/evmReader.ts";
import { fastFinalityOf, finalityOf, isDeepEnough } from "../../../../src/oracle/vms/ethereum/finality.ts";
import {
  findDeposits,
  findTrailingId,
  type FoundDeposit,
  soleBareTransfer,
} from "../../../../src/oracle/vms/ethereum/findDeposits.ts";

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

function find(logs: Omit<EvmLog, "logIndex">[], isZksyncStack = false): readonly FoundDeposit[] {
  return findDeposits(
    logs.map((log, index) => ({ ...log, logIndex: 10 + index })),
    DEPOSITORY,
    { isZksyncStack },
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
  it("reads depositor and id from the event after a transfer", () => {
    expect(find([transfer(DEPOSITORY, 5n), erc20Event(USER, TOKEN, 5n, ID)])).to.deep.equal([
      found(10, { depositor: USER, id: ID }),
    ]);
  });

  it("reads the last matching event, and the depositor of one without an id", () => {
    const events = [erc20Event(USER, TOKEN, 5n, ID), erc20Event(PAYER, TOKEN, 5n, OTHER_ID)];
    expect(find([transfer(DEPOSITORY, 5n), ...events])).to.deep.equal([found(10, { depositor: PAYER, id: OTHER_ID })]);
    expect(find([transfer(DEPOSITORY, 5n), erc20Event(USER, TOKEN, 5n, zeroHash)])).to.deep.equal([
      found(10, { depositor: USER }),
    ]);
  });

  it("ignores an event of another token, amount or contract, or one before the transfer", () => {
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

  it("assigns an event to the last transfer only", () => {
    const logs = [transfer(DEPOSITORY, 5n), transfer(DEPOSITORY, 5n), erc20Event(USER, TOKEN, 5n, ID)];
    expect(find(logs)).to.deep.equal([found(10), found(11, { depositor: USER, id: ID })]);
  });

  it("reads native deposits from the depository's event only", () => {
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

  it("ignores the native currency's events on zkSync chains", () => {
    const log = transfer(DEPOSITORY, 5n, "0x000000000000000000000000000000000000800a");
    expect(find([log], true)).to.deep.equal([]);
    expect(find([log])).to.have.length(1);
  });
});

describe("soleBareTransfer", () => {
  it("returns the only transfer, if it has no id", () => {
    const native = found(1, { currency: zeroAddress });
    expect(soleBareTransfer([native, found(2)])).to.deep.equal(found(2));
    expect(soleBareTransfer([found(1), found(2)])).to.equal(undefined);
    expect(soleBareTransfer([found(1, { id: ID })])).to.equal(undefined);
    expect(soleBareTransfer([native])).to.equal(undefined);
  });
});

describe("findTrailingId", () => {
  const call = (amount = 5n, to = DEPOSITORY): Hex =>
    encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, amount] });
  const callFrom = encodeFunctionData({ abi: erc20Abi, functionName: "transferFrom", args: [USER, DEPOSITORY, 5n] });
  const callOf = (input: Hex, to: Address | undefined = TOKEN) => ({ to, input, value: 0n });
  const idOf = (...calls: EvmCall[]): Hex => findTrailingId(calls, { currency: TOKEN, amount: 5n }, DEPOSITORY);
  const idIn = (...parts: Hex[]): Hex => idOf(callOf(concat(parts)));

  it("finds the id after either call, whatever its bytes", () => {
    expect(idIn(call(), ID)).to.equal(ID);
    expect(idIn(callFrom, ID)).to.equal(ID);
    expect(idIn(call(), ID, "0x99")).to.equal(ID);
    expect(idIn(call(), pad("0x05"))).to.equal(pad("0x05"));
  });

  it("finds no id if there is none, or in a call inside another", () => {
    expect(idIn(call())).to.equal(zeroHash);
    expect(idIn(call(), "0x1234")).to.equal(zeroHash);
    expect(idIn(call(6n), ID)).to.equal(zeroHash);
    expect(idIn(call(5n, USER), ID)).to.equal(zeroHash);
    expect(idIn("0x12345678", call(), ID)).to.equal(zeroHash);
    expect(idOf(callOf(concat([call(), ID]), OTHER_TOKEN))).to.equal(zeroHash);
  });

  it("reads each call of a batch, and finds no id if they differ", () => {
    const [one, other] = [callOf(concat([call(), ID])), callOf(concat([callFrom, OTHER_ID]))];
    expect(idOf(callOf("0x", OTHER_TOKEN), one, one)).to.equal(ID);
    expect(idOf(one, other)).to.equal(zeroHash);
    expect(idOf()).to.equal(zeroHash);
  });
});

describe("finality", () => {
  it("requires ten blocks and sixty seconds by default", () => {
    expect(finalityOf({})).to.deep.equal({ blocks: 10, seconds: 60 });
    expect(finalityOf({ finalizationBlocks: 0, finalizationTime: 0 })).to.deep.equal({ blocks: 0, seconds: 0 });
  });

  it("is reached by blocks and by time", () => {
    const deep = (blocks: number, seconds: number): boolean =>
      isDeepEnough(
        { number: 100, timestamp: 1000 },
        { number: 100 + blocks, timestamp: 1000 + seconds },
        { blocks: 10, seconds: 60 },
      );
    expect([deep(10, 60), deep(9, 60), deep(10, 59), deep(11, 61)]).to.deep.equal([true, false, false, true]);
  });

  it("requires the strictest tier of the amounts in fast mode", () => {
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
