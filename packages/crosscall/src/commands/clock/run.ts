import { compact } from "@crosscall/protocol/core";
import { ADMIN_ROUTES, type AdminResponse } from "../../localnet/service/admin/routes.ts";
import type { AdminOptions } from "../../admin/adminOptions.ts";
import { runAdmin } from "../../admin/callAdmin.ts";

interface ClockOptions extends AdminOptions {
  readonly set?: number;
  readonly offset?: number;
  readonly reset?: true;
}

export function runClock({ set, offset, reset, ...options }: ClockOptions): Promise<void> {
  const body = compact({ now: set, offsetMs: offset === undefined ? undefined : offset * 1_000, reset });
  const { read, set: change } = ADMIN_ROUTES.clock;
  if (Object.keys(body).length === 0) return runAdmin(options, read, {}, toText);
  return runAdmin(options, change, { body }, toText);
}

function toText({ now, offsetMs }: AdminResponse<typeof ADMIN_ROUTES.clock.read>): string {
  const distance = offsetMs === 0 ? "the system time" : `${offsetMs} ms from the system time`;
  return `${new Date(now).toISOString()}  (${distance})\n`;
}
