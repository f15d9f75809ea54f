import * as Type from "typebox";

export const OracleLivesSchema = Type.Object({
  status: Type.Literal("ok"),
  version: Type.Optional(Type.String({ description: "What is running, where a report was asked for." })),
});

export type OracleLives = Type.Static<typeof OracleLivesSchema>;
