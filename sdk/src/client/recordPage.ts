import * as Type from "typebox";

/** Records are parsed one by one, so that none invalidates the page. */
export const RecordPageSchema = Type.Object({
  requests: Type.Array(Type.Unknown()),
  continuation: Type.Optional(Type.String({ description: "Cursor of the next page; missing on the last." })),
  total: Type.Optional(Type.Integer({ description: "All that match; v3 only." })),
});
