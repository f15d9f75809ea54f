import { expect } from "chai";
import { type Address, encodeFunctionData, getAddress, type Hex, parseAbi } from "viem";

import { encodeFill } from "../../../src/replay/encodeFill.ts";
import { createUpstream } from "../../../src/replay/fork/upstream/upstream.ts";
import { inspectFill } from "../../../src/replay/inspectFill.ts";
import { readPastTransaction } from "../../../src/replay/past/pastTransaction.ts";
import { preparePast } from "../../../src/replay/prepare/preparePast.ts";
import { stopPrograms } from "../support/processes.ts";
import { type LiveChain, SOLVER, startLiveChain, USER, vaultPlan } from "./support/liveChain.ts";

const TOKEN = parseAbi([
  "function mint(address to, uint256 amount)",
  "function approve(address spender, uint256 amount)",
  "function transfer(address to, uint256 amount)",
  "function transferFrom(address from, address to, uint256 amount)",
]);

describe("a fill that failed in its block", () => {
  let live: LiveChain;

  before(async () => {
    live = await startLiveChain();
  });
  after(() => stopPrograms());

  it("is explained by the state that what stood before it in its block and its own calls had made", async () => {
    const { router } = live.contracts;
    const { address: strict } = await live.deploy("mocks/StrictToken");
    const call = (data: Hex) => ({ to: strict, data, value: 0n, allowFailure: false });
    const transferTo = (to: Address, amount: bigint) =>
      call(encodeFunctionData({ abi: TOKEN, functionName: "transfer", args: [to, amount] }));
    const pay = encodeFunctionData({ abi: TOKEN, functionName: "transferFrom", args: [SOLVER, router, 990n] });
    const orderCalls = [transferTo(USER, 600n), transferTo(USER, 400n)];
    const plan = vaultPlan(live.contracts, { currency: strict, calls: orderCalls });
    const { data } = encodeFill({ ...plan, calls: [call(pay), ...orderCalls] }, 0n);
    await live.client.setAutomine(false);
    await live.send(USER, strict, encodeFunctionData({ abi: TOKEN, functionName: "mint", args: [SOLVER, 990n] }));
    await live.send(SOLVER, strict, encodeFunctionData({ abi: TOKEN, functionName: "approve", args: [router, 990n] }));
    const hash = await live.send(SOLVER, router, data, { gas: 1_000_000n });
    await live.client.mine({ blocks: 1 });
    await live.client.setAutomine(true);

    const upstream = createUpstream({ rpcUrl: live.rpcUrl, timeoutMs: 10_000, signal: new AbortController().signal });
    const prepared = await preparePast({ past: await readPastTransaction(upstream, hash), rpcUrl: live.rpcUrl });
    const { verdict, original, balances } = await inspectFill({ prepared, plan, amount: 990n });
    await prepared.fork.close();
    expect(original?.isReproduced).to.equal(true);
    expect(balances).to.deep.equal([]);
    const { cure: _cure, ...told } = verdict.outcome === "failure" ? verdict : { cure: "" };
    expect(told).to.deep.equal({
      outcome: "failure",
      failReason: "TRANSFER_AMOUNT_EXCEEDS_BALANCE",
      txIndex: 1,
      error: "Panic(0x11): arithmetic overflow",
      condition: { what: `balance of ${router}`, needed: 400n, had: 390n, currency: getAddress(strict) },
      path: [2],
    });
  });
});
