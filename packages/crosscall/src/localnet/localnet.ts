import { type Address, bytesToHex } from "viem";

import { SVM_CHAIN_ID } from "@crosscall/protocol/chains/chainIds";
import { compact, InvalidStateError, systemTimer } from "@crosscall/protocol/core";
import type { ServiceTrust } from "@crosscall/sdk/verify";
import { addConsole, CONSOLE_PATH } from "./console/addConsole.ts";
import { localAccounts, type LocalAccounts } from "./devchain/accounts.ts";
import type { ChainControls } from "./devchain/chainControls.ts";
import type { ChainContracts } from "./devchain/contracts.ts";
import { givenTokens } from "./devchain/likeMainnet.ts";
import { findLiveChain } from "./devchain/liveChains.ts";
import type { ChainOptions } from "./devchain/options.ts";
import { startChain, type StartedChain } from "./devchain/startChain.ts";
import type { LedgerParts } from "./ledgers/ledgerParts.ts";
import { openLedgers } from "./ledgers/openLedgers.ts";
import { createLog, type Log } from "./log.ts";
import { USD_ONE } from "./devchain/chainToken.ts";
import type { Ledger } from "./market/ledger.ts";
import type { Market } from "./market/market.ts";
import { createCurrencyTable } from "./market/quotedChains.ts";
import { createScenarioControls, type ScenarioControls } from "./scenarios/controls.ts";
import { createFaults } from "./scenarios/faults.ts";
import { followScenarios } from "./scenarios/followScenarios.ts";
import { createFillControls, type FillControls } from "./service/admin/fills.ts";
import { readTransitions } from "./service/admin/requests.ts";
import type { RequestTransition } from "./service/admin/schemas.ts";
import { createServiceApp, createWorkerApp } from "./service/app.ts";
import { CALL_TIMEOUT_MS } from "./service/createApp.ts";
import { DOCUMENTED_LIMITS, NO_LIMITS } from "./service/keys/keyOptions.ts";
import { openKeyRing, seedKeys } from "./service/keys/keyRing.ts";
import { hostForUrl } from "./devchain/serveRpc.ts";
import { listenAt } from "./service/listenAt.ts";
import { startRetention } from "./service/retention.ts";
import type { ServiceParts } from "./service/serviceParts.ts";
import { type SettableClock, shareClock } from "./service/sharedClock.ts";
import { startWebhooks } from "./service/webhooks/deliverEvents.ts";
import { createSecretBox } from "./service/webhooks/secretBox.ts";
import { WEBSOCKET_PATH } from "./service/websocket.ts";
import { createReports, startSolver } from "./solver/solver.ts";
import type { SolverParts } from "./solver/solverParts.ts";
import { hashApiKey } from "./store/hashApiKey.ts";
import { readNetworkSecret, startAlone } from "./store/network.ts";
import { restoreTables } from "./store/savedTables.ts";
import { followChain } from "./store/scans.ts";
import { addSponsor } from "./store/sponsors.ts";
import { openStore, type Store } from "./store/store.ts";
import {
  DEPOSIT_ADDRESS_TTL_MS,
  LOCAL_API_KEY,
  QUOTE_TTL_MS,
  SPONSOR_BALANCE_USD,
  type TwoOrMore,
  WAIT_TIMEOUT_MS,
} from "./defaults.ts";
import { type CheckedOptions, checkOptions } from "./checkOptions.ts";
import type { LocalnetOptions } from "./options.ts";
import { type LocalOracle, type LocalOraclesParameters, startLocalOracles } from "./oracle/startLocalOracles.ts";
import { chainStateOf, optionsFrom } from "./snapshot/continueFrom.ts";
import type { NetworkSnapshot } from "./snapshot/networkSnapshot.ts";
import { takeSnapshot } from "./snapshot/takeSnapshot.ts";
import { trustOf } from "./trustOf.ts";
import { createLocalNames, type LocalNames } from "@crosscall/oracle/server";

/** A chain of a running network, with its controls. */
export interface LocalnetChain extends ChainControls {
  readonly id: number;
  readonly name: string;
  readonly rpcUrl: string;
  readonly contracts: ChainContracts;
}

/** The Solana chain of a running network. */
export interface LocalnetSvm {
  readonly id: number;
  /** URL of the JSON-RPC API. */
  readonly rpcUrl: string;
  /** URL of the websocket for subscriptions: the port after that of `rpcUrl`. */
  readonly websocketUrl: string;
}

/** A running network: chains, contracts, service, solver, oracles. */
export interface Localnet {
  /** Base URL of the service. A worker only serves `/lives`, `/ready` and `/metrics`. */
  readonly url: string;
  /** The web console. */
  readonly consoleUrl: string;
  /**
   * Creates a one-time sign-in link to the web console. The browser can then change the network until this process
   * ends.
   *
   * @throws {@link InvalidStateError} on a worker, which has no console
   */
  createSignInUrl(): string;
  /** URL of the websocket, without the API key. */
  readonly websocketUrl: string;
  /** An API key that the service accepts. */
  readonly apiKey: string;
  /** Key for the admin endpoints (`/admin/…`); random by default. */
  readonly adminKey: string;
  /** The service's settable clock. */
  readonly clock: SettableClock;
  /**
   * Chains in the order of the options. In examples, the first chain is the origin and the second is the destination.
   */
  readonly chains: TwoOrMore<LocalnetChain>;
  readonly accounts: LocalAccounts;
  /** The Solana chain; undefined if the network was started without it, and only simulates it. */
  readonly svm: LocalnetSvm | undefined;
  /** Oracles; undefined if the network was started without oracles. */
  readonly oracle: LocalOracle | undefined;
  /** Holds fills, and releases them one at a time. */
  readonly fills: FillControls;
  /** Controls of failure scenarios. */
  readonly scenarios: ScenarioControls;
  /** The service's wallet, which signs requests and fills. */
  readonly solver: Address;
  /** The addresses of this network, for `verifyQuote` and `executeSteps`. */
  readonly trust: ServiceTrust;
  /**
   * Returns every state change of a request, from its deposit to its final state.
   *
   * @throws RejectionError if the request is unknown
   */
  transitionsOf(requestId: string): Promise<RequestTransition[]>;
  /**
   * Takes a consistent snapshot of chains, database, clock and options, for `from` or `saveSnapshot`.
   *
   * @throws {@link InvalidStateError} if a chain is a node of another process
   */
  snapshot(): Promise<NetworkSnapshot>;
  /** Starts a copy of this network in its current state, on free ports and in memory. */
  fork(): Promise<Localnet>;
  /** Finishes work in progress, then stops everything. */
  close(): Promise<void>;
  /** Closes the network like `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts the service on this machine: two EVM chains with router and depository at their live addresses, crosscall's
 * contracts, the HTTP API, a solver, and two attestation oracles. Works offline.
 *
 * @throws {@link InvalidInputError} when an option cannot be used
 * @throws {@link ChainError} when a given node cannot be used
 * @throws {@link DatabaseError} when the database of `databaseUrl` cannot be used
 * @throws {@link InvalidStateError} when the database belongs to other chains, the database is already in use and
 *   `from` is set, or the port is in use
 */
export async function localnet(given: LocalnetOptions = {}): Promise<Localnet> {
  const options = given.from === undefined ? given : optionsFrom(given.from, given);
  const checked = checkOptions(options);
  const log = createLog(options.logLevel ?? "silent");
  const cleanups: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    // Stops components in reverse order. If one fails, the others still stop.
    for (const cleanup of cleanups.splice(0).reverse()) {
      try {
        await cleanup();
      } catch (error) {
        log.error({ error }, "a component did not stop cleanly");
      }
    }
  };
  try {
    return await start(options, checked, log, cleanups, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(
  options: LocalnetOptions,
  { chains: [originOptions, destinationOptions, ...otherOptions], webhooks }: CheckedOptions,
  log: Log,
  cleanups: (() => Promise<void>)[],
  close: () => Promise<void>,
): Promise<Localnet> {
  // Starts before the chains. Creating the in-process database blocks the event loop for so long that idle connections
  // of the chains' servers would time out.
  const store = await startStore(options, log, cleanups);
  const { from } = options;
  const { listen, hosts = [] } = options;
  // A page cannot use an IP address for DNS rebinding.
  const names = createLocalNames(listen === undefined ? hosts : [...hosts, hostForUrl(listen)]);
  if (from !== undefined) await restoreTables(store.db, from.database);
  const startChains = async () => {
    const prepared = await allOrNothing([
      // Only the first chain has the settlement hub. With two hubs, an execution could run twice.
      startNetworkChain(originOptions, options, { log, names }, cleanups, true),
      startNetworkChain(destinationOptions, options, { log, names }, cleanups),
      ...otherOptions.map((chainOptions) => startNetworkChain(chainOptions, options, { log, names }, cleanups)),
    ]);
    for (const { chain, identity, blockBefore } of prepared) {
      await followChain(store.db, chain.id, identity, blockBefore);
    }
    return prepared;
  };
  const started = await (options.databaseUrl === undefined ? startChains() : startAlone(store.db, startChains));
  const [origin, destination, ...others] = started;
  const chains = started.map(({ chain }) => chain);

  const { apiKeys = [LOCAL_API_KEY], otherApiKeys = [], keys = [], sponsoringApiKeys = [] } = options;
  const clock = await shareClock({ store, log }, options.clock);
  cleanups.push(() => clock.close());
  if (from !== undefined) clock.set(from.clock.now);
  await seedKeys(store.db, { apiKeys, otherApiKeys, keys }, new Date(clock.now()));
  const sponsorBalance = BigInt(options.sponsorBalanceUsd ?? SPONSOR_BALANCE_USD) * USD_ONE;
  for (const apiKey of sponsoringApiKeys) await addSponsor(store.db, hashApiKey(apiKey), sponsorBalance);
  const snapshot = (): Promise<NetworkSnapshot> => takeSnapshot({ options, chains: started, clock, store });
  const chainsById = new Map(chains.map((chain) => [chain.id, chain]));
  const chainControls = new Map(started.map(({ chain, controls }) => [chain.id, controls]));
  const scenarios = await followScenarios(store);
  cleanups.push(() => scenarios.close());
  const randomBytes = (): Uint8Array => crypto.getRandomValues(new Uint8Array(32));
  const randomHex = (): string => Buffer.from(randomBytes()).toString("hex");
  const adminKey = options.adminKey ?? randomHex();
  const networkSecret = await readNetworkSecret(store.db, randomHex());
  let takeArrival: LedgerParts["onArrival"] = () => Promise.reject(new Error("the network is starting"));
  const onArrival: LedgerParts["onArrival"] = (arrival, db) => takeArrival(arrival, db);
  const ledgers = await openLedgers(
    { db: store.db, onLedgerChange: store.onLedgerChange, onArrival, names, clock, log },
    options.svm ?? false,
  );
  for (const ledger of ledgers.values()) cleanups.push(() => ledger.close());
  const market: Market = {
    store,
    ledgers,
    chains: chainsById,
    currencies: createCurrencyTable(chainsById),
    solver: localAccounts.solver,
    clock,
    randomWord: () => bytesToHex(randomBytes()),
    quoteTtlMs: options.quoteTtlMs ?? QUOTE_TTL_MS,
    depositAddressTtlMs: options.depositAddressTtlMs ?? DEPOSIT_ADDRESS_TTL_MS,
    rebalancingBps: options.rebalancingBps ?? 0,
  };
  const solverParts: SolverParts = {
    ...market,
    store,
    deliveryBps: options.deliveryBps ?? 0,
    faults: createFaults({ store, chains: chainsById, chainControls, solver: localAccounts.solver.address }),
    depositTimeoutMs: options.depositTimeoutMs ?? WAIT_TIMEOUT_MS,
    inclusionTimeoutMs: options.inclusionTimeoutMs ?? WAIT_TIMEOUT_MS,
    log,
  };
  const reports = createReports(solverParts);
  takeArrival = async ({ requestId, amount, ...deposit }, db) => {
    await reports.simulatedDeposit(requestId, { ...deposit, amount: amount.toString() }, db);
  };
  const serviceParts: ServiceParts = {
    ...market,
    store,
    clock,
    chainControls,
    keys: openKeyRing(store.db, systemTimer),
    limits: options.limits === "documented" ? DOCUMENTED_LIMITS : NO_LIMITS,
    adminKey,
    networkSecret,
    names,
    defaultApiKey: options.defaultApiKey,
    scenarios,
    keepsRetired: options.keepsRetired,
    strict: options.strict,
    callTimeoutMs: options.callTimeoutMs ?? CALL_TIMEOUT_MS,
    webhooks: { ...webhooks, secretBox: createSecretBox(networkSecret, randomBytes) },
    reports,
    snapshot,
    log,
  };
  const { role } = options;
  if (role !== "service") await startWork({ ...solverParts, ...serviceParts }, options, cleanups);
  const app = await (role === "worker" ? createWorkerApp(serviceParts) : createServiceApp(serviceParts));
  cleanups.push(() => app.close());
  const trust = trustOf(chains, localAccounts.solver.address);
  const [apiKey = ""] = apiKeys;
  const createSignInPath =
    role === "worker"
      ? rejectSignIn
      : await addConsole(app, {
          ...serviceParts,
          access: { isAdmin: options.consoleAdmin ?? false },
          apiKey,
          shownApiKey: apiKey === LOCAL_API_KEY ? apiKey : undefined,
          trust,
        });
  const url = await listenAt(app, options.port ?? 0, listen);
  store.publish(url);
  const oracle =
    role === "worker"
      ? undefined
      : await startOracle(
          options,
          { chains, ledgers, apiKeys: [...apiKeys, ...otherApiKeys], names, clock, log },
          cleanups,
        );

  return {
    url,
    consoleUrl: `${url}${CONSOLE_PATH}`,
    createSignInUrl: () => `${url}${createSignInPath()}`,
    websocketUrl: `${url.replace(/^http/u, "ws")}${WEBSOCKET_PATH}`,
    apiKey,
    adminKey,
    clock,
    chains: [toLocalnetChain(origin), toLocalnetChain(destination), ...others.map(toLocalnetChain)],
    accounts: localAccounts,
    svm: toLocalnetSvm(ledgers),
    oracle,
    fills: createFillControls(serviceParts),
    scenarios: createScenarioControls({ store, clock, scenarios }),
    solver: localAccounts.solver.address,
    trust,
    transitionsOf: (requestId) => readTransitions(store.db, requestId),
    snapshot,
    fork: async () =>
      localnet({
        from: await snapshot(),
        chains: started.map(({ options: { id, forkUrl } }) => ({ id, ...compact({ forkUrl }) })),
        ...compact({ clock: options.clock, logLevel: options.logLevel }),
      }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Starts the tasks of a worker: fills and refunds, webhooks, and the deletion of old data. */
async function startWork(
  parts: ServiceParts & SolverParts,
  { retentionMonths: months, deliveryRetentionDays: deliveryDays }: LocalnetOptions,
  cleanups: (() => Promise<void>)[],
): Promise<void> {
  const webhooks = await startWebhooks(parts);
  cleanups.push(() => webhooks.close());
  const solver = await startSolver(parts);
  cleanups.push(() => solver.close());
  if (months === undefined && deliveryDays === undefined) return;
  const retention = startRetention(parts, { months, deliveryDays });
  cleanups.push(() => retention.close());
}

function rejectSignIn(): never {
  throw new InvalidStateError({
    message: "a worker has no console",
    hint: "Open the console of a process that runs the service.",
  });
}

function toLocalnetChain({ chain, controls }: StartedChain): LocalnetChain {
  const { id, name, rpcUrl, contracts } = chain;
  return { id, name, rpcUrl, contracts, ...controls };
}

function toLocalnetSvm(ledgers: ReadonlyMap<number, Ledger>): LocalnetSvm | undefined {
  const ledger = ledgers.get(SVM_CHAIN_ID);
  if (ledger === undefined) return undefined;
  return { id: SVM_CHAIN_ID, rpcUrl: ledger.url, websocketUrl: ledger.websocketUrl ?? "" };
}

/** Waits for all parts before it fails, so that every started part is stopped. */
async function allOrNothing<Parts extends readonly Promise<unknown>[]>(
  parts: readonly [...Parts],
): Promise<{ -readonly [Index in keyof Parts]: Awaited<Parts[Index]> }> {
  await Promise.allSettled(parts);
  return Promise.all(parts);
}

async function startStore(
  { databaseFolder, databaseUrl }: LocalnetOptions,
  log: Log,
  cleanups: (() => Promise<void>)[],
): Promise<Store> {
  const store = await openStore({
    ...(databaseFolder === undefined ? {} : { folder: databaseFolder }),
    ...(databaseUrl === undefined ? {} : { url: databaseUrl }),
    onError: (error) => log.error({ error }, "the job queue failed"),
  });
  cleanups.push(() => store.close());
  return store;
}

async function startOracle(
  { oracle = true, oraclePort: port = 0 }: LocalnetOptions,
  parameters: Omit<LocalOraclesParameters, "port">,
  cleanups: (() => Promise<void>)[],
): Promise<LocalOracle | undefined> {
  if (!oracle) return undefined;
  const started = await startLocalOracles({ ...parameters, port });
  cleanups.push(() => started.close());
  return started.oracle;
}

async function startNetworkChain(
  options: ChainOptions,
  { protocols, router, from, like, tokens = [], listen }: LocalnetOptions,
  { log, names }: { readonly log: Log; readonly names: LocalNames },
  cleanups: (() => Promise<void>)[],
  hasHub = false,
): Promise<StartedChain> {
  const live = like === undefined ? undefined : findLiveChain(options.id);
  const prepared = { hasHub, given: givenTokens(tokens, options.id), ...compact({ protocols, router, live }) };
  const state = from === undefined ? undefined : chainStateOf(from, options.id);
  const started = await startChain(options, log, prepared, state, { names, listen });
  // Chains stop last, since work in progress still uses them.
  cleanups.unshift(() => started.close());
  return started;
}
