import {
  type Address,
  type Hex,
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  keccak256,
  numberToHex,
  bytesToHex,
  getAddress,
  hexToBytes,
  isAddress,
  isAddressEqual,
} from "viem";
import { ChainError, InvalidStateError } from "@crosscall/protocol/core";
import { EVM_NATIVE_CURRENCY } from "@crosscall/protocol/chains";

import type { StateNode } from "../fork/fork.ts";
import { type AccountOverride, SOLVER_BALANCE } from "./callRunner.ts";
import type { FillTransaction, FillPlan } from "../fillPlan.ts";

/** Returns the slot of an account's balance. */
type BalanceLayout = (account: Address) => Hex;

/** Namespace of OpenZeppelin's upgradeable tokens (ERC-7201, `openzeppelin.storage.ERC20`). */
const NAMESPACED = 0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00n;

/** Suffix with which Solady's tokens hash the account. */
const SOLADY_SEED: Hex = "0x000000000000000087a211a2";

/**
 * Possible slots of the balance mapping, which is usually among the first variables, but inheritance can move it back.
 */
const POSITIONS = [...Array.from({ length: 128 }, (_, position) => BigInt(position)), NAMESPACED];

const LAYOUTS: readonly BalanceLayout[] = [
  ...POSITIONS.map((position) => (account: Address) => hashPair("address", account, position)),
  // Vyper hashes slot and account in the reverse order.
  ...POSITIONS.map((position) => (account: Address) => hashPair("uint256", account, position)),
  (account) => keccak256(concat([account, SOLADY_SEED])),
];

/** Base of balances that no account has by chance; each layout adds its index. */
const MARK = 0xc0ffeen << 64n;

/**
 * Finds the layout of a token's balances with one call, in which each known layout has a different balance.
 *
 * @throws {@link InvalidStateError} if the token's layout is unknown
 */
export async function findBalanceLayout(
  node: StateNode,
  token: Address,
  account: Address,
  block: Hex | "latest",
): Promise<BalanceLayout> {
  const stateDiff = Object.fromEntries(
    LAYOUTS.map((layout, index) => [layout(account), numberToHex(MARK + BigInt(index), { size: 32 })]),
  );
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [account] });
  const result = await node
    .request("eth_call", [{ to: token, data }, block, { [token]: { stateDiff } }])
    .catch((error: unknown) => {
      // Not a token.
      if (error instanceof ChainError && /revert/iu.test(error.message)) return undefined;
      throw error;
    });
  const layout =
    typeof result === "string" && result.length === 66 ? LAYOUTS[Number(BigInt(result) - MARK)] : undefined;
  if (layout !== undefined) return layout;
  throw new InvalidStateError({
    message: `no known storage layout holds the balances of ${token}`,
    hint: "Replay on a fork, which finds balances in any storage layout.",
  });
}

function hashPair(first: "address" | "uint256", account: Address, position: bigint): Hex {
  return keccak256(
    first === "address"
      ? encodeAbiParameters([{ type: "address" }, { type: "uint256" }], [account, position])
      : encodeAbiParameters([{ type: "uint256" }, { type: "address" }], [position, account]),
  );
}

/** Maximum number of candidates. Further candidates would mostly be accounts, not tokens. */
const CANDIDATES_MAX = 64;

/** Number of zero bytes before an address in a word. */
const PADDING = 12;
const WORD = 32;

/**
 * Lists addresses that may be output tokens: addresses in the order's calls, and accounts that the fill accesses if the
 * node lists them (`eth_createAccessList`, `debug_traceCall`). Addresses of other accounts have no effect.
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
    // Ignores errors, because few nodes support all of these methods with state overrides.
    node.request(method, [call, block, ...params]).then(readAddressesOf, () => []);
  const visited = await Promise.all([
    ask("eth_createAccessList", state),
    ask("debug_traceCall", { tracer: "prestateTracer", stateOverrides: state }),
  ]);
  const all = [EVM_NATIVE_CURRENCY, plan.currency, ...visited.flat(), ...named].map((address) => getAddress(address));
  return [...new Set(all)].filter((address) => !isAddressEqual(address, plan.router)).slice(0, CANDIDATES_MAX);
}

/** Finds addresses at any byte offset, because calls are nested. Misses addresses that begin with zero bytes. */
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

/** Lists the addresses of an access list or a prestate. */
function readAddressesOf(result: unknown): readonly Address[] {
  if (typeof result !== "object" || result === null) return [];
  const { accessList } = result as { readonly accessList?: readonly { readonly address: string }[] };
  const accounts = accessList?.map(({ address }) => address) ?? Object.keys(result);
  return accounts.filter((account): account is Address => isAddress(account, { strict: false }));
}
