import type { Address } from "viem";

import type { Call } from "../protocol/common/call.ts";
import { approve } from "./approve.ts";

/** What {@link resetAllowance} takes. */
export interface ResetAllowanceParameters {
  readonly token: Address;
  readonly spender: Address;
}

/**
 * The call that takes a spender's allowance back to zero: before an approval of a token that refuses to change one
 * allowance into another (spec 2, call rule 2), and after the last use of an unlimited one.
 */
export function resetAllowance({ token, spender }: ResetAllowanceParameters): Call {
  return approve({ token, spender, amount: 0n });
}
