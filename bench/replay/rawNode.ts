import { type Hex, encodeFunctionData, erc20Abi, numberToHex } from "viem";

import { sleep } from "../../packages/protocol/src/core/abort.ts";
import type { Filled, Job } from "./job.ts";

/** Sends a JSON-RPC request to a node. */
export type Request = (method: string, params?: readonly unknown[]) => Promise<unknown>;

/** Prefix of the node's methods that change its state. */
export type Dialect = "hardhat" | "anvil";

const SOLVER_BALANCE = numberToHex(10n ** 30n);

/** Impersonates and funds the solver. */
export async function prepareSolver({ plan }: Job, request: Request, dialect: Dialect): Promise<void> {
  await request(`${dialect}_impersonateAccount`, [plan.solver]);
  await request(`${dialect}_setBalance`, [plan.solver, SOLVER_BALANCE]);
}

/** Takes a snapshot, fills with a transaction, reads the receipt and the balance, and reverts to the snapshot. */
export async function fillAndRevert(job: Job, request: Request, dialect: Dialect, amount: bigint): Promise<Filled> {
  const snapshot = await request("evm_snapshot");
  await deliver(job, request, dialect, amount);
  const hash = await request("eth_sendTransaction", [transactionOf(job)]);
  const { status, gasUsed } = await readReceipt(request, hash);
  if (status !== "0x1") throw new Error(`the fill of ${amount} reverted`);
  const received = BigInt((await request("eth_call", [balanceCall(job), "latest"])) as Hex);
  await request("evm_revert", [snapshot]);
  return { amount, gasUsed: BigInt(gasUsed), received };
}

/** Polls, because nodes can mine in the background. */
async function readReceipt(request: Request, hash: unknown): Promise<{ status: Hex; gasUsed: Hex }> {
  for (;;) {
    const receipt = await request("eth_getTransactionReceipt", [hash]);
    if (receipt !== null) return receipt as { status: Hex; gasUsed: Hex };
    await sleep(1, undefined, "a receipt");
  }
}

/** Fills with `eth_call`, which only shows whether the fill succeeds. */
export async function fillByCall(job: Job, request: Request, dialect: Dialect, amount: bigint): Promise<Filled> {
  await deliver(job, request, dialect, amount);
  await request("eth_call", [transactionOf(job), "latest"]);
  return { amount, gasUsed: undefined, received: undefined };
}

async function deliver({ plan, balanceSlot }: Job, request: Request, dialect: Dialect, amount: bigint): Promise<void> {
  // Hardhat's node accepts only slots without leading zeros.
  const slot = numberToHex(BigInt(balanceSlot));
  await request(`${dialect}_setStorageAt`, [plan.currency, slot, numberToHex(amount, { size: 32 })]);
}

function transactionOf({ transaction: { from, to, data, value }, gasPrice, gasLimit }: Job) {
  return { from, to, data, value: numberToHex(value), gas: numberToHex(gasLimit), gasPrice: numberToHex(gasPrice) };
}

function balanceCall({ plan, output }: Job) {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [plan.recipient] });
  return { to: output, data, gas: "0x4c4b40", gasPrice: "0x0" };
}
