import { parseArgs } from "node:util";

import { CreateError } from "./createError.ts";
import { isTemplateName, TEMPLATE_NAMES, type TemplateName } from "./templates.ts";

export interface Options {
  readonly folder: string | undefined;
  readonly template: TemplateName | undefined;
  readonly yes: boolean;
  readonly install: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

/** Parses the arguments of the command. */
export function parseOptions(args: readonly string[]): Options {
  const { values, positionals } = parse(args);
  if (positionals.length > 1) {
    throw new CreateError(
      "INVALID_INPUT",
      `Expected one folder, not ${positionals.join(", ")}.`,
      "Quote a folder with spaces, and pass this command's options after `--`: npm create crosscall my-proxy -- --template proxy",
    );
  }
  const { template } = values;
  if (template !== undefined && !isTemplateName(template)) {
    throw new CreateError(
      "INVALID_INPUT",
      `There is no template ${template}.`,
      `Pass one of: ${TEMPLATE_NAMES.join(", ")}.`,
    );
  }
  return { ...values, template, folder: positionals[0] };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        template: { type: "string", short: "t" },
        yes: { type: "boolean", short: "y", default: false },
        install: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
        version: { type: "boolean", short: "v", default: false },
      },
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CreateError("INVALID_INPUT", error.message, "Run with --help to see the options.");
  }
}
