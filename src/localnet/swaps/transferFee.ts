import type { Address } from "viem";

import { isSameAddress } from "../../chains/address.ts";
import { BPS_PER_WHOLE, mulDiv } from "../../core/amounts.ts";
import type { ChainContracts } from "../chains/contracts.ts";
import { LOCAL_TRANSFER_FEE_BPS } from "../currencies.ts";

/** What a token of a local chain keeps of every transfer, in bps. */
export function transferFeeOf({ feeToken }: Pick<ChainContracts, "feeToken">, token: Address): bigint {
  return isSameAddress(token, feeToken) ? LOCAL_TRANSFER_FEE_BPS : 0n;
}

/** What arrives of an amount that is sent: the token rounds its fee down. */
export function afterTransferFee(sent: bigint, feeBps: bigint): bigint {
  return sent - mulDiv(sent, feeBps, BPS_PER_WHOLE);
}

/** The smallest amount to send of which this much arrives. */
export function beforeTransferFee(arrives: bigint, feeBps: bigint): bigint {
  if (feeBps === 0n) return arrives;
  const estimate = mulDiv(arrives, BPS_PER_WHOLE, BPS_PER_WHOLE - feeBps);
  // The fee is rounded down, so that the division is off by one at most.
  for (let sent = estimate > 1n ? estimate - 1n : 0n; ; sent += 1n) {
    if (afterTransferFee(sent, feeBps) >= arrives) return sent;
  }
}
