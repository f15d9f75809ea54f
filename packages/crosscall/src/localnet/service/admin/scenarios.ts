import * as Type from "typebox";

import { ServiceErrorSchema } from "@crosscall/protocol/common";
import { anyFields } from "@crosscall/protocol/schema";
import { createScenarioControls } from "../../scenarios/controls.ts";
import type { ServiceRoute } from "../route.ts";
import { refuseInvalid } from "./refuseInvalid.ts";
import { ActiveListSchema, ActiveSchema } from "./scenarioSchemas.ts";

const SetSchema = Type.Object({
  name: Type.String({ description: "Name from `crosscall scenarios`." }),
  next: Type.Optional(Type.Integer({ description: "Number of requests it applies to; all until cleared by default." })),
  parameters: Type.Optional(anyFields("By name, as `crosscall scenarios` lists them.")),
});

const ClearSchema = Type.Object({ name: Type.Optional(Type.String({ description: "Only this; all by default." })) });

export const scenariosRoute: ServiceRoute<"clock" | "scenarios" | "store"> = (app, parts) => {
  const controls = createScenarioControls(parts);
  const refusals = { "4xx": ServiceErrorSchema };
  app.get(
    "/admin/scenarios",
    { schema: { summary: "List the active scenarios", response: { 200: ActiveListSchema, ...refusals } } },
    async () => ({ scenarios: await controls.list() }),
  );
  app.post(
    "/admin/scenarios",
    { schema: { summary: "Set a scenario", body: SetSchema, response: { 200: ActiveSchema, ...refusals } } },
    ({ body: { name, ...options } }) => refuseInvalid(controls.set(name, options)),
  );
  app.delete(
    "/admin/scenarios",
    {
      schema: {
        summary: "Clear scenarios; held requests continue",
        querystring: ClearSchema,
        response: { 200: ActiveListSchema, ...refusals },
      },
    },
    async ({ query: { name } }) => ({ scenarios: await refuseInvalid(controls.clear(name)) }),
  );
};
