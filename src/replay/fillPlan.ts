import type { Address, Hex } from "viem";

import type { RouterVersion } from "@crosscall/sdk/internal/calls/routerCall";

/** A call of the order, as the router makes it. */
export interface FillCall {
  readonly to: Address;
  readonly data: Hex;
  /** Wei. */
  readonly value: bigint;
  /** Whether the multicall goes on when it fails; the service's calls may not. */
  readonly allowFailure: boolean;
}

/** A fill that can be run for any delivered amount: what the solver would send, without what it gives. */
export interface FillPlan {
  readonly chainId: number;
  /** Who makes every call. */
  readonly router: Address;
  readonly routerVersion: RouterVersion;
  /** Who sends the fill. */
  readonly solver: Address;
  /** What is delivered; the zero address is native. */
  readonly currency: Address;
  /** The least that the order lets the solver deliver, in the smallest unit of the currency. */
  readonly minimumAmount: bigint;
  /** What the order expects to be delivered, in the smallest unit of the currency. */
  readonly expectedAmount: bigint;
  readonly calls: readonly FillCall[];
  /** Gets the native currency that the multicall leaves on the router. */
  readonly refundTo: Address;
  /** Gets the NFTs that reach the router during the fill. */
  readonly nftRecipient: Address;
  /** Whose the output is. */
  readonly recipient: Address;
  /** The last 32 bytes of the fill's call data. */
  readonly orderId: Hex;
  /** Gas limit of the fill; the block's when left out. */
  readonly gas?: bigint;
}
