import * as T from "../schema/type.ts";

/** Response of endpoints that return only a confirmation. */
export const MessageSchema = T.Object({ message: T.String() });
