import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { InvalidInputError } from "@crosscall/protocol/core";
import { vmCodecOf } from "@crosscall/protocol/vms";
import type { Static, TSchema } from "typebox";
import { Convert, Errors } from "typebox/value";

import {
  AdditionalDataSchema,
  type ChainConfig,
  ChainFileEntrySchema,
  FinalityTierSchema,
  type HubConfig,
  HubFileSchema,
} from "../chainFiles.ts";
import { vmFamilyOf } from "../vms/vmFamilyOf.ts";
import type { ReportSetting } from "../vms/vmChain.ts";
import {
  type ConfigurationProblem,
  type Environment,
  OracleConfigurationError,
  type ReportProblem,
  type Reports,
} from "./environment.ts";
import { countEndpoints, findSharedProvider } from "./sharedProviders.ts";
import { type OracleSettings, readSettings } from "./settings.ts";

export type DisabledChains = Readonly<Record<string, readonly string[]>>;

export interface OracleConfiguration {
  readonly settings: OracleSettings;
  readonly chains: readonly ChainConfig[];
  readonly hub: HubConfig;
  /** Omitted chains by id, with the unset variables and missing fields that each chain requires. */
  readonly disabledChains?: DisabledChains;
  /** Problems of parts that the oracle can start without. */
  readonly warnings?: readonly ConfigurationProblem[];
}

/**
 * Reads the environment variables and the chain files that `ENVIRONMENT` selects. Omits chains with unset variables, so
 * that attestations for these chains fail.
 *
 * @param folder folder with the chain files
 * @throws {@link OracleConfigurationError} that lists all problems without values
 */
export async function loadConfiguration(env: Environment, folder: string): Promise<OracleConfiguration> {
  const problems = createProblemList();
  const warnings = createProblemList();
  const reports = { report: problems.add, warn: warnings.add };
  const settings = readSettings(env, reports);
  const isNamed = !problems.list.some(({ at }) => at === "ENVIRONMENT");
  const files = { folder, environment: settings.environment, env, ...reports };
  const { chains, disabledChains } = isNamed ? await readChains(files) : { chains: [], disabledChains: {} };
  const hub = isNamed ? await readHub(files, chains) : undefined;
  if (problems.list.length > 0 || hub === undefined) throw new OracleConfigurationError(problems.list);
  return { settings, chains, hub, disabledChains, warnings: warnings.list };
}

function createProblemList(): { readonly list: readonly ConfigurationProblem[]; readonly add: ReportProblem } {
  const list: ConfigurationProblem[] = [];
  return {
    list,
    add(at, reason, hint) {
      // Skips consequences of a problem at the same location.
      if (!list.some((problem) => problem.at === at)) list.push({ at, reason, hint });
    },
  };
}

interface Files extends Reports {
  readonly folder: string;
  readonly environment: string;
  readonly env: Environment;
}

interface ChainFile {
  readonly chains: readonly ChainConfig[];
  readonly disabledChains: DisabledChains;
}

async function readChains({ folder, environment, env, report, warn }: Files): Promise<ChainFile> {
  const name = `chains.${environment}.json`;
  const file = await readJson(folder, [name], report);
  const chains: ChainConfig[] = [];
  const disabledChains: Record<string, readonly string[]> = {};
  if (file === undefined) return { chains, disabledChains };
  const { content: entries } = file;
  if (!Array.isArray(entries) || entries.length === 0) {
    report(name, "it is not a list of chains", "Write a JSON array with an object for each chain.");
  } else {
    const warnings: ConfigurationProblem[] = [];
    for (const [index, entry] of (entries as unknown[]).entries()) {
      const at = `${name} [${index}]`;
      const unset = createProblemList();
      const missing: string[] = [];
      const resolved = resolvePlaceholders(entry, env, at, (place, variable) => {
        missing.push(variable);
        reportUnset(place, variable, unset.add);
      });
      const id = nameOf(resolved);
      if (id !== undefined && !hasField(entry, "httpRpcUrl")) {
        missing.push("httpRpcUrl");
        const hint = "Add its RPC URL, or a variable such as $MY_RPC_URL: the oracle has no default endpoints.";
        unset.add(`${at}.httpRpcUrl`, `chain ${id} has no RPC URL`, hint);
      }
      const problems = createProblemList();
      const chain = readChain(resolved, at, { report: problems.add, warn });
      warnings.push(...unset.list);
      if (problems.list.length > 0 && unset.list.length > 0) {
        disabledChains[id ?? at] = missing;
        continue;
      }
      for (const { at: place, reason, hint } of problems.list) report(place, reason, hint);
      if (chain === undefined) continue;
      if (chains.some(({ id }) => id === chain.id)) {
        report(`${at}.id`, "another chain has the same value", "Use a different value for each chain.");
      } else if (chains.some((other) => isSameEvmChain(chain, other))) {
        const reason = "another chain has the same value, so that each deposit would be credited twice";
        report(`${at}.hubChainId`, reason, "List each chain once.");
      }
      chains.push(chain);
    }
    // Without chains, the oracle does not start, and reports these problems as the reasons.
    const add = chains.length === 0 ? report : warn;
    for (const { at, reason, hint } of warnings) add(at, reason, hint);
  }
  return { chains, disabledChains };
}

function readChain(entry: unknown, at: string, { report, warn }: Reports): ChainConfig | undefined {
  const converted = Convert(ChainFileEntrySchema, structuredClone(entry));
  checkNumbers(entry, converted, at, report);
  if (!matches(ChainFileEntrySchema, converted, at, report)) return undefined;
  checkUrls(converted, at, report);
  warnOfUnknown(converted, at, warn);
  const chain = { ...converted, additionalData: converted.additionalData ?? {} };
  checkDepositories(chain, at, report);
  checkAgreement(chain, at, report);
  if (chain.vmType === "ethereum-vm" && chain.hubChainId === undefined) {
    const reason = "it is missing, so that the chain of the endpoints is not checked";
    warn(`${at}.hubChainId`, reason, "Set it to the chain id that the endpoints report.");
  }
  const ofSetting =
    (add: ReportProblem): ReportSetting =>
    (setting, reason, hint) =>
      add(`${at}.additionalData.${setting}`, reason, hint);
  vmFamilyOf(chain.vmType)?.checkSettings?.(chain.additionalData, ofSetting(report), ofSetting(warn));
  return chain;
}

/** Checks converted numbers, because the conversion also accepts empty text and fractions, which would mean 0. */
function checkNumbers(value: unknown, converted: unknown, at: string, report: ReportProblem): void {
  if (typeof converted === "number" && value !== converted && !/^\d+$/u.test(String(value).trim())) {
    report(at, "it must be a whole number", "Write this value as described in docs/oracle.md.");
  }
  if (typeof converted !== "object" || converted === null || typeof value !== "object" || value === null) return;
  for (const [name, field] of Object.entries(converted)) {
    checkNumbers(Reflect.get(value, name), field, `${at}.${name}`, report);
  }
}

/** Warns about unknown fields, because a misspelled limit would have no effect. */
function warnOfUnknown(chain: Static<typeof ChainFileEntrySchema>, at: string, warn: ReportProblem): void {
  const check = ({ properties }: { properties: object }, value: object, place: string): void => {
    for (const name of Object.keys(value)) {
      if (!Object.hasOwn(properties, name)) {
        warn(`${place}.${name}`, "it is not a setting", "Correct the name, or remove the field.");
      }
    }
  };
  check(ChainFileEntrySchema, chain, at);
  const { additionalData = {} } = chain;
  check(AdditionalDataSchema, additionalData, `${at}.additionalData`);
  for (const [currency, tiers] of Object.entries(additionalData.fastMode?.finalityTiers ?? {})) {
    for (const [index, tier] of tiers.entries()) {
      check(FinalityTierSchema, tier, `${at}.additionalData.fastMode.finalityTiers.${currency}[${index}]`);
    }
  }
}

function isSameEvmChain(one: ChainConfig, other: ChainConfig): boolean {
  if (one.hubChainId === undefined || other.hubChainId === undefined) return false;
  const areEvm = one.vmType === "ethereum-vm" && other.vmType === "ethereum-vm";
  return areEvm && BigInt(one.hubChainId) === BigInt(other.hubChainId);
}

function hasField(entry: unknown, field: string): boolean {
  return typeof entry === "object" && entry !== null && field in entry;
}

function nameOf(entry: unknown): string | undefined {
  const id: unknown = typeof entry === "object" && entry !== null ? Reflect.get(entry, "id") : undefined;
  return typeof id === "string" ? id : undefined;
}

async function readHub(
  { folder, environment, env, report, warn }: Files,
  chains: readonly ChainConfig[],
): Promise<HubConfig | undefined> {
  // The public oracle's file has the second of these names.
  const file = await readJson(folder, [`chains.hub.${environment}.json`, `hub.${environment}.json`], report);
  if (file === undefined) return undefined;
  const { name, content } = file;
  const unset = createProblemList();
  const hub = Convert(
    HubFileSchema,
    resolvePlaceholders(content, env, `${name} hub`, (at, variable) => {
      reportUnset(at, variable, unset.add);
    }),
  );
  const needed = unset.list.filter(({ at }) => HubFileSchema.required.some((field) => at === `${name} hub.${field}`));
  for (const { at, reason, hint } of needed) report(at, reason, hint);
  if (needed.length > 0) return undefined;
  if (!matches(HubFileSchema, hub, `${name} hub`, report)) return undefined;
  checkUrls(hub, `${name} hub`, report);
  for (const { at, reason, hint } of unset.list) warn(at, reason, hint);
  const needing = chains.find(({ vmType }) => vmFamilyOf(vmType)?.needsMapping === true);
  if (needing !== undefined && hub.genericMappingAddress === undefined) {
    const reason = `it is missing, but chains of ${needing.vmType} require it`;
    report(`${name} hub.genericMappingAddress`, reason, "Set the contract, or omit those chains.");
  }
  return hub;
}

interface JsonFile {
  readonly name: string;
  readonly content: unknown;
}

/** Reads the first existing file. */
async function readJson(
  folder: string,
  names: readonly [string, ...string[]],
  report: ReportProblem,
): Promise<JsonFile | undefined> {
  for (const name of names) {
    let text: string;
    try {
      text = await readFile(join(folder, name), "utf8");
    } catch {
      continue;
    }
    try {
      // Editors on Windows add a byte order mark.
      return { name, content: JSON.parse(text.replace(/^\uFEFF/u, "")) };
    } catch {
      report(name, "it is not JSON", "Correct the file.");
      return undefined;
    }
  }
  report(names[0], `it cannot be read in ${folder}`, "Write the file, or set another ENVIRONMENT.");
  return undefined;
}

/** Checks a value against a schema. Errors omit values, which may be secrets. */
function matches<Schema extends TSchema>(
  schema: Schema,
  value: unknown,
  at: string,
  report: ReportProblem,
): value is Static<Schema> {
  const errors = Errors(schema, value);
  for (const { instancePath, message } of errors) {
    report(
      `${at}${instancePath.replaceAll("/", ".")}`,
      `it ${message}`,
      "Write this value as described in docs/oracle.md.",
    );
  }
  return errors.length === 0;
}

/** Checks whole URLs, because the schema accepts any text with the start of a URL, such as `http://`. */
function checkUrls(value: unknown, at: string, report: ReportProblem): void {
  if (typeof value === "string" && /^https?:\/\//u.test(value) && !URL.canParse(value)) {
    report(at, "it is not a URL", "Write the whole URL, with the host.");
  }
  if (typeof value !== "object" || value === null) return;
  for (const [name, field] of Object.entries(value)) checkUrls(field, `${at}.${name}`, report);
}

function checkDepositories(chain: ChainConfig, at: string, report: ReportProblem): void {
  const codec = vmCodecOf(chain.vmType);
  const depositories = [
    ...(chain.depository === undefined ? [] : [["depository", chain.depository] as const]),
    ...(chain.additionalDepositories ?? []).map((depository, index) => {
      return [`additionalDepositories[${index}]`, depository] as const;
    }),
  ];
  const seen = new Set<string>();
  for (const [field, depository] of depositories) {
    try {
      const encoded = codec.encodeAddress(depository, field);
      if (seen.has(encoded)) report(`${at}.${field}`, "it is listed twice", "List each depository once.");
      seen.add(encoded);
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      report(`${at}.${field}`, error.reason, error.hint);
    }
  }
}

function checkAgreement(chain: ChainConfig, at: string, report: ReportProblem): void {
  const { rpcAgreement = 1 } = chain.additionalData;
  const place = `${at}.additionalData.rpcAgreement`;
  const shared = findSharedProvider(chain);
  if (shared !== undefined) {
    const [first, second] = shared.settings;
    report(
      place,
      `${first} and ${second} have the same host, so that they always agree`,
      "Use another provider, or set rpcAgreement to 1.",
    );
  }
  if (rpcAgreement <= countEndpoints(chain)) return;
  report(place, "it exceeds the chain's number of endpoints", "Add endpoints to rpcUrls, or decrease rpcAgreement.");
}

/**
 * Checks a configuration that was not read from files.
 *
 * @throws {@link OracleConfigurationError} that lists chains with too few independent endpoints
 */
export function requireAgreement(chains: readonly ChainConfig[]): void {
  const problems = createProblemList();
  for (const chain of chains) checkAgreement(chain, `chain ${chain.id}`, problems.add);
  if (problems.list.length > 0) throw new OracleConfigurationError(problems.list);
}

function reportUnset(at: string, variable: string, report: ReportProblem): void {
  report(at, `the variable ${variable} is not set`, `Set ${variable}.`);
}

/**
 * Replaces every string that starts with `$` with the variable's value, at any depth. Omits unset variables and nulls.
 *
 * @param at location of the value
 * @param onUnset called with the location and the name of a variable that is not set
 */
function resolvePlaceholders(
  value: unknown,
  env: Environment,
  at: string,
  onUnset: (at: string, variable: string) => void,
): unknown {
  if (typeof value === "string" && value.startsWith("$")) {
    const name = value.slice(1);
    const resolved = env[name];
    if (resolved !== undefined && resolved !== "") return resolved;
    onUnset(at, name);
    return undefined;
  }
  if (Array.isArray(value)) {
    return value
      .map((item, index) => resolvePlaceholders(item, env, `${at}[${index}]`, onUnset))
      .filter((item) => item !== undefined);
  }
  if (value === null) return undefined;
  if (typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, item]) => [name, resolvePlaceholders(item, env, `${at}.${name}`, onUnset)] as const)
      .filter(([, item]) => item !== undefined),
  );
}
