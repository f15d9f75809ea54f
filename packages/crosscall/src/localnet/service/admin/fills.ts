import * as Type from "typebox";

import { ServiceErrorSchema } from "@crosscall/protocol/common";
import { compact } from "@crosscall/protocol/core";
import { refuseField } from "../../market/refusal.ts";
import type { ServiceRoute } from "../route.ts";
import { createFillControls, type FillControls, type FillOutcome } from "./fillControls.ts";
import {
  FillHoldSchema,
  HeldFillsSchema,
  HoldBodySchema,
  ReleaseBodySchema,
  ReleasedFillsSchema,
} from "./fillSchemas.ts";

export const fillsRoute: ServiceRoute<"chainControls" | "chains" | "clock" | "store"> = (app, parts) => {
  const controls = createFillControls(parts);
  const refusals = { "4xx": ServiceErrorSchema };
  app.get(
    "/admin/fills",
    {
      schema: {
        summary: "List the holds and the held fills",
        querystring: Type.Object({
          limit: Type.Optional(Type.Integer({ description: "From 1 to 1,000; default 100." })),
        }),
        response: { 200: HeldFillsSchema, ...refusals },
      },
    },
    ({ query }) => controls.list(query),
  );
  app.post(
    "/admin/fills/hold",
    { schema: { summary: "Hold fills", body: HoldBodySchema, response: { 200: FillHoldSchema, ...refusals } } },
    ({ body: { filter } }) => controls.hold(filter),
  );
  app.post(
    "/admin/fills/release",
    {
      schema: {
        summary: "Release held fills",
        body: ReleaseBodySchema,
        response: { 200: ReleasedFillsSchema, ...refusals },
      },
    },
    async ({ body }) => ({ released: await release(controls, body) }),
  );
};

async function release(
  controls: FillControls,
  { requestId, oldest, all, amount, ...rest }: Type.Static<typeof ReleaseBodySchema>,
): Promise<string[]> {
  if (Object.keys(compact({ requestId, oldest, all })).length !== 1) {
    throw refuseField("body", null, "must name what to release once", "Set requestId, oldest: true or all: true.");
  }
  const outcome: FillOutcome = { ...rest, ...(amount === undefined ? {} : { amount: BigInt(amount) }) };
  if (requestId !== undefined) {
    await controls.release(requestId, outcome);
    return [requestId];
  }
  if (oldest === true) {
    const released = await controls.releaseOldest(outcome);
    return released === undefined ? [] : [released];
  }
  const [given] = Object.keys(outcome);
  if (given !== undefined) {
    throw refuseField(given, null, "cannot be used with all", "Release one request at a time, or omit it.");
  }
  return controls.releaseAll();
}
