import { type Client, isHex, size } from "viem";
import { getTransaction } from "viem/actions";

import { CrosscallError } from "@crosscall/protocol/core";
import { isPayment, type PlannedTransaction } from "@crosscall/protocol/quote/rules";
import type { Quote } from "@crosscall/protocol/quote";
import type { ServiceClient } from "../client/client.ts";
import { findPayment, isApproved, type PaymentRange } from "./findPayment.ts";
import { contains, findReceipt, type Inclusion, performs } from "./findTransaction.ts";
import type { JournaledTransaction } from "./journalEntries.ts";
import { reportedStatus } from "./reportedStatus.ts";

export interface SightingParameters {
  readonly service: ServiceClient;
  readonly quote: Quote;
  readonly requestId: string;
  readonly planned: PlannedTransaction;
  readonly entry: JournaledTransaction;
  readonly signal: AbortSignal | undefined;
}

/** `seen`: the step has its effect, but the node shows no transaction. */
export type Sighting = ({ readonly kind: "included" } & Inclusion) | { readonly kind: "seen" };

/**
 * Looks for the effect of a step that the node does not show under its hash: what paid the order, or the allowance of an approval.
 */
export async function findSighting(
  client: Client,
  { planned, entry, signal, ...payment }: SightingParameters,
  { fromBlock = BigInt(entry.fromBlock), asksService = true } = {},
): Promise<Sighting | undefined> {
  if (isPayment(planned))
    return findPaid(client, { ...payment, planned }, { chainId: entry.chainId, fromBlock, asksService, signal });
  return (await isApproved(client, planned)) ? { kind: "seen" } : undefined;
}

export interface PaidParameters extends Pick<SightingParameters, "service" | "quote" | "requestId"> {
  readonly planned: PlannedTransaction;
}

/** Whether the order is paid, by the chain and by the service. */
export async function findPaid(
  client: Client,
  { service, quote, requestId, planned }: PaidParameters,
  {
    asksService = true,
    signal,
    ...range
  }: PaymentRange & {
    readonly asksService?: boolean;
    readonly signal: AbortSignal | undefined;
  },
): Promise<Sighting | undefined> {
  const txHash = await findPayment(client, { quote, planned }, range);
  const inclusion = txHash === undefined ? undefined : await findReceipt(client, txHash);
  if (inclusion !== undefined) return { kind: "included", ...inclusion };
  return asksService ? findReported(client, { service, requestId, planned }, signal) : undefined;
}

/** A payment is one transaction; the service lists few. */
const HASHES_MAX = 16;

/** What the service says of the payment. A service that does not respond says nothing. */
async function findReported(
  client: Client,
  { service, requestId, planned }: Omit<PaidParameters, "quote">,
  signal: AbortSignal | undefined,
): Promise<Sighting | undefined> {
  const reported = await reportedStatus(service, requestId, signal).catch((error: unknown) => {
    if (!(error instanceof CrosscallError) || error.code === "ABORTED") throw error;
    return undefined;
  });
  if (reported === undefined) return undefined;
  for (const hash of (reported.inTxHashes ?? []).slice(0, HASHES_MAX)) {
    if (!isHex(hash) || size(hash) !== 32) continue;
    const transaction = await getTransaction(client, { hash }).catch(() => undefined);
    if (transaction === undefined || !(performs(transaction, planned) || contains(transaction, planned))) continue;
    const inclusion = await findReceipt(client, hash);
    if (inclusion?.receipt.status === "success") return { kind: "included", ...inclusion };
  }
  return { kind: "seen" };
}
