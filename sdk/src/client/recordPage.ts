import * as Type from "typebox";

/** Schema of a page of either listing. Its records are read one by one, so that none can make the page unreadable. */
export const RecordPageSchema = Type.Object({
  requests: Type.Array(Type.Unknown()),
  continuation: Type.Optional(Type.String({ description: "Cursor of the next page; missing on the last." })),
  total: Type.Optional(Type.Integer({ description: "All that match; v3 only." })),
});
