import { CrosscallError } from "@crosscall/protocol/core";
import { isCauseOfFailure } from "../../localnet/scenarios/injected.ts";
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
  if (input.kind !== "request" || network?.isOwn !== true) return [];
  const { id: requestId, data } = input.record;
  if (typeof requestId !== "string") return [];
  try {
    const route = ADMIN_ROUTES.requests.transitions;
    const { scenarios } = await callAdmin(network, route, { params: { requestId } }, signal);
    return scenarios.map((name) => ({ name, isCause: isCauseOfFailure(name, data ?? {}) }));
  } catch (error) {
    if (error instanceof CrosscallError) return [];
    throw error;
  }
}

/** Formats the note above a report, or an empty text. */
export function formatInjected(scenarios: readonly InjectedScenario[]): string {
  const lines = scenarios.map(({ name, isCause }) =>
    isCause
      ? `Injected by the scenario ${name}: the network caused this outcome, not your calls.`
      : `The network applied the scenario ${name}.`,
  );
  return lines.length === 0 ? "" : `${lines.join("\n")}\n\n`;
}
