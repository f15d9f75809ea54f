import type { Hex } from "viem";

import {
  type OwnedWithdrawalBody,
  type SubmitWithdrawRequest,
  toSubmitWithdrawRequest,
} from "@crosscall/protocol/attestation";
import type { VmType } from "@crosscall/protocol/vms";
import { requireAttested } from "../attestationRefusedError.ts";
import type { OracleContext } from "../oracleContext.ts";
import { withdrawalsNotSupported } from "../vms/limits.ts";
import { requireAuthorization } from "./requireAuthorization.ts";
import { type WithdrawalAccount, withdrawalAccountOf } from "./withdrawalAccount.ts";

/** Families whose requests to the allocator v2 are not built here. */
const WITHOUT_REQUESTS: readonly VmType[] = ["ton-vm", "xrp-vm"];

/**
 * @throws {@link AttestationRefusedError} without authorization, or if the request to the allocator cannot be built:
 * the balance would be stuck in the withdrawal's account
 */
export async function requireOwnedWithdrawal(
  context: OracleContext,
  body: OwnedWithdrawalBody,
  endpoint: string,
): Promise<void> {
  const { chainId, currency, amount, ownerChainId, owner, recipient, nonce, additionalData } = body;
  const withdrawal = { chainId, currency, amount, ownerChainId, owner, recipient, nonce, additionalData };
  await requireAuthorization(context, { withdrawal, authorization: body, endpoint });
  const { vmType } = context.chains.get(chainId);
  requireAttested(!WITHOUT_REQUESTS.includes(vmType), withdrawalsNotSupported(vmType));
}

export function ownedAccountOf(context: OracleContext, body: OwnedWithdrawalBody): WithdrawalAccount {
  const { owner: withdrawer, ownerChainId: withdrawerChainId, nonce: withdrawalNonce, ...rest } = body;
  return withdrawalAccountOf(context, { ...rest, withdrawer, withdrawerChainId, withdrawalNonce });
}

export function submitRequestOf(
  { chains }: OracleContext,
  { chainId, currency, amount, recipient, nonce, additionalData }: OwnedWithdrawalBody,
  { ownerAlias, depository }: WithdrawalAccount,
): SubmitWithdrawRequest {
  return toSubmitWithdrawRequest({
    vmType: chains.get(chainId).vmType,
    chainId: chains.hubChainId(chainId),
    depository,
    currency,
    recipient,
    amount: BigInt(amount),
    spender: ownerAlias,
    nonce: nonce as Hex,
    ...(additionalData === undefined ? {} : { additionalData }),
  });
}

/**
 * The owner may state what the payload contains later, but not what the allocator cannot build.
 *
 * @throws {@link InvalidInputError} if the stated data is invalid
 */
export function requireBuildable(context: OracleContext, body: OwnedWithdrawalBody, account: WithdrawalAccount): void {
  const { vmType } = context.chains.get(body.chainId);
  if (Object.hasOwn(body.additionalData ?? {}, vmType)) submitRequestOf(context, body, account);
}
