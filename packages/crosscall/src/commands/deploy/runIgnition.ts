import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import {
  type Artifact as IgnitionArtifact,
  type ArtifactResolver,
  buildModule,
  deploy,
  type DeploymentResult,
  DeploymentResultType,
  type IgnitionModule,
  status,
  wipe,
} from "@nomicfoundation/ignition-core";
import type { Hex, PrivateKeyAccount } from "viem";
import { CREATE2_FACTORY, deploymentData } from "@crosscall/protocol/chains";
import {
  abortable,
  ChainError,
  compact,
  CrosscallError,
  InvalidStateError,
  sleep,
  TimedOutError,
  TransactionFailedError,
} from "@crosscall/protocol/core";

import type { Target } from "../../options/target.ts";
import { HARDHAT_ERRORS, isHardhatError } from "./hardhatError.ts";
import type { PlannedContract } from "./plan.ts";
import { createSigningProvider } from "./signingProvider.ts";

const POLL_INTERVAL_MS = 500;

/** Maximum number of rounds after the journal is reconciled with the chain. */
const MAX_ROUNDS = 20;

const { NONCE_TOO_HIGH, NONCE_TOO_LOW, TRANSACTION_LOST, WAITING_FOR_CONFIRMATIONS, WAITING_FOR_NONCE } =
  HARDHAT_ERRORS;

// Resolver that resolves nothing, because modules contain their artifacts.
const noArtifacts: ArtifactResolver = {
  loadArtifact: (name) => Promise.reject(new Error(`the module does not contain the artifact of ${name}`)),
  getBuildInfo: () => Promise.resolve(undefined),
};

interface RunIgnitionParameters {
  readonly target: Target;
  readonly account: PrivateKeyAccount;
  readonly contracts: readonly PlannedContract[];
  readonly journalFolder: string;
  /** Number of confirmations. Defaults to 1 on chains that mine each transaction immediately, and to 5 on others. */
  readonly confirmations: number | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onSent: (hash: Hex) => void;
}

/**
 * Deploys the missing contracts with Ignition. The chain takes precedence: journal entries of earlier runs are dropped
 * if they contradict the chain, but kept while their transactions are pending.
 */
export async function runIgnition(parameters: RunIgnitionParameters): Promise<void> {
  const { target, signal, timeoutMs } = parameters;
  const timeout = new AbortController();
  const timer = setTimeout(() => {
    timeout.abort(
      new TimedOutError({
        what: `the deployment on chain ${target.chainId}`,
        timeoutMs,
        hint: "Run the command again to continue. On a node that mines only on demand, use --confirmations 1.",
      }),
    );
  }, timeoutMs);
  try {
    await runRounds({ ...parameters, signal: AbortSignal.any([signal, timeout.signal]) });
  } finally {
    clearTimeout(timer);
  }
}

async function runRounds(parameters: RunIgnitionParameters): Promise<void> {
  const { target, contracts, journalFolder, signal } = parameters;
  let last: Round | undefined;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const absent = await findAbsent(target, contracts);
    const underWay = await reconcileJournal(journalFolder, contracts, absent);
    const rest = contracts.filter((contract) => absent.has(contract.name) || underWay.has(contract.name));
    if (rest.length === 0) return;
    if (last?.next === "give up") throw failure(target, [...absent], last.reason);
    last = await abortable(runOnce(parameters, rest), signal, "the deployment");
    if (last.next === "wait") await sleep(POLL_INTERVAL_MS, signal, "the deployment");
  }
  throw failure(target, [...(await findAbsent(target, contracts))], last?.reason);
}

function failure(target: Target, names: readonly string[], reason: string | undefined): TransactionFailedError {
  return new TransactionFailedError({
    message: `${names.join(", ")} could not be deployed on chain ${target.chainId}: ${reason ?? "the code is not on the chain"}`,
    hint: "Check the arguments, the deployer's balance and the block gas limit, then run the command again to continue.",
    chainId: target.chainId,
  });
}

async function findAbsent({ client }: Target, contracts: readonly PlannedContract[]): Promise<Set<string>> {
  const codes = await Promise.all(contracts.map(({ address }) => client.getCode({ address })));
  return new Set(contracts.filter((_, index) => codes[index] === undefined).map(({ name }) => name));
}

/**
 * Drops failures from the journal, and successes that are not on the chain.
 *
 * @returns names of contracts with pending transactions
 */
async function reconcileJournal(
  journalFolder: string,
  contracts: readonly PlannedContract[],
  absent: ReadonlySet<string>,
): Promise<Set<string>> {
  if (!existsSync(join(journalFolder, "journal.jsonl"))) return new Set();
  const { successful, started, failed, timedOut } = await status(journalFolder);
  const ended = [...failed, ...timedOut].map(({ futureId }) => futureId);
  const known = [...successful, ...started, ...ended];
  // Also drops contracts of earlier plans, because a failed one would block every later run.
  for (const id of ended) await wipeFuture(journalFolder, id, known);
  for (const contract of contracts) {
    const { create } = journalIds(contract);
    if (absent.has(contract.name) && successful.includes(create)) await wipeFuture(journalFolder, create, known);
  }
  const isUnderWay = (contract: PlannedContract): boolean => started.includes(journalIds(contract).create);
  return new Set(contracts.filter(isUnderWay).map(({ name }) => name));
}

/** Deletes pending entries, because their outcome is read from the chain. */
async function wipeStarted(journalFolder: string, contracts: readonly PlannedContract[]): Promise<void> {
  const { successful, started } = await status(journalFolder);
  for (const { create } of contracts.map(journalIds)) {
    if (started.includes(create)) await wipeFuture(journalFolder, create, [...successful, ...started]);
  }
}

/** Deletes a future after its dependents, as Ignition requires. */
async function wipeFuture(journalFolder: string, create: string, known: readonly string[]): Promise<void> {
  const contract = create.replace(/#create$/u, "#contract");
  if (contract !== create && known.includes(contract)) await wipe(journalFolder, noArtifacts, contract);
  await wipe(journalFolder, noArtifacts, create);
}

/** Reason and next action after a round that did not deploy all contracts. */
interface Round {
  readonly next: "look again" | "wait" | "give up";
  readonly reason?: string;
}

async function runOnce(parameters: RunIgnitionParameters, contracts: readonly PlannedContract[]): Promise<Round> {
  const { target, account, journalFolder, confirmations, signal, onSent } = parameters;
  await mkdir(journalFolder, { recursive: true });
  try {
    const result = await deploy({
      config: compact({ blockPollingInterval: POLL_INTERVAL_MS, requiredConfirmations: confirmations }),
      artifactResolver: noArtifacts,
      provider: createSigningProvider(target, { account, signal, onSent }),
      deploymentDir: journalFolder,
      ignitionModule: buildModules(contracts),
      deploymentParameters: {},
      accounts: [account.address],
      defaultSender: account.address,
    });
    return await judge(result, journalFolder);
  } catch (error) {
    if (isHardhatError(error, [TRANSACTION_LOST])) {
      // An earlier process ended between choosing the nonce and receiving the hash. Sending again is safe, because the
      // factory deploys a contract once and the chain is checked first.
      await untilSettled(parameters);
      await wipe(journalFolder, noArtifacts, String(error.messageArguments.futureId));
      return { next: "look again", reason: error.message };
    }
    if (error instanceof CrosscallError || !(error instanceof Error)) throw error;
    if (isHardhatError(error, [WAITING_FOR_CONFIRMATIONS, WAITING_FOR_NONCE]))
      return { next: "wait", reason: error.message };
    if (isHardhatError(error, [NONCE_TOO_HIGH, NONCE_TOO_LOW])) {
      // Ignition does not know the state of these transactions: the node either has them or dropped them.
      await untilSettled(parameters);
      await wipeStarted(journalFolder, contracts);
      return { next: "wait", reason: error.message };
    }
    throw new ChainError({
      message: `the deployment on chain ${target.chainId} stopped: ${error.message}`,
      hint: "Check the node and the deployer's balance, then run the command again to continue.",
      chainId: target.chainId,
      cause: error,
    });
  }
}

async function judge(result: DeploymentResult, journalFolder: string): Promise<Round> {
  switch (result.type) {
    case DeploymentResultType.SUCCESSFUL_DEPLOYMENT:
      return { next: "look again" };
    case DeploymentResultType.PREVIOUS_RUN_ERROR:
      return { next: "look again", reason: describe(result.errors) };
    case DeploymentResultType.RECONCILIATION_ERROR: {
      // Another deployer sent the transaction, or a contract on which the transaction depends now exists.
      const { successful, started } = await status(journalFolder);
      for (const id of Object.keys(result.errors)) await wipeFuture(journalFolder, id, [...successful, ...started]);
      return { next: "look again", reason: describe(result.errors) };
    }
    case DeploymentResultType.EXECUTION_ERROR:
      return {
        next: "give up",
        reason: [
          ...result.failed.map(({ error }) => error),
          ...result.timedOut.map(({ futureId }) => `${futureId} was not included before the timeout`),
        ].join("; "),
      };
    case DeploymentResultType.VALIDATION_ERROR:
      throw new InvalidStateError({
        message: `Ignition rejects the module: ${describe(result.errors)}`,
        hint: "Report this error with the parameters file.",
      });
  }
}

function describe(errors: Readonly<Record<string, string[]>>): string {
  return Object.values(errors).flat().join("; ");
}

/** Waits until the account has no pending transaction. */
async function untilSettled({ target, account, signal }: RunIgnitionParameters): Promise<void> {
  const { address } = account;
  for (;;) {
    const [latest, pending] = await Promise.all([
      target.client.getTransactionCount({ address, blockTag: "latest" }),
      target.client.getTransactionCount({ address, blockTag: "pending" }),
    ]);
    if (pending <= latest) return;
    await sleep(POLL_INTERVAL_MS, signal, "the wait for the deployer's transactions");
  }
}

interface JournalIds {
  readonly module: string;
  readonly create: string;
  readonly contract: string;
}

/**
 * Returns Ignition's ids of a contract. They include the address, which is derived from code and arguments, so that
 * they match only this deployment.
 */
function journalIds({ contract, address }: PlannedContract): JournalIds {
  const module = `${contract}_${address.slice(2).toLowerCase()}`;
  return { module, create: `${module}#create`, contract: `${module}#contract` };
}

/** Builds one Ignition module per contract, each after its dependencies, and one module that joins them. */
function buildModules(contracts: readonly PlannedContract[]): IgnitionModule {
  const modules = new Map<string, IgnitionModule>();
  for (const contract of contracts) {
    const needed = contract.needs.flatMap((name) => modules.get(name) ?? []);
    modules.set(contract.name, contractModule(contract, needed));
  }
  return buildModule("crosscall", (m) => {
    for (const module of modules.values()) m.useModule(module);
    return {};
  });
}

/** Builds a contract's module. Ignition's own `create2` strategy uses another factory. */
function contractModule(contract: PlannedContract, needed: IgnitionModule[]): IgnitionModule {
  const { artifact, args, address } = contract;
  return buildModule(journalIds(contract).module, (m) => {
    const create = m.send("create", CREATE2_FACTORY, 0n, deploymentData({ artifact, args }), { after: needed });
    // Ignition reads artifact fields that the kit's type does not declare.
    const full = artifact as IgnitionArtifact;
    return { contract: m.contractAt(contract.contract, full, address, { id: "contract", after: [create] }) };
  });
}
