import type { Address, Hex } from "viem";

import type { RouterVersion } from "@crosscall/sdk/calls";

export interface FillCall {
  readonly to: Address;
  readonly data: Hex;
  /** Wei. */
  readonly value: bigint;
  /** Calls of the service always have false. */
  readonly allowFailure: boolean;
}

/** A fill that can be run for any delivered amount. */
export interface FillPlan {
  readonly chainId: number;
  /** The caller of every call. */
  readonly router: Address;
  readonly routerVersion: RouterVersion;
  /** The sender of the fill. */
  readonly solver: Address;
  /** The delivered currency; zero address for native currency. */
  readonly currency: Address;
  /** The order's minimum, in the currency's smallest unit. */
  readonly minimumAmount: bigint;
  /** The order's expected amount, in the currency's smallest unit. */
  readonly expectedAmount: bigint;
  readonly calls: readonly FillCall[];
  /** Receives the native currency that is left on the router. */
  readonly refundTo: Address;
  /** Receives NFTs that arrive at the router during the fill. */
  readonly nftRecipient: Address;
  /** Receives the output. */
  readonly recipient: Address;
  /** The last 32 bytes of the fill's call data. */
  readonly orderId: Hex;
  /** Gas limit of the fill; the block's by default. */
  readonly gas?: bigint;
}
