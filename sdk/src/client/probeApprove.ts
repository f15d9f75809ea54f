import { type Address, type Client, concatHex, type Hex, hexToBigInt, numberToHex, padHex, size, slice } from "viem";
import { call } from "viem/actions";

const push = (value: Hex): Hex => concatHex([`0x${(0x5f + size(value)).toString(16)}`, value]);
const MSTORE: Hex = "0x52";
const RETURNDATASIZE: Hex = "0x3d";
const RETURN: Hex = "0xf3";
const GAS_AND_CALL: Hex = "0x5af1";

const SELECTOR: Hex = "0x095ea7b3";
const CALL_LENGTH: Hex = "0x44";
/** Positions of results in memory, one word each. */
const FIRST = { answer: "0x80", isOk: "0xa0" } as const;
const SECOND = { answer: "0xc0", isOk: "0xe0" } as const;
const FIRST_SIZE: Hex = "0x0100";
const ANSWER_LENGTH = 5 * 32;

/**
 * Tries a token's `approve` in an `eth_call` that creates a contract, which approves 1, then 2, and returns both
 * results. Changes nothing, and assumes no state.
 *
 * @returns undefined if the first approval fails, which says nothing about the second
 */
export async function probeApprove(
  client: Client,
  token: Address,
  spender: Address,
): Promise<{ readonly refusesAllowanceChange: boolean; readonly approveReturnsNothing: boolean } | undefined> {
  const { data } = await call(client, { data: probeOf(token, spender) });
  if (data === undefined || size(data) !== ANSWER_LENGTH) return undefined;
  const wordAt = (index: number): bigint => hexToBigInt(slice(data, 32 * index, 32 * (index + 1)));
  const approveReturnsNothing = wordAt(4) === 0n;
  // Some tokens return false where others revert.
  const succeeds = (answer: bigint, isOk: bigint): boolean => isOk === 1n && (approveReturnsNothing || answer !== 0n);
  if (!succeeds(wordAt(0), wordAt(1))) return undefined;
  return { refusesAllowanceChange: !succeeds(wordAt(2), wordAt(3)), approveReturnsNothing };
}

function probeOf(token: Address, spender: Address): Hex {
  const store = (value: Hex, offset: Hex): Hex => concatHex([push(value), push(offset), MSTORE]);
  const approve = (amount: Hex, place: typeof FIRST | typeof SECOND): Hex =>
    concatHex([
      store(amount, "0x24"),
      // Offset and length of the result, offset and length of the call data, no value, the token.
      ...(["0x20", place.answer, CALL_LENGTH, "0x00", "0x00", token] as const).map(push),
      GAS_AND_CALL,
      push(place.isOk),
      MSTORE,
    ]);
  return concatHex([
    store(padHex(SELECTOR, { dir: "right", size: 32 }), "0x00"),
    store(spender, "0x04"),
    approve("0x01", FIRST),
    RETURNDATASIZE,
    push(FIRST_SIZE),
    MSTORE,
    approve("0x02", SECOND),
    push(numberToHex(ANSWER_LENGTH)),
    push(FIRST.answer),
    RETURN,
  ]);
}
