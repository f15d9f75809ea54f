import * as Type from "typebox";

/** Schema of a chain that an oracle attests. */
export const OracleChainSchema = Type.Object({
  id: Type.String({ description: "The chain's name in orders." }),
  vmType: Type.String({ description: "The chain's family." }),
  depository: Type.Optional(Type.String()),
});

/** A chain that an oracle attests. */
export type OracleChainEntry = Type.Static<typeof OracleChainSchema>;

/** Schema of the answer of `GET /chains/v1`. */
export const OracleChainsSchema = Type.Object({ chains: Type.Array(OracleChainSchema) });
