import { doc } from "#doc";

import { CurrencySchema } from "./currency.ts";
import type { ReadResponse } from "../schema/readResponse.ts";
import * as T from "../schema/type.ts";

/** A currency in the lists of the service. */
export const CurrencyEntrySchema = T.Object({
  ...CurrencySchema.properties,
  vmType: T.String({ description: doc("Family of virtual machines: evm, svm, …") }),
});

/** A currency in a list, as the service sends it. */
export type CurrencyEntry = ReadResponse<typeof CurrencyEntrySchema>;
