import * as Type from "typebox";

import { ServiceErrorSchema } from "../../../protocol/serviceError.ts";
import type { ServiceRoute } from "../route.ts";
import { requireAdmin } from "./requireAdmin.ts";

const TimeSchema = Type.Object({ now: Type.Integer({ description: "The service's time, in Unix milliseconds." }) });

/** `GET /admin/clock`: the time that the service goes by. */
export const clockRoute: ServiceRoute = (app, context) => {
  app.get(
    "/admin/clock",
    { schema: { summary: "The service's time", response: { 200: TimeSchema, "4xx": ServiceErrorSchema } } },
    ({ headers }) => {
      requireAdmin(context, headers);
      return { now: context.clock.now() };
    },
  );
};
