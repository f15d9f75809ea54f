import * as T from "../schema/type.ts";

/** The response of endpoints that only confirm. */
export const MessageSchema = T.Object({ message: T.String() });
