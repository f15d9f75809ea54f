import { getRequest } from "@crosscall/sdk";
import { InvalidInputError, printableData } from "@crosscall/protocol/core";
import {
  type FeePhaseName,
  recordFeeTable,
  type RequestRecord,
  RequestRecordSchema,
} from "@crosscall/protocol/request/records";
import { type FeeTable, formatFeeTable } from "@crosscall/protocol/fees";
import { quoteFeeTable, readAnyQuote } from "@crosscall/protocol/quote/rules";
import { readResponse } from "@crosscall/protocol/schema";
import { readJson } from "../../options/readJson.ts";
import type { ServiceOptions } from "../../options/commonOptions.ts";
import { openService } from "../../options/network.ts";
import { interruptOnCtrlC } from "../../terminal/interrupt.ts";
import { Stages } from "../../terminal/stages.ts";
import { outputColors, toJsonLine, writeOutput } from "../../terminal/output.ts";

interface Options extends ServiceOptions {
  readonly from?: string;
  readonly record?: string;
  readonly requestId?: string;
  readonly json?: boolean;
}

interface PhaseFees {
  readonly phase: FeePhaseName;
  readonly table: FeeTable;
}

export async function runFees(options: Options): Promise<void> {
  const { json = false } = options;
  using interrupt = interruptOnCtrlC();
  const fees = await readFees(options, interrupt.signal);
  writeOutput(json ? toJsonLine({ ok: true, fees }) : toText(printableData(fees)));
}

async function readFees({ from, record, requestId, ...options }: Options, signal: AbortSignal): Promise<PhaseFees[]> {
  if (from !== undefined) {
    const quote = readAnyQuote(await readJson(from, "--from"));
    return [{ phase: "quoted", table: quoteFeeTable(quote) }];
  }
  if (record !== undefined) {
    return tablesOf(readResponse(RequestRecordSchema, await readJson(record, "--record")));
  }
  if (requestId === undefined) {
    throw new InvalidInputError({
      field: "--from",
      value: undefined,
      reason: "no quote or request was given",
      hint: "Pass one of --from, --record and --request-id.",
    });
  }
  const client = openService(options, { needsKey: true });
  const stages = new Stages({ isSilent: options.json === true, signal });
  return tablesOf(await stages.run("Read the request", () => getRequest(client, { requestId, signal })));
}

function tablesOf(record: RequestRecord): PhaseFees[] {
  return (["quoted", "actual"] as const).flatMap((phase) => {
    const table = recordFeeTable(record, phase);
    return table === undefined ? [] : [{ phase, table }];
  });
}

function toText(fees: readonly PhaseFees[]): string {
  if (fees.length === 0) return "The request has no fees.\n";
  return `${fees.map(({ phase, table }) => `${outputColors.bold(phase)}\n${formatFeeTable(table)}`).join("\n\n")}\n`;
}
