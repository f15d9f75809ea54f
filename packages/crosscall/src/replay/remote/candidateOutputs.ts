import {
  type Address,
  type Hex,
  bytesToHex,
  getAddress,
  hexToBytes,
  isAddress,
  isAddressEqual,
  numberToHex,
} from "viem";

import { EVM_NATIVE_CURRENCY } from "@crosscall/protocol/chains";
import { type AccountOverride, SOLVER_BALANCE } from "../callRunner.ts";
import type { FillTransaction } from "../encodeFill.ts";
import type { FillPlan } from "../fillPlan.ts";
import type { StateNode } from "../stateNode.ts";

/** More would mostly be accounts. */
const CANDIDATES_MAX = 64;

/** Zero bytes before an address in a word. */
const PADDING = 12;
const WORD = 32;

/**
 * Contracts that may be outputs: addresses in the order's calls, and accounts of the fill if the node lists them
 * (`eth_createAccessList`, `debug_traceCall`). Accounts that are not tokens do not matter.
 */
export async function listCandidates(
  node: StateNode,
  plan: FillPlan,
  transaction: FillTransaction,
  block: Hex | "latest",
  overrides: Readonly<Record<Address, AccountOverride>>,
): Promise<readonly Address[]> {
  const named = plan.calls.flatMap(({ to, data }) => [to, ...readAddresses(data)]);
  const { from, to, data, value } = transaction;
  const call = { from, to, data, value: numberToHex(value) };
  const state = { ...overrides, [from]: { balance: numberToHex(SOLVER_BALANCE) } };
  const ask = (method: string, ...params: readonly unknown[]): Promise<readonly Address[]> =>
    // Few nodes have all of these methods with state overrides.
    node.request(method, [call, block, ...params]).then(readAddressesOf, () => []);
  const visited = await Promise.all([
    ask("eth_createAccessList", state),
    ask("debug_traceCall", { tracer: "prestateTracer", stateOverrides: state }),
  ]);
  const all = [EVM_NATIVE_CURRENCY, plan.currency, ...visited.flat(), ...named].map((address) => getAddress(address));
  return [...new Set(all)].filter((address) => !isAddressEqual(address, plan.router)).slice(0, CANDIDATES_MAX);
}

/** At any byte offset, since calls are nested. Misses addresses that begin with zeros. */
function readAddresses(data: Hex): readonly Address[] {
  const bytes = hexToBytes(data);
  const found: Address[] = [];
  let zeros = 0;
  bytes.forEach((byte, index) => {
    if (byte !== 0 && zeros >= PADDING && index + WORD - PADDING <= bytes.length) {
      found.push(bytesToHex(bytes.subarray(index, index + WORD - PADDING)));
    }
    zeros = byte === 0 ? zeros + 1 : 0;
  });
  return found;
}

/** Of an access list or a prestate. */
function readAddressesOf(answer: unknown): readonly Address[] {
  if (typeof answer !== "object" || answer === null) return [];
  const { accessList } = answer as { readonly accessList?: readonly { readonly address: string }[] };
  const accounts = accessList?.map(({ address }) => address) ?? Object.keys(answer);
  return accounts.filter((account): account is Address => isAddress(account, { strict: false }));
}
