import * as Type from "typebox";
import { type Hex, parseSignature, serializeSignature, zeroAddress } from "viem";
import { getCode, getTransactionCount } from "viem/actions";

import {
  type AccountBatch,
  BATCH_DELEGATION,
  BATCH_EXECUTOR_ABI,
  DELEGATION_PREFIX,
  encodeBatch,
  toBatchTypedData,
} from "../../chains/batchExecutor.ts";
import { readContract } from "../../chains/readContract.ts";
import { BATCH_EXECUTOR_ADDRESS } from "../../chains/serviceAddresses.ts";
import { throwIfAborted } from "../../core/abort.ts";
import { type Clock, unixSeconds } from "../../core/clock.ts";
import { compact } from "../../core/compact.ts";
import { InvalidStateError, ServiceError } from "../../core/errors.ts";
import { requestIdOf } from "../../protocol/quote/planSteps.ts";
import { callService } from "../callService.ts";
import { requireApiKey, type ServiceClient } from "../client.ts";
import { requireAuthorizer } from "./callBatch.ts";
import { type BatchCalls, type JournaledBatch, journaledCalls, type RequestJournal } from "./journal.ts";
import { askUser } from "./performSignature.ts";
import { requestOf, requireDelegate, type RequireVerifiedParameters } from "./requireVerified.ts";
import type { StepWallet } from "./stepWallet.ts";

/** How long a signed batch can be executed, in seconds. */
const LIFETIME = 3_600;

const AnswerSchema = Type.Object({ message: Type.String() });

export interface PerformGaslessParameters extends Pick<RequireVerifiedParameters, "quote" | "request" | "trust"> {
  readonly calls: BatchCalls;
  readonly journal: RequestJournal;
  readonly signal?: AbortSignal | undefined;
  readonly clock: Clock;
  readonly onSigned: (signature: Hex) => void;
}

/**
 * Signs calls as one batch of the account, and posts it to the service, which sends it. The nonce of the batch is
 * journaled before, and every later run signs the same one: the chain executes one batch with it, so nothing is paid
 * twice, whatever is killed in between.
 */
export async function performGasless(
  client: ServiceClient,
  wallet: StepWallet,
  parameters: PerformGaslessParameters,
): Promise<void> {
  const { calls, journal, signal, quote } = parameters;
  requireApiKey(client, "POST /execute");
  const earlier = await journal.batchOf(calls);
  if (earlier?.isAccepted === true) return;
  const [{ chainId }] = calls;
  const delegation = await readDelegation(wallet, chainId);
  const nonce = earlier === undefined ? delegation.nextNonce : BigInt(earlier.id);
  // The batch of an earlier run was executed.
  if (delegation.nextNonce > nonce) return;
  const { authorizationList } = await authorize(wallet, delegation, parameters);
  const data = await signBatch(wallet, nonce, parameters);
  const entry: JournaledBatch = { kind: "gasless", id: nonce.toString(), ...journaledCalls(calls) };
  throwIfAborted(signal, "the gasless payment");
  await journal.setBatch(entry);
  const { subsidizeFees = false, referrer, originGasOverhead } = requestOf(parameters);
  const requestId = requestIdOf(quote);
  try {
    await callService(client, {
      method: "POST",
      path: "/execute",
      body: compact({
        executionKind: "rawCalls",
        data: compact({ chainId, to: wallet.address, data, value: "0", authorizationList }),
        executionOptions: compact({ referrer, subsidizeFees }),
        requestId,
        originGasOverhead,
      }),
      schema: AnswerSchema,
      requestId,
      signal,
    });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // The service may have accepted the batch of an earlier run: it is followed like any other.
    if (earlier !== undefined && error.status === 400) return;
    if (earlier === undefined) await journal.setBatch({ ...entry, isDeclined: true });
    throw error;
  }
  await journal.setBatch({ ...entry, isAccepted: true });
}

/** The service did nothing. */
function isRefusal(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.status >= 400 && error.status < 500;
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
  if (code === undefined) return { isDelegated: false, nextNonce: 0n, accountNonce };
  if (!code.startsWith(DELEGATION_PREFIX)) {
    throw new InvalidStateError({
      message: `account ${address} on chain ${chainId} is a contract, which cannot delegate to the batch executor`,
      hint: "Execute the quote without `gasless`.",
    });
  }
  const isDelegated = code.toLowerCase() === BATCH_DELEGATION.toLowerCase();
  if (!isDelegated) return { isDelegated, nextNonce: 0n, accountNonce };
  const contract = { address, abi: BATCH_EXECUTOR_ABI } as const;
  const nextNonce = await readContract(client, { ...contract, functionName: "getSeq", args: [0n] });
  return { isDelegated, nextNonce, accountNonce };
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

/** @returns call data of the account that executes the batch */
async function signBatch(
  wallet: StepWallet,
  nonce: bigint,
  { calls, clock, onSigned }: PerformGaslessParameters,
): Promise<Hex> {
  const [{ chainId, stepId }] = calls;
  const batch: AccountBatch = {
    chainId,
    account: wallet.address,
    calls,
    nonce,
    // Anyone may send it.
    executor: zeroAddress,
    deadline: BigInt(unixSeconds(clock) + LIFETIME),
  };
  const { domain = {}, types, primaryType, message } = toBatchTypedData(batch);
  const signature = await askUser(stepId, () => wallet.signTypedData({ domain, types, primaryType, value: message }));
  onSigned(signature);
  return encodeBatch(batch, signature);
}
