import { ServiceErrorSchema } from "@crosscall/sdk/internal/protocol/common/serviceError";
import { readRestrictions } from "../../market/quote/readRestrictions.ts";
import { RestrictionsSchema } from "../../market/quote/restrictions.ts";
import { setRestrictions } from "../../store/restrictions.ts";
import type { ServiceRoute } from "../route.ts";
import { requireAdmin } from "./requireAdmin.ts";

/** `POST /admin/restrictions`: what is not quoted from now on, in place of what was not quoted before; `GET` tells it. */
export const restrictionsRoute: ServiceRoute<"adminKey" | "store"> = (app, parts) => {
  app.post(
    "/admin/restrictions",
    {
      schema: {
        summary: "Restrict what is quoted",
        body: RestrictionsSchema,
        response: { 200: RestrictionsSchema, "4xx": ServiceErrorSchema },
      },
    },
    async ({ headers, body }) => {
      requireAdmin(parts, headers);
      await setRestrictions(parts.store.db, body);
      return body;
    },
  );
  app.get(
    "/admin/restrictions",
    {
      schema: {
        summary: "What is not quoted for now",
        response: { 200: RestrictionsSchema, "4xx": ServiceErrorSchema },
      },
    },
    ({ headers }) => {
      requireAdmin(parts, headers);
      return readRestrictions(parts);
    },
  );
};
