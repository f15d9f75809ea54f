import type { Hex } from "viem";

import type { OwnedWithdrawalBody } from "@crosscall/sdk/internal/protocol/attestation/messages/withdrawalsV2";
import { toSubmitWithdrawRequest } from "@crosscall/sdk/internal/protocol/attestation/toSubmitWithdrawRequest";
import type { VmType } from "@crosscall/sdk/internal/protocol/vms/vmCodec";
import type { SubmitWithdrawRequest } from "@crosscall/sdk/internal/protocol/attestation/withdrawRequest";
import { requireAttested } from "../attestationRefusedError.ts";
import type { OracleContext } from "../oracleContext.ts";
import { withdrawalsNotSupported } from "../vms/limits.ts";
import { requireAuthorization } from "./requireAuthorization.ts";
import { type WithdrawalAccount, withdrawalAccountOf } from "./withdrawalAccount.ts";

/** The families whose requests to the allocator of the second version are not made here. */
const WITHOUT_REQUESTS: readonly VmType[] = ["lighter-vm", "ton-vm", "xrp-vm"];

/**
 * Holds a withdrawal of the second version to its authorization.
 *
 * @throws {@link AttestationRefusedError} when it is not authorized, or its allocator could not be asked: the balance that
 * it is initiated with would not leave the withdrawal's account
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

/** Where a withdrawal of the second version is on the hub. */
export function ownedAccountOf(context: OracleContext, body: OwnedWithdrawalBody): WithdrawalAccount {
  const { owner: withdrawer, ownerChainId: withdrawerChainId, nonce: withdrawalNonce, ...rest } = body;
  return withdrawalAccountOf(context, { ...rest, withdrawer, withdrawerChainId, withdrawalNonce });
}

/** What the allocator of the second version is asked for. */
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
