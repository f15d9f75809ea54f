import { compact } from "@crosscall/protocol/core";
import { OracleChainsSchema } from "@crosscall/protocol/attestation";
import type { OracleRoute } from "../route.ts";

/** Chains that this instance attests, without the rest of the configuration. */
export const chainsRoute: OracleRoute = (app, { chains }) => {
  app.get(
    "/chains/v1",
    { schema: { summary: "The chains that the oracle attests", response: { 200: OracleChainsSchema } } },
    () => ({
      chains: chains.all.map(({ config: { id, vmType, depository } }) => compact({ id, vmType, depository })),
    }),
  );
};
