import { doc } from "#doc";
import type * as Type from "typebox";
import * as T from "../../schema/type.ts";

export const OracleLivesSchema = T.Object({
  status: T.Literal("ok"),
  version: T.Optional(T.String({ description: doc("Running version; only in a requested report.") })),
  disabledChains: T.Optional(
    T.Array(T.String(), {
      description: doc("Configured chains without attestations, because a variable is not set."),
    }),
  ),
});

export type OracleLives = Type.Static<typeof OracleLivesSchema>;

export const OracleChainSchema = T.Object({
  id: T.String({ description: doc("The chain's name in orders.") }),
  vmType: T.String({ description: doc("The chain's family.") }),
  depository: T.Optional(T.String()),
});

export type OracleChainEntry = Type.Static<typeof OracleChainSchema>;

export const OracleChainsSchema = T.Object({ chains: T.Array(OracleChainSchema) });
