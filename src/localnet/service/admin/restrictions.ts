import { ServiceErrorSchema } from "../../../protocol/serviceError.ts";
import { RestrictionsSchema } from "../quote/restrictions.ts";
import type { ServiceRoute } from "../route.ts";
import { requireAdmin } from "./requireAdmin.ts";

/** `POST /admin/restrictions`: what is not quoted from now on, in place of what was not quoted before. */
export const restrictionsRoute: ServiceRoute = (app, context) => {
  app.post(
    "/admin/restrictions",
    {
      schema: {
        summary: "Restrict what is quoted",
        body: RestrictionsSchema,
        response: { 200: RestrictionsSchema, "4xx": ServiceErrorSchema },
      },
    },
    ({ headers, body }) => {
      requireAdmin(context, headers);
      context.restrictions.current = body;
      return body;
    },
  );
};
