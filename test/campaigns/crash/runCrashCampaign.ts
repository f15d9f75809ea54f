import type { Hex } from "viem";

import { isSameAddress } from "../../../packages/protocol/src/chains/address.ts";
import { createServiceClient, getStatus } from "../../../packages/sdk/src/index.ts";
import { isTerminalStatus } from "../../../packages/protocol/src/request/requestStatus.ts";
import { startAnvil } from "../../integration/support/processes.ts";
import { type CampaignChain, readHoldings, type ServiceHoldings } from "./accounting.ts";
import { createDepositor, readSolverTransactions, setBlockTime, type SolverTransaction } from "./chain.ts";
import { createPoster } from "./gaslessPayment.ts";
import { type CampaignNetwork, type CampaignOrder, EVM_KINDS, type Kind, quoteOrder, SVM_KINDS } from "./orders.ts";
import { API_KEY, killWhileStarting, type Service, type ServiceParameters, startService } from "./service.ts";
import { createSvmPoster, fundSvmPayer, readSvmHoldings, readSvmResult, type SvmResult } from "./svmPayment.ts";
import { startWebhookLedger, type WebhookLedger } from "./webhookLedger.ts";

const ORIGIN_ID = 31_337;
const DESTINATION_ID = 31_338;

/** Kinds of requests by the type of their chain of origin. */
const ORIGINS = { evm: EVM_KINDS, svm: SVM_KINDS } as const;

export type Origin = keyof typeof ORIGINS;

/** Options of {@link runCrashCampaign}. */
export interface CrashCampaignOptions {
  /** Arguments for `crosscall up` that select the database. */
  readonly database: readonly string[];
  readonly requests: number;
  readonly interruptions: number;
  /** Chains of origin; only EVM chains by default. */
  readonly origins?: readonly Origin[];
  /** Kills and restarts the service if absent. */
  readonly interrupt?: Interruption;
  /** Allowed difference between the clocks of the service and the receiver, in milliseconds. */
  readonly webhookToleranceMs?: number;
  /** Returns a number in [0, 1) from a seeded generator. */
  readonly random: () => number;
  readonly onProgress?: (text: string) => void;
}

/** Interrupts a service with requests in flight. Returns the restarted service. */
export type Interruption = (
  service: Service,
  context: { readonly parameters: ServiceParameters; readonly random: () => number },
) => Promise<Service>;

/** In one of five interruptions, the service is also killed while it restarts. */
const killService: Interruption = async (service, { parameters, random }) => {
  await service.stop("SIGKILL");
  if (random() < 0.2) await killWhileStarting(parameters, random() * 1_500);
  return startService(parameters);
};

/** Result of a campaign, read from the chains, the service and its webhooks. */
export interface CrashCampaignResult {
  readonly orders: readonly CampaignOrder[];
  readonly origin: CampaignChain;
  readonly destination: CampaignChain;
  /** Final status of each request, by request ID. */
  readonly statuses: ReadonlyMap<Hex, string>;
  /** The solver's transactions on each chain. */
  readonly onOrigin: readonly SolverTransaction[];
  readonly onDestination: readonly SolverTransaction[];
  /** Absent without requests from Solana. */
  readonly onSolana?: SvmResult;
  readonly before: Holdings;
  readonly after: Holdings;
  /** Statuses of each request as its webhooks reported them, by request ID. */
  readonly reported: ReadonlyMap<Hex, readonly string[]>;
  /** Statuses of each request as the service recorded them, by request ID. */
  readonly written: ReadonlyMap<Hex, readonly string[]>;
  readonly deliveries: number;
  readonly durationMs: number;
}

/** Balances of the service's own accounts on both chains. */
export interface Holdings {
  readonly origin: ServiceHoldings;
  readonly destination: ServiceHoldings;
}

/**
 * Interrupts the service and its solver repeatedly while requests are in flight. The chains run in separate processes
 * and the user continues to deposit, so the service has to catch up.
 */
export async function runCrashCampaign(options: CrashCampaignOptions): Promise<CrashCampaignResult> {
  const { requests, interruptions, origins = ["evm"], random } = options;
  const { interrupt = killService, onProgress = () => undefined } = options;
  const started = performance.now();
  const nodes = await Promise.all([startAnvil(ORIGIN_ID), startAnvil(DESTINATION_ID)]);
  const chains = [
    { id: ORIGIN_ID, rpcUrl: nodes[0].ready },
    { id: DESTINATION_ID, rpcUrl: nodes[1].ready },
  ] as const;
  const parameters: ServiceParameters = { chains, database: options.database, svm: origins.includes("svm") };

  let service = await startService(parameters);
  const { solver } = service.ready;
  const webhooks = await startWebhookLedger(API_KEY, options.webhookToleranceMs);
  await setWebhook(service, webhooks);
  await setSponsor(service);
  const network = { origin: chainOf(service, chains[0]), destination: chainOf(service, chains[1]) };
  const { origin, destination } = network;
  const orders = await takeQuotes(service, network, requests, origins);
  const depositor = await createDepositor(network);
  const poster = createPoster();
  const svmPoster = createSvmPoster();
  const svmOrders = orders.filter(({ svm }) => svm !== undefined);
  for (const { svm, inputCurrency, deposited } of svmOrders) {
    if (svm !== undefined) await fundSvmPayer(service.ready, svm, inputCurrency, deposited);
  }
  const svmBefore = svmOrders.length === 0 ? undefined : await readSvmHoldings(service.ready);
  const readBoth = async (): Promise<Holdings> => ({
    origin: await readHoldings(origin, solver),
    destination: await readHoldings(destination, solver),
  });
  const before = await readBoth();
  // Transactions wait for the next block, so some kills happen while transactions are pending.
  await Promise.all(chains.map(({ rpcUrl }) => setBlockTime(rpcUrl, 1)));

  const waiting = [...orders];
  const depositSome = async (count: number): Promise<void> => {
    for (const order of waiting.splice(0, count)) {
      if (order.svm !== undefined) svmPoster.add(order.svm);
      else if (order.gasless === undefined) await depositor.deposit(order);
      else poster.add(order.requestId, order.gasless.payment);
    }
  };
  // Makes half of the deposits before the first interruption, and a few more before each later interruption.
  await depositSome(Math.ceil(requests / 2));
  const perRound = Math.ceil(waiting.length / Math.max(interruptions, 1));
  for (let round = 1; round <= interruptions; round += 1) {
    await depositSome(perRound);
    const posted = Promise.all([poster.post(service.ready.url), svmPoster.post(service.ready.url)]);
    await pause(random() * 1_000);
    service = await interrupt(service, { parameters, random });
    await posted;
    onProgress(
      `interruption ${round} of ${interruptions}, ${orders.length - waiting.length} of ${orders.length} deposits`,
    );
  }
  await depositSome(waiting.length);
  await poster.post(service.ready.url);
  const unpaid = await svmPoster.post(service.ready.url);
  if (unpaid > 0) throw new Error(`the service did not take ${unpaid} payments on Solana`);
  await depositor.settle();
  await untilEnded(service, orders, webhooks, onProgress);
  const result: CrashCampaignResult = {
    orders,
    origin,
    destination,
    statuses: await readStatuses(service, orders),
    onOrigin: await readSolverTransactions(ORIGIN_ID, chains[0].rpcUrl, solver),
    onDestination: await readSolverTransactions(DESTINATION_ID, chains[1].rpcUrl, solver),
    ...(svmBefore === undefined
      ? {}
      : {
          onSolana: await readSvmResult(
            service.ready,
            svmBefore,
            svmOrders.flatMap(({ refundTo, svm, inputCurrency }) =>
              [refundTo, svm?.payer ?? refundTo].map((account) => [account, inputCurrency] as const),
            ),
          ),
        }),
    before,
    after: await readBoth(),
    reported: new Map(orders.map(({ requestId }) => [requestId, webhooks.statusesOf(requestId)])),
    written: await readTransitions(service, orders),
    deliveries: webhooks.deliveries(),
    durationMs: performance.now() - started,
  };
  await service.stop("SIGTERM");
  await webhooks.close();
  return result;
}

async function setWebhook({ ready: { url, adminKey } }: Service, webhooks: WebhookLedger): Promise<void> {
  const response = await fetch(`${url}/admin/webhooks`, {
    method: "PUT",
    headers: { "content-type": "application/json", "x-admin-key": adminKey },
    body: JSON.stringify({ apiKey: API_KEY, url: webhooks.url }),
  });
  if (!response.ok) throw new Error(`the service rejected the webhook: ${await response.text()}`);
}

/** Allows the API key to submit calls for users. */
async function setSponsor({ ready: { url, adminKey } }: Service): Promise<void> {
  const response = await fetch(`${url}/admin/sponsors`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-admin-key": adminKey },
    body: JSON.stringify({ apiKey: API_KEY, balance: "1000000000" }),
  });
  if (!response.ok) throw new Error(`the service rejected the sponsor: ${await response.text()}`);
}

async function takeQuotes(
  service: Service,
  network: CampaignNetwork,
  requests: number,
  origins: readonly Origin[],
): Promise<CampaignOrder[]> {
  const client = clientOf(service);
  const kinds = origins.flatMap((origin) => Object.keys(ORIGINS[origin]) as Kind[]);
  const orders: CampaignOrder[] = [];
  for (let index = 0; index < requests; index += 1) {
    const kind = kinds[index % kinds.length] ?? "nativeToNative";
    orders.push(await quoteOrder(client, network, kind, index));
  }
  return orders;
}

/** Waits until every request has a final status and its last webhook has arrived. */
async function untilEnded(
  service: Service,
  orders: readonly CampaignOrder[],
  webhooks: WebhookLedger,
  onProgress: (text: string) => void,
): Promise<void> {
  for (;;) {
    const statuses = await readStatuses(service, orders);
    const open = orders.filter(({ requestId }) => !isTerminalStatus((statuses.get(requestId) ?? "") as "waiting"));
    const missing = orders.filter(({ requestId }) => webhooks.statusesOf(requestId).at(-1) !== statuses.get(requestId));
    if (open.length === 0 && missing.length === 0) return;
    onProgress(`${open.length} open requests and ${missing.length} missing webhooks`);
    await pause(500);
  }
}

async function readStatuses(service: Service, orders: readonly CampaignOrder[]): Promise<Map<Hex, string>> {
  const client = clientOf(service);
  const statuses = new Map<Hex, string>();
  for (const { requestId } of orders) statuses.set(requestId, (await getStatus(client, { requestId })).status);
  return statuses;
}

/** Statuses of each request in order, as the service recorded them. */
async function readTransitions(
  { ready: { url, adminKey } }: Service,
  orders: readonly CampaignOrder[],
): Promise<Map<Hex, string[]>> {
  const written = new Map<Hex, string[]>();
  for (const { requestId } of orders) {
    const response = await fetch(`${url}/admin/requests/${requestId}/transitions`, {
      headers: { "x-admin-key": adminKey },
    });
    const { transitions } = (await response.json()) as { transitions: { from: string; to: string }[] };
    written.set(
      requestId,
      transitions.filter(({ from, to }) => from !== to).map(({ to }) => to),
    );
  }
  return written;
}

function clientOf({ ready: { url } }: Service) {
  // The service has no rate limits in this campaign, so the client needs none.
  return createServiceClient({ baseUrl: url, apiKey: API_KEY, limits: false });
}

/** Uses the node's own URL, because the URL that the service reports is unavailable when the service is down. */
function chainOf({ ready }: Service, { id, rpcUrl }: { readonly id: number; readonly rpcUrl: string }): CampaignChain {
  const chain = ready.chains.find((each) => each.id === id);
  if (chain === undefined) throw new Error(`the network has no chain ${id}`);
  return { id, rpcUrl, contracts: chain.contracts };
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}

/** Transaction that may settle an order. */
type Settlement = Pick<SolverTransaction, "orderId" | "to" | "works">;

/**
 * Returns the transactions that filled or refunded an order. A transaction that uses a permit also contains the order's
 * id.
 */
export function settlementsOf(result: CrashCampaignResult, orderId: Hex): readonly Settlement[] {
  const { approvalProxy } = result.origin.contracts;
  const onSolana = result.onSolana?.payments ?? [];
  return [...result.onOrigin, ...result.onDestination, ...onSolana].filter(
    ({ works, to, ...transaction }) =>
      works && transaction.orderId === orderId && (to === null || !isSameAddress(to, approvalProxy)),
  );
}
