import { join, resolve } from "node:path";

import { type Address, BaseError, formatEther, type Hex, RpcRequestError, size } from "viem";

import { CREATE2_FACTORY, creationCode, deploymentData, InsufficientFundsError } from "@crosscall/protocol/chains";
import { abortable, InvalidInputError, InvalidStateError, TransactionFailedError } from "@crosscall/protocol/core";
import type { Build } from "../../artifacts.ts";
import { parsePrivateKey } from "../../options/privateKey.ts";
import { asChainError, connectTarget, requireFactory, type Target } from "../../options/target.ts";
import { compileContracts } from "../../terminal/compileContracts.ts";
import type { Stages } from "../../terminal/stages.ts";
import { catalogueEntries, sourcesOf, readParameters } from "./catalogue.ts";
import { planDeployment, type PlannedContract } from "./plan.ts";
import { readRecord, writeRecord } from "./record.ts";
import { buildOf, compareWithRelease, LOCAL_CHAIN_IDS, readRelease, serviceOn } from "./release.ts";
import { surveyChain, type SurveyedContract } from "./survey.ts";
import { type Explorer, loadVerifier, verifySources } from "./verifySources.ts";

/** Code that reads slot 0 of transient storage and stops. */
const TRANSIENT_LOAD = "0x60005c";

/** Returns the build that runs on the chain: the release's, unless the chain lacks transient storage. */
export async function findBuild({ chainId, client }: Target): Promise<Build> {
  const build = buildOf(chainId);
  if (build === "london") return build;
  try {
    await client.request({ method: "eth_call", params: [{ data: TRANSIENT_LOAD }, "latest"] });
    return build;
  } catch (error) {
    // Error messages of nodes for a missing opcode; other errors are unrelated.
    const cause = error instanceof BaseError && error.walk((inner) => inner instanceof RpcRequestError);
    if (!(cause instanceof RpcRequestError)) throw error;
    return /opcode|instruction|invalid_operation|not ?activated/iu.test(cause.details) ? "london" : build;
  }
}

const IGNITION = "@nomicfoundation/ignition-core@3";

const ONE_GWEI = 1_000_000_000n;

// EVM gas costs, to estimate constructors that need a contract that is not deployed yet. Nodes cannot estimate these.
const BASE_GAS = 21_000n + 32_000n;
const GAS_PER_CALL_DATA_BYTE = 16n;
const GAS_PER_CODE_BYTE = 200n;
const CONSTRUCTOR_GAS = 300_000n;

/** @returns maximum cost of the deployments, in wei */
async function requireFunds(target: Target, account: Address, contracts: readonly PlannedContract[]): Promise<bigint> {
  const [balance, feePerGas, ...gas] = await Promise.all([
    target.client.getBalance({ address: account }),
    readFeePerGas(target),
    ...contracts.map((contract) => estimateGas(target, account, contract)),
  ]);
  const needed = gas.reduce((sum, amount) => sum + amount, 0n) * feePerGas;
  if (balance < needed) throw new InsufficientFundsError({ chainId: target.chainId, account, balance, needed });
  return needed;
}

async function estimateGas({ client }: Target, account: Address, contract: PlannedContract): Promise<bigint> {
  const deployable = { artifact: contract.artifact, args: contract.args };
  try {
    return await client.estimateGas({ account, to: CREATE2_FACTORY, data: deploymentData(deployable) });
  } catch {
    return (
      BASE_GAS +
      CONSTRUCTOR_GAS +
      BigInt(size(creationCode(deployable))) * GAS_PER_CALL_DATA_BYTE +
      BigInt(size(contract.artifact.deployedBytecode)) * GAS_PER_CODE_BYTE
    );
  }
}

/** Reads Ignition's fee: twice the base fee plus the tip, or the gas price of older chains. */
async function readFeePerGas({ client }: Target): Promise<bigint> {
  const { baseFeePerGas } = await client.getBlock();
  if (baseFeePerGas === null) return client.getGasPrice();
  const tip = await client.estimateMaxPriorityFeePerGas().catch(() => ONE_GWEI);
  return baseFeePerGas * 2n + tip;
}

export interface DeploymentOptions {
  /** Can be undefined only in a dry run. */
  readonly rpcUrl: string | undefined;
  readonly privateKey: string | undefined;
  /** `--private-key` by default. */
  readonly privateKeyField?: string;
  readonly chainId: number | undefined;
  readonly parametersPath: string | undefined;
  readonly only: readonly string[];
  readonly isDryRun: boolean;
  readonly confirmations: number | undefined;
  readonly timeoutMs: number;
  /**
   * Folder for records and Ignition's journals. Defaults to `.crosscall/deployments` for local chains, else
   * `deployments`.
   */
  readonly folder: string | undefined;
  /** Folder against which relative paths are resolved. */
  readonly root?: string;
  readonly explorer: Explorer | undefined;
  /** Called before the first transaction is sent; throws to cancel. */
  readonly confirm: ((question: string) => Promise<void>) | undefined;
}

export interface DeploymentOutcomeContract {
  readonly name: string;
  readonly contract: string;
  readonly address: Address;
  /** `unknown` in a dry run without a chain. */
  readonly state: "absent" | "deployed" | "standing" | "unknown";
}

export interface DeploymentOutcome {
  readonly chainId: number | undefined;
  readonly deployer: Address | undefined;
  readonly contracts: readonly DeploymentOutcomeContract[];
  /** Differences between the plan and the release's record of the chain. */
  readonly notes: readonly string[];
  /** Hashes of this run's transactions. */
  readonly transactions: readonly Hex[];
  /** Path of the record; undefined in a dry run. */
  readonly file: string | undefined;
}

export async function runDeployment(
  options: DeploymentOptions,
  stages: Stages,
  signal: AbortSignal,
): Promise<DeploymentOutcome> {
  const { rpcUrl, isDryRun } = options;
  const { privateKey, privateKeyField = "--private-key" } = options;
  const account = privateKey === undefined ? undefined : parsePrivateKey(privateKey, privateKeyField);
  const requests = await readParameters(options.parametersPath);
  // Loads both early, so that a missing package fails before a transaction is sent.
  if (options.explorer !== undefined) await loadVerifier();
  const ignition = account === undefined || isDryRun ? undefined : await loadIgnition();
  const compile = (build: Build): Promise<void> =>
    compileContracts(
      signal,
      catalogueEntries().flatMap(([, entry]) => sourcesOf(entry)),
      build,
    );
  const usual = buildOf(options.chainId);
  await stages.run("Compile the contracts", () => compile(usual));
  const planned = planDeployment(requests, options.only, usual, serviceOn(options.chainId));
  if (rpcUrl === undefined) {
    if (!isDryRun) throw missing("--rpc-url", "CROSSCALL_RPC_URL", "no chain was given for the deployment");
    const { chainId } = options;
    const notes = chainId === undefined ? [] : compareWithRelease(chainId, planned, await readRelease(chainId));
    const contracts = planned.map((contract) => ({ ...describe(contract), state: "unknown" as const }));
    return { chainId, deployer: account?.address, contracts, notes, transactions: [], file: undefined };
  }

  const { target, plan, notes, before, record, folder, file } = await stages.run(
    "Survey the chain",
    async ({ note }) => {
      const connected = await abortable(
        connectTarget(rpcUrl, options.chainId, signal),
        signal,
        "the survey of the chain",
      );
      const build = await onChain(connected, signal, () => findBuild(connected));
      if (build !== usual) await compile(build);
      const contracts = planDeployment(requests, options.only, build, serviceOn(connected.chainId));
      const remarks = compareWithRelease(connected.chainId, contracts, await readRelease(connected.chainId));
      const folder = folderOf(options, connected.chainId);
      const path = join(folder, `${connected.chainId}.json`);
      const earlier = await readRecord(path, connected.chainId);
      const surveyed = await onChain(connected, signal, async () => {
        await requireFactory(connected);
        return surveyChain(connected, contracts);
      });
      note(`chain ${connected.chainId}: ${absentOf(surveyed).length} of ${contracts.length} to deploy`);
      for (const remark of remarks) note(remark);
      return {
        target: connected,
        plan: contracts,
        notes: remarks,
        before: surveyed,
        record: earlier,
        folder,
        file: path,
      };
    },
  );
  const { chainId } = target;
  // The constructors of these contracts deploy the others.
  const sendable = plan.filter(({ creator }) => creator === CREATE2_FACTORY);
  const absent = absentOf(before).filter((contract) => sendable.includes(contract));
  const deployer = account?.address;
  if (isDryRun) {
    const contracts = before.map(({ contract, standing }) => ({ ...describe(contract), state: standing.state }));
    return { chainId, deployer, contracts, notes, transactions: [], file: undefined };
  }

  const transactions: Hex[] = [];
  if (account !== undefined && ignition !== undefined) {
    const cost = await onChain(target, signal, () => requireFunds(target, account.address, absent));
    if (absent.length > 0) {
      await options.confirm?.(
        `Send ${absent.length === 1 ? "1 transaction" : `${absent.length} transactions`} to chain ${chainId} from ${account.address}, for up to ${formatEther(cost)} of its native currency?`,
      );
    }
    // Runs even if no contract is missing, because an interrupted run can leave unconfirmed transactions.
    await stages.run(`Deploy ${absent.length} of ${sendable.length} contracts`, async ({ update, note }) => {
      const onSent = (hash: Hex): void => {
        transactions.push(hash);
        update(`${transactions.length} transactions sent`);
      };
      const { confirmations, timeoutMs } = options;
      const journalFolder = join(folder, ".ignition", String(chainId));
      const run = { target, account, contracts: sendable, journalFolder, confirmations, timeoutMs, signal, onSent };
      await onChain(target, signal, () => ignition.runIgnition(run));
      note(`${transactions.length} transactions by ${account.address}`);
    });
  } else if (absent.length > 0) {
    throw missing("--private-key", "CROSSCALL_PRIVATE_KEY", `${absent.length} contracts must be deployed`);
  }

  const after = await stages.run("Compare the code with the build", async ({ note }) => {
    const surveyed = await onChain(target, signal, () => surveyChain(target, plan));
    requireAllStanding(target, surveyed);
    for (const { contract, standing } of surveyed) {
      if (standing.state === "absent" || standing.match === "exact") continue;
      note(`${contract.name}: the values of the immutables could not be computed`);
    }
    return surveyed;
  });

  await stages.run("Write the record", async ({ note }) => {
    const isChanged = await onChain(target, signal, () => writeRecord(target, file, record, after));
    note(`${file} ${isChanged ? "written" : "unchanged"}`);
  });

  const { explorer } = options;
  if (explorer !== undefined) {
    await stages.run("Verify the sources on the explorer", ({ note, update }) =>
      abortable(
        verifySources({
          chainId,
          rpcUrl,
          explorer,
          contracts: plan,
          signal,
          onVerified({ name }, url) {
            update(name);
            note(`${name}: ${url}`);
          },
        }),
        signal,
        "the verification",
      ),
    );
  }
  const contracts = before.map(({ contract, standing }) => ({
    ...describe(contract),
    state: standing.state === "absent" ? ("deployed" as const) : standing.state,
  }));
  return { chainId, deployer, contracts, notes, transactions, file };
}

/** @throws {@link InvalidStateError} if Ignition is not installed */
async function loadIgnition() {
  try {
    return await import("./runIgnition.ts");
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "ERR_MODULE_NOT_FOUND")) throw cause;
    throw new InvalidStateError({
      message: "Hardhat Ignition, which sends the transactions, is not installed",
      hint:
        `Install it in the project: npm install --save-dev ${IGNITION}, or run ` +
        `npx --package ${IGNITION} --package crosscall crosscall deploy.`,
      cause,
    });
  }
}

function folderOf({ folder, root }: DeploymentOptions, chainId: number): string {
  const chosen = folder ?? (LOCAL_CHAIN_IDS.includes(chainId) ? ".crosscall/deployments" : "deployments");
  return root === undefined ? chosen : resolve(root, chosen);
}

/** Runs RPC requests that stop when the signal fires. Converts their errors to the kit's. */
function onChain<Result>({ chainId }: Target, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  return abortable(asChainError(chainId, work), signal, "the deployment");
}

function describe({ name, contract, address }: PlannedContract): Omit<DeploymentOutcomeContract, "state"> {
  return { name, contract, address };
}

function absentOf(surveyed: readonly SurveyedContract[]): PlannedContract[] {
  return surveyed.flatMap(({ contract, standing }) => (standing.state === "absent" ? [contract] : []));
}

function requireAllStanding(target: Target, surveyed: readonly SurveyedContract[]): void {
  const [first] = absentOf(surveyed);
  if (first === undefined) return;
  throw new TransactionFailedError({
    message: `${first.name} is no longer at ${first.address} on chain ${target.chainId}: its block was replaced`,
    hint: "Run the command again with more --confirmations.",
    chainId: target.chainId,
  });
}

function missing(field: string, variable: string, reason: string): InvalidInputError {
  return new InvalidInputError({
    field,
    value: undefined,
    reason,
    hint: `Pass it with the option or in ${variable}, or use --dry-run, which does not need it.`,
  });
}
