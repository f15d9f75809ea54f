import { parseSignature, serializeSignature, zeroAddress } from "viem";
import { getBlockNumber, getCode, getTransactionCount } from "viem/actions";

import {
  BATCH_DELEGATION,
  BATCH_EXECUTOR_ADDRESS,
  DELEGATION_PREFIX,
  encodeBatch,
  EVM_NATIVE_CURRENCY,
} from "@crosscall/protocol/chains";
import { type Clock, compact, InvalidStateError, ServiceError, unixSeconds } from "@crosscall/protocol/core";
import { isPayment, quotedInput } from "@crosscall/protocol/quote/rules";
import type { Quote } from "@crosscall/protocol/quote";
import { isPresent } from "@crosscall/protocol/schema";
import * as T from "@crosscall/protocol/schema/type";
import { batchDataOf } from "../verify/verifiedSteps.ts";
import { callService } from "../client/callService.ts";
import { requireApiKey } from "../client/client.ts";
import { type PreparedExecution, unresolved } from "./execution.ts";
import { findPaid } from "./findPayment.ts";
import { type LiveAuthorization, LiveAuthorizations, readBatchNonce } from "./liveAuthorizations.ts";
import { askNode } from "./node.ts";
import { type BatchCalls, type JournaledBatch, journaledCalls } from "./requestJournal.ts";
import { requestOf, requireDelegate } from "./requireVerified.ts";
import { askUser } from "./walletErrors.ts";
import { requireAuthorizer, type StepWallet } from "./wallets.ts";

/** Lifetime of a signed batch in seconds, the same as the service's permits. */
const LIFETIME = 600;

const ResponseSchema = T.Object({ message: T.String() });

/**
 * Signs calls as one batch of the account, and posts the batch to the service, which sends it. The nonce of the batch
 * is journaled first, and every later run signs the same nonce: the chain executes only one batch with it, so nothing
 * is paid twice, even across crashes. Anyone who has the batch can execute it until its deadline, regardless of the
 * service's response.
 */
export async function performGasless(
  execution: PreparedExecution,
  wallet: StepWallet,
  calls: BatchCalls,
): Promise<void> {
  const { service, journal, quote, requestId, clock } = execution;
  requireApiKey(service, "POST /execute");
  const earlier = await journal.batchOf(calls);
  if (earlier?.isAccepted === true) return;
  const [{ chainId, from: account, stepId }] = calls;
  const delegation = await askNode(chainId, "the account's state", () => readDelegation(wallet, chainId));
  const nonce = earlier === undefined ? delegation.nextNonce : BigInt(earlier.id);
  if (earlier !== undefined && delegation.nextNonce > nonce) {
    await requireOwnBatch(execution, wallet, calls, earlier);
    return;
  }
  const verified = await Promise.all(calls.map((call) => execution.verify(call)));
  const authorizationList = await authorize(execution, wallet, calls, delegation);
  const deadline = deadlineOf(quote, clock);
  const block = await askNode(chainId, "its latest block", () => getBlockNumber(wallet.client, { cacheTime: 0 }));
  const batch = {
    chainId,
    account: wallet.address,
    calls: verified,
    nonce,
    // Any executor may send the batch.
    executor: zeroAddress,
    deadline: BigInt(deadline),
  };
  const signature = await askUser(stepId, () => wallet.signTypedData(batchDataOf(batch)));
  const data = encodeBatch(batch, signature);
  const times = {
    fromBlock: earlier?.fromBlock ?? block.toString(),
    askedAtMs: earlier?.askedAtMs ?? clock.now(),
    deadline: Math.max(deadline, earlier?.deadline ?? 0),
  };
  const entry: JournaledBatch = { kind: "gasless", id: nonce.toString(), ...journaledCalls(calls), ...times };
  await journal.set("batch", entry);
  const live: LiveAuthorization = {
    requestId,
    stepId,
    scheme: "batch",
    chainId,
    account,
    currency: quote.details?.currencyIn?.currency?.address ?? EVM_NATIVE_CURRENCY,
    amount: quotedInput(quote).toString(),
    contract: account,
    nonce: entry.id,
    ...times,
  };
  const authorizations = new LiveAuthorizations(execution.store, live);
  await authorizations.add(live);
  execution.onEvent({ kind: "signed", stepId: calls.at(-1)?.stepId ?? stepId, signature });
  try {
    await postBatch(execution, { chainId, to: wallet.address, data, value: "0", authorizationList });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status < 400 || error.status >= 500) throw error;
    // The service may have accepted an earlier run's batch, so that batch is followed as a new batch would be.
    if (earlier !== undefined && earlier.isRefused !== true && error.status === 400) return;
    await journal.set("batch", { ...entry, isRefused: true });
    throw error;
  }
  await journal.set("batch", { ...entry, isAccepted: true });
  await authorizations.accept(live);
}

/** @param data call data of the transaction that executes the batch */
async function postBatch(execution: PreparedExecution, data: object): Promise<void> {
  const { service, requestId, signal } = execution;
  const { subsidizeFees = false, referrer, originGasOverhead } = requestOf(execution);
  await callService(service, {
    method: "POST",
    path: "/execute",
    body: compact({
      executionKind: "rawCalls",
      data: compact(data),
      executionOptions: compact({ referrer, subsidizeFees }),
      requestId,
      originGasOverhead,
    }),
    schema: ResponseSchema,
    requestId,
    signal,
  });
}

/**
 * Requires that the order is paid when the nonce of an earlier run's batch is used, by the batch or by a cancellation.
 *
 * @throws {@link PaymentUnresolvedError} when the order is not paid. The batch is then void, and a later run checks
 * again before it signs another batch.
 */
async function requireOwnBatch(
  execution: PreparedExecution,
  { client }: StepWallet,
  calls: BatchCalls,
  earlier: JournaledBatch,
): Promise<void> {
  const { chainId, id: reference, askedAtMs, fromBlock = "0" } = earlier;
  const planned = calls.find(isPayment) ?? calls[0];
  const paid = await askNode(chainId, "whether the order is paid", () =>
    findPaid(client, execution, planned, { fromBlock: BigInt(fromBlock) }),
  );
  if (paid !== undefined) return;
  await execution.journal.set("batch", { ...earlier, isVoid: true });
  const reason = "its nonce was used, but the order is not paid";
  throw unresolved(execution, planned, { what: "batch", reference, askedAtMs, reason });
}

/** Returns a deadline in Unix seconds, no later than the order's deadline. */
function deadlineOf({ protocol }: Quote, clock: Clock): number {
  const latest = unixSeconds(clock) + LIFETIME;
  const ordered = protocol?.v2?.orderData?.output?.deadline;
  return isPresent(ordered) && ordered < latest ? ordered : latest;
}

interface Delegation {
  readonly isDelegated: boolean;
  /** Next nonce at the batch executor. */
  readonly nextNonce: bigint;
  readonly accountNonce: number;
}

async function readDelegation({ client, address }: StepWallet, chainId: number): Promise<Delegation> {
  const [code, accountNonce] = await Promise.all([
    getCode(client, { address }),
    getTransactionCount(client, { address }),
  ]);
  if (code !== undefined && !code.startsWith(DELEGATION_PREFIX)) {
    throw new InvalidStateError({
      message: `account ${address} on chain ${chainId} is a contract, which cannot delegate to the batch executor`,
      hint: "Execute the quote without `gasless`.",
    });
  }
  const isDelegated = code?.toLowerCase() === BATCH_DELEGATION.toLowerCase();
  return { isDelegated, nextNonce: await readBatchNonce(client, address, isDelegated), accountNonce };
}

/** Signs an authorization if the account does not delegate yet. Always requires a pinned delegate. */
async function authorize(
  execution: PreparedExecution,
  wallet: StepWallet,
  [{ chainId, stepId }]: BatchCalls,
  { isDelegated, accountNonce: nonce }: Delegation,
) {
  const authorization = { chainId, address: BATCH_EXECUTOR_ADDRESS, nonce };
  const sign = requireAuthorizer(wallet);
  await requireDelegate(execution, authorization);
  if (isDelegated) return undefined;
  const signature = await askUser(stepId, () => sign(authorization));
  const { r, s, yParity } = parseSignature(serializeSignature(signature));
  return [{ ...authorization, r, s, yParity }];
}
