import { type Address, type Hex, concat, encodeFunctionData } from "viem";

import { routerAbi } from "@crosscall/protocol/abi";
import { isEvmNative } from "@crosscall/protocol/chains";
import type { FillPlan } from "./fillPlan.ts";
import { olderMulticallAbi } from "./readMulticall.ts";

export interface FillTransaction {
  readonly from: Address;
  readonly to: Address;
  readonly data: Hex;
  /** Wei. */
  readonly value: bigint;
}

/**
 * The multicall with the order's calls and the orderId appended (spec 4, section 3). Native currency is its value;
 * tokens are on the router already.
 *
 * @param amount delivered amount, in the smallest unit of the plan's currency
 */
export function encodeFill(plan: FillPlan, amount: bigint): FillTransaction {
  const { router, solver, calls, refundTo, nftRecipient, orderId } = plan;
  const isNative = isEvmNative(plan.currency);
  return {
    from: solver,
    to: router,
    data: concat([encodeMulticall(plan.routerVersion, calls, refundTo, nftRecipient), orderId]),
    value: isNative ? amount : calls.reduce((sum, { value }) => sum + value, 0n),
  };
}

function encodeMulticall(
  version: FillPlan["routerVersion"],
  calls: FillPlan["calls"],
  refundTo: Address,
  nftRecipient: Address,
): Hex {
  const entries = calls.map(({ to, allowFailure, value, data }) => ({
    target: to,
    allowFailure,
    value,
    callData: data,
  }));
  return version === "v3"
    ? encodeFunctionData({ abi: routerAbi, functionName: "multicall", args: [entries, refundTo, nftRecipient, "0x"] })
    : encodeFunctionData({
        abi: olderMulticallAbi,
        functionName: "multicall",
        args: [entries, refundTo, nftRecipient],
      });
}
