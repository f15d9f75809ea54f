import type { Static } from "typebox";

import { TimeSchema } from "../../src/service/admin/clock.ts";
import type { AdminOptions } from "../admin/adminOptions.ts";
import { callAdmin } from "../admin/callAdmin.ts";
import { runAdmin } from "../admin/runAdmin.ts";
import { toJsonLine } from "../terminal/toJson.ts";

interface ClockOptions extends AdminOptions {
  readonly set?: number;
  readonly offset?: number;
  readonly reset?: boolean;
  readonly json?: boolean;
}

export function runClock(options: ClockOptions): Promise<void> {
  return runAdmin((signal) => setClock(options, signal));
}

async function setClock({ json = false, ...options }: ClockOptions, signal: AbortSignal): Promise<string> {
  const time = await callAdmin(options, { ...toCall(options), path: "/admin/clock", schema: TimeSchema, signal });
  return json ? toJsonLine({ ok: true, ...time }) : toText(time);
}

function toCall({ set, offset, reset }: ClockOptions): { method: "GET" } | { method: "PUT"; body: unknown } {
  const body = {
    ...(set === undefined ? {} : { now: set }),
    ...(offset === undefined ? {} : { offsetMs: offset * 1_000 }),
    ...(reset === true ? { reset } : {}),
  };
  return Object.keys(body).length === 0 ? { method: "GET" } : { method: "PUT", body };
}

function toText({ now, offsetMs }: Static<typeof TimeSchema>): string {
  const distance = offsetMs === 0 ? "the machine's own" : `${offsetMs} ms from the machine's own`;
  return `${new Date(now).toISOString()}  (${distance})\n`;
}
