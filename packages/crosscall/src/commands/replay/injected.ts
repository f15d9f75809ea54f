import { CrosscallError } from "@crosscall/protocol/core";
import { isCauseOfFailure } from "../../localnet/scenarios/scenario.ts";
import { ADMIN_ROUTES } from "../../localnet/service/admin/routes.ts";
import { callAdmin } from "../../admin/callAdmin.ts";
import type { FoundNetwork } from "../../options/network.ts";
import type { ReplayInput } from "../../replay/subject/findFill.ts";

/** A scenario that a local network applied to a request. */
export interface InjectedScenario {
  readonly name: string;
  /** Whether the request failed because of it. */
  readonly isCause: boolean;
}

/** Returns the scenarios that the network of this folder applied to a request. Returns none for other services. */
export async function findInjected(
  input: ReplayInput,
  network: FoundNetwork | undefined,
  signal: AbortSignal,
): Promise<readonly InjectedScenario[]> {
  if (input.kind !== "request") return [];
  const { id, data } = input.record;
  if (typeof id !== "string") return [];
  const names = await readScenarios(id, network, signal);
  return names.map((name) => ({ name, isCause: isCauseOfFailure(name, data ?? {}) }));
}

/** Returns the same for the status of a request, whose details start with the reason. */
export async function findInjectedIn(
  { requestId, details }: { readonly requestId: string; readonly details?: string | null | undefined },
  network: FoundNetwork | undefined,
  signal: AbortSignal,
): Promise<readonly InjectedScenario[]> {
  const failReason = details?.split(":")[0];
  const names = await readScenarios(requestId, network, signal);
  return names.map((name) => ({ name, isCause: isCauseOfFailure(name, { failReason }) }));
}

async function readScenarios(
  requestId: string,
  network: FoundNetwork | undefined,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (network?.isOwn !== true) return [];
  try {
    const route = ADMIN_ROUTES.requests.transitions;
    return (await callAdmin(network, route, { params: { requestId } }, signal)).scenarios;
  } catch (error) {
    if (error instanceof CrosscallError) return [];
    throw error;
  }
}

/** Formats the note above a report, or an empty text. */
export function formatInjected(scenarios: readonly InjectedScenario[]): string {
  return scenarios.length === 0 ? "" : `${describeInjected(scenarios)}\n`;
}

/** Describes the scenarios, one per line. */
export function describeInjected(scenarios: readonly InjectedScenario[]): string {
  const lines = scenarios.map(({ name, isCause }) =>
    isCause
      ? `Injected by the scenario ${name}: the network caused this outcome, not your calls.`
      : `The network applied the scenario ${name}.`,
  );
  return lines.map((line) => `${line}\n`).join("");
}
