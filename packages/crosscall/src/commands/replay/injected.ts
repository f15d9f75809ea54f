import { CrosscallError } from "@crosscall/protocol/core";
import { ADMIN_ROUTES } from "../../localnet/service/admin/routes.ts";
import { callAdmin } from "../../admin/callAdmin.ts";
import type { FoundNetwork } from "../../options/network.ts";
import type { ReplayInput } from "../../replay/subject/findFill.ts";

/** Returns the scenarios that the network of this folder applied to a request. Returns none for other services. */
export async function findInjected(
  input: ReplayInput,
  network: FoundNetwork | undefined,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const requestId = input.kind === "request" ? input.record.id : undefined;
  if (typeof requestId !== "string" || network?.isOwn !== true) return [];
  try {
    const route = ADMIN_ROUTES.requests.transitions;
    return (await callAdmin({ url: network.url }, route, { params: { requestId } }, signal)).scenarios;
  } catch (error) {
    if (error instanceof CrosscallError) return [];
    throw error;
  }
}

/** Formats the note above a report, or an empty text. */
export function formatInjected(scenarios: readonly string[]): string {
  if (scenarios.length === 0) return "";
  const names = scenarios.join(", ");
  return `Injected by the scenario ${names}: the network caused this outcome, not your calls.\n\n`;
}
