import type { Address } from "viem";

import type { Call } from "../protocol/common/call.ts";
import { approve } from "./approve.ts";

export interface ResetAllowanceParameters {
  readonly token: Address;
  readonly spender: Address;
}

/**
 * Builds the call that resets a spender's allowance to zero: before an approval of a token that only changes
 * allowances from or to zero (spec 2, call rule 2), and after the last use of an unlimited approval.
 */
export function resetAllowance({ token, spender }: ResetAllowanceParameters): Call {
  return approve({ token, spender, amount: 0n });
}
