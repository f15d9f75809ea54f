import { type Address, type Hex, keccak256 } from "viem";

import { isSameAddress } from "@crosscall/protocol/chains";
import type { DevChain } from "../../devchain/devChain.ts";
import { usdValue } from "../../market/currencies.ts";
import { executionCall, executionPayment, recoverAccount } from "../../market/gasless/executionCall.ts";
import { isUserExecuted } from "../../market/requestKind.ts";
import { storeUnquoted } from "../../market/storeUnquoted.ts";
import { insertExecution, type StoredCall } from "../../store/executions.ts";
import { isFilledFirst } from "../../store/fastFills.ts";
import { findPermit } from "../../store/permits.ts";
import { findRequest, lockRequest, type RequestRow } from "../../store/requests/requests.ts";
import type { Database } from "../../store/schema.ts";
import { findSponsorBalance, takeSponsorPayment } from "../../store/sponsors.ts";
import type { ChainReader, Payer, Pricer, RandomSource, Recorder, StoreUser, Timed } from "../../market/market.ts";
import { type ExecuteBody, ExecuteRejection } from "./executeBody.ts";
import { operationHint, simulateExecution } from "./simulateExecution.ts";

/**
 * Accepts a call that the service sends for a user. Stores the call, the sponsor's payment and the job together.
 *
 * @returns the id of the call's request
 * @throws {@link ExecuteRejection} if the call would fail or cannot be paid; nothing is stored then
 */
export async function acceptExecution(
  parts: Pricer & ChainReader & Payer & Recorder & RandomSource,
  apiKeyHash: string,
  body: ExecuteBody,
): Promise<string> {
  const { db, jobs } = parts.store;
  if ((await findSponsorBalance(db, apiKeyHash)) === undefined) {
    throw new ExecuteRejection({ error: "Unauthorized: the API key has no funding wallet" }, 401);
  }
  const chain = parts.chains.get(body.data.chainId);
  if (chain === undefined) throw new ExecuteRejection({ error: `chain ${body.data.chainId} is not supported` });
  if (BigInt(body.data.value) !== 0n) {
    throw new ExecuteRejection({ error: "value must be 0: the call is sent from the service's account" });
  }
  const { destinationChainExecutionData, subsidizeFees = false } = body.executionOptions ?? {};
  if (destinationChainExecutionData !== undefined) {
    throw new ExecuteRejection({ error: "destinationChainExecutionData is not supported here: quote with txs" });
  }
  const quoted =
    body.requestId === undefined ? undefined : await requireQuoted(parts, chain, apiKeyHash, body.requestId);
  await requireAuthorized(chain, body.data);
  const requestId = quoted?.id ?? parts.randomWord();
  const call: StoredCall = toStoredCall(body.data);
  const gas = await simulateExecution(chain, executionCall(call), {
    requestId,
    ...(quoted === undefined || isUserExecuted(quoted) ? {} : { orderId: quoted.order_id }),
  });
  // Without a quote, there is no output that could pay for the gas.
  const isSponsored = subsidizeFees || quoted === undefined;
  const { maxFeePerGas } = await chain.client.estimateFeesPerGas();
  const usdE18 = usdValue(gas * maxFeePerGas, parts.currencies.nativeOf(chain.id));
  await db.transaction().execute(async (transaction) => {
    if (quoted === undefined) {
      const referrer = body.executionOptions?.referrer ?? null;
      await storeBareRequest(parts, transaction, chain, { id: requestId as Hex, call, apiKeyHash, referrer });
    }
    await lockRequest(transaction, requestId);
    if (
      !(await isUnpaid(transaction, requestId)) ||
      !(await insertExecution(transaction, { requestId, apiKeyHash, call, isSponsored }))
    ) {
      throw rejectUsed(requestId);
    }
    const payment = { requestId: executionPayment(requestId), apiKeyHash, usdE18 };
    if (isSponsored && !(await takeSponsorPayment(transaction, payment))) {
      throw new ExecuteRejection({ error: "the balance of the API key does not cover the gas of the call" });
    }
    await jobs.add({ requestId }, transaction);
  });
  return requestId;
}

interface BareRequest {
  readonly id: Hex;
  readonly call: StoredCall;
  readonly apiKeyHash: string;
  readonly referrer: string | null;
}

/** Stores the request of a call without a quote. The request has no known transfers, so it ends with the call. */
async function storeBareRequest(
  parts: Timed & Pricer & Payer,
  db: Database,
  { id: chainId, protocolChainId }: DevChain,
  { id, call, apiKeyHash, referrer }: BareRequest,
): Promise<void> {
  await storeUnquoted(parts, db, {
    id,
    // No deposit has this orderId.
    order_id: keccak256(id),
    user: call.to,
    recipient: call.to,
    request_type: "Call",
    referrer,
    api_key_hash: apiKeyHash,
    parent_request_id: null,
    operation: "send",
    input: parts.currencies.nativeOf(chainId),
    amount: 0n,
    depositBlock: null,
    order: {
      version: "v1",
      solverChainId: protocolChainId,
      solver: parts.solver.address,
      salt: id,
      inputs: [],
      output: { chainId: protocolChainId, payments: [], calls: [], deadline: 0, extraData: "0x" },
      fees: [],
    },
  });
}

async function requireQuoted(
  { store: { db } }: StoreUser,
  chain: DevChain,
  apiKeyHash: string,
  requestId: string,
): Promise<RequestRow> {
  const request = await findRequest(db, requestId);
  if (request === undefined) throw new ExecuteRejection({ error: `request ${requestId} does not exist` });
  if (request.api_key_hash !== null && request.api_key_hash !== apiKeyHash) {
    throw new ExecuteRejection(
      { error: `Unauthorized: request ${requestId} was quoted with a different API key` },
      401,
    );
  }
  if (request.origin_chain_id !== chain.id) {
    throw new ExecuteRejection({ error: `request ${requestId} is paid on chain ${request.origin_chain_id}` });
  }
  if (!(await isUnpaid(db, requestId))) throw rejectUsed(requestId);
  if (request.deposit_address !== null || (await findPermit(db, request.id)) !== undefined) {
    throw new ExecuteRejection({ error: `request ${requestId} is paid by a permit or a transfer` });
  }
  return request;
}

async function isUnpaid(db: Database, requestId: string): Promise<boolean> {
  const request = await findRequest(db, requestId);
  if (request === undefined || request.fail_reason !== null) return false;
  return request.status === "waiting" || isFilledFirst(db, request.id);
}

/**
 * Rejects invalid authorizations, which the chain ignores, and calls to an account without code, which have no effect.
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
      throw new ExecuteRejection({
        error: `${field}.chainId is ${authorization.chainId}, but the call is on chain ${id}`,
      });
    }
    const signer = await recoverAccount(authorization);
    if (signer === undefined) throw new ExecuteRejection({ error: `${field} has an invalid signature` });
    const nonce = await client.getTransactionCount({ address: signer });
    if (authorization.nonce !== nonce) {
      throw new ExecuteRejection({ error: `${field}.nonce is ${authorization.nonce}, but ${signer} is at ${nonce}` });
    }
    // Only the first authorization applies, because it uses up the nonce.
    if (coded === to && isSameAddress(signer, to)) coded = authorization.address as Address;
  }
  if ((await client.getCode({ address: coded })) !== undefined) return;
  const hint = operationHint(chain, { to, data: call.data as Hex });
  const reason =
    coded === to
      ? `to has no code, and no authorization of ${to} delegates to code`
      : `${coded}, to which ${to} delegates, has no code`;
  throw new ExecuteRejection({ error: hint === undefined ? reason : `${reason}. ${hint}` });
}

function toStoredCall({ chainId, to, data, authorizationList }: ExecuteBody["data"]): StoredCall {
  return { chainId, to, data, ...(authorizationList === undefined ? {} : { authorizationList }) };
}

function rejectUsed(requestId: string): ExecuteRejection {
  return new ExecuteRejection({ error: `request ${requestId} was already submitted or paid, or has ended` });
}
