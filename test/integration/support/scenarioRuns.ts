import { type Hex, parseEther } from "viem";
import { sendTransaction, waitForTransactionReceipt } from "viem/actions";

import type { IntentStatus, Quote } from "../../../packages/protocol/src/complete.ts";
import { getQuote, getStatus } from "../../support/complete.ts";
import { createServiceClient, watchRequest } from "../../../packages/sdk/src/index.ts";
import type { Localnet } from "../../../packages/crosscall/src/localnet/index.ts";
import type { QuoteRequest } from "../../../packages/protocol/src/index.ts";
import type { TransactionData } from "../../../packages/protocol/src/quote/step.ts";
import { userWallet } from "./parties.ts";
import { etherRequest } from "./requests.ts";
import { listRequests } from "./serviceCalls.ts";
import { until } from "../../support/until.ts";

/** Amount of the user's default deposit. */
export const DEPOSIT = parseEther("0.01");

/** Requests a quote that sells native currency on the first chain for dollars on the second. */
export function quoteDollars(network: Localnet, change?: Partial<QuoteRequest>): Promise<Quote> {
  // Uses version 2, because tests compare amounts with its fees.
  const client = createServiceClient({ baseUrl: network.url, apiKey: network.apiKey, quoteVersion: 2 });
  return getQuote(client, dollarRequest(network, change));
}

/** Returns a request that sells a small deposit for dollars and refunds to the stranger. */
export function dollarRequest(network: Localnet, change: Partial<QuoteRequest> = {}): QuoteRequest {
  return etherRequest(network, {
    refundTo: network.accounts.stranger.address,
    amount: DEPOSIT.toString(),
    ...change,
  });
}

/** Returns a quote's request ID. */
export function requestIdOf(quote: Quote): string {
  return quote.steps[0]?.requestId ?? "";
}

/** Returns a function that sends the transactions of quotes from the test's user, one at a time on each chain. */
export function createSender(network: Localnet): (quote: Quote) => Promise<void> {
  let last = Promise.resolve();
  const send = async (quote: Quote): Promise<void> => {
    for (const { data } of quote.steps.flatMap(({ items }) => items)) {
      const transaction = data as TransactionData;
      const chain = network.chains.find(({ id }) => id === transaction.chainId);
      if (chain === undefined) throw new Error(`chain ${transaction.chainId} is not part of the network`);
      const wallet = userWallet(network, chain);
      const hash = await sendTransaction(wallet, {
        to: transaction.to as Hex,
        data: (transaction.data ?? "0x") as Hex,
        value: BigInt(transaction.value ?? "0"),
      });
      await waitForTransactionReceipt(wallet, { hash });
    }
  };
  return (quote) => {
    const sent = last.then(() => send(quote));
    last = sent.catch(() => undefined);
    return sent;
  };
}

/** Waits until a request ends, and returns its status. */
export async function endOf(network: Localnet, requestId: string): Promise<IntentStatus> {
  const client = createServiceClient({ baseUrl: network.url });
  await watchRequest(client, { requestId, pollIntervalMs: 50, refundGraceMs: 0, timeoutMs: 600_000 });
  return getStatus(client, { requestId });
}

/** Waits for the child request that refunds an extra payment, and returns its id. */
export async function childOf(network: Localnet, requestId: string): Promise<string> {
  return until(async () => {
    const { requests } = await listRequests(network, `?id=${requestId}&includeChildRequests=true`);
    return requests.find(({ id }) => id !== requestId)?.id;
  });
}

/** Waits until a request has a status. */
export async function reaches(network: Localnet, requestId: string, status: IntentStatus["status"]): Promise<void> {
  const client = createServiceClient({ baseUrl: network.url });
  await until(async () => (await getStatus(client, { requestId })).status === status);
}
