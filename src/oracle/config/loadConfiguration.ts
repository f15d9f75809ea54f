import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { InvalidInputError } from "@crosscall/sdk/internal/core/errors";
import { vmCodecOf } from "@crosscall/sdk/internal/protocol/vms/vmCodecOf";
import type { Static, TSchema } from "typebox";
import { Errors } from "typebox/value";

import { type ChainConfig, ChainFileEntrySchema, type HubConfig, HubFileSchema } from "../chainFiles.ts";
import { vmFamilyOf } from "../vms/vmFamilyOf.ts";
import { type ConfigurationProblem, OracleConfigurationError, type ReportProblem } from "./configurationError.ts";
import type { Environment } from "./environment.ts";
import { type OracleSettings, readSettings } from "./settings.ts";

export interface OracleConfiguration {
  readonly settings: OracleSettings;
  readonly chains: readonly ChainConfig[];
  readonly hub: HubConfig;
}

/**
 * Reads the environment's variables and the chain files that `ENVIRONMENT` selects (spec 3, section 2).
 *
 * @param folder contains the chain files
 * @throws {@link OracleConfigurationError} listing all problems, without values
 */
export async function loadConfiguration(env: Environment, folder: string): Promise<OracleConfiguration> {
  const problems: ConfigurationProblem[] = [];
  const report: ReportProblem = (at, reason, hint) => {
    // Skip consequences of a problem at the same place.
    if (!problems.some((problem) => problem.at === at)) problems.push({ at, reason, hint });
  };
  const settings = readSettings(env, report);
  const isNamed = !problems.some(({ at }) => at === "ENVIRONMENT");
  const files = { folder, environment: settings.environment, env, report };
  const chains = isNamed ? await readChains(files) : [];
  const hub = isNamed ? await readHub(files, chains) : undefined;
  if (problems.length > 0 || hub === undefined) throw new OracleConfigurationError(problems);
  return { settings, chains, hub };
}

interface Files {
  readonly folder: string;
  readonly environment: string;
  readonly env: Environment;
  readonly report: ReportProblem;
}

async function readChains({ folder, environment, env, report }: Files): Promise<readonly ChainConfig[]> {
  const name = `chains.${environment}.json`;
  const entries = await readJson(folder, name, report);
  if (entries === undefined) return [];
  if (!Array.isArray(entries) || entries.length === 0) {
    report(name, "it is not a list of chains", "Write a JSON array with an object for each chain.");
    return [];
  }
  const chains: ChainConfig[] = [];
  for (const [index, entry] of entries.entries()) {
    const at = `${name} [${index}]`;
    const resolved = resolvePlaceholders(entry, env, at, report);
    if (!matches(ChainFileEntrySchema, resolved, at, report)) continue;
    if (chains.some(({ id }) => id === resolved.id)) report(`${at}.id`, "another chain has it", "Pass each its own.");
    const chain = { ...resolved, additionalData: resolved.additionalData ?? {} };
    checkDepositories(chain, at, report);
    checkAgreement(chain, at, report);
    vmFamilyOf(chain.vmType)?.checkSettings?.(chain.additionalData, (setting, reason, hint) => {
      report(`${at}.additionalData.${setting}`, reason, hint);
    });
    chains.push(chain);
  }
  return chains;
}

async function readHub(
  { folder, environment, env, report }: Files,
  chains: readonly ChainConfig[],
): Promise<HubConfig | undefined> {
  const name = `chains.hub.${environment}.json`;
  const content = await readJson(folder, name, report);
  if (content === undefined) return undefined;
  const resolved = resolvePlaceholders(content, env, `${name} hub`, report);
  if (!matches(HubFileSchema, resolved, `${name} hub`, report)) return undefined;
  const needing = chains.find(({ vmType }) => vmFamilyOf(vmType)?.needsMapping === true);
  if (needing !== undefined && resolved.genericMappingAddress === undefined) {
    const reason = `it is missing, and chains of ${needing.vmType} are read with it`;
    report(`${name} hub.genericMappingAddress`, reason, "Name the contract, or leave those chains out.");
  }
  return resolved;
}

async function readJson(folder: string, name: string, report: ReportProblem): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(join(folder, name), "utf8");
  } catch {
    report(name, `it cannot be read in ${folder}`, "Write the file, or set another ENVIRONMENT.");
    return undefined;
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    report(name, "it is not JSON", "Correct the file.");
    return undefined;
  }
}

/** Values are not reported, since they may be secrets. */
function matches<Schema extends TSchema>(
  schema: Schema,
  value: unknown,
  at: string,
  report: ReportProblem,
): value is Static<Schema> {
  const errors = Errors(schema, value);
  for (const { instancePath, message } of errors) {
    report(`${at}${instancePath.replaceAll("/", ".")}`, `it ${message}`, "Write it as docs/oracle.md shows.");
  }
  return errors.length === 0;
}

function checkDepositories(chain: ChainConfig, at: string, report: ReportProblem): void {
  const codec = vmCodecOf(chain.vmType);
  const depositories = [
    ...(chain.depository === undefined ? [] : [["depository", chain.depository] as const]),
    ...(chain.additionalDepositories ?? []).map((depository, index) => {
      return [`additionalDepositories[${index}]`, depository] as const;
    }),
  ];
  for (const [field, depository] of depositories) {
    try {
      codec.encodeAddress(depository, field);
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      report(`${at}.${field}`, error.reason, error.hint);
    }
  }
}

function checkAgreement({ vmType, httpRpcUrl, additionalData }: ChainConfig, at: string, report: ReportProblem): void {
  const { rpcUrls = [], rpcAgreement = 1 } = additionalData;
  const furtherUrls = vmFamilyOf(vmType)?.furtherUrls?.(additionalData) ?? [];
  // An endpoint that is listed twice would agree with itself.
  const urls = new Set([httpRpcUrl, ...rpcUrls, ...furtherUrls]);
  if (rpcAgreement <= urls.size) return;
  report(
    `${at}.additionalData.rpcAgreement`,
    "it is more than the chain has endpoints",
    "Name further endpoints in rpcUrls, or lower it.",
  );
}

/**
 * Replaces every string that starts with `$` by the variable, at any depth.
 *
 * @param at names the value, for problems
 */
function resolvePlaceholders(value: unknown, env: Environment, at: string, report: ReportProblem): unknown {
  if (typeof value === "string" && value.startsWith("$")) {
    const name = value.slice(1);
    const resolved = env[name];
    if (resolved === undefined || resolved === "") report(at, `the variable ${name} is not set`, `Set ${name}.`);
    return resolved;
  }
  if (Array.isArray(value))
    return value.map((item, index) => resolvePlaceholders(item, env, `${at}[${index}]`, report));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, resolvePlaceholders(item, env, `${at}.${name}`, report)]),
  );
}
