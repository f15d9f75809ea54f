import { bytesToHex } from "viem";

import { SVM_CHAIN_ID } from "@crosscall/protocol/chains/chainIds";
import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { InvalidInputError, sleep, TransactionFailedError } from "@crosscall/protocol/core";
import { encodeBase64 } from "@crosscall/protocol/encoding";
import { SOLANA_CODEC } from "@crosscall/protocol/vms";
import type { SvmTransaction } from "../executeStepsParameters.ts";
import { PaymentUnresolvedError } from "../executionErrors.ts";
import { findRecent, followAsked, sendByWallet, transactionFailed } from "./sendByWallet.ts";
import { type PreparedSvm, prepareSvm, signSvm } from "./signSvm.ts";
import { NO_SIGNATURE, readSvmTransaction } from "./svmMessage.ts";
import { historyMissing, MARGIN_BLOCKS, openSvmNode, requireSameChain, type SvmNode } from "./svmNode.ts";
import { type Asked, openRecord, type Pending, toRecord } from "./svmRecord.ts";
import { openSigner, type SigningSigner, type SvmSendingSigner, type SvmSigner } from "./svmSigners.ts";

/** Parameters of {@link svmWallet}. */
export interface SvmWalletParameters {
  /**
   * Signer of the quote's `user`: any transaction signer of `@solana/kit`, `{address, signTransaction}` that signs
   * serialized transactions, or `{wallet, account}` of the wallet standard.
   */
  readonly signer: SvmSigner | SvmSendingSigner;
  /** Signer of the request's `depositFeePayer`, which signs before the user. */
  readonly feePayer?: SvmSigner;
  /** HTTP URL of a node with transaction history. If several nodes share the URL, all must have the same history. */
  readonly rpcUrl: string;
  /** Time between two polls in milliseconds. Defaults to 1,000. */
  readonly pollIntervalMs?: number;
}

/** Number of polls after which a transaction that the node does not know is sent again. */
const RESEND_POLLS = 5;

/**
 * Creates the callback `onSvmTransaction` of `executeSteps`, which signs, sends and confirms transactions on Solana. The
 * journal has the signed transaction before it is sent, so that a later run continues with it. It is replaced by a new
 * one, once per run, only after its block hash expired and the chain shows that it was not included. For a signer that
 * sends by itself, the journal has the prompt, and the chain shows the payment.
 *
 * @example
 * const onSvmTransaction = svmWallet({ signer: await generateKeyPairSigner(), rpcUrl });
 * await executeSteps(client, { quote, journal, onSvmTransaction });
 */
export function svmWallet(parameters: SvmWalletParameters): (step: SvmTransaction) => Promise<string> {
  rejectUnknownOptions(parameters, { signer: 1, feePayer: 1, rpcUrl: 1, pollIntervalMs: 1 });
  const { rpcUrl, pollIntervalMs = 1_000 } = parameters;
  const signer = openSigner(parameters.signer, "signer");
  const feePayer = parameters.feePayer === undefined ? undefined : openFeePayer(parameters.feePayer);
  return async (step) => {
    requireSolana(step.chainId);
    const record = await openRecord(step);
    const node = openSvmNode(rpcUrl, step.signal);
    const paid =
      (record.pending ?? record.asked) === undefined
        ? await findRecent(step, node, signer.address)
        : await findPaid(step, node, record.asked, pollIntervalMs);
    if (paid !== undefined) return paid;
    let { pending } = record;
    for (let rebuilds = 0; ; rebuilds += 1) {
      if (pending === undefined) {
        const request = await prepareSvm(step, node, signer.address, feePayer);
        if (signer.kind === "sends") return sendByWallet(step, node, signer, request, pollIntervalMs);
        pending = toPending(request, await signSvm(step, node, signer, request));
        await step.record(toRecord({ pending }));
      }
      const outcome = await follow(step, node, pending, pollIntervalMs);
      const { signature } = pending;
      if (outcome === "included") return signature;
      await step.record(toRecord());
      if (outcome === "failed") throw transactionFailed(signature);
      if (rebuilds > 0) {
        throw new TransactionFailedError({
          message: `two transactions on chain ${SVM_CHAIN_ID} expired before they were included`,
          hint: "Nothing was paid. Execute the same quote again, or use another node.",
          chainId: SVM_CHAIN_ID,
        });
      }
      pending = undefined;
    }
  };
}

function openFeePayer(signer: SvmSigner): SigningSigner {
  const opened = openSigner(signer, "feePayer");
  if (opened.kind === "signs") return opened;
  throw new InvalidInputError({
    field: "feePayer",
    value: opened.address,
    reason: "it is a signer that also sends, but the fee payer signs before the user",
    hint: "Pass a signer that signs without sending.",
  });
}

function requireSolana(chainId: number): void {
  if (chainId === SVM_CHAIN_ID) return;
  throw new InvalidInputError({
    field: "onSvmTransaction",
    value: chainId,
    reason: "svmWallet pays on Solana only, and the quote is paid on another SVM chain",
    hint: `Pass a callback for chain ${chainId}. Nothing was sent.`,
  });
}

/** Returns the payment of a wallet that an earlier run prompted to send. */
async function findPaid(
  step: SvmTransaction,
  node: SvmNode,
  asked: Asked | undefined,
  pollIntervalMs: number,
): Promise<string | undefined> {
  if (asked === undefined) return undefined;
  try {
    return await followAsked(step, node, asked, { pollIntervalMs });
  } catch (error) {
    if (step.payAgain && error instanceof PaymentUnresolvedError) return undefined;
    throw error;
  }
}

function toPending({ genesisHash, slot, lastValidBlockHeight }: PreparedSvm, signed: Uint8Array): Pending {
  const [id = NO_SIGNATURE] = readSvmTransaction(signed)?.signatures ?? [];
  const signature = SOLANA_CODEC.decodeTransactionId(bytesToHex(id));
  return { genesisHash, signature, transaction: encodeBase64(signed), slot, lastValidBlockHeight };
}

/** Sends a transaction until it is included, fails, or has certainly expired. */
async function follow(
  { stepId, signal }: SvmTransaction,
  node: SvmNode,
  pending: Pending,
  pollIntervalMs: number,
): Promise<"included" | "failed" | "expired"> {
  const { signature, transaction } = pending;
  await requireSameChain(node, pending);
  for (let polls = 0; ; polls += 1) {
    const { outcome, isKnown } = await node.status(signature);
    if (outcome !== undefined) return outcome;
    if (!isKnown && polls % RESEND_POLLS === 0) {
      if (await isAbsent(node, pending)) return "expired";
      await node.send(transaction, { isSimulated: polls === 0 });
    }
    await sleep(pollIntervalMs, signal, `the inclusion of transaction ${signature} of step ${stepId}`);
  }
}

/** Whether a transaction was not included and cannot be included anymore. */
async function isAbsent(node: SvmNode, { signature, slot, lastValidBlockHeight }: Pending): Promise<boolean> {
  const { absoluteSlot, blockHeight } = await node.finalized();
  if (blockHeight <= lastValidBlockHeight + MARGIN_BLOCKS) return false;
  if ((await node.firstBlock()) > slot) throw historyMissing(signature);
  // Checks again, because the transaction may have been included since the last check.
  const last = await node.status(signature);
  // Behind a load balancer, another node can lag behind the one that returned the height.
  return !last.isKnown && last.slot >= absoluteSlot;
}
