import type { FastifyReply, FastifyRequest } from "fastify";
import * as Type from "typebox";

import { ServiceErrorSchema } from "@crosscall/protocol/errors";
import { OrderSchema } from "@crosscall/protocol/order";
import { isTerminalStatus } from "@crosscall/protocol/request";
import { RequestRecordV2Schema } from "@crosscall/protocol/v2";
import { listLostDeposits } from "../../store/deposits.ts";
import { listRequests } from "../../store/requests/listRequests.ts";
import type { RequestRow } from "../../store/requests/requests.ts";
import { listTransactions } from "../../store/transactions.ts";
import { sentApiKey } from "../admission.ts";
import { isOwnRequest } from "../caller.ts";
import type { Caller } from "../keys/keyRing.ts";
import { readPage } from "../listing/listing.ts";
import { ListingQueryV2Schema, parseListingV2 } from "../listing/parseListingV2.ts";
import { commonQuery, referrerQuery, requireKnownParameters, seconds, text } from "../listing/queryParts.ts";
import {
  callsPerMinuteV2,
  DEPRECATION,
  DeprecationSchema,
  isRetiredV2,
  MovedSchema,
  RETIRED,
  RETIREMENT_HEADERS,
  THROTTLED,
} from "../listing/retirementV2.ts";
import { RateLimit } from "../rateLimit.ts";
import { RequestRecordV1Schema, toRequestRecordV1 } from "../records/toRequestRecordV1.ts";
import { toRequestRecordV2 } from "../records/toRequestRecordV2.ts";
import { rejectKey } from "../rejection.ts";
import { responses, type ServiceRoute } from "../route.ts";
import type { ChainReader, Pricer, Recorder, StoreUser, Timed } from "../../market/market.ts";
import type { DefaultKeyHolder, Retirer } from "../serviceParts.ts";

const OrderDataSchema = Type.Partial(OrderSchema, { description: "With includeOrderData=true only." });

const PageSchema = Type.Object({
  requests: Type.Array(Type.Object({ ...RequestRecordV2Schema.properties, orderData: Type.Optional(OrderDataSchema) })),
  continuation: Type.Optional(Type.String({ description: "Cursor of the next page; missing on the last page." })),
  deprecation: DeprecationSchema,
});

/** The deprecated v2 listing: its limits shrink each month until its last day (spec 1, sections 4.1 and 9). */
export const requestListV2Route: ServiceRoute<Pricer & ChainReader & Recorder & DefaultKeyHolder & Retirer> = (
  app,
  parts,
) => {
  const limit = new RateLimit();
  app.get(
    "/requests/v2",
    {
      schema: {
        summary: "List requests in the deprecated v2 format",
        deprecated: true,
        querystring: ListingQueryV2Schema,
        response: { 200: PageSchema, 410: MovedSchema, 429: MovedSchema, "4xx": ServiceErrorSchema },
      },
      onRequest: (request, reply, done) => {
        void reply.headers(RETIREMENT_HEADERS);
        if (admit(parts, limit, request, reply)) done();
      },
    },
    async ({ query, caller }) => {
      const { reader: db } = parts.store;
      const { rows, envelope } = await readPage(db, parseListingV2(query), listRequests);
      const ids = rows.map(({ id }) => id);
      const transactions = Map.groupBy(await listTransactions(db, ids), (row) => row.request_id);
      const lost = Map.groupBy(await listLostDeposits(db, ids), (deposit) => deposit.request_id);
      return {
        requests: rows.map((row) => ({
          ...toRequestRecordV2(parts, row, transactions.get(row.id) ?? [], {
            isAuthenticated: query.includeAuthenticatedData === true && isOwnRequest(caller, row),
            lostDeposits: lost.get(row.id) ?? [],
          }),
          ...(query.includeOrderData === true ? { orderData: visibleOrder(row, caller) } : {}),
        })),
        ...envelope,
        deprecation: DEPRECATION,
      };
    },
  );
};

function admit(
  parts: Timed & DefaultKeyHolder & Retirer,
  limit: RateLimit,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  const now = parts.clock.now();
  const { caller } = request;
  if (isRetiredV2(now) && parts.keepsRetired !== true) {
    void reply.status(410).send(RETIRED);
  } else if (caller === undefined && sentApiKey(parts, request.headers) !== undefined) {
    const { status, body } = rejectKey();
    void reply.status(status).send(body);
  } else if (!limit.take(caller?.keyHash ?? request.ip, callsPerMinuteV2(now, caller !== undefined), now)) {
    void reply.status(429).send(THROTTLED);
  } else {
    return true;
  }
  return false;
}

/** Returns the visible part of an order. While a request is pending, only its own integrator sees its calls. */
function visibleOrder(row: RequestRow, caller: Caller | undefined): Partial<RequestRow["order_data"]> {
  if (isTerminalStatus(row.status) || isOwnRequest(caller, row)) return row.order_data;
  const { output: _, ...order } = row.order_data;
  return order;
}

const { id, originChainId, destinationChainId, privateChainsToInclude, limit, continuation } = commonQuery;

const QueryV1Schema = Type.Object({
  id,
  user: text("Sender, recipient or deposit address."),
  hash: text("Hash of any transaction of the request."),
  originChainId,
  destinationChainId,
  privateChainsToInclude,
  startTimestamp: seconds("Earliest creation time."),
  endTimestamp: seconds("Latest creation time, inclusive."),
  limit,
  continuation,
  ...referrerQuery,
});

const PageV1Schema = Type.Object({
  requests: Type.Array(RequestRecordV1Schema),
  continuation: Type.Optional(Type.String({ description: "Cursor of the next page; missing on the last page." })),
});

export const requestListV1Route: ServiceRoute<Pricer & ChainReader & StoreUser> = (app, parts) => {
  app.get(
    "/requests",
    {
      schema: {
        summary: "List requests in the first format",
        querystring: QueryV1Schema,
        response: responses(PageV1Schema),
      },
    },
    async ({ query: { referrer: _, ...query } }) => {
      // Rejects parameters of later versions, whose values this schema does not check.
      requireKnownParameters("/requests", QueryV1Schema, query, {});
      const { db } = parts.store;
      const { rows, envelope } = await readPage(db, parseListingV2(query), listRequests);
      const ids = rows.map((row) => row.id);
      const transactions = Map.groupBy(await listTransactions(db, ids), (row) => row.request_id);
      return {
        requests: rows.map((row) => toRequestRecordV1(parts, row, transactions.get(row.id) ?? [])),
        ...envelope,
      };
    },
  );
};
