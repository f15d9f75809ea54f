import { expect } from "chai";
import { type Address, createClient, custom, encodeAbiParameters, type Hex, numberToHex, parseAbi } from "viem";
import { toEventSelector } from "viem/utils";
import { getBlockNumber, getLogs, sendTransaction } from "viem/actions";

import { boundClient, type WaitLimits } from "../../../../packages/sdk/src/execute/node.ts";
import { findLog } from "../../../../packages/sdk/src/execute/findLog.ts";
import { localAccounts } from "../../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { factsOf, rejected } from "../../../support/rejection.ts";
import { CHAIN_ID, useChain } from "../client/chain.ts";
import { virtualTimer } from "../client/virtualTimer.ts";

const DEPOSITORY: Address = "0x4444444444444444444444444444444444444444";
const NATIVE = "event RelayNativeDeposit(address from, uint256 amount, bytes32 id)";
const EVENTS = parseAbi([NATIVE]);
const USER = localAccounts.user.address;
const orderId = (number: number): Hex => numberToHex(number, { size: 32 });

/** Code that emits the event with its call data. */
const EMITTER = `0x365f5f377f${toEventSelector(NATIVE).slice(2)}365fa100`;

interface Range {
  readonly from: bigint;
  readonly to: bigint;
  readonly count: bigint;
}

describe("a search for a deposit's log", () => {
  const chain = useChain();
  const asked: Range[] = [];
  let refuse: (range: Range) => unknown;
  const client = () =>
    createClient({
      transport: custom(
        {
          request({ method, params = [] }: { method: string; params?: unknown[] }) {
            if (method !== "eth_getLogs") return chain.request(method, params);
            const { fromBlock, toBlock } = params[0] as { fromBlock: Hex; toBlock: Hex };
            const [from, to] = [BigInt(fromBlock), BigInt(toBlock)];
            const range = { from, to, count: to - from + 1n };
            const refusal = refuse(range);
            asked.push(range);
            return refusal === undefined ? chain.request(method, params) : Promise.reject(refusal as Error);
          },
        },
        { retryCount: 0 },
      ),
    });
  const find = async (id: Hex, { fromBlock, ...limits }: WaitLimits & { readonly fromBlock?: bigint } = {}) => {
    const head = await getBlockNumber(chain.client);
    const bound = boundClient(client(), limits);
    const log = await findLog(bound, {
      chainId: CHAIN_ID,
      fromBlock: fromBlock ?? head - 999n,
      read: (range) => getLogs(bound, { address: DEPOSITORY, events: EVENTS, ...range, strict: true }),
      isMatch: ({ args }) => args.id === id,
    });
    return log?.transactionHash;
  };
  const deposit = (id: Hex): Promise<Hex> =>
    sendTransaction(chain.wallet, {
      to: DEPOSITORY,
      data: encodeAbiParameters([{ type: "address" }, { type: "uint256" }, { type: "bytes32" }], [USER, 1n, id]),
      gas: 100_000n,
    });
  const hashes = new Map<Hex, Hex>();

  before(async () => {
    await chain.request("hardhat_setCode", [DEPOSITORY, EMITTER]);
    hashes.set(orderId(1), await deposit(orderId(1)));
    await chain.request("hardhat_mine", ["0x5"]);
    hashes.set(orderId(2), await deposit(orderId(2)));
    await chain.request("hardhat_mine", [numberToHex(997)]);
    hashes.set(orderId(3), await deposit(orderId(3)));
  });
  beforeEach(() => {
    asked.length = 0;
    refuse = () => undefined;
  });

  const atMost = (limit: number, answer: unknown) => (range: Range) =>
    range.count > BigInt(limit) ? answer : undefined;
  const refused = (code: number, message: string, fields: object = {}): Error =>
    Object.assign(new Error(message), { code, ...fields });

  it("requests a range of a thousand blocks, including both ends", async () => {
    expect(await find(orderId(2))).to.equal(hashes.get(orderId(2)));
    const head = await getBlockNumber(chain.client);
    expect(asked).to.deep.equal([{ from: head - 999n, to: head, count: 1_000n }]);
  });

  for (const [limit, refusal] of [
    [1_000, refused(-32_602, "range exceeds limit of 1000")],
    [999, refused(-32_000, "block range is too wide")],
    [500, refused(-32_602, "exceed maximum block range: 500")],
    [100, refused(-32_005, "limit exceeded")],
    [
      10,
      refused(
        -32_600,
        "You can make eth_getLogs requests with up to a 10 block range. Based on your parameters, this block range should work: [0x1, 0xa]",
      ),
    ],
    [10, refused(-32_000, "eth_getLogs is limited to 0 - 10 blocks range")],
    [50, refused(35, "ranges over 50 blocks are not supported on freetier")],
    [250, refused(-32_005, "query returned more than 10000 results")],
    [1, refused(-32_603, "no")],
  ] as const) {
    it(`succeeds with a node that serves at most ${limit} blocks: ${refusal.message}`, async () => {
      refuse = atMost(limit, refusal);
      expect(await find(orderId(2))).to.equal(hashes.get(orderId(2)));
      const served = asked.filter(({ count }) => count <= BigInt(limit));
      // The ranges are contiguous, from the newest block to the block with the log.
      expect(served[0]?.to).to.equal(await getBlockNumber(chain.client));
      for (const [index, { to }] of served.slice(1).entries()) expect(to).to.equal((served[index]?.from ?? 0n) - 1n);
      expect(asked.length - served.length).to.be.lessThan(11);
    });
  }

  it("uses the block limit that the node reports for all later ranges", async () => {
    refuse = atMost(10, refused(-32_602, "at most 10 blocks"));
    await find(orderId(2));
    expect(asked.map(({ count }) => count)).to.deep.equal([1_000n, ...Array.from({ length: 100 }, () => 10n)]);
  });

  it("stops at the newest match", async () => {
    refuse = atMost(10, refused(-32_602, "at most 10 blocks"));
    expect(await find(orderId(3))).to.equal(hashes.get(orderId(3)));
    expect(asked.map(({ count }) => count)).to.deep.equal([1_000n, 10n]);
  });

  it("finds no log before the first block, and no log of another order", async () => {
    expect([await find(orderId(1)), await find(orderId(9))]).to.deep.equal([undefined, undefined]);
    expect(await find(orderId(1), { fromBlock: 0n })).to.equal(hashes.get(orderId(1)));
    expect(asked.slice(2).map(({ count }) => count)).to.deep.equal([1_000n, asked.at(-1)?.count]);
  });

  it("is retried if the node limits requests or lags behind", async () => {
    const timer = virtualTimer();
    for (const refusal of [
      refused(429, "Too Many Requests"),
      refused(-32_005, "rate limit"),
      refused(-32_000, "block range extends beyond current head block"),
    ]) {
      asked.length = 0;
      refuse = () => (asked.length < 1 ? refusal : undefined);
      const found = find(orderId(2), { timer });
      await timer.untilDueAt(timer.now() + 250);
      await timer.advance(250);
      expect([await found, asked.map(({ count }) => count)]).to.deep.equal([hashes.get(orderId(2)), [1_000n, 1_000n]]);
    }
  });

  it("requests the same number of blocks if the node limits requests", async () => {
    const timer = virtualTimer();
    refuse = () => refused(-32_097, "too many requests");
    const failed = rejected(find(orderId(2), { timer }));
    for (const at of [250, 750, 1_750, 3_750, 7_750]) {
      await timer.untilDueAt(at);
      await timer.advance(at - timer.now());
    }
    expect(factsOf(await failed)).to.deep.equal({ code: "CHAIN_ERROR", chainId: CHAIN_ID });
    expect(asked.map(({ count }) => count)).to.deep.equal(Array.from({ length: 6 }, () => 1_000n));
  });

  for (const [name, refusal, tries] of [
    ["without the method", refused(-32_601, "the method eth_getLogs does not exist"), 1],
    ["that is down", new TypeError("fetch failed"), 1],
    ["that rejects one block", refused(-32_602, "up to 0 blocks, said the node"), 10],
  ] as const) {
    it(`reports the node's reason ${name}`, async () => {
      refuse = () => refusal;
      const error = await rejected(find(orderId(2)));
      expect(factsOf(error)).to.deep.equal({ code: "CHAIN_ERROR", chainId: CHAIN_ID });
      expect(error.message).to.contain(refusal.message);
      expect(asked).to.have.length(tries);
    });
  }

  it("ends if the signal aborts", async () => {
    const controller = new AbortController();
    refuse = () => {
      controller.abort();
      return refused(-32_602, "at most 10 blocks");
    };
    expect((await rejected(find(orderId(2), { signal: controller.signal }))).code).to.equal("ABORTED");
    expect(asked).to.have.length(1);
  });
});
