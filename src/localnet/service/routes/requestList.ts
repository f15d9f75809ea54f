import * as Type from "typebox";

import { RequestListSchema } from "../../../protocol/requestRecord.ts";
import { SortDirectionSchema } from "../../../protocol/requestType.ts";
import { StatusFilterSchema } from "../../../protocol/requestStatus.ts";
import { ServiceErrorSchema } from "../../../protocol/serviceError.ts";
import { listRequests } from "../../../store/requests.ts";
import { listTransactions } from "../../../store/transactions.ts";
import type { ServiceRoute } from "../route.ts";
import { decodeContinuation, encodeContinuation } from "../continuation.ts";
import { toRequestRecord } from "../records/toRequestRecord.ts";
import { refuseKey } from "../refusal.ts";

const DEFAULT_LIMIT = 20;

const QuerySchema = Type.Object({
  id: Type.Optional(Type.String({ description: "The request's id." })),
  user: Type.Optional(Type.String({ description: "Sender or recipient." })),
  status: Type.Optional(StatusFilterSchema),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: DEFAULT_LIMIT })),
  sortDirection: Type.Optional(SortDirectionSchema),
  continuation: Type.Optional(Type.String({ description: "Cursor from the page before." })),
});

/** `GET /requests/v3` (spec 1, section 4.2): by id, user and status, newest first. */
export const requestListRoute: ServiceRoute = (app, context) => {
  app.get(
    "/requests/v3",
    {
      schema: {
        summary: "List requests",
        querystring: QuerySchema,
        response: { 200: RequestListSchema, "4xx": ServiceErrorSchema },
      },
      preHandler: (request, _reply, done) => {
        const key = request.headers["x-api-key"];
        done(typeof key === "string" && context.apiKeys.has(key) ? undefined : refuseKey());
      },
    },
    async ({ query }) => {
      const { id, user, status, continuation } = query;
      const limit = query.limit ?? DEFAULT_LIMIT;
      const { db } = context.store;
      // One row more than the page tells whether another page follows.
      const rows = await listRequests(db, {
        ...(id === undefined ? {} : { id }),
        ...(user === undefined ? {} : { user }),
        ...(status === undefined ? {} : { status }),
        ...(continuation === undefined ? {} : { after: decodeContinuation(continuation) }),
        direction: query.sortDirection ?? "desc",
        limit: limit + 1,
      });
      const page = rows.slice(0, limit);
      const last = rows.length > limit ? page.at(-1) : undefined;
      const transactions = await listTransactions(
        db,
        page.map((row) => row.id),
      );
      return {
        requests: page.map((row) => toRequestRecord(context, row, transactions)),
        ...(last === undefined ? {} : { continuation: encodeContinuation(last) }),
      };
    },
  );
};
