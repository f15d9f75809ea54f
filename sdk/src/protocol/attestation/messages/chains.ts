import * as Type from "typebox";

export const OracleLivesSchema = Type.Object({
  status: Type.Literal("ok"),
  version: Type.Optional(Type.String({ description: "The running version, if a report was requested." })),
  disabledChains: Type.Optional(
    Type.Array(Type.String(), { description: "Configured chains that cannot be attested: a variable is not set." }),
  ),
});

export type OracleLives = Type.Static<typeof OracleLivesSchema>;

export const OracleChainSchema = Type.Object({
  id: Type.String({ description: "The chain's name in orders." }),
  vmType: Type.String({ description: "The chain's family." }),
  depository: Type.Optional(Type.String()),
});

export type OracleChainEntry = Type.Static<typeof OracleChainSchema>;

export const OracleChainsSchema = Type.Object({ chains: Type.Array(OracleChainSchema) });
