import * as Type from "typebox";

import { ServiceErrorSchema } from "@crosscall/protocol/common";
import type { ServiceRoute } from "../route.ts";
import { refuseInvalid } from "./refuseInvalid.ts";

export const snapshotRoute: ServiceRoute<"snapshot"> = (app, { snapshot }) => {
  app.get(
    "/admin/snapshot",
    {
      schema: {
        summary: "Read chains, database and clock at one moment, for `crosscall up --from`",
        response: { 200: Type.Unknown(), "4xx": ServiceErrorSchema },
      },
    },
    () => refuseInvalid(snapshot()),
  );
};
