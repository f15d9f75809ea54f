import * as Type from "typebox";

/** Schema of the answer of `GET /lives/v1`. */
export const OracleLivesSchema = Type.Object({
  status: Type.Literal("ok"),
  version: Type.Optional(Type.String({ description: "What is running, where a report was asked for." })),
});

/** That an oracle is up. */
export type OracleLives = Type.Static<typeof OracleLivesSchema>;
