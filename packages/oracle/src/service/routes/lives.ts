import * as Type from "typebox";

import { OracleLivesSchema } from "@crosscall/protocol/attestation";
import type { OracleRoute } from "../route.ts";

/** Health check; `withReport` adds the version. */
export const livesRoute: OracleRoute = (app, { settings, disabledChains }) => {
  const disabled = Object.keys(disabledChains);
  app.get(
    "/lives/v1",
    {
      schema: {
        summary: "Whether the oracle is up",
        querystring: Type.Object({
          withReport: Type.Optional(Type.String({ description: '"1" or "true" for the version, too.' })),
        }),
        response: { 200: OracleLivesSchema },
      },
    },
    ({ query: { withReport } }) => ({
      status: "ok" as const,
      ...(withReport === "1" || withReport === "true" ? { version: String(settings.version) } : {}),
      ...(disabled.length === 0 ? {} : { disabledChains: [...disabled] }),
    }),
  );
};
