import { type Address, type Hex, encodeFunctionData, erc20Abi, numberToHex, hexToBigInt } from "viem";
import { isEvmNative } from "@crosscall/protocol/chains";
import { CrosscallError } from "@crosscall/protocol/core";

import type { StateNode } from "./fork/fork.ts";

interface DealParameters {
  readonly account: Address;
  /** Token; the zero address for native currency. */
  readonly currency: Address;
  /** Resulting balance in the smallest unit. */
  readonly amount: bigint;
  /** Possible holders of the token, to transfer from if its storage cannot be written. */
  readonly holders?: readonly Address[] | undefined;
}

/** Sets a balance exactly. Caches the token's balance slot. */
export type Deal = (parameters: DealParameters) => Promise<void>;

/** Maximum gas of a transaction since Osaka (EIP-7825). */
const TRANSFER_GAS = "0x1000000";

/**
 * Creates a function that sets balances: native currency with `hardhat_setBalance`; a token in its balance slot, or
 * else with a transfer from a holder.
 *
 * @param knownHolders possible holders of any token
 * @throws {@link BalanceUnwritableError} from the returned function, if neither works
 */
export function createDeal(node: StateNode, knownHolders: readonly Address[] = []): Deal {
  const slots = new Map<string, BalanceSlot | undefined>();

  const slotOf = async (token: Address, account: Address): Promise<BalanceSlot | undefined> => {
    const key = `${token} ${account}`.toLowerCase();
    if (!slots.has(key)) slots.set(key, await findBalanceSlot(node, token, account));
    return slots.get(key);
  };

  return async ({ account, currency, amount, holders = [] }) => {
    if (isEvmNative(currency)) {
      await node.request("hardhat_setBalance", [account, numberToHex(amount)]);
      return;
    }
    const slot = await slotOf(currency, account);
    const isWritten =
      slot !== undefined && (await writeBalance(node, { token: currency, account, found: slot, amount }));
    if (isWritten) return;
    await transferFrom(node, { account, currency, amount, holders: [...holders, ...knownHolders] });
  };
}

async function transferFrom(
  node: StateNode,
  {
    account,
    currency,
    amount,
    holders,
  }: Required<Pick<DealParameters, "account" | "currency" | "amount">> & {
    readonly holders: readonly Address[];
  },
): Promise<void> {
  const had = (await readTokenBalance(node, currency, account)) ?? 0n;
  if (had === amount) return;
  if (had < amount) {
    for (const holder of holders) {
      const held = (await readTokenBalance(node, currency, holder)) ?? 0n;
      if (held < amount - had) continue;
      await send(node, holder, currency, account, amount - had);
      if ((await readTokenBalance(node, currency, account)) === amount) return;
    }
  } else {
    // The excess goes to an unused address.
    await send(node, account, currency, holders[0] ?? currency, had - amount);
    if ((await readTokenBalance(node, currency, account)) === amount) return;
  }
  throw new BalanceUnwritableError({ token: currency, amount });
}

async function send(node: StateNode, from: Address, token: Address, to: Address, amount: bigint): Promise<void> {
  const data: Hex = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, amount] });
  await node.request("hardhat_impersonateAccount", [from]);
  await node.request("hardhat_setBalance", [from, numberToHex(10n ** 24n)]);
  await node.request("eth_sendTransaction", [{ from, to: token, data, gas: TRANSFER_GAS }]);
  await node.request("hardhat_stopImpersonatingAccount", [from]);
}

/** Thrown if a token's balance cannot be set on a fork, so that the token cannot be delivered. */
export class BalanceUnwritableError extends CrosscallError {
  readonly code = "BALANCE_UNWRITABLE";
  /** Token with the balance that cannot be set. */
  readonly token: Address;
  /** Smallest unit; decimal. */
  readonly amount: string;

  constructor(parameters: { token: Address; amount: bigint; cause?: unknown }) {
    const { token, amount, cause } = parameters;
    super({
      message: `no single storage slot holds the balance of ${token}, and no known holder has ${amount} of the token`,
      hint: "With holders (--holder), pass an account that holds enough of the token at that block.",
      cause,
    });
    this.token = token;
    this.amount = amount.toString();
  }
}

interface BalanceSlot {
  readonly contract: Address;
  readonly slot: Hex;
  /** Other bits of the word, which are kept; 0 if the balance fills the word. */
  readonly kept: bigint;
  /** Whether the word is a share that the token converts to the balance. */
  readonly isShare: boolean;
}

/** Balances that no account has by chance. The second balance fits into packed words. */
const MARKS = [0x1_c0ff_ee12_3456_789a_bcden, 0x1_2345_6789_abcdn] as const;

/** Bit widths of packed balances. Narrow widths come first, so that flags are not treated as part of the balance. */
const WIDTHS = [96n, 104n, 112n, 128n, 248n, 255n, 256n] as const;

/** Maximum share. Larger shares overflow in tokens. */
const SHARE_MAX = 2n ** 120n;

/** Maximum gas of a transaction since Osaka (EIP-7825). */
const MARK_GAS = "0x1000000";

/**
 * Finds the slot that determines the result of `balanceOf`, among the slots that it reads. Restores the token's
 * storage.
 *
 * @returns undefined if no single slot holds the balance
 */
async function findBalanceSlot(node: StateNode, token: Address, account: Address): Promise<BalanceSlot | undefined> {
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

/** @returns whether the token reports exactly this amount after the write; otherwise nothing changes */
async function writeBalance(node: StateNode, { token, account, found, amount }: BalanceWrite): Promise<boolean> {
  // Amounts up to this size worked when the slot was found.
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

/** Finds the smallest share that is worth the amount by bisection, because the value grows with the share. */
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

interface BalanceWrite {
  readonly token: Address;
  readonly account: Address;
  readonly found: BalanceSlot;
  /** Smallest unit. */
  readonly amount: bigint;
}

/** Reads a token balance. Returns undefined if `balanceOf` fails. */
export async function readTokenBalance(node: StateNode, token: Address, account: Address): Promise<bigint | undefined> {
  const result = (await node.request("eth_call", [balanceCall(token, account), "latest"])) as Hex;
  return result.length === 66 ? hexToBigInt(result) : undefined;
}

/** Reads how a word holds the balance. Returns undefined if the word is not the balance. */
async function readWord(
  node: StateNode,
  token: Address,
  account: Address,
  { contract, slot, before }: { readonly contract: Address; readonly slot: Hex; readonly before: bigint },
): Promise<BalanceSlot | undefined> {
  const keeps = WIDTHS.map((width) => (before >> width) << width);
  // Tries equal masks only once.
  for (const kept of new Set(keeps)) {
    const found = { contract, slot, kept, isShare: false };
    const reported: (bigint | undefined)[] = [];
    for (const mark of MARKS) {
      await writeWord(node, found, mark);
      // The token can revert if the word is not a balance.
      reported.push(await readTokenBalance(node, token, account).catch(() => undefined));
    }
    if (reported.every((balance, index) => balance === MARKS[index])) return found;
    const [larger = 0n, smaller = 0n] = reported;
    // Requires that no other bits are kept, because part of a plain balance would look like a share.
    if (kept === 0n && larger > smaller && smaller > 0n) return { ...found, isShare: true };
  }
  return undefined;
}

/** Lists the slots that are read, last slot first, because the balance is usually read last. */
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

/** Formats a slot without leading zeros, because Hardhat's node accepts only such slots. */
function slotText(slot: Hex): Hex {
  return numberToHex(BigInt(slot));
}
