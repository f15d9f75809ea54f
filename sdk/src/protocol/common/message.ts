import * as Type from "typebox";

/** The response of endpoints that only confirm. */
export const MessageSchema = Type.Object({ message: Type.String() });
