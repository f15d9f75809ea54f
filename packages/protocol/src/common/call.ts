import { doc } from "#doc";
import type * as Type from "typebox";
import type { Hex } from "viem";

import { parseAmount } from "../encoding/amounts.ts";
import { InvalidInputError } from "../core/errors.ts";
import * as T from "../schema/type.ts";

/** Schema of a call (spec 2, section 4). The quote rules check its strings. */
export const CallSchema = T.Object(
  {
    to: T.String({ description: doc("Contract to call.") }),
    data: T.String({ description: doc("ABI-encoded call data as hex.") }),
    value: T.String({ description: doc("Native currency to send with the call, in wei.") }),
  },
  { description: doc("A call on the destination chain, made by the router.") },
);

export const QuotedCallSchema = T.Object({
  ...CallSchema.properties,
  originalTxValue: T.Optional(T.String({ description: doc("Undocumented effect.") })),
});

/** A call on the destination chain. */
export type Call = Type.Static<typeof CallSchema>;

/**
 * Parses call data.
 * @param field path of the data, for the error
 * @throws {@link InvalidInputError} when the data is not hex of whole bytes
 */
export function parseCallData(value: string, field: string): Hex {
  if (/^0x(?:[0-9a-f]{2})*$/iu.test(value)) return value as Hex;
  throw new InvalidInputError({
    field,
    value,
    reason: "call data must be hex of whole bytes",
    hint: `Pass ${field} as 0x and an even number of hexadecimal digits; "0x" for none.`,
  });
}

/**
 * Returns the sum of the values of calls, in wei.
 *
 * @throws {@link InvalidInputError} when a value is not an amount
 */
export function sumCallValues(txs: readonly Call[]): bigint {
  return txs.reduce((sum, call, index) => sum + parseAmount(call.value, `txs[${index}].value`), 0n);
}
