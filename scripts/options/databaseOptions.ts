import { type Command, Option } from "commander";

import { InvalidInputError } from "@crosscall/sdk/internal/core/errors";

/** What {@link addDatabaseOptions} adds, as commander hands it over. */
export interface DatabaseOptions {
  readonly database?: string;
  readonly databaseUrl?: string;
}

/** Where a database is. */
export type DatabasePlace = { readonly folder: string } | { readonly url: string };

/**
 * Adds `--database` and `--database-url`.
 *
 * @param whose database it is: `the mirror`
 */
export function addDatabaseOptions(command: Command, whose: string): Command {
  return command
    .option("--database <folder>", `database folder of ${whose}`)
    .addOption(new Option("--database-url <url>", `PostgreSQL database of ${whose}`).env("DATABASE_URL"));
}

/**
 * The database that the options name; undefined where they name none. A folder that was named goes before a server that
 * the environment names.
 *
 * @throws {@link InvalidInputError} when both are given
 */
export function databaseOf({ database, databaseUrl }: DatabaseOptions, command: Command): DatabasePlace | undefined {
  const isNamed = databaseUrl !== undefined && command.getOptionValueSource("databaseUrl") !== "env";
  if (database !== undefined && isNamed) {
    throw new InvalidInputError({
      field: "--database",
      value: database,
      reason: "--database-url is given, too",
      hint: "Give one of the two.",
    });
  }
  if (database !== undefined) return { folder: database };
  if (databaseUrl !== undefined && databaseUrl !== "") return { url: databaseUrl };
  return undefined;
}
