import * as Type from "typebox";

import { ServiceErrorSchema } from "@crosscall/sdk/internal/protocol/common/serviceError";
import { anyFields, nullable } from "@crosscall/sdk/internal/protocol/schema/schemaParts";
import { createScenarioControls } from "../../scenarios/controls.ts";
import type { ServiceRoute } from "../route.ts";
import { refuseInvalid } from "./refuseInvalid.ts";

const SetSchema = Type.Object({
  name: Type.String({ description: "As `crosscall scenarios` lists it." }),
  next: Type.Optional(Type.Integer({ description: "How many it takes hold of; all until it is cleared if left out." })),
  parameters: Type.Optional(anyFields("By name, as `crosscall scenarios` lists them.")),
});

/** Schema of a scenario that is set. */
export const ActiveSchema = Type.Object({
  name: Type.String(),
  parameters: anyFields("As it was set."),
  next: nullable(Type.Integer({ description: "How often it takes hold from here on; null until it is cleared." })),
  uses: Type.Integer({ description: "How often it took hold." }),
  createdAt: Type.String({ description: "ISO 8601." }),
});

/** Schema of the scenarios that are set. */
export const ActiveListSchema = Type.Object({ scenarios: Type.Array(ActiveSchema) });

const ClearSchema = Type.Object({ name: Type.Optional(Type.String({ description: "Only this; all if left out." })) });

/** `/admin/scenarios`: what goes wrong on the network. */
export const scenariosRoute: ServiceRoute<"clock" | "scenarios" | "store"> = (app, parts) => {
  const controls = createScenarioControls(parts);
  const refusals = { "4xx": ServiceErrorSchema };
  app.get(
    "/admin/scenarios",
    { schema: { summary: "The scenarios that are set", response: { 200: ActiveListSchema, ...refusals } } },
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
        summary: "Clear scenarios; requests that one holds go on",
        querystring: ClearSchema,
        response: { 200: ActiveListSchema, ...refusals },
      },
    },
    async ({ query: { name } }) => ({ scenarios: await refuseInvalid(controls.clear(name)) }),
  );
};
