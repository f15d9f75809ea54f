import { type Address, type Hex, encodeFunctionData, erc20Abi, hexToBigInt, numberToHex } from "viem";

import type { StateNode } from "../stateNode.ts";

/** Where a token keeps the balance of an account. */
export interface BalanceSlot {
  readonly contract: Address;
  readonly slot: Hex;
  /** Bits of the word that are something else and stay as they are; 0 where the balance fills the word. */
  readonly kept: bigint;
  /** Whether it holds a share that the token turns into the balance. */
  readonly isShare: boolean;
}

/** Balances that no token has by chance; the second fits into the packed words that some tokens use. */
const MARKS = [0x1_c0ff_ee12_3456_789a_bcden, 0x1_2345_6789_abcdn] as const;

/** Lower parts of a word that tokens pack a balance into, narrow first: a wider one takes flags for balance. */
const WIDTHS = [96n, 104n, 112n, 128n, 248n, 255n, 256n] as const;

/** Shares of more are none that a token can add up. */
const SHARE_MAX = 2n ** 120n;

/** The most that a transaction may have where the rules of Osaka hold (EIP-7825). */
const MARK_GAS = "0x1000000";

/**
 * Finds the word that holds the balance of an account: the one that changes what `balanceOf` tells, among those that it
 * reads. Leaves the token as it was.
 *
 * @returns undefined where no word holds it alone
 */
export async function findBalanceSlot(
  node: StateNode,
  token: Address,
  account: Address,
): Promise<BalanceSlot | undefined> {
  for (const { contract, slot } of await listReads(node, token, account)) {
    const before = (await node.request("eth_getStorageAt", [contract, slot, "latest"])) as Hex;
    try {
      const found = await readWord(node, token, account, { contract, slot, before: BigInt(before) });
      if (found !== undefined) return found;
    } finally {
      await write(node, contract, slot, BigInt(before));
    }
  }
  return undefined;
}

/**
 * Sets a balance whose slot is known.
 *
 * @returns whether the token tells exactly this amount then; else it is as it was
 */
export async function writeBalance(node: StateNode, { token, account, found, amount }: BalanceWrite): Promise<boolean> {
  // That such amounts fit has been seen.
  if (!found.isShare && amount <= MARKS[0]) {
    await writeWord(node, found, amount);
    return true;
  }
  const before = (await node.request("eth_getStorageAt", [found.contract, found.slot, "latest"])) as Hex;
  await writeWord(node, found, found.isShare ? await leastShare(node, { token, account, found, amount }) : amount);
  if ((await readTokenBalance(node, token, account).catch(() => undefined)) === amount) return true;
  await write(node, found.contract, found.slot, BigInt(before));
  return false;
}

/** The least share that is worth the amount: what it is worth only ever rises with it. */
async function leastShare(node: StateNode, { token, account, found, amount }: BalanceWrite): Promise<bigint> {
  let [low, high] = [0n, SHARE_MAX];
  while (low < high) {
    const middle = (low + high) / 2n;
    await writeWord(node, found, middle);
    const balance = await readTokenBalance(node, token, account).catch(() => undefined);
    if (balance !== undefined && balance < amount) low = middle + 1n;
    else high = middle;
  }
  return low;
}

/** What {@link writeBalance} takes. */
export interface BalanceWrite {
  readonly token: Address;
  readonly account: Address;
  readonly found: BalanceSlot;
  /** Smallest unit. */
  readonly amount: bigint;
}

/** What `balanceOf` tells; undefined where it tells nothing. */
export async function readTokenBalance(node: StateNode, token: Address, account: Address): Promise<bigint | undefined> {
  const answer = (await node.request("eth_call", [balanceCall(token, account), "latest"])) as Hex;
  return answer.length === 66 ? hexToBigInt(answer) : undefined;
}

/** How a word holds the balance; undefined where it does not. */
async function readWord(
  node: StateNode,
  token: Address,
  account: Address,
  { contract, slot, before }: { readonly contract: Address; readonly slot: Hex; readonly before: bigint },
): Promise<BalanceSlot | undefined> {
  const keeps = WIDTHS.map((width) => (before >> width) << width);
  // Widths that keep the same are the same.
  for (const kept of new Set(keeps)) {
    const found = { contract, slot, kept, isShare: false };
    const told: (bigint | undefined)[] = [];
    for (const mark of MARKS) {
      await writeWord(node, found, mark);
      // A word that is no balance may make the token revert.
      told.push(await readTokenBalance(node, token, account).catch(() => undefined));
    }
    if (told.every((balance, index) => balance === MARKS[index])) return found;
    const [larger = 0n, smaller = 0n] = told;
    // Beside what is kept, a part of a plain balance looks like a share.
    if (kept === 0n && larger > smaller && smaller > 0n) return { ...found, isShare: true };
  }
  return undefined;
}

/** The words that `balanceOf` reads, last first: what it computes with comes last. */
async function listReads(
  node: StateNode,
  token: Address,
  account: Address,
): Promise<{ readonly contract: Address; readonly slot: Hex }[]> {
  const state = (await node.request("debug_traceCall", [
    { ...balanceCall(token, account), gas: MARK_GAS, gasPrice: "0x0" },
    "latest",
    { tracer: "prestateTracer" },
  ])) as Record<Address, { readonly storage?: Record<Hex, Hex> }>;
  return Object.entries(state)
    .flatMap(([contract, { storage = {} }]) =>
      Object.keys(storage).map((slot) => ({ contract: contract as Address, slot: slot as Hex })),
    )
    .reverse();
}

function balanceCall(token: Address, account: Address) {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [account] });
  return { to: token, data };
}

function writeWord(node: StateNode, { contract, slot, kept }: BalanceSlot, value: bigint): Promise<void> {
  return write(node, contract, slot, kept | value);
}

async function write(node: StateNode, contract: Address, slot: Hex, value: bigint): Promise<void> {
  await node.request("hardhat_setStorageAt", [contract, slotText(slot), numberToHex(value, { size: 32 })]);
}

/** Hardhat's node takes slots without leading zeros only. */
function slotText(slot: Hex): Hex {
  return numberToHex(BigInt(slot));
}
