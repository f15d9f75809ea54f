import type { Address, Hex } from "viem";

import { isSameAddress } from "@crosscall/sdk/internal/chains/address";
import type { DevChain } from "../../devchain/devChain.ts";
import { usdValue } from "../../market/currencies.ts";
import { executionCall, executionPayment } from "../../market/gasless/executionCall.ts";
import { recoverAccount } from "../../market/gasless/authorization.ts";
import { isUserExecuted } from "../../market/requestKind.ts";
import { insertExecution } from "../../store/executions.ts";
import { findPermit } from "../../store/permits.ts";
import { findRequest, lockRequest } from "../../store/requests.ts";
import { findSponsorBalance, takeSponsorPayment } from "../../store/sponsors.ts";
import type { StoredCall } from "../../store/tables/gaslessTables.ts";
import type { RequestRow } from "../../store/tables/requestTables.ts";
import type { ServiceParts } from "../serviceParts.ts";
import type { ExecuteBody } from "./executeBody.ts";
import { ExecuteRefusal } from "./executeRefusal.ts";
import { operationHint, simulateExecution } from "./simulateExecution.ts";
import { storeBareRequest } from "./storeBareRequest.ts";

/**
 * Takes a call that the service sends for a user. The call, the sponsor's payment and the job are stored together.
 *
 * @returns the id of its request
 * @throws {@link ExecuteRefusal} if the call would fail or cannot be paid; nothing is stored then
 */
export async function acceptExecution(
  parts: Pick<ServiceParts, "chains" | "clock" | "currencies" | "randomWord" | "solver" | "store">,
  apiKeyHash: string,
  body: ExecuteBody,
): Promise<string> {
  const { db, jobs } = parts.store;
  if ((await findSponsorBalance(db, apiKeyHash)) === undefined) {
    throw new ExecuteRefusal({ error: "Unauthorized: the API key has no funding wallet" }, 401);
  }
  const chain = parts.chains.get(body.data.chainId);
  if (chain === undefined) throw new ExecuteRefusal({ error: `chain ${body.data.chainId} is not supported` });
  if (BigInt(body.data.value) !== 0n) {
    throw new ExecuteRefusal({ error: "value must be 0: the call is sent from the service's account" });
  }
  const { destinationChainExecutionData, subsidizeFees = false } = body.executionOptions ?? {};
  if (destinationChainExecutionData !== undefined) {
    throw new ExecuteRefusal({ error: "destinationChainExecutionData is not supported here: quote with txs" });
  }
  const quoted = body.requestId === undefined ? undefined : await requireQuoted(parts, chain, body.requestId);
  await requireAuthorized(chain, body.data);
  const requestId = quoted?.id ?? parts.randomWord();
  const call: StoredCall = toStoredCall(body.data);
  const gas = await simulateExecution(chain, executionCall(call), {
    requestId,
    ...(quoted === undefined || isUserExecuted(quoted) ? {} : { orderId: quoted.order_id }),
  });
  // Without a quote, there is no output from which the user could pay.
  const isSponsored = subsidizeFees || quoted === undefined;
  const { maxFeePerGas } = await chain.client.estimateFeesPerGas();
  const usdE18 = usdValue(gas * maxFeePerGas, parts.currencies.nativeOf(chain.id));
  await db.transaction().execute(async (transaction) => {
    if (quoted === undefined) {
      await storeBareRequest(parts, transaction, {
        requestId: requestId as Hex,
        chain,
        call,
        apiKeyHash,
        referrer: body.executionOptions?.referrer,
      });
    }
    await lockRequest(transaction, requestId);
    const isWaiting = (await findRequest(transaction, requestId))?.status === "waiting";
    if (!isWaiting || !(await insertExecution(transaction, { requestId, apiKeyHash, call, isSponsored }))) {
      throw refuseUsed(requestId);
    }
    const payment = { requestId: executionPayment(requestId), apiKeyHash, usdE18 };
    if (isSponsored && !(await takeSponsorPayment(transaction, payment))) {
      throw new ExecuteRefusal({ error: "the balance of the API key does not cover the gas of the call" });
    }
    await jobs.add({ requestId }, transaction);
  });
  return requestId;
}

async function requireQuoted(
  { store: { db } }: Pick<ServiceParts, "store">,
  chain: DevChain,
  requestId: string,
): Promise<RequestRow> {
  const request = await findRequest(db, requestId);
  if (request === undefined) throw new ExecuteRefusal({ error: `request ${requestId} does not exist` });
  if (request.origin_chain_id !== chain.id) {
    throw new ExecuteRefusal({ error: `request ${requestId} is paid on chain ${request.origin_chain_id}` });
  }
  if (request.status !== "waiting") throw refuseUsed(requestId);
  if (request.deposit_address !== null || (await findPermit(db, request.id)) !== undefined) {
    throw new ExecuteRefusal({ error: `request ${requestId} is paid by a permit or a transfer` });
  }
  return request;
}

/**
 * The chain ignores invalid authorizations, and a call of an account without code does nothing, so both are rejected
 * here.
 */
async function requireAuthorized(
  chain: DevChain,
  { authorizationList = [], ...call }: ExecuteBody["data"],
): Promise<void> {
  const { id, client } = chain;
  const to = call.to as Address;
  let coded = to;
  for (const [index, authorization] of authorizationList.entries()) {
    const field = `authorizationList[${index}]`;
    if (authorization.chainId !== 0 && authorization.chainId !== id) {
      throw new ExecuteRefusal({
        error: `${field}.chainId is ${authorization.chainId}, and the call is on chain ${id}`,
      });
    }
    const signer = await recoverAccount(authorization);
    if (signer === undefined) throw new ExecuteRefusal({ error: `${field} has an invalid signature` });
    const nonce = await client.getTransactionCount({ address: signer });
    if (authorization.nonce !== nonce) {
      throw new ExecuteRefusal({ error: `${field}.nonce is ${authorization.nonce}, and ${signer} is at ${nonce}` });
    }
    // The first one uses up the nonce.
    if (coded === to && isSameAddress(signer, to)) coded = authorization.address as Address;
  }
  if ((await client.getCode({ address: coded })) !== undefined) return;
  const hint = operationHint(chain, { to, data: call.data as Hex });
  const reason =
    coded === to
      ? `to has no code, and no authorization of ${to} gives it one`
      : `${coded}, to which ${to} delegates, has no code`;
  throw new ExecuteRefusal({ error: hint === undefined ? reason : `${reason}. ${hint}` });
}

function toStoredCall({ chainId, to, data, authorizationList }: ExecuteBody["data"]): StoredCall {
  return { chainId, to, data, ...(authorizationList === undefined ? {} : { authorizationList }) };
}

function refuseUsed(requestId: string): ExecuteRefusal {
  return new ExecuteRefusal({ error: `request ${requestId} was submitted or paid already` });
}
