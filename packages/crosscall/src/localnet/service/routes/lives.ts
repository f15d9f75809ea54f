import * as Type from "typebox";

import type { ServiceApp } from "../route.ts";

export function livesRoute(app: ServiceApp): void {
  app.get(
    "/lives",
    {
      schema: {
        summary: "Whether the service is up",
        response: { 200: Type.Object({ status: Type.Literal("ok") }) },
      },
    },
    () => ({ status: "ok" as const }),
  );
}
