import * as Type from "typebox";

import { ServiceErrorSchema } from "@crosscall/protocol/common";
import { findHead } from "../../devchain/findHead.ts";
import { isSimulated, listQuotedChains, requireQuotedChain } from "../../market/quotedChains.ts";
import { answerMessageAndCode, MessageAndCodeSchema } from "../errorForms.ts";
import { referrerQuery, wholeNumber } from "../listing/queryParts.ts";
import type { ServiceRoute } from "../route.ts";

const QuerySchema = Type.Object({ chainId: wholeNumber("All chains if missing."), ...referrerQuery });

/** A chain is healthy if its node responds; a simulated chain has no node. */
export const chainHealthRoute: ServiceRoute<"chains"> = (app, parts) => {
  app.get(
    "/chains/health",
    {
      schema: {
        summary: "Whether a chain responds",
        querystring: QuerySchema,
        response: {
          200: Type.Object({ healthy: Type.Boolean() }),
          400: MessageAndCodeSchema,
          "4xx": ServiceErrorSchema,
        },
      },
      errorHandler: answerMessageAndCode,
    },
    async ({ query: { chainId } }) => {
      const chains =
        chainId === undefined ? listQuotedChains(parts.chains) : [requireQuotedChain(parts.chains, chainId, "chainId")];
      const heads = await Promise.all(chains.flatMap((chain) => (isSimulated(chain) ? [] : [findHead(chain)])));
      return { healthy: !heads.includes(undefined) };
    },
  );
};
