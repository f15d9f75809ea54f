import type { Static } from "typebox";

import { rejectField } from "../../market/rejection.ts";
import type { SharedClock } from "../sharedClock.ts";
import type { AdminHandlers } from "./routes.ts";
import { LAST_MS, type NewTimeSchema } from "./schemas.ts";

export function clockHandlers({ clock }: { readonly clock: SharedClock }): AdminHandlers["clock"] {
  const read = () => ({ now: clock.now(), offsetMs: clock.offsetMs });
  return {
    read,
    async set({ body }) {
      setClock(clock, body);
      await clock.saved();
      return read();
    },
  };
}

function setClock(clock: SharedClock, setting: Static<typeof NewTimeSchema>): void {
  const { now, offsetMs } = setting;
  if (Object.keys(setting).length !== 1) {
    throw rejectField("body", null, "must have exactly one field", "Set one of now, offsetMs and reset: true.");
  }
  if (now !== undefined) {
    clock.set(now);
  } else if (offsetMs !== undefined) {
    const moved = clock.now() - clock.offsetMs + offsetMs;
    if (moved < 0 || moved > LAST_MS) {
      throw rejectField("offsetMs", offsetMs, "must keep the time between 1970 and 9999", "Use a smaller offset.");
    }
    clock.setOffset(offsetMs);
  } else {
    clock.reset();
  }
}
