import { InvalidArgumentError, Option } from "commander";
import { InvalidInputError } from "@crosscall/protocol/core";
import type { CallFinding } from "@crosscall/sdk/calls";
import type { Severity } from "@crosscall/sdk/kit";

import type { Command } from "./command.ts";

export function parseInteger(text: string): number {
  if (/^-?\d{1,15}$/u.test(text)) return Number(text);
  throw new InvalidArgumentError("Use a whole number.");
}

export function parsePositive(text: string): number {
  const value = parseInteger(text);
  if (value > 0) return value;
  throw new InvalidArgumentError("It is not greater than zero.");
}

export function addParameter(text: string, texts: readonly string[]): readonly string[] {
  return [...texts, text];
}

/** Parses `name=value`. Errors name `option`. */
export function readPairs(pairs: readonly string[], option = "--parameter"): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)];
      throw new InvalidInputError({
        field: option,
        value: pair,
        reason: "it is not a name and a value",
        hint: "Use the form name=value.",
      });
    }),
  );
}

export function rpcUrlOption(): Option {
  return new Option(
    "--rpc-url <[id=]url>",
    "JSON-RPC endpoint of a chain, optionally with the expected chain id; repeatable",
  )
    .env("CROSSCALL_RPC_URL")
    .argParser<readonly string[] | undefined>((text, others) => [...(others ?? []), text]);
}

export function destinationRpcUrlOption(description: string): Option {
  return new Option("--rpc-url <url>", description).env("CROSSCALL_RPC_URL");
}

export interface ServiceOptions {
  readonly apiUrl?: string;
  readonly apiKey?: string;
}

export function addServiceOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--api-url <url>",
        "base URL of the service (default: the network of `crosscall up` in this folder)",
      ).env("CROSSCALL_API_URL"),
    )
    .addOption(
      new Option(
        "--api-key <key>",
        "API key; prefer the environment variable (default: the key of `crosscall up` in this folder)",
      ).env("CROSSCALL_API_KEY"),
    );
}

export interface QuoteVersionOptions {
  readonly quoteVersion?: "v2" | "v3";
}

export function quoteVersionOption(): Option {
  return new Option(
    "--quote-version <version>",
    "version of quotes to request (default: v3 with an API key if the service has it, otherwise v2)",
  ).choices(["v2", "v3"]);
}

/** Converts `--quote-version` to the parameter of `createServiceClient`. */
export function toQuoteVersion({ quoteVersion }: QuoteVersionOptions): { readonly quoteVersion?: 2 | 3 } {
  return quoteVersion === undefined ? {} : { quoteVersion: quoteVersion === "v3" ? 3 : 2 };
}

/** Defines the `--trust` option of commands that verify quotes. */
export function trustOption(): Option {
  return new Option(
    "--trust <file>",
    "JSON file with additional pinned chains by chain id: name, depositories, solvers, routers, spenders, programs, lookupTables, delegates, payees",
  );
}

const SEVERITIES: readonly Severity[] = ["error", "warning", "note"];

export type FailOn = Severity | "never";

export function failOnOption(): Option {
  return new Option("--fail-on <severity>", "exit with 1 on findings of at least this severity")
    .choices([...SEVERITIES, "never"])
    .default("error");
}

export function isFailing(findings: readonly CallFinding[], failOn: FailOn): boolean {
  if (failOn === "never") return false;
  const failing = SEVERITIES.slice(0, SEVERITIES.indexOf(failOn) + 1);
  return findings.some(({ severity }) => failing.includes(severity));
}

export interface DatabaseOptions {
  readonly database?: string;
  readonly databaseUrl?: string;
}

export type DatabasePlace = { readonly folder: string } | { readonly url: string };

/** @param whose owner of the database in the descriptions, such as `the mirror` */
export function addDatabaseOptions(command: Command, whose: string): Command {
  return command
    .option("--database <folder>", `database folder of ${whose}`)
    .addOption(new Option("--database-url <url>", `PostgreSQL database of ${whose}`).env("DATABASE_URL"));
}

/** Selects the database. A given folder takes precedence over a server from the environment. */
export function databaseOf({ database, databaseUrl }: DatabaseOptions, command: Command): DatabasePlace | undefined {
  const isNamed = databaseUrl !== undefined && command.getOptionValueSource("databaseUrl") !== "env";
  if (database !== undefined && isNamed) {
    throw new InvalidInputError({
      field: "--database",
      value: database,
      reason: "--database-url is also given",
      hint: "Pass only one of the two.",
    });
  }
  if (database !== undefined) return { folder: database };
  if (databaseUrl !== undefined && databaseUrl !== "") return { url: databaseUrl };
  return undefined;
}
