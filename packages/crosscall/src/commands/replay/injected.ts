import { CrosscallError } from "@crosscall/protocol/core";
import { ADMIN_ROUTES } from "../../localnet/service/admin/routes.ts";
import { callAdmin } from "../../admin/callAdmin.ts";
import type { ReplayInput } from "../../replay/subject/findFill.ts";

/**
 * Returns the scenarios that a local network applied to a request. Returns none for other services, and if the admin
 * key is unknown.
 */
export async function findInjected(
  input: ReplayInput,
  apiUrl: string | undefined,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const requestId = input.kind === "request" ? input.record.id : undefined;
  if (typeof requestId !== "string" || apiUrl === undefined || apiUrl === "") return [];
  try {
    const route = ADMIN_ROUTES.requests.transitions;
    return (await callAdmin({ url: apiUrl }, route, { params: { requestId } }, signal)).scenarios;
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
