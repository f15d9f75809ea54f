import * as Type from "typebox";

import { ServiceErrorSchema } from "@crosscall/protocol/common";
import { listQuotedChains, requireQuotedChain } from "../../market/quotedChains.ts";
import { swapSourcesOf } from "../../market/swaps/swap.ts";
import { referrerQuery, wholeNumber } from "../listing/queryParts.ts";
import type { ServiceRoute } from "../route.ts";

const QuerySchema = Type.Object({ chainId: wholeNumber("All chains if missing."), ...referrerQuery });

export const swapSourcesRoute: ServiceRoute<"chains"> = (app, { chains }) => {
  app.get(
    "/swap-sources",
    {
      schema: {
        summary: "The swap sources that quotes can use",
        querystring: QuerySchema,
        response: { 200: Type.Object({ sources: Type.Array(Type.String()) }), "4xx": ServiceErrorSchema },
      },
    },
    ({ query: { chainId } }) => {
      const of = chainId === undefined ? listQuotedChains(chains) : [requireQuotedChain(chains, chainId, "chainId")];
      return { sources: [...new Set(of.flatMap(swapSourcesOf))] };
    },
  );
};
