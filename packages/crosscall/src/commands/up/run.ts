import { compact, InvalidInputError, InvalidStateError, type LogLevel } from "@crosscall/protocol/core";
import type { LocalRouterVersion } from "@crosscall/protocol/generations";
import { LIVE_CHAIN_OPTIONS } from "../../localnet/devchain/likeMainnet.ts";
import type { ChainOptions, Protocol, TokenOptions } from "../../localnet/devchain/options.ts";
import { isLoopback } from "@crosscall/oracle/server";
import { DEFAULT_CHAINS } from "../../localnet/defaults.ts";
import type { LocalnetOptions } from "../../localnet/index.ts";
import { ADMIN_ROUTES } from "../../localnet/service/admin/routes.ts";
import { loadSnapshot } from "../../localnet/snapshot/networkSnapshot.ts";
import { type ChainBehavior, toChainOptions } from "../../options/chains.ts";
import type { Command } from "../../options/command.ts";
import { startNetwork, toNetworkJson, toNetworkText, toWorkerJson, toWorkerText } from "../../terminal/startNetwork.ts";
import { interruptOnCtrlC } from "../../terminal/interrupt.ts";
import { Stages } from "../../terminal/stages.ts";
import {
  isAlive,
  type RememberedNetwork,
  readRemembered,
  rememberNetwork,
  rememberStop,
} from "../../options/rememberedNetwork.ts";
import { choosePorts } from "./ports.ts";
import { writeNotice, writeOutput } from "../../terminal/output.ts";

interface UpOptions extends ChainBehavior {
  readonly chain?: readonly ChainOptions[];
  readonly likeMainnet?: boolean;
  readonly chains?: readonly ChainOptions[];
  readonly svm?: boolean;
  readonly token: readonly TokenOptions[];
  readonly protocols?: readonly Protocol[];
  readonly router?: LocalRouterVersion;
  readonly database?: string;
  readonly databaseUrl?: string;
  readonly retentionMonths?: number;
  readonly deliveryRetentionDays?: number;
  readonly role?: "service" | "worker";
  readonly listen?: string;
  readonly port?: number;
  readonly rpcPort?: number;
  readonly oracle: boolean;
  readonly oraclePort?: number;
  readonly deliveryBps?: number;
  readonly from?: string;
  readonly apiKey: readonly string[];
  readonly defaultApiKey?: string;
  readonly limits: "documented" | "off";
  readonly keepRetired?: boolean;
  readonly strict?: boolean;
  readonly allowWebhookHosts: readonly string[];
  readonly adminKey?: string;
  readonly host: readonly string[];
  readonly consoleAdmin?: boolean;
  readonly logLevel: LogLevel;
  readonly json?: boolean;
}

/** Milliseconds to wait for a response of this folder's network. */
const RUNNING_TIMEOUT_MS = 2_000;

export async function runUp(options: UpOptions, command: Command): Promise<void> {
  using interrupt = interruptOnCtrlC();
  const stages = new Stages({ isSilent: options.json === true, signal: interrupt.signal });
  const isWorker = options.role === "worker";
  // Remembers neither a network on free ports, which is temporary, nor a worker, which has no API for commands.
  const isRemembered = options.port !== 0 && !isWorker;
  const from = options.from === undefined ? undefined : await loadSnapshot(options.from);
  const remembered: RememberedNetwork = isRemembered ? readRemembered() : { rpcUrls: {} };
  await requireNoOther(remembered, options, interrupt.signal);
  const ports = await choosePorts(
    options,
    toChainOptions(chainsOf(options), options) ?? from?.chains.map(({ id }) => ({ id })) ?? DEFAULT_CHAINS,
    remembered,
  );
  const network = await startNetwork(stages, interrupt.signal, {
    // A network from a snapshot does not reuse the remembered key.
    ...(from === undefined ? compact({ adminKey: remembered.adminKey }) : {}),
    ...toLocalnetOptions(options, command),
    ...ports,
    ...compact({ from }),
  });
  try {
    if (isRemembered) {
      await rememberNetwork(network, {
        hasApiKey: options.apiKey.length > 0,
        hasAdminKey: isGiven(options.adminKey),
      });
    }
    if (options.listen !== undefined && !isWorker) warnOfReach(options.listen, network.url);
    if (options.json === true) {
      writeOutput(`${JSON.stringify(isWorker ? toWorkerJson(network) : toNetworkJson(network))}\n`);
    } else {
      writeOutput(isWorker ? toWorkerText(network) : toNetworkText(network));
    }
    await interrupt.fired;
  } finally {
    await network.close();
    if (isRemembered) await rememberStop(remembered);
  }
}

/**
 * Throws if this folder's network is already running, unless the new one gets another port.
 *
 * @throws {@link InvalidStateError} if it is running
 */
async function requireNoOther(
  remembered: RememberedNetwork,
  { port, adminKey }: UpOptions,
  signal: AbortSignal,
): Promise<void> {
  const { url, adminKey: ownKey, pid } = remembered;
  if (url === undefined || (port !== undefined && port !== Number(new URL(url).port))) return;
  // Another program, or the network of another folder, rejects the key. So does this folder's network, if it has a
  // different key.
  const isRunning = await fetch(`${url}${ADMIN_ROUTES.clock.read.path}`, {
    headers: { "x-admin-key": (isGiven(adminKey) ? adminKey : ownKey) ?? "" },
    redirect: "manual",
    signal: AbortSignal.any([signal, AbortSignal.timeout(RUNNING_TIMEOUT_MS)]),
  }).then(
    ({ ok, status }) => ok || (status === 401 && isAlive(remembered)),
    () => false,
  );
  signal.throwIfAborted();
  if (!isRunning) return;
  const kill = pid === undefined ? "" : `, or run \`kill ${pid}\``;
  throw new InvalidStateError({
    message: `the network of this folder is already running at ${url}`,
    hint: `\`crosscall status\` shows it, and all commands in this folder use it. To stop it, press Ctrl-C in its terminal${kill}. For a second network, use another folder or another --port.`,
  });
}

/** Returns the chains. A chain from `--chain` replaces the live chain with the same id. */
function chainsOf({ chain, chains, likeMainnet }: UpOptions): readonly ChainOptions[] | undefined {
  if (chains !== undefined && likeMainnet !== true) {
    throw new InvalidInputError({
      field: "chains",
      value: chains.map(({ id }) => id).join(","),
      reason: "it selects live chains, which only --like-mainnet copies",
      hint: "Add --like-mainnet, or use --chain.",
    });
  }
  if (likeMainnet !== true || (chain !== undefined && chains === undefined)) return chain;
  const named = chains ?? LIVE_CHAIN_OPTIONS;
  const given = chain ?? [];
  return [...named.filter(({ id }) => given.every((other) => other.id !== id)), ...given];
}

function warnOfReach(address: string, url: string): void {
  if (isLoopback(address) || address === "::1") return;
  writeNotice(
    `The service and the chains of this process listen on ${address}: anyone who can reach port ${new URL(url).port} under a --host name can use the public API, and anyone who can reach a chain can change it.\n`,
  );
}

function toLocalnetOptions(options: UpOptions, command: Command): LocalnetOptions {
  return {
    ...(options.likeMainnet === true ? { like: "mainnet" as const } : {}),
    ...(options.svm === true ? { svm: true } : {}),
    ...(options.token.length === 0 ? {} : { tokens: options.token }),
    ...compact({
      protocols: options.protocols,
      router: options.router,
      role: options.role,
      listen: options.listen,
    }),
    ...toDatabase(options, command),
    ...(options.retentionMonths === undefined ? {} : { retentionMonths: options.retentionMonths }),
    ...(options.deliveryRetentionDays === undefined ? {} : { deliveryRetentionDays: options.deliveryRetentionDays }),
    ...(options.apiKey.length === 0 ? {} : { apiKeys: options.apiKey }),
    ...(options.defaultApiKey === undefined ? {} : { defaultApiKey: options.defaultApiKey }),
    limits: options.limits,
    keepsRetired: options.keepRetired === true,
    strict: options.strict === true,
    ...(options.allowWebhookHosts.length === 0 ? {} : { webhooks: { allowHosts: options.allowWebhookHosts } }),
    oracle: options.oracle,
    ...(options.deliveryBps === undefined ? {} : { deliveryBps: options.deliveryBps }),
    ...(isGiven(options.adminKey) ? { adminKey: options.adminKey } : {}),
    hosts: options.host,
    consoleAdmin: options.consoleAdmin === true,
    logLevel: options.logLevel,
  };
}

/** Returns whether a key is given. Shell scripts pass an empty value for an unset variable. */
function isGiven(key: string | undefined): key is string {
  return key !== undefined && key !== "";
}

/** Selects the database. A given folder takes precedence over a server from the environment. */
function toDatabase({ database, databaseUrl }: UpOptions, command: Command): LocalnetOptions {
  const isOverruled = database !== undefined && command.getOptionValueSource("databaseUrl") === "env";
  return {
    ...(database === undefined ? {} : { databaseFolder: database }),
    ...(databaseUrl === undefined || isOverruled ? {} : { databaseUrl }),
  };
}
