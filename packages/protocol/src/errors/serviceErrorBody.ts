import { doc } from "#doc";
import type * as Type from "typebox";
import * as T from "../schema/type.ts";

/** Schema of an error response. Listing endpoints send only `message`, and the service can add codes. */
export const ServiceErrorSchema = T.Object(
  {
    message: T.String({ description: doc("Human-readable message.") }),
    errorCode: T.Optional(T.String({ description: doc("Machine-readable stable code.") })),
    errorData: T.Optional(T.String({ description: doc("More about the error.") })),
    field: T.Optional(T.String({ description: doc("Path of the invalid field. Sent only by the local service.") })),
    hint: T.Optional(T.String({ description: doc("How to fix the request. Sent only by the local service.") })),
  },
  { description: doc("Error response of the service.") },
);

export type ServiceErrorBody = Type.Static<typeof ServiceErrorSchema>;
