import { base58 } from "@scure/base";

import { VM_TYPE_BY_CHAIN_ID } from "@crosscall/protocol/chains";
import { InvalidStateError, MalformedDataError } from "@crosscall/protocol/core";
import { parseAmount } from "@crosscall/protocol/encoding";
import type { RequestRecord } from "@crosscall/protocol/request/records";
import { isPresent, NO_REASON, requireField } from "@crosscall/protocol/schema";
import { SOLANA_CODEC } from "@crosscall/protocol/vms";
import type { RawTransaction } from "./readTransaction.ts";
import { simulatePayment, type SvmPayment } from "./simulatePayment.ts";
import { openSvmNode, type SvmNode, type SvmNodeParameters } from "./svmNode.ts";
import type { SvmCall, SvmCurrency, SvmNames, SvmReport } from "./svmReport.ts";
import { toSvmReport } from "./toSvmReport.ts";

/** The transaction's role in its request. */
export type SvmRole = "deposit" | "fill" | "refund";

/** Report of a transaction of a request. */
export interface SvmReplay {
  readonly role: SvmRole;
  readonly chainId: number;
  readonly report: SvmReport;
}

export function isSvmChain(chainId: number | null | undefined): boolean {
  return isPresent(chainId) && VM_TYPE_BY_CHAIN_ID.get(chainId) === "svm";
}

const SIGNATURE_BYTES = 64;

/** Returns whether a text is the signature of a transaction, in base58. */
export function isSvmSignature(text: string): boolean {
  return /^[1-9A-HJ-NP-Za-km-z]{64,88}$/u.test(text) && base58.decode(text).length === SIGNATURE_BYTES;
}

/**
 * Reports what a transaction did, as the chain recorded it.
 *
 * @throws {@link InvalidInputError} if the node does not have the transaction
 * @throws {@link InvalidStateError} if the node did not record the outcome
 * @throws {@link ChainError} if the node does not respond
 */
export async function replaySvmTransaction(
  signature: string,
  parameters: SvmNodeParameters,
  names?: SvmNames,
): Promise<SvmReport> {
  const node = openSvmNode(parameters);
  return reportOf(node, await node.transaction(signature), names);
}

/**
 * Reports what a transaction did, as the chain recorded it. Returns undefined if the node does not have it.
 *
 * @throws {@link InvalidStateError} if the node has no outcome of the transaction
 */
export async function findSvmReport(
  node: SvmNode,
  signature: string,
  names?: SvmNames,
): Promise<SvmReport | undefined> {
  const found = await node.findTransaction(signature);
  return found && reportOf(node, found, names);
}

async function reportOf(
  node: SvmNode,
  { slot, blockTime, transaction, meta }: RawTransaction,
  names?: SvmNames,
): Promise<SvmReport> {
  const { signatures, message } = transaction;
  const [signature = ""] = signatures;
  if (meta === null || meta === undefined) {
    throw new InvalidStateError({
      message: `the node has no outcome of transaction ${signature}`,
      hint: "Use a node that records the outcomes of transactions.",
    });
  }
  const source = { kind: "transaction", signature, slot, blockTime: blockTime ?? undefined } as const;
  const outcome = { source, message, meta };
  return toSvmReport(
    meta.err === null || meta.err === undefined
      ? outcome
      : { ...outcome, rentExemptMinimum: await node.rentExemptMinimum() },
    names,
  );
}

/** A transaction of a request on an SVM chain. */
export interface SvmLeg {
  readonly role: SvmRole;
  readonly chainId: number;
  readonly signature: string;
}

/** Lists the transactions of a request on SVM chains, in their order. */
export function svmLegsOf({ data, status }: RequestRecord): SvmLeg[] {
  const { inTxs = [], outTxs = [], failedTxHash } = data ?? {};
  const destination = destinationOf({ data });
  const legs = [
    ...(inTxs ?? []).map((each) => ({ ...each, role: "deposit" as const })),
    ...(isPresent(failedTxHash) ? [{ txHash: failedTxHash, chainId: destination, role: "fill" as const }] : []),
    ...(outTxs ?? []).map((each) => ({
      ...each,
      role: status === "refund" || each.chainId !== destination ? ("refund" as const) : ("fill" as const),
    })),
  ];
  return legs.flatMap(({ role, chainId, txHash }) =>
    isPresent(chainId) && isSvmChain(chainId) && isPresent(txHash) && isSvmSignature(txHash)
      ? [{ role, chainId, signature: txHash }]
      : [],
  );
}

/** Returns the id of the destination chain; undefined if the record does not have it. */
export function destinationOf({ data }: Pick<RequestRecord, "data">): number | undefined {
  const { actual, quoted } = data?.route ?? {};
  const { currency } = (actual?.destination ?? quoted?.destination)?.outputCurrency ?? {};
  return currency?.chainId ?? undefined;
}

export function originOf({ data }: Pick<RequestRecord, "data">): number | undefined {
  const { actual, quoted } = data?.route ?? {};
  return (quoted?.origin ?? actual?.origin)?.inputCurrency?.currency?.chainId ?? undefined;
}

export interface ReplaySvmRequestParameters {
  readonly record: RequestRecord;
  /** Finds the node of an SVM chain. */
  readonly nodeOf: (chainId: number) => Promise<SvmNodeParameters> | SvmNodeParameters;
  /** Finds the service's wallet on an SVM chain; undefined if it is unknown. */
  readonly solverOf: (chainId: number) => Promise<string | undefined> | string | undefined;
  readonly names?: SvmNames;
}

/**
 * Reports the transactions of a request on SVM chains: deposit, fill and refunds, also deposits that failed on the chain.
 * A fill that the chain rejected is simulated on the current state.
 *
 * @throws {@link InvalidStateError} if the request has no such transaction
 * @throws {@link InvalidInputError} if a node does not have a transaction
 * @throws {@link ChainError} if a node does not respond
 */
export async function replaySvmRequest(parameters: ReplaySvmRequestParameters): Promise<SvmReplay[]> {
  const { record, nodeOf, solverOf } = parameters;
  const names = namesOf(record, parameters.names);
  const legs = svmLegsOf(record);
  const open = async (chainId: number): Promise<SvmNode> => openSvmNode(await nodeOf(chainId));
  const replays: SvmReplay[] = [];
  const origin = originOf(record);
  const orderId = record.protocol?.orderId;
  const isUnpaid = !legs.some(({ role }) => role === "deposit");
  if (isUnpaid && isPresent(origin) && isSvmChain(origin) && isPresent(orderId) && isPresent(record.user)) {
    const reports = await findFailedDeposits(await open(origin), { user: record.user, orderId }, names);
    replays.push(...reports.map((report) => ({ role: "deposit" as const, chainId: origin, report })));
  }
  for (const { role, chainId, signature } of legs) {
    const node = await open(chainId);
    replays.push({ role, chainId, report: await reportOf(node, await node.transaction(signature), names) });
  }
  const chainId = destinationOf(record);
  if (isPresent(chainId) && hasUnsentFill(record)) {
    const payer = await solverOf(chainId);
    if (payer !== undefined) {
      const report = await simulatePayment(await open(chainId), paymentOf(record, payer), names);
      replays.push({ role: "fill", chainId, report });
    }
  }
  if (replays.length > 0) return replays;
  throw new InvalidStateError({
    message: `request ${record.id} is ${record.status}, and has no transaction on an SVM chain`,
    hint: "Replay the request after its deposit.",
  });
}

/** Returns whether the fill on an SVM chain failed before it was sent. */
export function hasUnsentFill(record: RequestRecord): boolean {
  const { failReason, failedTxHash } = record.data ?? {};
  return isSvmChain(destinationOf(record)) && isFailReason(failReason) && !isPresent(failedTxHash);
}

function isFailReason(reason: unknown): boolean {
  return typeof reason === "string" && reason !== NO_REASON;
}

const RECORD = "the request record";

const MAX_AMOUNT = 2n ** 64n - 1n;

function paymentOf(record: RequestRecord, payer: string): SvmPayment {
  const { outputCurrency } = record.data?.route?.quoted?.destination ?? {};
  const at = "data.route.quoted.destination.outputCurrency";
  const address = requireField(outputCurrency?.currency?.address, RECORD, `${at}.currency.address`);
  const recipient = requireField(record.recipient, RECORD, "recipient");
  // Validates here, because text from a service becomes accounts of a transaction.
  SOLANA_CODEC.encodeAddress(address, `${at}.currency.address`);
  SOLANA_CODEC.encodeAddress(recipient, "recipient");
  SOLANA_CODEC.encodeAddress(payer, "solver");
  const amount = parseAmount(requireField(outputCurrency?.amount, RECORD, `${at}.amount`), `${at}.amount`);
  if (amount > MAX_AMOUNT) {
    const reason = "it is above the maximum of SVM chains, 2^64 - 1";
    throw new MalformedDataError({ what: RECORD, path: `${at}.amount`, reason });
  }
  return {
    payer,
    recipient,
    currency: address,
    amount,
    orderId: requireField(record.protocol?.orderId, RECORD, "protocol.orderId"),
  };
}

/** Maximum number of the user's latest transactions to search for failed deposits, and of those to read. */
const SEARCHED = 50;
const MAX_READ = 5;

export interface FailedDeposits {
  readonly user: string;
  readonly orderId: string;
}

/** Finds the deposits of an order that failed on the chain, oldest first. */
export async function findFailedDeposits(
  node: SvmNode,
  { user, orderId }: FailedDeposits,
  names?: SvmNames,
): Promise<SvmReport[]> {
  SOLANA_CODEC.encodeAddress(user, "user");
  const failed = (await node.transactionsOf(user, SEARCHED)).filter(({ isFailed }) => isFailed).slice(0, MAX_READ);
  const reports: SvmReport[] = [];
  for (const { signature } of failed) {
    const report = await findSvmReport(node, signature, names);
    if (report?.instructions.some((call) => namesOrder(call, orderId)) === true) reports.unshift(report);
  }
  return reports;
}

function namesOrder(call: SvmCall, orderId: string): boolean {
  return (
    call.arguments.some(({ name, value }) => name === "id" && value === orderId) ||
    call.calls.some((inner) => namesOrder(inner, orderId))
  );
}

/** Adds the names of a request's accounts and currencies. */
function namesOf(record: RequestRecord, { accounts = {}, currencies = [] }: SvmNames = {}): SvmNames {
  const { quoted } = record.data?.route ?? {};
  const sides = [quoted?.origin?.inputCurrency, quoted?.destination?.outputCurrency];
  const stated = sides.flatMap((side): SvmCurrency[] => {
    const { address, symbol, decimals, chainId } = side?.currency ?? {};
    return isSvmChain(chainId) && isPresent(address) && isPresent(symbol) && isPresent(decimals)
      ? [{ address, symbol, decimals }]
      : [];
  });
  const { user, recipient } = record;
  return {
    accounts: {
      ...(isPresent(recipient) ? { [recipient]: "recipient" } : {}),
      ...(isPresent(user) ? { [user]: "user" } : {}),
      ...accounts,
    },
    currencies: [...stated, ...currencies],
  };
}
