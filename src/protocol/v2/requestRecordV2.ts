import * as Type from "typebox";

import { anyFields, nullable, oneOf } from "../schemaParts.ts";
import { REQUEST_STATUSES_V2 } from "../requestStatus.ts";

/** Schema of a v2 request record (spec 1, section 2.7). */
export const RequestRecordV2Schema = Type.Object(
  {
    id: Type.String({ description: "The requestId." }),
    // The migration notes name `delayed`, which the response schema does not have.
    status: oneOf([...REQUEST_STATUSES_V2, "delayed"], "Status in v2."),
    user: Type.String(),
    recipient: Type.String(),
    depositAddress: Type.Optional(nullable(Type.Unknown())),
    referrer: Type.Optional(nullable(Type.String())),
    data: anyFields("As v2 has it; see spec 1, section 2.7."),
    createdAt: Type.String({ description: "ISO 8601." }),
    updatedAt: Type.String({ description: "ISO 8601." }),
  },
  { description: "A request, in v2." },
);

/** A v2 request record. */
export type RequestRecordV2 = Type.Static<typeof RequestRecordV2Schema>;
