import { type Address, type Hex, numberToHex, zeroHash } from "viem";

import type { FillTransaction } from "../encodeFill.ts";
import type { Fork } from "../fork/fork.ts";

/** As state overrides of `eth_call`. */
export type StateChanges = Readonly<Record<Address, AccountChange>>;

interface AccountChange {
  readonly balance?: Hex;
  readonly nonce?: Hex;
  readonly code?: Hex;
  readonly stateDiff?: Readonly<Record<Hex, Hex>>;
}

interface TracedAccount {
  readonly balance?: Hex;
  readonly nonce?: number;
  readonly code?: Hex;
  readonly storage?: Readonly<Record<Hex, Hex>>;
}

export async function readStateChanges(
  fork: Fork,
  { from, to, data, value }: FillTransaction,
  gas: bigint = fork.environment.gasLimit,
): Promise<StateChanges> {
  const call = {
    from,
    to,
    data,
    value: numberToHex(value),
    gas: numberToHex(gas),
    gasPrice: numberToHex(fork.environment.baseFeePerGas),
  };
  const { pre, post } = (await fork.request("debug_traceCall", [
    call,
    "latest",
    { tracer: "prestateTracer", tracerConfig: { diffMode: true } },
  ])) as Record<"pre" | "post", Readonly<Record<Address, TracedAccount>>>;
  const accounts = [...new Set([...Object.keys(pre), ...Object.keys(post)])] as Address[];
  return Object.fromEntries(accounts.map((account) => [account, changeOf(pre[account], post[account])]));
}

function changeOf(
  before: TracedAccount = {},
  { balance, code, nonce, storage = {} }: TracedAccount = {},
): AccountChange {
  // A slot that becomes zero is listed only in the state before.
  const emptied = Object.keys(before.storage ?? {}).map((slot) => [slot, zeroHash]);
  const words = { ...Object.fromEntries(emptied), ...storage } as Record<Hex, Hex>;
  return {
    ...(balance === undefined ? {} : { balance }),
    ...(code === undefined ? {} : { code }),
    ...(nonce === undefined ? {} : { nonce: numberToHex(nonce) }),
    ...(Object.keys(words).length === 0 ? {} : { stateDiff: words }),
  };
}
