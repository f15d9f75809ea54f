import { compact } from "@crosscall/protocol/core";
import { TimeSchema } from "../../localnet/service/admin/clock.ts";
import type { AdminOptions } from "../../admin/adminOptions.ts";
import { runAdmin } from "../../admin/runAdmin.ts";

interface ClockOptions extends AdminOptions {
  readonly set?: number;
  readonly offset?: number;
  readonly reset?: true;
}

export function runClock({ set, offset, reset, ...options }: ClockOptions): Promise<void> {
  const body = compact({ now: set, offsetMs: offset === undefined ? undefined : offset * 1_000, reset });
  const call = Object.keys(body).length === 0 ? { method: "GET" as const } : { method: "PUT" as const, body };
  return runAdmin(options, { ...call, path: "/admin/clock", schema: TimeSchema }, ({ now, offsetMs }) => {
    const distance = offsetMs === 0 ? "the machine's own" : `${offsetMs} ms from the machine's own`;
    return `${new Date(now).toISOString()}  (${distance})\n`;
  });
}
