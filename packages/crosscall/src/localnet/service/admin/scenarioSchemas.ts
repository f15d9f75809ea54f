import * as Type from "typebox";

import { anyFields, nullable } from "@crosscall/protocol/schema";

export const ActiveSchema = Type.Object({
  name: Type.String(),
  parameters: anyFields("Parameters as set."),
  next: nullable(Type.Integer({ description: "Remaining uses; null until cleared." })),
  uses: Type.Integer({ description: "Number of uses so far." }),
  createdAt: Type.String({ description: "ISO 8601." }),
});

export const ActiveListSchema = Type.Object({ scenarios: Type.Array(ActiveSchema) });
