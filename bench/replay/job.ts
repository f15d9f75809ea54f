import { type Address, type Hex, encodeAbiParameters, keccak256, maxUint256, numberToHex } from "viem";

import { type FillTransaction, encodeFill, type FillPlan } from "../../packages/crosscall/src/replay/fillPlan.ts";
import { callTo, type LiveChain, RECIPIENT, startLiveChain } from "../../test/integration/support/liveChain.ts";

/** The job of every contender: a fill into a vault with the kit's proxy, once for each delivered amount. */
export interface Job {
  readonly chain: LiveChain;
  readonly plan: FillPlan;
  /** The fill, which is the same for every amount. */
  readonly transaction: FillTransaction;
  readonly amounts: readonly bigint[];
  /** The forked block. It is old enough that every engine caches what it reads from it. */
  readonly blockNumber: bigint;
  /** Storage slot of the router's dollar balance. */
  readonly balanceSlot: Hex;
  /** The token that the recipient receives. */
  readonly output: Address;
  /** In wei. Explicit, because a node would otherwise request the fee history of the chain. */
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

/** Starts the live chain that all forks read. */
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
