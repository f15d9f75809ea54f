import * as Type from "typebox";

export const OracleLivesSchema = Type.Object({
  status: Type.Literal("ok"),
  version: Type.Optional(Type.String({ description: "The running version, if a report was requested." })),
});

export type OracleLives = Type.Static<typeof OracleLivesSchema>;
