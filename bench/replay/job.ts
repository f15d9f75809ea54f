import { type Address, type Hex, encodeAbiParameters, keccak256, maxUint256, numberToHex } from "viem";

import { type FillTransaction, encodeFill, type FillPlan } from "../../packages/crosscall/src/replay/fillPlan.ts";
import { callTo, type LiveChain, RECIPIENT, startLiveChain } from "../../test/integration/support/liveChain.ts";

/** The fill that every contender runs for each delivered amount: a vault deposit with the kit's proxy. */
export interface Job {
  readonly chain: LiveChain;
  readonly plan: FillPlan;
  /** Call data of the fill, which is the same for every amount. */
  readonly transaction: FillTransaction;
  readonly amounts: readonly bigint[];
  /** Forked block. It is old enough for every engine to cache its state. */
  readonly blockNumber: bigint;
  /** Storage slot of the router's dollar balance. */
  readonly balanceSlot: Hex;
  /** Token that the recipient receives. */
  readonly output: Address;
  /** Gas price in wei. Without it, a node would request the fee history of the chain. */
  readonly gasPrice: bigint;
  readonly gasLimit: bigint;
}

/** Result of a fill, if the contender reports it. */
export interface Filled {
  readonly amount: bigint;
  readonly gasUsed: bigint | undefined;
  readonly received: bigint | undefined;
}

const CHAIN_ID = 31_480;
const FIRST = 1_000_000_000n;
const STEP = 1_000_000n;
const BLOCKS_AFTER = 512n;
const BALANCES_POSITION = 0n;

/** Starts the live chain that is forked. */
export async function startJob(count: number): Promise<Job> {
  const chain = await startLiveChain(CHAIN_ID, "--hardfork", "cancun");
  const { dollar, vaultProxy, vault } = chain.contracts;
  const approve = "function approve(address spender, uint256 amount)";
  const execute = "function execute(address recipient, uint256 minimumIn, uint256 minimumOut, uint256 deadline)";
  const plan = chain.plan([
    callTo(dollar, approve, vaultProxy, maxUint256),
    callTo(vaultProxy, execute, RECIPIENT, 1n, 1n, maxUint256),
    callTo(dollar, approve, vaultProxy, 0n),
  ]);
  const { baseFeePerGas, number: blockNumber } = await chain.client.getBlock();
  await chain.request("anvil_mine", [numberToHex(BLOCKS_AFTER)]);
  return {
    chain,
    plan,
    transaction: encodeFill(plan, 0n),
    amounts: Array.from({ length: count }, (_, index) => FIRST + BigInt(index) * STEP),
    balanceSlot: keccak256(
      encodeAbiParameters([{ type: "address" }, { type: "uint256" }], [plan.router, BALANCES_POSITION]),
    ),
    blockNumber,
    output: vault,
    gasPrice: 2n * (baseFeePerGas ?? 0n),
    gasLimit: 5_000_000n,
  };
}
