import * as Type from "typebox";

import type { OracleRoute } from "../route.ts";

const ChainsAnswerSchema = Type.Object({
  chains: Type.Array(
    Type.Object({
      id: Type.String({ description: "The chain's name in orders." }),
      vmType: Type.String(),
      depository: Type.Optional(Type.String()),
    }),
  ),
});

/** `GET /chains/v1`: the chains that this instance attests; nothing else of the configuration. */
export const chainsRoute: OracleRoute = (app, { chains }) => {
  app.get(
    "/chains/v1",
    { schema: { summary: "The chains that the oracle attests", response: { 200: ChainsAnswerSchema } } },
    () => ({
      chains: chains.all.map(({ config: { id, vmType, depository } }) => ({
        ...{ id, vmType },
        ...(depository === undefined ? {} : { depository }),
      })),
    }),
  );
};
