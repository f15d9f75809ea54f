import { RevokedKeySchema } from "../../src/service/admin/keySchemas.ts";
import type { AdminOptions } from "../admin/adminOptions.ts";
import { callAdmin } from "../admin/callAdmin.ts";
import { runAdmin } from "../admin/runAdmin.ts";
import { toJsonLine } from "../terminal/toJson.ts";

interface RemoveOptions extends AdminOptions {
  readonly json?: boolean;
}

export function runRemove(id: string, options: RemoveOptions): Promise<void> {
  return runAdmin((signal) => removeKey(id, options, signal));
}

async function removeKey(
  id: string,
  { json = false, ...options }: RemoveOptions,
  signal: AbortSignal,
): Promise<string> {
  const path = `/admin/keys/${encodeURIComponent(id)}`;
  const { key } = await callAdmin(options, { method: "DELETE", path, schema: RevokedKeySchema, signal });
  return json ? toJsonLine({ ok: true, key }) : `${key.id} is revoked.\n`;
}
