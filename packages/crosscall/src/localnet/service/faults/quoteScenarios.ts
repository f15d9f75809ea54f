import type { FastifyRequest } from "fastify";

import { InvalidInputError } from "@crosscall/protocol/core";
import { serviceErrorStatus } from "@crosscall/protocol/errors";
import type { Quote } from "@crosscall/protocol/complete";
import type { QuoteRequest } from "@crosscall/protocol/quote/rules";
import { RejectionError, rejectField } from "../../market/rejection.ts";
import { alterDeposit } from "../../scenarios/alterDeposit.ts";
import { requireScenario } from "../../scenarios/catalogue.ts";
import { REFUND_REASONS } from "../../scenarios/families/depositReasons.ts";
import { FAIL_SCENARIOS } from "../../scenarios/families/failReasons.ts";
import type { DepositChange } from "../../scenarios/families/failScenario.ts";
import { readReferrer, readScenarios, SCENARIO_HEADER } from "../../scenarios/readScenarios.ts";
import {
  type ChosenScenario,
  quoteErrorOf,
  type RequestFaults,
  toRequestFaults,
} from "../../scenarios/requestFaults.ts";
import { addRequestFaults, type ScenarioRow } from "../../store/scenarios.ts";
import { QUOTE_PATHS } from "../keys/keyOptions.ts";
import type { ServiceApp } from "../route.ts";
import type { ChainReader, StoreUser } from "../../market/market.ts";
import type { ScenarioReader } from "../serviceParts.ts";

interface QuoteCall {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Rejects quotes if a scenario requires it. */
export function addQuoteScenarios(app: ServiceApp, parts: ScenarioReader): void {
  app.addHook("preHandler", async (call) => {
    if (isQuote(call)) await rejectByScenario(parts, call);
  });
}

function isQuote({ routeOptions: { url } }: FastifyRequest): boolean {
  return url !== undefined && QUOTE_PATHS.includes(url);
}

async function rejectByScenario(parts: ScenarioReader, call: QuoteCall): Promise<void> {
  for (const { scenario } of readCall(call)) rejectBy(scenario);
  for (const { row, scenario } of await listSet(parts)) {
    if (quoteErrorOf(scenario) === undefined) continue;
    if ((await parts.scenarios.take(row.id)) !== undefined) rejectBy(scenario);
  }
}

/** Stores the scenarios of a quoted request, and changes its deposit if a scenario requires it. */
export async function withScenarios(
  parts: ChainReader & StoreUser & ScenarioReader,
  call: QuoteCall,
  quote: Quote,
): Promise<Quote> {
  let faults: RequestFaults = {};
  for (const chosen of readCall(call)) faults = { ...toRequestFaults(chosen, 0), ...faults };
  for (const { row, scenario } of await listSet(parts)) {
    const chosen = { scenario, parameters: row.parameters };
    const adds = Object.keys(toRequestFaults(chosen, 0)).some((key) => !(key in faults));
    if (!adds) continue;
    const index = await parts.scenarios.take(row.id);
    if (index !== undefined) faults = { ...toRequestFaults(chosen, index), ...faults };
  }
  const requestId = quote.steps[0]?.requestId;
  if (requestId === undefined || Object.keys(faults).length === 0) return quote;
  await addRequestFaults(parts.store.db, requestId, faults);
  const change = depositChangeOf(faults);
  return change === undefined ? quote : alterDeposit(parts.chains, quote, change);
}

function depositChangeOf({ failReason, refundFailReason }: RequestFaults): DepositChange | undefined {
  if (refundFailReason !== undefined) return REFUND_REASONS[refundFailReason].change;
  const act = failReason === undefined ? undefined : FAIL_SCENARIOS[failReason].act;
  return act?.kind === "deposit" ? act.change : undefined;
}

function readCall({ body, headers }: QuoteCall): ChosenScenario[] {
  const header = headers[SCENARIO_HEADER];
  try {
    return [
      ...readReferrer((body as QuoteRequest).referrer),
      ...(typeof header === "string" ? readScenarios(header, SCENARIO_HEADER) : []),
    ];
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const { field, value, reason, hint } = error;
    throw rejectField(field, value, reason, hint);
  }
}

async function listSet({
  scenarios,
}: ScenarioReader): Promise<{ row: ScenarioRow; scenario: ChosenScenario["scenario"] }[]> {
  const rows = await scenarios.list();
  return rows.map((row) => ({ row, scenario: requireScenario(row.name, "scenarios.name") }));
}

function rejectBy(scenario: ChosenScenario["scenario"]): void {
  const errorCode = quoteErrorOf(scenario);
  if (errorCode === undefined) return;
  const { what, hint, name } = scenario;
  throw new RejectionError({
    status: serviceErrorStatus(errorCode),
    body: { message: `${what} ${hint}`, errorCode, errorData: `scenario ${name}`, hint },
    hint,
  });
}
