import { ServiceErrorSchema } from "@crosscall/protocol/common";
import { readRestrictions, RestrictionsSchema } from "../../market/quote/restrictions.ts";
import { setRestrictions } from "../../store/network.ts";
import type { ServiceRoute } from "../route.ts";

export const restrictionsRoute: ServiceRoute<"store"> = (app, parts) => {
  app.post(
    "/admin/restrictions",
    {
      schema: {
        summary: "Restrict what is quoted",
        body: RestrictionsSchema,
        response: { 200: RestrictionsSchema, "4xx": ServiceErrorSchema },
      },
    },
    async ({ body }) => {
      await setRestrictions(parts.store.db, body);
      return body;
    },
  );
  app.get(
    "/admin/restrictions",
    {
      schema: {
        summary: "Show the restrictions of quotes",
        response: { 200: RestrictionsSchema, "4xx": ServiceErrorSchema },
      },
    },
    () => readRestrictions(parts),
  );
};
