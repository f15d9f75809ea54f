import * as Type from "typebox";

import { ServiceErrorSchema } from "@crosscall/protocol/common";
import { refuseField } from "../../market/refusal.ts";
import type { ServiceRoute } from "../route.ts";
import type { ServiceParts } from "../serviceParts.ts";

export const TimeSchema = Type.Object({
  now: Type.Integer({ description: "The service's time, in Unix milliseconds." }),
  offsetMs: Type.Integer({ description: "Offset from the system time, in milliseconds." }),
});

/** The last millisecond of the year 9999, which the database and every date format can hold. */
const LAST_MS = 253_402_300_799_999;

const SettingSchema = Type.Object(
  {
    now: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: LAST_MS,
        description: "New time, Unix milliseconds. The clock keeps running.",
      }),
    ),
    offsetMs: Type.Optional(
      Type.Integer({
        minimum: -LAST_MS,
        maximum: LAST_MS,
        description: "New offset from the system time, in milliseconds.",
      }),
    ),
    reset: Type.Optional(Type.Literal(true, { description: "Use the system time again." })),
  },
  { additionalProperties: false, description: "Exactly one of the three." },
);

export const clockRoute: ServiceRoute<"clock"> = (app, parts) => {
  const response = { 200: TimeSchema, "4xx": ServiceErrorSchema };
  app.get("/admin/clock", { schema: { summary: "The service's time", response } }, () => timeOf(parts));
  app.put(
    "/admin/clock",
    { schema: { summary: "Set the service's time", body: SettingSchema, response } },
    async ({ body }) => {
      setClock(parts, body);
      await parts.clock.saved();
      return timeOf(parts);
    },
  );
};

function timeOf({ clock }: Pick<ServiceParts, "clock">): Type.Static<typeof TimeSchema> {
  return { now: clock.now(), offsetMs: clock.offsetMs };
}

function setClock({ clock }: Pick<ServiceParts, "clock">, setting: Type.Static<typeof SettingSchema>): void {
  const { now, offsetMs } = setting;
  if (Object.keys(setting).length !== 1) {
    throw refuseField("body", null, "must have exactly one field", "Set one of now, offsetMs and reset: true.");
  }
  if (now !== undefined) {
    clock.set(now);
  } else if (offsetMs !== undefined) {
    const moved = clock.now() - clock.offsetMs + offsetMs;
    if (moved < 0 || moved > LAST_MS) {
      throw refuseField("offsetMs", offsetMs, "must keep the time between 1970 and 9999", "Use a smaller offset.");
    }
    clock.setOffset(offsetMs);
  } else {
    clock.reset();
  }
}
