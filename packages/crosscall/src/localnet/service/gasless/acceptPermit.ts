import { type Address, isHex, parseSignature, recoverTypedDataAddress, size } from "viem";

import { isSameAddress } from "@crosscall/protocol/chains";
import { unixSeconds } from "@crosscall/protocol/core";
import { type PermitMessage, permitMessage, type PermitPost, permitPostOf } from "../../market/gasless/permit.ts";
import { type PermitState, readPermitState } from "../../market/gasless/permitState.ts";
import { HIGHEST_S } from "../../market/gasless/executionCall.ts";
import { RejectionError } from "../../market/rejection.ts";
import { chainTime } from "../../devchain/readChain.ts";
import { isFilledFirst } from "../../store/fastFills.ts";
import { findPermit, signPermit, type StoredPermit } from "../../store/permits.ts";
import { findRequest } from "../../store/requests/requests.ts";
import { transition } from "../../store/requests/transitions.ts";
import type { ChainReader, Payer, Recorder } from "../../market/market.ts";

export interface PostedPermit extends Pick<PermitPost, "kind" | "requestId"> {
  readonly signature: string;
}

/**
 * Accepts the signature of a permit once. Stores signature, status and job together, so that the solver makes the
 * deposit if and only if the response confirms it.
 *
 * @throws {@link RejectionError} if the permit cannot be used; the request stays unchanged
 */
export async function acceptPermit(
  parts: ChainReader & Payer & Recorder,
  { kind, requestId, signature: posted }: PostedPermit,
): Promise<void> {
  // Normalizes the signature, so that the store finds it again.
  const signature = posted.toLowerCase();
  const { db, jobs } = parts.store;
  const request = await findRequest(db, requestId);
  const row = request === undefined ? undefined : await findPermit(db, request.id);
  const chain = row === undefined ? undefined : parts.chains.get(row.permit.chainId);
  if (request === undefined || row === undefined || chain === undefined) {
    throw refuse(
      `request ${requestId} has no permit`,
      "Request a quote with usePermit, and post the permit to that request.",
    );
  }
  const { permit } = row;
  const wanted = permitPostOf(permit, request.id).kind;
  if (kind !== wanted) throw refuse(`kind ${kind} is not the step's kind, ${wanted}`, "Post the body unchanged.");
  const isOpen = request.status === "waiting" || (await isFilledFirst(db, request.id));
  if (row.signature !== null || request.fail_reason !== null || !isOpen) throw rejectUsed(request.id);
  const now = await chainTime(chain);
  const isLate = unixSeconds(parts.clock) >= request.order_data.output.deadline;
  if (isLate || now >= permit.deadline) {
    throw refuse(`the permit expired at ${permit.deadline}, and it is ${now}`, "Request a new quote and sign it.");
  }
  const message = permitMessage(permit, { solver: parts.solver.address, contracts: chain.contracts });
  await requireSigner(permit, message, signature);
  const state = await readPermitState(chain, permit, parts.solver.address);
  const problem = describeState(permit, state);
  if (problem !== undefined) throw problem;
  await db.transaction().execute(async (transaction) => {
    const at = new Date(parts.clock.now());
    const isFirst =
      (await signPermit(transaction, request.id, signature)) &&
      ((await transition(transaction, { requestId: request.id, from: ["waiting"], to: "depositing", at })) ||
        (await isFilledFirst(transaction, request.id)));
    if (!isFirst) throw rejectUsed(request.id);
    await jobs.add({ requestId: request.id }, transaction);
  });
}

/**
 * Verifies the signature of the stored message, so a different amount, spender, request or chain yields another signer.
 */
async function requireSigner(permit: StoredPermit, message: PermitMessage, signature: string): Promise<void> {
  const signer = await recoverSigner(message, signature);
  if (signer !== undefined && isSameAddress(signer, permit.owner)) return;
  throw refuse(
    `the signature of this request's permit is not from ${permit.owner}`,
    "Sign the message of the step unchanged, with the account of the quote's user.",
  );
}

/** Recovers the signer. Returns undefined if the signature does not have a format that tokens accept. */
async function recoverSigner(
  { domain, types, primaryType, value }: PermitMessage,
  signature: string,
): Promise<Address | undefined> {
  if (!isHex(signature) || size(signature) !== 65 || !/(1b|1c)$/u.test(signature)) return undefined;
  try {
    if (BigInt(parseSignature(signature).s) > HIGHEST_S) return undefined;
    return await recoverTypedDataAddress({ domain, types, primaryType, message: value, signature });
  } catch {
    // `r` is not a point on the curve.
    return undefined;
  }
}

function describeState({ token, amount, owner, nonce }: StoredPermit, state: PermitState): RejectionError | undefined {
  switch (state) {
    case "ready":
    case "moved":
    case "moving":
      return undefined;
    case "nonceUsed":
      return refuse(`nonce ${nonce} of ${owner} was used or canceled`, "Request a new quote and sign it.");
    case "notApproved":
      return refuse(`${owner} has not approved Permit2 for ${amount} of ${token}`, "Send the approve step first.");
    case "balanceTooLow":
      return refuse(`${owner} has less than ${amount} of ${token}`, "Add funds, and post the signature again.");
  }
}

function rejectUsed(requestId: string): RejectionError {
  return refuse(
    `request ${requestId} was already paid, or has ended`,
    "Follow its status; request a new quote to pay again.",
  );
}

function refuse(reason: string, hint: string): RejectionError {
  return new RejectionError({ status: 400, body: { message: `${reason}. ${hint}` }, hint });
}
