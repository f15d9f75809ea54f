import * as Type from "typebox";

import { ServiceErrorSchema } from "@crosscall/protocol/common";
import { DepositAddressEntrySchema } from "@crosscall/protocol/request/records";
import { currencyIdOf } from "../../market/currencies.ts";
import { refuseField, refuseUnknown } from "../../market/refusal.ts";
import { findDepositAddress, findDepositAddressOf } from "../../store/depositAddresses.ts";
import { findRequest } from "../../store/requests/requests.ts";
import { referrerQuery, text } from "../listing/queryParts.ts";
import { refuseKey } from "../refusal.ts";
import type { ServiceRoute } from "../route.ts";

const QuerySchema = Type.Object({
  address: text("The deposit address."),
  requestId: text("The request that was quoted with it."),
  ...referrerQuery,
});

export const depositAddressRoute: ServiceRoute<"currencies" | "store"> = (app, parts) => {
  app.get(
    "/deposit-addresses/v1",
    {
      schema: {
        summary: "Find a deposit address",
        querystring: QuerySchema,
        response: { 200: DepositAddressEntrySchema, "4xx": ServiceErrorSchema },
      },
      // Runs before the query is parsed: callers without a key learn nothing about it.
      onRequest: (request, _reply, done) => {
        done(request.caller === undefined ? refuseKey() : undefined);
      },
    },
    async ({ query: { address, requestId } }) => {
      const { db } = parts.store;
      if ((address === undefined) === (requestId === undefined)) {
        throw refuseField(
          "address",
          address,
          "must be given without requestId, or the reverse",
          "Pass one of the two.",
        );
      }
      const found =
        address === undefined ? await findDepositAddressOf(db, requestId ?? "") : await findDepositAddress(db, address);
      const request = found && (await findRequest(db, found.request_id));
      if (request?.deposit_address == null || request.deposit_address_type === null) {
        throw refuseUnknown(address === undefined ? `a deposit address of ${requestId}` : `deposit address ${address}`);
      }
      const origin = parts.currencies.find(request.origin_chain_id, request.origin_currency);
      return {
        depositAddress: request.deposit_address,
        type: request.deposit_address_type,
        requestId: request.id,
        chainId: request.origin_chain_id,
        createdAt: request.created_at.toISOString(),
        currency: origin === undefined ? null : currencyIdOf(origin.currency),
        refundTo: request.refund_to,
      };
    },
  );
};
