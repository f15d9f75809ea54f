import * as Type from "typebox";

import { ProtocolRecordSchema } from "../order/protocolRecord.ts";
import { RequestRecordDataSchema } from "./requestRecordData.ts";
import { RequestStatusSchema } from "./requestStatus.ts";
import { DepositAddressTypeSchema, RecordFeatureSchema, RequestTypeSchema } from "../common/requestType.ts";
import type { ReadResponse } from "../schema/readResponse.ts";
import { nullable } from "../schema/schemaParts.ts";

/** Spec 1, section 2.1. */
export const DepositAddressSchema = Type.Object({
  address: Type.String(),
  type: DepositAddressTypeSchema,
  depositor: nullable(Type.String()),
  depositTxHash: nullable(Type.String()),
  recoveryAddress: nullable(
    Type.String({ description: "Origin-chain address that can recover the funds if the recipient is blocked later." }),
  ),
});

/** Schema of a v3 request record (spec 1, section 2.1). */
export const RequestRecordSchema = Type.Object(
  {
    id: Type.String({ description: "The requestId." }),
    status: RequestStatusSchema,
    user: Type.String({ description: "Who initiated the request." }),
    sender: nullable(Type.String()),
    recipient: Type.String({ description: "Who receives the output." }),
    refundTo: nullable(Type.String({ description: "Refund target of a deposit-address request." })),
    depositAddress: nullable(DepositAddressSchema),
    requestType: nullable(RequestTypeSchema),
    supersededByRequestId: nullable(
      Type.String({ description: "The regenerated request that owns the sweep and the fill." }),
    ),
    features: Type.Array(RecordFeatureSchema),
    data: RequestRecordDataSchema,
    // A same-chain swap has no order.
    protocol: Type.Optional(nullable(ProtocolRecordSchema)),
    createdAt: Type.String({ description: "ISO 8601." }),
    updatedAt: Type.String({ description: "ISO 8601." }),
  },
  { description: "A request." },
);

/** A v3 request record. */
export type RequestRecord = ReadResponse<typeof RequestRecordSchema>;

/** Schema of the response of `GET /requests/v3` (spec 1, section 4.2; envelope: spec 4, section 4). */
export const RequestListSchema = Type.Object(
  {
    requests: Type.Array(RequestRecordSchema),
    continuation: Type.Optional(Type.String({ description: "Cursor of the next page; absent on the last." })),
    total: Type.Optional(Type.Integer({ description: "All that match; with includeTotal=true only." })),
  },
  { description: "A page of requests." },
);
