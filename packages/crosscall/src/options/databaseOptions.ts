import { Option } from "commander";

import type { Command } from "./command.ts";
import { InvalidInputError } from "@crosscall/protocol/core";

export interface DatabaseOptions {
  readonly database?: string;
  readonly databaseUrl?: string;
}

export type DatabasePlace = { readonly folder: string } | { readonly url: string };

/** @param whose `the mirror`, for descriptions */
export function addDatabaseOptions(command: Command, whose: string): Command {
  return command
    .option("--database <folder>", `database folder of ${whose}`)
    .addOption(new Option("--database-url <url>", `PostgreSQL database of ${whose}`).env("DATABASE_URL"));
}

/** A given folder precedes a server from the environment. */
export function databaseOf({ database, databaseUrl }: DatabaseOptions, command: Command): DatabasePlace | undefined {
  const isNamed = databaseUrl !== undefined && command.getOptionValueSource("databaseUrl") !== "env";
  if (database !== undefined && isNamed) {
    throw new InvalidInputError({
      field: "--database",
      value: database,
      reason: "--database-url is given, too",
      hint: "Pass one of the two.",
    });
  }
  if (database !== undefined) return { folder: database };
  if (databaseUrl !== undefined && databaseUrl !== "") return { url: databaseUrl };
  return undefined;
}
