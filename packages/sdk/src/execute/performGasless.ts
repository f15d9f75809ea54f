import { type Hex, parseSignature, serializeSignature, zeroAddress } from "viem";
import { getBlockNumber, getCode, getTransactionCount } from "viem/actions";

import {
  BATCH_DELEGATION,
  BATCH_EXECUTOR_ADDRESS,
  DELEGATION_PREFIX,
  encodeBatch,
  EVM_NATIVE_CURRENCY,
} from "@crosscall/protocol/chains";
import {
  type Clock,
  compact,
  InvalidStateError,
  ServiceError,
  throwIfAborted,
  unixSeconds,
} from "@crosscall/protocol/core";
import { isPayment, type PlannedTransaction, quotedInput } from "@crosscall/protocol/quote/rules";
import type { Quote } from "@crosscall/protocol/quote";
import { isPresent } from "@crosscall/protocol/schema";
import { batchDataOf, type VerifiedStep } from "../verify/verifiedSteps.ts";
import { callService } from "../client/callService.ts";
import { requireApiKey, type ServiceClient } from "../client/client.ts";
import { askNode } from "./askNode.ts";
import { readBatchNonce } from "./batchNonce.ts";
import { PaymentUnresolvedError } from "./executionErrors.ts";
import { findPaid } from "./findSighting.ts";
import { requireAuthorizer } from "./callBatch.ts";
import type { RequestJournal } from "./requestJournal.ts";
import { type BatchCalls, type JournaledBatch, journaledCalls } from "./journalEntries.ts";
import type { LiveAuthorization, LiveAuthorizations } from "./liveAuthorizations.ts";
import { requestOf, requireDelegate, type RequireVerifiedParameters, type VerifyStep } from "./requireVerified.ts";
import type { StepWallet } from "./stepWallet.ts";
import { askUser } from "./walletErrors.ts";
import * as T from "@crosscall/protocol/schema/type";

/** How long a signed batch can be executed, in seconds: as long as the service's permits. */
const LIFETIME = 600;

const AnswerSchema = T.Object({ message: T.String() });

export interface PerformGaslessParameters extends Pick<RequireVerifiedParameters, "quote" | "request" | "trust"> {
  readonly calls: BatchCalls;
  readonly requestId: string;
  /** Called right before a wallet is prompted. */
  readonly verify: VerifyStep;
  readonly journal: RequestJournal;
  readonly authorizations: (account: Pick<LiveAuthorization, "chainId" | "account">) => LiveAuthorizations;
  readonly signal?: AbortSignal | undefined;
  readonly clock: Clock;
  readonly onSigned: (signature: Hex) => void;
}

/**
 * Signs calls as one batch of the account, and posts it to the service, which sends it. The nonce of the batch is journaled before,
 * and every later run signs the same one: the chain executes one batch with it, so nothing is paid twice, whatever is killed in
 * between. Anyone who has the batch can execute it until its deadline, whatever the service responded.
 */
export async function performGasless(
  client: ServiceClient,
  wallet: StepWallet,
  parameters: PerformGaslessParameters,
): Promise<void> {
  const { calls, journal, signal, quote, requestId, clock } = parameters;
  requireApiKey(client, "POST /execute");
  const earlier = await journal.batchOf(calls);
  if (earlier?.isAccepted === true) return;
  const [{ chainId, from: account, stepId }] = calls;
  const delegation = await readDelegation(wallet, chainId);
  const nonce = earlier === undefined ? delegation.nextNonce : BigInt(earlier.id);
  if (earlier !== undefined && delegation.nextNonce > nonce) {
    await requireOwnBatch(client, wallet, earlier, parameters);
    return;
  }
  const verified = await Promise.all(calls.map((call) => parameters.verify(call)));
  const { authorizationList } = await authorize(wallet, delegation, parameters);
  const deadline = deadlineOf(quote, clock);
  const fromBlock = await getBlockNumber(wallet.client, { cacheTime: 0 });
  throwIfAborted(signal, "the gasless payment");
  const batch = await signBatch(wallet, verified, { stepId, nonce, deadline });
  const entry: JournaledBatch = {
    kind: "gasless",
    id: nonce.toString(),
    ...journaledCalls(calls),
    fromBlock: earlier?.fromBlock ?? fromBlock.toString(),
    askedAtMs: earlier?.askedAtMs ?? clock.now(),
    deadline: Math.max(deadline, earlier?.deadline ?? 0),
  };
  await journal.setBatch(entry);
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
    deadline: entry.deadline ?? deadline,
    fromBlock: entry.fromBlock ?? fromBlock.toString(),
    askedAtMs: entry.askedAtMs,
  };
  const authorizations = parameters.authorizations(live);
  await authorizations.add(live);
  parameters.onSigned(batch.signature);
  const { subsidizeFees = false, referrer, originGasOverhead } = requestOf(parameters);
  try {
    await callService(client, {
      method: "POST",
      path: "/execute",
      body: compact({
        executionKind: "rawCalls",
        data: compact({ chainId, to: wallet.address, data: batch.data, value: "0", authorizationList }),
        executionOptions: compact({ referrer, subsidizeFees }),
        requestId,
        originGasOverhead,
      }),
      schema: AnswerSchema,
      requestId,
      signal,
    });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status < 400 || error.status >= 500) throw error;
    // The service may have accepted the batch of an earlier run: it is followed like any other.
    if (earlier !== undefined && earlier.isRefused !== true && error.status === 400) return;
    await journal.setBatch({ ...entry, isRefused: true });
    throw error;
  }
  await journal.setBatch({ ...entry, isAccepted: true });
  await authorizations.accept(live);
}

/**
 * The nonce of an earlier run's batch is used: by the batch, or by a cancellation.
 *
 * @throws {@link PaymentUnresolvedError} when the order is not paid. The batch is void from then on, and a later run looks again before
 *   it signs another one.
 */
async function requireOwnBatch(
  service: ServiceClient,
  { client }: StepWallet,
  earlier: JournaledBatch,
  { calls, journal, signal, quote, requestId }: PerformGaslessParameters,
): Promise<void> {
  const { chainId, from: account, id, askedAtMs, fromBlock = "0" } = earlier;
  const planned = calls.find(isPayment) ?? calls[0];
  const range = { chainId, fromBlock: BigInt(fromBlock), signal };
  const paid = await askNode(chainId, "whether the order is paid", () =>
    findPaid(client, { service, quote, requestId, planned }, range),
  );
  if (paid !== undefined) return;
  await journal.setBatch({ ...earlier, isVoid: true });
  throw new PaymentUnresolvedError({
    requestId,
    stepId: planned.stepId,
    chainId,
    account,
    what: "batch",
    reference: id,
    askedAtMs,
    reason: "its nonce was used, but the order is not paid: execute the quote again",
  });
}

/** Unix time in seconds, no later than the order's. */
function deadlineOf({ protocol }: Quote, clock: Clock): number {
  const latest = unixSeconds(clock) + LIFETIME;
  const ordered = protocol?.v2?.orderData?.output?.deadline;
  return isPresent(ordered) && ordered < latest ? ordered : latest;
}

interface Delegation {
  readonly isDelegated: boolean;
  /** Of the batch executor. */
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

/** The delegate must be pinned, even if the account has its code already. */
async function authorize(
  wallet: StepWallet,
  { isDelegated, accountNonce: nonce }: Delegation,
  { calls: [{ chainId, stepId }], ...parameters }: PerformGaslessParameters,
) {
  const authorization = { chainId, address: BATCH_EXECUTOR_ADDRESS, nonce };
  const sign = requireAuthorizer(wallet);
  await requireDelegate(parameters, authorization);
  if (isDelegated) return {};
  const signature = await askUser(stepId, () => sign(authorization));
  const { r, s, yParity } = parseSignature(serializeSignature(signature));
  return { authorizationList: [{ ...authorization, r, s, yParity }] };
}

interface BatchTerms {
  readonly stepId: string;
  readonly nonce: bigint;
  /** Unix time in seconds. */
  readonly deadline: number;
}

/** @returns the signature, and call data of the account that executes the batch */
async function signBatch(
  wallet: StepWallet,
  calls: readonly VerifiedStep<PlannedTransaction>[],
  { stepId, nonce, deadline }: BatchTerms,
): Promise<{ readonly signature: Hex; readonly data: Hex }> {
  const batch = {
    chainId: calls[0]?.chainId ?? 0,
    account: wallet.address,
    calls,
    nonce,
    // Anyone may send it.
    executor: zeroAddress,
    deadline: BigInt(deadline),
  };
  const signature = await askUser(stepId, () => wallet.signTypedData(batchDataOf(batch)));
  return { signature, data: encodeBatch(batch, signature) };
}
