import type { Static, TSchema } from "typebox";

import { interruptOnCtrlC } from "../terminal/interrupt.ts";
import { toJsonLine } from "../terminal/toJson.ts";
import type { AdminOptions } from "./adminOptions.ts";
import { type AdminCall, callAdmin } from "./callAdmin.ts";
import { writeOutput } from "../terminal/output.ts";
import { printableData } from "@crosscall/protocol/core";

/** Calls a running network and prints its response as text or, with `--json`, as one object. Exits with 1 unless `ok`. */
export async function runAdmin<Schema extends TSchema>(
  options: AdminOptions,
  call: Omit<AdminCall<Schema>, "signal">,
  toText: (response: Static<Schema>) => string,
  toJson: (response: Static<Schema>) => { readonly ok: boolean } = (response) => ({
    ok: true,
    ...(response as object),
  }),
): Promise<void> {
  using interrupt = interruptOnCtrlC();
  const response = await callAdmin(options, { ...call, signal: interrupt.signal });
  const json = toJson(response);
  if (!json.ok) process.exitCode = 1;
  writeOutput(options.json === true ? toJsonLine(json) : toText(printableData(response)));
}
