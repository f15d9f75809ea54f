import {
  type Address,
  type Hex,
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  keccak256,
  numberToHex,
} from "viem";

import { ChainError, InvalidStateError } from "@crosscall/protocol/core";
import type { StateNode } from "../stateNode.ts";

/** The slot of an account's balance. */
export type BalanceLayout = (account: Address) => Hex;

/** OpenZeppelin's upgradeable tokens (ERC-7201, `openzeppelin.storage.ERC20`). */
const NAMESPACED = 0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00n;

/** Solady's tokens hash the account with this suffix. */
const SOLADY_SEED: Hex = "0x000000000000000087a211a2";

/** The balance mapping is mostly among the first variables; inheritance can move it back. */
const POSITIONS = [...Array.from({ length: 128 }, (_, position) => BigInt(position)), NAMESPACED];

const LAYOUTS: readonly BalanceLayout[] = [
  ...POSITIONS.map((position) => (account: Address) => hashPair("address", account, position)),
  // Vyper hashes them in the other order.
  ...POSITIONS.map((position) => (account: Address) => hashPair("uint256", account, position)),
  (account) => keccak256(concat([account, SOLADY_SEED])),
];

/** Balances that no account has by chance, one per layout. */
const MARK = 0xc0ffeen << 64n;

/**
 * One call gives each known layout its own balance.
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
  const answer = await node
    .request("eth_call", [{ to: token, data }, block, { [token]: { stateDiff } }])
    .catch((error: unknown) => {
      // Not a token.
      if (error instanceof ChainError && /revert/iu.test(error.message)) return undefined;
      throw error;
    });
  const layout =
    typeof answer === "string" && answer.length === 66 ? LAYOUTS[Number(BigInt(answer) - MARK)] : undefined;
  if (layout !== undefined) return layout;
  throw new InvalidStateError({
    message: `no known word of storage holds the balances of ${token}`,
    hint: "Replay on a fork, which finds balances wherever they are.",
  });
}

function hashPair(first: "address" | "uint256", account: Address, position: bigint): Hex {
  return keccak256(
    first === "address"
      ? encodeAbiParameters([{ type: "address" }, { type: "uint256" }], [account, position])
      : encodeAbiParameters([{ type: "uint256" }, { type: "address" }], [position, account]),
  );
}
