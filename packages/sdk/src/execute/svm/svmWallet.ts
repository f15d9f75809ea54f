import type * as Type from "typebox";
import { bytesToHex, hexToBytes } from "viem";

import { SVM_CHAIN_ID } from "@crosscall/protocol/chains/chainIds";
import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { InvalidInputError, InvalidStateError, sleep, TransactionFailedError } from "@crosscall/protocol/core";
import { encodeBase64 } from "@crosscall/protocol/encoding";
import { doc, parseData, requireJson } from "@crosscall/protocol/schema";
import * as T from "@crosscall/protocol/schema/type";
import { SOLANA_CODEC } from "@crosscall/protocol/vms";
import type { SvmTransaction } from "../executeStepsParameters.ts";
import { askUser } from "../walletErrors.ts";
import {
  compileSvmMessage,
  NO_SIGNATURE,
  encodeSvmTransaction,
  readSvmTransaction,
  type SvmInstruction,
} from "./svmMessage.ts";
import { historyMissing, openSvmNode, type SvmNode } from "./svmNode.ts";

/** Signer of `@solana/kit` that does not change transactions, such as a key pair signer. */
export interface SvmTransactionsSigner {
  readonly address: string;
  /** Returns the signatures by address. */
  signTransactions(transactions: readonly SvmUnsignedTransaction[]): Promise<readonly object[]>;
}

/** Transaction in the format of `@solana/kit`. */
export interface SvmUnsignedTransaction {
  readonly messageBytes: ArrayLike<number>;
  readonly signatures: Readonly<Record<string, ArrayLike<number> | null>>;
  /** `blockhash` and `lastValidBlockHeight`, a bigint. */
  readonly lifetimeConstraint: object;
}

/** Wallet that signs serialized transactions, as the feature `solana:signTransaction` of the wallet standard does. */
export interface SvmBytesSigner {
  readonly address: string;
  /**
   * Returns the signed transaction. The wallet may add instructions, but must not change the fee payer or the block
   * hash.
   */
  signTransaction(transaction: Uint8Array): Promise<Uint8Array>;
}

/** Parameters of {@link svmWallet}. */
export interface SvmWalletParameters {
  /**
   * Key pair signer of `@solana/kit`, or `{address, signTransaction}` that signs serialized transactions, for the quote's
   * `user`, who also pays the fee.
   */
  readonly signer: SvmTransactionsSigner | SvmBytesSigner;
  /** HTTP URL of a node with transaction history. If several nodes share the URL, all must have the same history. */
  readonly rpcUrl: string;
  /** Time between two polls in milliseconds. Defaults to 1,000. */
  readonly pollIntervalMs?: number;
}

const DataSchema = T.Object({
  instructions: T.Array(
    T.Object({
      programId: T.String(),
      keys: T.Array(T.Object({ pubkey: T.String(), isSigner: T.Boolean(), isWritable: T.Boolean() })),
      data: T.String({ pattern: "^(0x)?([0-9a-fA-F]{2})*$", description: doc("Hex, usually without 0x.") }),
    }),
  ),
  addressLookupTableAddresses: T.Optional(T.Array(T.String())),
});

const PendingSchema = T.Object({
  genesisHash: T.String(),
  signature: T.String(),
  transaction: T.String({ description: doc("Base64.") }),
  slot: T.Integer({ description: doc("Slot before the first one that can include the transaction.") }),
  lastValidBlockHeight: T.Integer(),
});

/** Signed transaction, which can be included until its block hash expires. */
type Pending = Type.Static<typeof PendingSchema>;

/** Without `pending`, no transaction can be included. */
const RecordSchema = T.Object({
  writer: T.Literal("svmWallet", { description: doc("Other callbacks can record other texts.") }),
  pending: T.Optional(PendingSchema),
});

const toRecord = (pending?: Pending): string => JSON.stringify({ writer: "svmWallet", pending });

/** Blocks to wait after the last valid height, because the block directly after it can still include the transaction. */
const MARGIN_BLOCKS = 8;

/** Number of polls after which a transaction that the node does not know is sent again. */
const RESEND_POLLS = 5;

/**
 * Creates the callback `onSvmTransaction` of `executeSteps`, which signs, sends and confirms transactions on Solana. The
 * journal has the signed transaction before it is sent, so that a later run continues with it. It is replaced by a new
 * one, once per run, only after its block hash expired and the chain shows that it was not included.
 *
 * @example
 * const onSvmTransaction = svmWallet({ signer: await generateKeyPairSigner(), rpcUrl });
 * await executeSteps(client, { quote, journal, onSvmTransaction });
 */
export function svmWallet(parameters: SvmWalletParameters): (step: SvmTransaction) => Promise<string> {
  rejectUnknownOptions(parameters, { signer: 1, rpcUrl: 1, pollIntervalMs: 1 });
  const { rpcUrl, pollIntervalMs = 1_000 } = parameters;
  return async (step) => {
    requireSolana(step.chainId);
    let pending = await openRecord(step);
    const node = openSvmNode(rpcUrl, step.signal);
    for (let rebuilds = 0; ; rebuilds += 1) {
      pending ??= await sign(step, node, parameters.signer);
      const outcome = await follow(step, node, pending, pollIntervalMs);
      const { signature } = pending;
      if (outcome === "included") return signature;
      await step.record(toRecord());
      if (outcome === "failed") {
        throw new TransactionFailedError({
          message: `transaction ${signature} on chain ${SVM_CHAIN_ID} failed, and paid nothing but its fee`,
          hint: "Check the transaction in an explorer, then execute the same quote again or request a new quote.",
          chainId: SVM_CHAIN_ID,
          txHash: signature,
        });
      }
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

function requireSolana(chainId: number): void {
  if (chainId === SVM_CHAIN_ID) return;
  throw new InvalidInputError({
    field: "onSvmTransaction",
    value: chainId,
    reason: "svmWallet pays on Solana only, and the quote is paid on another SVM chain",
    hint: `Pass a callback for chain ${chainId}. Nothing was sent.`,
  });
}

/** Returns the transaction of an earlier run. */
async function openRecord({ stepId, requestId, mayHaveRun, recorded, record }: SvmTransaction) {
  const what = `the journal's record of step ${stepId}`;
  if (recorded !== undefined) return parseData(RecordSchema, requireJson(recorded, what), what).pending;
  if (mayHaveRun) {
    throw new InvalidStateError({
      message: `step ${stepId} of request ${requestId} may have been performed by another callback`,
      hint: "Check the account's transactions. Execute the quote with the earlier callback, or request a new quote if nothing was paid.",
    });
  }
  await record(toRecord());
  return undefined;
}

async function sign(step: SvmTransaction, node: SvmNode, signer: SvmWalletParameters["signer"]): Promise<Pending> {
  const { address: payer } = signer;
  const { instructions, addressLookupTableAddresses = [] } = readData(step);
  requireOnlySigner(payer, instructions);
  const tables = await node.lookupTables(addressLookupTableAddresses);
  const genesisHash = await node.genesisHash();
  await step.verify();
  const { blockhash, lastValidBlockHeight, slot } = await node.latestBlockhash();
  const message = compileSvmMessage({ payer, instructions, tables, blockhash });
  const signed = await askUser(step.stepId, () => signMessage(signer, message, { blockhash, lastValidBlockHeight }));
  const signature = requireOwn(signed, { payer, blockhash });
  const pending = { genesisHash, signature, transaction: encodeBase64(signed), slot, lastValidBlockHeight };
  await step.record(toRecord(pending));
  return pending;
}

function readData({ stepId, data }: SvmTransaction) {
  const { instructions, addressLookupTableAddresses } = parseData(DataSchema, data, `step ${stepId}`, "data");
  return {
    addressLookupTableAddresses,
    instructions: instructions.map(({ data: hex, ...instruction }) => ({
      ...instruction,
      data: hexToBytes(`0x${hex.replace(/^0x/u, "")}`),
    })),
  };
}

function requireOnlySigner(payer: string, instructions: readonly SvmInstruction[]): void {
  const other = instructions.flatMap(({ keys }) => keys).find(({ isSigner, pubkey }) => isSigner && pubkey !== payer);
  if (other === undefined) return;
  throw new InvalidInputError({
    field: "signer",
    value: payer,
    reason: `the step also needs the signature of ${other.pubkey}`,
    hint: "Pass the signer of the quote's `user`, and request the quote without `depositFeePayer`.",
  });
}

async function signMessage(
  signer: SvmWalletParameters["signer"],
  messageBytes: Uint8Array,
  { blockhash, lastValidBlockHeight }: { readonly blockhash: string; readonly lastValidBlockHeight: number },
): Promise<Uint8Array> {
  if ("signTransaction" in signer) {
    return Uint8Array.from(await signer.signTransaction(encodeSvmTransaction([NO_SIGNATURE], messageBytes)));
  }
  const { address } = signer;
  const lifetimeConstraint = { blockhash, lastValidBlockHeight: BigInt(lastValidBlockHeight) };
  const unsigned = { messageBytes, signatures: { [address]: null }, lifetimeConstraint };
  const [signatures = {}] = await signer.signTransactions([unsigned]);
  const signature = Reflect.get(signatures, address) as ArrayLike<number> | undefined;
  return encodeSvmTransaction([Uint8Array.from(signature ?? NO_SIGNATURE)], messageBytes);
}

/**
 * Returns the transaction's signature.
 *
 * @throws {@link InvalidInputError} when it is unknown until when the transaction can be included
 */
function requireOwn(signed: Uint8Array, expected: { readonly payer: string; readonly blockhash: string }): string {
  const found = readSvmTransaction(signed);
  const isSigned =
    found !== undefined && found.signature !== SOLANA_CODEC.decodeTransactionId(bytesToHex(NO_SIGNATURE));
  if (isSigned && found.payer === expected.payer && found.blockhash === expected.blockhash) return found.signature;
  throw new InvalidInputError({
    field: "signer",
    value: expected.payer,
    reason: "it returned no transaction with its signature, this fee payer and the given block hash",
    hint: "Use a wallet that signs the transaction that it receives. Nothing was sent.",
  });
}

/** Sends a transaction until it is included, fails, or has certainly expired. */
async function follow(
  { stepId, signal }: SvmTransaction,
  node: SvmNode,
  pending: Pending,
  pollIntervalMs: number,
): Promise<"included" | "failed" | "expired"> {
  const { signature, transaction, genesisHash } = pending;
  if ((await node.genesisHash()) !== genesisHash) {
    throw new InvalidInputError({
      field: "rpcUrl",
      value: undefined,
      reason: `its chain is not the one for which transaction ${signature} was signed`,
      hint: "Pass a node of the same chain as in the earlier run.",
    });
  }
  for (let polls = 0; ; polls += 1) {
    const { status } = await node.status(signature);
    const level = status?.confirmationStatus;
    if (level === "finalized" && status?.err !== null) return "failed";
    if ((level === "finalized" || level === "confirmed") && status?.err === null) return "included";
    if (status === undefined && polls % RESEND_POLLS === 0) {
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
  // Looks again, because the transaction can have been included since the last look.
  const last = await node.status(signature);
  // Behind a load balancer, another node can lag behind the one that returned the height.
  return last.status === undefined && last.slot >= absoluteSlot;
}
