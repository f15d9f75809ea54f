import { type KeyInfo, KeyListSchema } from "../../src/service/admin/keySchemas.ts";
import type { AdminOptions } from "../admin/adminOptions.ts";
import { callAdmin } from "../admin/callAdmin.ts";
import { runAdmin } from "../admin/runAdmin.ts";
import { toJsonLine } from "../terminal/toJson.ts";

interface ListOptions extends AdminOptions {
  readonly json?: boolean;
}

export function runList(options: ListOptions): Promise<void> {
  return runAdmin((signal) => listKeys(options, signal));
}

async function listKeys({ json = false, ...options }: ListOptions, signal: AbortSignal): Promise<string> {
  const answer = await callAdmin(options, { method: "GET", path: "/admin/keys", schema: KeyListSchema, signal });
  return json ? toJsonLine({ ok: true, ...answer }) : answer.keys.map(toLine).join("");
}

function toLine({ id, integrator, label, revokedAt, createdAt }: KeyInfo): string {
  const state = revokedAt === null ? `since ${createdAt}` : `revoked ${revokedAt}`;
  return `${id}  ${integrator.padEnd(12)}  ${state.padEnd(32)}  ${label}\n`;
}
