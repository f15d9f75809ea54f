import { doc } from "#doc";

import { ProtocolRecordSchema } from "../order/protocolRecord.ts";
import { DepositAddressSchema } from "./depositAddress.ts";
import { RequestRecordDataSchema } from "./requestRecordData.ts";
import { RequestStatusSchema } from "./requestStatus.ts";
import { RecordFeatureSchema, RequestTypeSchema } from "../common/requestType.ts";
import type { ReadResponse } from "../schema/readResponse.ts";
import { nullable } from "../schema/schemaParts.ts";
import * as T from "../schema/type.ts";

/** Schema of a v3 request record (spec 1, section 2.1). */
export const RequestRecordSchema = T.Object(
  {
    id: T.String({ description: doc("The requestId.") }),
    status: RequestStatusSchema,
    user: T.String({ description: doc("Account that initiated the request.") }),
    sender: nullable(T.String()),
    recipient: T.String({ description: doc("Recipient of the output.") }),
    refundTo: nullable(T.String({ description: doc("Refund target of a deposit-address request.") })),
    depositAddress: nullable(DepositAddressSchema),
    requestType: nullable(RequestTypeSchema),
    supersededByRequestId: nullable(
      T.String({ description: doc("Id of the regenerated request with the sweep and the fill.") }),
    ),
    features: T.Array(RecordFeatureSchema),
    data: RequestRecordDataSchema,
    // A same-chain swap has no order.
    protocol: T.Optional(nullable(ProtocolRecordSchema)),
    createdAt: T.String({ description: doc("ISO 8601.") }),
    updatedAt: T.String({ description: doc("ISO 8601.") }),
  },
  { description: doc("A request.") },
);

/** A v3 request record. */
export type RequestRecord = ReadResponse<typeof RequestRecordSchema>;

/** Schema of the response of `GET /requests/v3` (spec 1, section 4.2; envelope: spec 4, section 4). */
export const RequestListSchema = T.Object(
  {
    requests: T.Array(RequestRecordSchema),
    continuation: T.Optional(T.String({ description: doc("Cursor of the next page; absent on the last page.") })),
    total: T.Optional(T.Integer({ description: doc("Number of all matches; only with `includeTotal=true`.") })),
  },
  { description: doc("A page of requests.") },
);
