import { bytesToHex } from "viem";

import { InvalidInputError } from "@crosscall/protocol/core";
import { QuoteRefusedError } from "../../verify/quoteRefusedError.ts";
import type { SvmTransaction } from "../executeStepsParameters.ts";
import { askUser } from "../walletErrors.ts";
import { findChanges } from "./findChanges.ts";
import { readSvmData, toSvmData } from "./svmData.ts";
import {
  compileSvmMessage,
  encodeSvmTransaction,
  NO_SIGNATURE,
  type ReadSvmTransaction,
  readSvmTransaction,
  type SvmInstruction,
} from "./svmMessage.ts";
import type { SvmNode } from "./svmNode.ts";
import { isSignature, type SigningSigner, type SvmRequest } from "./svmSigners.ts";

/** Transaction of a step, ready for the user's signature. */
export interface PreparedSvm extends SvmRequest {
  readonly genesisHash: string;
  /** Slot before the first one that can include the transaction. */
  readonly slot: number;
}

/**
 * Verifies a step, and compiles its transaction with the latest block hash. The fee payer, if any, signs it.
 *
 * @throws {@link InvalidInputError} when a signer is missing, or the fee payer is not the request's
 */
export async function prepareSvm(
  step: SvmTransaction,
  node: SvmNode,
  user: string,
  feePayer: SigningSigner | undefined,
): Promise<PreparedSvm> {
  const { instructions, addressLookupTableAddresses } = readSvmData(step);
  requireFeePayer(step, feePayer);
  const payer = feePayer?.address ?? user;
  requireSigners([user, payer], instructions);
  const tables = await node.lookupTables(addressLookupTableAddresses);
  const genesisHash = await node.genesisHash();
  await step.verify();
  const latest = await node.latestBlockhash();
  const message = compileSvmMessage({ payer, instructions, tables, blockhash: latest.blockhash });
  const signers = payer === user ? [user] : [payer, user];
  const request = { ...latest, genesisHash, message, signers, signatures: signers.map(() => NO_SIGNATURE) };
  return feePayer === undefined ? request : { ...request, signatures: await signAsFeePayer(feePayer, request) };
}

/** Signs as the user. Returns the complete transaction, with what the wallet added. */
export async function signSvm(
  step: SvmTransaction,
  node: SvmNode,
  signer: SigningSigner,
  request: PreparedSvm,
): Promise<Uint8Array> {
  const signed = requireTransaction(
    readSvmTransaction(await askUser(step.stepId, () => signer.sign(request))),
    "signer",
    signer.address,
  );
  if (!isEqual(signed.message, request.message)) await requireSameEffect(step, node, signer.address, request, signed);
  const signatures = signed.signatures.map((own, index) =>
    isSignature(own) ? own : (request.signatures[index] ?? own),
  );
  if (!signatures.every(isSignature)) throw notSigned("signer", signer.address);
  return encodeSvmTransaction(signatures, signed.message);
}

async function signAsFeePayer(feePayer: SigningSigner, request: PreparedSvm): Promise<readonly Uint8Array[]> {
  const { address } = feePayer;
  const { message, signatures } = requireTransaction(
    readSvmTransaction(await feePayer.sign(request)),
    "feePayer",
    address,
  );
  if (!isEqual(message, request.message)) throw changed("feePayer", address, ["the message"]);
  const [signature = NO_SIGNATURE] = signatures;
  if (!isSignature(signature)) throw notSigned("feePayer", address);
  return request.signatures.map((none, index) => (index === 0 ? signature : none));
}

/**
 * Requires that a transaction that a wallet changed still makes only the step's payment.
 *
 * @throws {@link InvalidInputError} when it does something else, or may be included at another time
 */
async function requireSameEffect(
  step: SvmTransaction,
  node: SvmNode,
  signer: string,
  request: PreparedSvm,
  signed: ReadSvmTransaction,
): Promise<void> {
  const own = readSvmData(step);
  const found = findChanges(own.instructions, signed.instructions(await node.lookupTables(signed.tables)));
  const changes = [
    ...(request.signatures.some(isSignature) ? ["the message, which the fee payer signed before"] : []),
    ...(signed.signers.join() === request.signers.join()
      ? []
      : [`the signers are ${signed.signers.join(", ")} instead of ${request.signers.join(", ")}`]),
    // Otherwise, it would be unknown how long the transaction can be included.
    ...(signed.blockhash === request.blockhash
      ? []
      : [`the block hash is ${signed.blockhash} instead of ${request.blockhash}`]),
    ...found.changes,
  ];
  if (changes.length > 0) throw changed("signer", signer, changes);
  try {
    await step.verify(withData(step, toSvmData({ ...found, addressLookupTableAddresses: signed.tables })));
  } catch (error) {
    const unmet = error instanceof QuoteRefusedError ? error.unmet.filter(({ path }) => path.includes(".items[")) : [];
    if (unmet.length === 0) throw error;
    const texts = unmet.map(({ code, path, expected, seen }) => `${code}, ${path} is ${seen} instead of ${expected}`);
    throw changed("signer", signer, texts, error);
  }
}

function changed(field: string, value: string, changes: readonly string[], cause?: unknown): InvalidInputError {
  const error = new InvalidInputError({
    field,
    value,
    reason: `it changed the transaction: ${changes.join("; ")}`,
    hint: "Turn off what the wallet adds to transactions, or use another wallet. Nothing was sent.",
    cause,
  });
  return Object.assign(error, { changes });
}

/** Returns the quote with other data of the step. */
function withData(
  { quote, data }: SvmTransaction,
  changed: Readonly<Record<string, unknown>>,
): SvmTransaction["quote"] {
  const own = JSON.stringify(data);
  const steps = quote.steps?.map((step) => ({
    ...step,
    items: step.items?.map((item) => (JSON.stringify(item.data) === own ? { ...item, data: changed } : item)),
  }));
  return { ...quote, steps };
}

function requireFeePayer({ request, quote }: SvmTransaction, feePayer: SigningSigner | undefined): void {
  const asked = request ?? ("quotedRequest" in quote ? quote.quotedRequest : undefined);
  const wanted = asked?.depositFeePayer;
  if (wanted === feePayer?.address) return;
  throw new InvalidInputError({
    field: "feePayer",
    value: feePayer?.address,
    reason:
      wanted === undefined ? "the request has no `depositFeePayer`" : `the request's \`depositFeePayer\` is ${wanted}`,
    hint: "Pass the signer of the request's `depositFeePayer` as `feePayer`. Nothing was sent.",
  });
}

function requireSigners(signers: readonly string[], instructions: readonly SvmInstruction[]): void {
  const accounts = instructions.flatMap(({ keys }) => keys);
  const other = accounts.find(({ isSigner, pubkey }) => isSigner && !signers.includes(pubkey));
  if (other === undefined) return;
  throw new InvalidInputError({
    field: "signer",
    value: signers[0],
    reason: `the step also needs the signature of ${other.pubkey}`,
    hint: "Pass the signer of the quote's `user`.",
  });
}

function requireTransaction(signed: ReadSvmTransaction | undefined, field: string, value: string): ReadSvmTransaction {
  if (signed === undefined) throw notSigned(field, value);
  return signed;
}

function notSigned(field: string, value: string): InvalidInputError {
  return new InvalidInputError({
    field,
    value,
    reason: "it returned no transaction of version 0 with its signature",
    hint: "Use a wallet that signs the transaction that it receives. Nothing was sent.",
  });
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return bytesToHex(a) === bytesToHex(b);
}
