import type { Address } from "viem";

import { CrosscallError } from "@crosscall/protocol/core";

/** The balance of a token cannot be set on a fork, so nothing can be delivered. */
export class BalanceUnwritableError extends CrosscallError {
  readonly code = "BALANCE_UNWRITABLE";
  /** The token whose balance cannot be set. */
  readonly token: Address;
  /** Smallest unit; decimal. */
  readonly amount: string;

  constructor(parameters: { token: Address; amount: bigint; cause?: unknown }) {
    const { token, amount, cause } = parameters;
    super({
      message: `no word of storage holds the balance of ${token} alone, and no known holder has ${amount} of it`,
      hint: "Name an account that holds enough of the token on that block, with holders (--holder).",
      cause,
    });
    this.token = token;
    this.amount = amount.toString();
  }
}
