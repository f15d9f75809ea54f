import { expect } from "chai";
import { type Address, encodeFunctionData, getAddress, type Hex, parseAbi } from "viem";

import { localAccounts } from "../../../packages/crosscall/src/localnet/index.ts";
import { encodeFill } from "../../../packages/crosscall/src/replay/fillPlan.ts";
import { createUpstream } from "../../../packages/crosscall/src/replay/fork/upstream.ts";
import { inspectFill } from "../../../packages/crosscall/src/replay/inspectFill.ts";
import { readPastTransaction } from "../../../packages/crosscall/src/replay/subject/pastTransaction.ts";
import { preparePast } from "../../../packages/crosscall/src/replay/prepare/preparePast.ts";
import { type LiveChain, RECIPIENT, startLiveChain } from "../support/liveChain.ts";
import { stopPrograms } from "../support/processes.ts";

const CHAIN_ID = 31_477;
const SOLVER = localAccounts.solver.address;
const TOKEN = parseAbi([
  "function mint(address to, uint256 amount)",
  "function approve(address spender, uint256 amount)",
  "function transfer(address to, uint256 amount)",
  "function transferFrom(address from, address to, uint256 amount)",
]);

describe("a fill that failed in its block", () => {
  let live: LiveChain;

  before(async () => {
    live = await startLiveChain(CHAIN_ID);
  });
  after(() => stopPrograms());

  it("is explained with the state after the block's earlier transactions and the fill's own earlier calls", async () => {
    const { router } = live.contracts;
    const strict = await live.deploy("mocks/StrictToken");
    const call = (data: Hex) => ({ to: strict, data, value: 0n, allowFailure: false });
    const transferTo = (to: Address, amount: bigint) =>
      call(encodeFunctionData({ abi: TOKEN, functionName: "transfer", args: [to, amount] }));
    const pay = encodeFunctionData({ abi: TOKEN, functionName: "transferFrom", args: [SOLVER, router, 990n] });
    const orderCalls = [transferTo(RECIPIENT, 600n), transferTo(RECIPIENT, 400n)];
    const plan = live.plan(orderCalls, { currency: strict });
    const { data } = encodeFill({ ...plan, calls: [call(pay), ...orderCalls] }, 0n);
    await live.request("evm_setAutomine", [false]);
    await live.submit(RECIPIENT, {
      to: strict,
      data: encodeFunctionData({ abi: TOKEN, functionName: "mint", args: [SOLVER, 990n] }),
    });
    await live.submit(SOLVER, {
      to: strict,
      data: encodeFunctionData({ abi: TOKEN, functionName: "approve", args: [router, 990n] }),
    });
    const hash = await live.submit(SOLVER, { to: router, data });
    await live.request("evm_mine");
    await live.request("evm_setAutomine", [true]);

    const upstream = createUpstream({ rpcUrl: live.rpcUrl, timeoutMs: 600_000, signal: new AbortController().signal });
    const prepared = await preparePast({ past: await readPastTransaction(upstream, hash), rpcUrl: live.rpcUrl });
    const { verdict, original, balances } = await inspectFill({ prepared, plan, amount: 990n });
    await prepared.fork.close();
    expect(original?.isReproduced).to.equal(true);
    expect(balances).to.deep.equal([]);
    const {
      hint: _hint,
      explanation,
      ...found
    } = verdict.outcome === "failure" ? verdict : { hint: "", explanation: undefined };
    expect(explanation?.kind).to.equal("balance");
    expect(found).to.deep.equal({
      outcome: "failure",
      failReason: "TRANSFER_AMOUNT_EXCEEDS_BALANCE",
      txIndex: 1,
      error: "Panic(0x11): arithmetic overflow",
      condition: { kind: "balance", account: router, needed: 400n, had: 390n, currency: getAddress(strict) },
      path: [2],
    });
  });
});
