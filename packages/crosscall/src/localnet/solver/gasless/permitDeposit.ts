import { type Address, encodeFunctionData, type Hex, parseSignature, zeroAddress } from "viem";

import { depositoryAbi } from "@crosscall/protocol/abi";
import { localDollarAbi } from "../../../abi/localDollar.generated.ts";
import type { DevChain, EvmCall } from "../../devchain/devChain.ts";
import { approveCall } from "../../market/approvalCalls.ts";
import type { StoredPermit } from "../../store/permits.ts";
import type { RequestRow } from "../../store/requests/requests.ts";
import type { Payer } from "../solverParts.ts";
import { encodeMulticall } from "../fillTransaction.ts";
import { signTokenPayment } from "../tokenPayment.ts";
import { localApprovalProxyAbi } from "../../../abi/localContracts.generated.ts";

type PaidRequest = Pick<RequestRow, "order_id" | "order_data" | "user">;

/** Deadline that never passes, because an amount that the user paid to the solver can be deposited at any time. */
const NEVER = 2n ** 64n;

/**
 * Builds one transaction that uses a permit and deposits for the order, so that either both happen or neither. An
 * authorization pays the solver. Within the transaction, the solver pays the router with the orderId as nonce, so the
 * token itself allows at most one such deposit per order.
 */
export async function permitTransaction(
  parts: Payer,
  chain: DevChain,
  request: PaidRequest,
  permit: StoredPermit,
  signature: Hex,
): Promise<EvmCall> {
  const { approvalProxy } = chain.contracts;
  const orderId = request.order_id as Hex;
  const owner = permit.owner as Address;
  const token = permit.token as Address;
  const amount = BigInt(permit.amount);
  const { r, s, yParity } = parseSignature(signature);
  const v = yParity + 27;
  switch (permit.kind) {
    case "eip3009": {
      const args = [
        owner,
        parts.solver.address,
        amount,
        0n,
        BigInt(permit.deadline),
        permit.nonce as Hex,
        v,
        r,
        s,
      ] as const;
      const data = encodeFunctionData({ abi: localDollarAbi, functionName: "transferWithAuthorization", args });
      const deadline = BigInt(request.order_data.output.deadline) + 1n;
      return solverDeposit(parts, chain, request, permit, { before: [{ to: token, data, value: 0n }], deadline });
    }
    case "eip2612": {
      const args = [owner, token, amount, BigInt(permit.deadline), v, r, s, orderId] as const;
      const data = encodeFunctionData({ abi: localApprovalProxyAbi, functionName: "depositPermit", args });
      return { to: approvalProxy, data, value: 0n };
    }
    case "permit2": {
      const { execution } = permit;
      const signed = {
        permitted: [{ token, amount }],
        nonce: BigInt(permit.nonce),
        deadline: BigInt(permit.deadline),
      };
      if (execution !== undefined) {
        const refundTo = execution.refundTo as Address;
        const calls = execution.calls.map(({ to, data }) => ({
          target: to as Address,
          allowFailure: false,
          value: 0n,
          callData: data as Hex,
        }));
        const args = [owner, signed, calls, refundTo, refundTo, execution.metadata as Hex, signature] as const;
        const name = "permit2TransferAndMulticall";
        return {
          to: approvalProxy,
          data: encodeFunctionData({ abi: localApprovalProxyAbi, functionName: name, args }),
          value: 0n,
        };
      }
      const args = [owner, signed, signature, orderId] as const;
      const data = encodeFunctionData({ abi: localApprovalProxyAbi, functionName: "depositPermit2", args });
      return { to: approvalProxy, data, value: 0n };
    }
  }
}

/** Deposits, for the user, an amount that the solver received through the user's authorization. */
export function movedDeposit(
  parts: Payer,
  chain: DevChain,
  request: PaidRequest,
  permit: StoredPermit,
): Promise<EvmCall> {
  return solverDeposit(parts, chain, request, permit, { before: [], deadline: NEVER });
}

async function solverDeposit(
  parts: Payer,
  chain: DevChain,
  request: PaidRequest,
  permit: StoredPermit,
  { before, deadline }: { readonly before: readonly EvmCall[]; readonly deadline: bigint },
): Promise<EvmCall> {
  const { router, depository } = chain.contracts;
  const orderId = request.order_id as Hex;
  const token = permit.token as Address;
  const amount = BigInt(permit.amount);
  const payment = await signTokenPayment({ chain, solver: parts.solver, token, amount, orderId, deadline });
  const data = encodeFunctionData({
    abi: depositoryAbi,
    functionName: "depositErc20",
    args: [request.user as Address, token, amount, orderId],
  });
  const calls = [...before, payment, approveCall(token, depository, amount), { to: depository, data, value: 0n }];
  return { to: router, data: encodeMulticall(calls, zeroAddress), value: 0n };
}
