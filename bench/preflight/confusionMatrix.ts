import type { Quote } from "../../packages/protocol/src/complete.ts";
import type { Localnet } from "../../packages/crosscall/src/localnet/index.ts";
import { createPreflight } from "../../packages/crosscall/src/replay/preflight/index.ts";
import { placeHostiles } from "../../packages/crosscall/src/localnet/scenarios/faults.ts";
import { reader } from "../../test/integration/support/parties.ts";
import {
  childOf,
  createSender,
  dollarRequest,
  endOf,
  reaches,
  requestIdOf,
} from "../../test/integration/support/scenarioRuns.ts";
import { type Case, type CausePlace, listCases, quoteOf } from "./cases.ts";

/** Verdict of a preflight, and outcome on the network. */
export interface MatrixRow {
  /** Name of a scenario in the catalogue, or a short description. */
  readonly name: string;
  readonly cause: CausePlace;
  readonly preflight: "passed" | "failed";
  /** Error codes. */
  readonly codes: readonly string[];
  readonly outcome: "success" | "refund" | "failure" | "pending";
  readonly judgment: Judgment;
}

/** A `miss` is a failure without a cause before the deposit. */
export type Judgment = "true pass" | "true alarm" | "false alarm" | "false pass" | "miss";

/** Number of concurrent cases; each makes a few calls to the chains and the service. */
const AT_ONCE = 8;

const DAY_MS = 86_400_000;

/** Compares all cases. The network cannot be used afterwards, because its clock is shifted by a day. */
export async function confusionMatrix(network: Localnet): Promise<readonly MatrixRow[]> {
  for (const chain of network.chains) await placeHostiles(reader(chain));
  const send = createSender(network);
  const rows = new Map<string, MatrixRow>();
  const cases = await listCases(network);
  const waiting = cases.filter(({ isLast }) => isLast !== true);
  const work = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const row = await runCase(network, one, send);
      rows.set(keyOf(one), row);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  for (const one of cases) if (one.isLast === true) rows.set(keyOf(one), await runCase(network, one, send));
  const reorged = await runReorg(network, send);
  return [...cases.map((one) => rows.get(keyOf(one))).filter((row) => row !== undefined), reorged];
}

function keyOf({ name, cause }: Pick<Case, "name" | "cause">): string {
  return `${name} ${cause}`;
}

async function runCase(network: Localnet, { request, ...one }: Case, send: (quote: Quote) => Promise<void>) {
  const quote = await quoteOf(network, request);
  const simulated = await createPreflight(network)({ request, quote });
  await send(quote);
  return judge(one, simulated, await outcomeOf(network, one, requestIdOf(quote)));
}

async function outcomeOf(
  network: Localnet,
  { isStuck = false, isPaidTwice = false }: Pick<Case, "isStuck" | "isPaidTwice">,
  requestId: string,
): Promise<MatrixRow["outcome"]> {
  if (isStuck) {
    await reaches(network, requestId, "pending");
    return "pending";
  }
  const ended = isPaidTwice ? (await endOf(network, requestId), await childOf(network, requestId)) : requestId;
  return toOutcome((await endOf(network, ended)).status);
}

function toOutcome(status: string): MatrixRow["outcome"] {
  return status === "success" || status === "refund" ? status : "failure";
}

/** Runs last and alone, because it reverts concurrent transactions on its chain. */
async function runReorg(network: Localnet, send: (quote: Quote) => Promise<void>): Promise<MatrixRow> {
  const name = "DEPOSIT_REORGED";
  const request = dollarRequest(network, { referrer: `scenario:${name}` });
  const quote = await quoteOf(network, request);
  const simulated = await createPreflight(network)({ request, quote });
  await send(quote);
  await reaches(network, requestIdOf(quote), "depositing");
  network.clock.setOffset(DAY_MS);
  return judge({ name, cause: "later" }, simulated, toOutcome((await endOf(network, requestIdOf(quote))).status));
}

function judge(
  { name, cause }: Pick<Case, "name" | "cause">,
  { verdict, findings }: Awaited<ReturnType<ReturnType<typeof createPreflight>>>,
  outcome: MatrixRow["outcome"],
): MatrixRow {
  const codes = [...new Set(findings.filter(({ severity }) => severity === "error").map(({ code }) => code))];
  const works = outcome === "success";
  const missed = cause === "later" ? "miss" : "false pass";
  const judgment =
    verdict === "passed" ? (works ? "true pass" : missed) : works ? ("false alarm" as const) : ("true alarm" as const);
  return { name, cause, preflight: verdict, codes, outcome, judgment };
}
