import * as Type from "typebox";
import { type Address, encodeFunctionData, erc20Abi, type Hex } from "viem";

import { routerAbi } from "@crosscall/protocol/abi";
import { PERMIT2_ADDRESS } from "@crosscall/protocol/chains";
import { routerOfApprovalProxy } from "@crosscall/protocol/generations";
import type { PlannedSignature, PlannedTransaction } from "@crosscall/protocol/quote/rules";
import { findMismatch, parseData } from "@crosscall/protocol/schema";
import type { TrustedChain } from "@crosscall/sdk/kit";

/** Permit2 message with the calls of a request on one chain. It is for approval proxy 3.0 or, with `msgValue`, 3.2. */
const MessageSchema = Type.Object({
  spender: Type.String(),
  permitted: Type.Array(Type.Object({ token: Type.String(), amount: Type.String() })),
  witness: Type.Object({
    relayer: Type.String(),
    msgValue: Type.Optional(Type.String()),
    refundTo: Type.String(),
    nftRecipient: Type.String(),
    metadata: Type.String(),
    call3Values: Type.Array(
      Type.Object({
        target: Type.String(),
        allowFailure: Type.Boolean(),
        value: Type.String(),
        callData: Type.String(),
      }),
    ),
  }),
});

/**
 * Returns the transactions that the service makes with the permit of a request on one chain, without the signature:
 * Permit2 transfers the input to the router, which runs the calls.
 *
 * @returns undefined for other permits, which only pay, or if no router is pinned
 */
export function permitTransactions(
  action: PlannedSignature,
  user: Address,
  chain: (TrustedChain & { readonly id: number }) | undefined,
): readonly PlannedTransaction[] | undefined {
  const { value } = action.sign;
  if (chain === undefined || findMismatch(MessageSchema, value, "") !== undefined) return undefined;
  const { permitted, spender, witness } = parseData(MessageSchema, value, "the permit");
  const [first] = chain.routers ?? [];
  // Each approval proxy has its own router. An unknown proxy belongs to a network with a single router.
  const router = routerOfApprovalProxy(spender) ?? first;
  if (router === undefined) return undefined;
  const { stepId, position } = action;
  const fees = { gas: undefined, maxFeePerGas: undefined, maxPriorityFeePerGas: undefined };
  const common = { kind: "transaction", stepId, position, chainId: chain.id, value: 0n, ...fees } as const;
  const calls = witness.call3Values.map((call) => ({
    target: call.target as Address,
    allowFailure: call.allowFailure,
    value: BigInt(call.value),
    callData: call.callData as Hex,
  }));
  const { refundTo, nftRecipient, metadata } = witness;
  const args = [calls, refundTo as Address, nftRecipient as Address, metadata as Hex] as const;
  return [
    ...permitted.map(({ token, amount }) => ({
      ...common,
      from: PERMIT2_ADDRESS,
      to: token as Address,
      data: encodeFunctionData({
        abi: erc20Abi,
        functionName: "transferFrom",
        args: [user, router as Address, BigInt(amount)],
      }),
    })),
    {
      ...common,
      from: witness.relayer as Address,
      to: router as Address,
      value: BigInt(witness.msgValue ?? 0),
      data: encodeFunctionData({ abi: routerAbi, functionName: "multicall", args }),
    },
  ];
}
