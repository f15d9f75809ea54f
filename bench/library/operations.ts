import { readFileSync } from "node:fs";

import { Bench } from "tinybench";
import { erc4626Abi, maxUint256, parseEther } from "viem";

import {
  callFunction,
  checkCalls,
  type CheckCallsParameters,
  decodeCalls,
  decodeProgram,
  encodeProgram,
  live,
  planCalls,
  type PlannedCalls,
  type Program,
} from "../../packages/sdk/src/calls/index.ts";
import { ROUTER_ADDRESS as ROUTER } from "../../packages/protocol/src/generations/routers.ts";
import { hashOrder, type Order, parseData, RequestRecordSchema } from "../../packages/protocol/src/index.ts";
import { toV3 } from "../../packages/sdk/src/migrate.ts";
import { requestRecord } from "../../test/unit/protocol/fixtures.ts";
import { recordV2 } from "../../test/unit/protocol/v2/fixtures.ts";

/** An operation to time. */
export interface Operation {
  readonly name: string;
  readonly run: () => unknown;
}

/** Duration of an operation, in microseconds. */
export interface Timing {
  readonly name: string;
  readonly medianMicroseconds: number;
  readonly p99Microseconds: number;
}

/** Time for which each operation is repeated, in milliseconds. */
const TIME_MS = 500;

const TOKEN = "0x1111111111111111111111111111111111111111";
const VAULT = "0x2222222222222222222222222222222222222222";
const PROXY = "0x3333333333333333333333333333333333333333";
const RECIPIENT = "0x4444444444444444444444444444444444444444";
const CONTRACTS = {
  router: ROUTER,
  executor: "0x5555555555555555555555555555555555555555",
  livePuller: "0x6666666666666666666666666666666666666666",
} as const;

const program: Program = {
  recipient: RECIPIENT,
  tokens: [{ token: TOKEN }],
  checks: [{ token: VAULT, minimumOut: 1n }],
  steps: [
    callFunction({
      target: VAULT,
      abi: erc4626Abi,
      functionName: "deposit",
      args: [live(TOKEN), RECIPIENT],
    }),
  ],
};

/** Operations between a user's click and the wallet, and on responses from the service. */
export function libraryOperations(): readonly Operation[] {
  const encoded = encodeProgram(program, CONTRACTS);
  const planned = planDeposit();
  const checked: CheckCallsParameters = {
    ...planned,
    destinationCurrency: TOKEN,
    recipient: RECIPIENT,
    refundTo: RECIPIENT,
    contracts: { router: ROUTER, proxies: [{ address: PROXY, inputToken: TOKEN }] },
  };
  const [{ order }] = JSON.parse(readFileSync(new URL("../../test/vectors/orders.json", import.meta.url), "utf8")) as [
    { order: Order },
  ];
  return [
    { name: "plan a deposit of the delivered amount", run: planDeposit },
    { name: "encode a program", run: () => encodeProgram(program, CONTRACTS) },
    { name: "decode a program", run: () => decodeProgram(encoded) },
    { name: "check those calls", run: () => checkCalls(checked) },
    { name: "decode those calls", run: () => decodeCalls(planned.txs) },
    { name: "hash an order", run: () => hashOrder(order) },
    { name: "validate a v3 record", run: () => parseData(RequestRecordSchema, requestRecord, "the record") },
    { name: "map a v2 record to v3", run: () => toV3(recordV2) },
  ];
}

function planDeposit(): PlannedCalls {
  return planCalls({
    tradeType: "EXACT_INPUT",
    router: ROUTER,
    destinationCurrency: TOKEN,
    recipient: RECIPIENT,
    amount: parseEther("1"),
    actions: [{ kind: "proxy", token: TOKEN, proxy: PROXY, recipient: RECIPIENT, deadline: maxUint256 }],
  });
}

/** Times the operations one after another. */
export async function timeOperations(
  operations: readonly Operation[],
  signal: AbortSignal,
): Promise<readonly Timing[]> {
  const bench = new Bench({ time: TIME_MS, signal, throws: true });
  for (const { name, run } of operations) bench.add(name, run);
  const tasks = await bench.run();
  signal.throwIfAborted();
  return tasks.map(({ name, result }) => {
    if (!("latency" in result)) throw new Error(`${name} was not timed: ${result.state}`);
    const { p50, p99 } = result.latency;
    return { name, medianMicroseconds: p50 * 1_000, p99Microseconds: p99 * 1_000 };
  });
}
