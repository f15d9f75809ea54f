import type { Address } from "viem";

import { isSameAddress } from "@crosscall/sdk/internal/chains/address";
import { BPS_PER_WHOLE, mulDiv } from "@crosscall/sdk/internal/core/amounts";
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
  // The fee is rounded down, and so what arrives up: n arrive where more than n - 1 would without rounding.
  return arrives === 0n ? 0n : mulDiv(arrives - 1n, BPS_PER_WHOLE, BPS_PER_WHOLE - feeBps) + 1n;
}
