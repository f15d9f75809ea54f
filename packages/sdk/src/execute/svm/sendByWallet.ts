import { bytesToHex } from "viem";

import { SVM_CHAIN_ID } from "@crosscall/protocol/chains/chainIds";
import { shortReason, sleep, systemClock, TransactionFailedError } from "@crosscall/protocol/core";
import { SOLANA_CODEC } from "@crosscall/protocol/vms";
import { COMPUTE_BUDGET_PROGRAM } from "@crosscall/protocol/vms/svmPrograms";
import type { SvmTransaction } from "../executeStepsParameters.ts";
import { PaymentUnresolvedError, UserRejectedError } from "../executionErrors.ts";
import { askUser, isDefinitelyUnsent } from "../walletErrors.ts";
import type { PreparedSvm } from "./signSvm.ts";
import { readSvmData } from "./svmData.ts";
import { MARGIN_BLOCKS, requireSameChain, type SvmNode } from "./svmNode.ts";
import { type Asked, toRecord } from "./svmRecord.ts";
import type { SendingSigner } from "./svmSigners.ts";

/**
 * Prompts a wallet that sends, and waits until the chain shows the payment. The journal has the prompt before it.
 *
 * @returns the signature of the transaction that paid
 * @throws {@link PaymentUnresolvedError} when the wallet may have sent a transaction that the chain does not show
 */
export async function sendByWallet(
  step: SvmTransaction,
  node: SvmNode,
  signer: SendingSigner,
  request: PreparedSvm,
  pollIntervalMs: number,
): Promise<string> {
  const { stepId } = step;
  const { genesisHash, slot, lastValidBlockHeight } = request;
  const { address: account } = signer;
  let asked: Asked = { genesisHash, account, slot, lastValidBlockHeight, askedAtMs: systemClock.now() };
  await step.record(toRecord({ asked }));
  let cause: unknown;
  try {
    const signature = await askUser(stepId, () => signer.send(request));
    if (signature.length === 64)
      asked = { ...asked, signature: SOLANA_CODEC.decodeTransactionId(bytesToHex(signature)) };
  } catch (error) {
    cause = error;
    if (isDefinitelyUnsent(error)) {
      await step.record(toRecord());
      throw describeUnsent(stepId, error);
    }
  }
  // The wallet can have replaced the block hash by a later one.
  asked = { ...asked, lastValidBlockHeight: (await node.latestBlockhash()).lastValidBlockHeight };
  await step.record(toRecord({ asked }));
  return followAsked(step, node, asked, { pollIntervalMs, cause });
}

/**
 * Waits until the chain shows the payment of a wallet that sends.
 *
 * @throws {@link PaymentUnresolvedError} when the chain does not show it; {@link TransactionFailedError} when it failed
 */
export async function followAsked(
  step: SvmTransaction,
  node: SvmNode,
  asked: Asked,
  { pollIntervalMs, cause }: { readonly pollIntervalMs: number; readonly cause?: unknown },
): Promise<string> {
  const { stepId, requestId, signal } = step;
  const { signature, account, askedAtMs, lastValidBlockHeight } = asked;
  await requireSameChain(node, asked);
  const paysIn = createSearch(step, node);
  for (;;) {
    const { blockHeight } = await node.finalized();
    const isLast = blockHeight > lastValidBlockHeight + MARGIN_BLOCKS;
    const outcome = signature === undefined ? undefined : (await node.status(signature)).outcome;
    if (signature !== undefined && outcome === "included" && (await paysIn(signature))) return signature;
    if (signature !== undefined && outcome === "failed") {
      await step.record(toRecord());
      throw transactionFailed(signature);
    }
    // The transaction of a multisig can differ from the payment.
    if (signature === undefined || outcome === "included" || isLast) {
      for (const found of await node.signaturesSince(account, asked.slot)) if (await paysIn(found)) return found;
    }
    if (isLast) break;
    await sleep(pollIntervalMs, signal, `the inclusion of the transaction of step ${stepId}`);
  }
  const silence = cause === undefined ? "the wallet returned no signature" : shortReason(cause);
  throw new PaymentUnresolvedError({
    requestId,
    stepId,
    chainId: SVM_CHAIN_ID,
    account,
    what: "transaction",
    reference: signature,
    askedAtMs,
    reason: signature === undefined ? silence : "the chain does not show the payment",
    cause,
  });
}

/** Slots of two minutes, after which the service knows a payment. */
const RECENT_SLOTS = 300;

/** Finds a recent payment from the account, which a lost journal can have started. */
export async function findRecent(step: SvmTransaction, node: SvmNode, account: string): Promise<string | undefined> {
  const paysIn = createSearch(step, node);
  const { slot } = await node.latestBlockhash();
  for (const found of await node.signaturesSince(account, slot - RECENT_SLOTS)) if (await paysIn(found)) return found;
  return undefined;
}

/** Returns a function that determines whether a transaction makes the step's calls. Reads each transaction once. */
function createSearch(step: SvmTransaction, node: SvmNode): (signature: string) => Promise<boolean> {
  const wanted = readSvmData(step)
    .instructions.filter(({ programId }) => programId !== COMPUTE_BUDGET_PROGRAM)
    .map(({ programId, data }) => `${programId} ${bytesToHex(data)}`);
  const others = new Set<string>();
  return async (signature) => {
    if (others.has(signature)) return false;
    const calls = await node.callsOf(signature);
    if (calls === undefined) return false;
    if (wanted.every((call) => calls.includes(call))) return true;
    others.add(signature);
    return false;
  };
}

/** Creates the error for a transaction that the chain included and that failed. */
export function transactionFailed(signature: string): TransactionFailedError {
  return new TransactionFailedError({
    message: `transaction ${signature} on chain ${SVM_CHAIN_ID} failed, and paid nothing but its fee`,
    hint: "Check the transaction in an explorer, then execute the same quote again or request a new quote.",
    chainId: SVM_CHAIN_ID,
    txHash: signature,
  });
}

function describeUnsent(stepId: string, cause: unknown): unknown {
  if (cause instanceof UserRejectedError) return cause;
  return new TransactionFailedError({
    message: `the wallet did not send the transaction of step ${stepId}: ${shortReason(cause)}`,
    hint: "Resolve the reason, for example fund the account, and execute the same quote with the same journal again.",
    chainId: SVM_CHAIN_ID,
    cause,
  });
}
