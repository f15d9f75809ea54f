import { doc } from "#doc";
import type { Static } from "typebox";

import { oneOf } from "../schema/schemaParts.ts";
import { FEE_COMPONENTS_V2 } from "../schema/values.ts";

export const FeeComponentV2Schema = oneOf(FEE_COMPONENTS_V2, doc("A fee component; relay is platform in v3."));

export type FeeComponentV2 = Static<typeof FeeComponentV2Schema>;
