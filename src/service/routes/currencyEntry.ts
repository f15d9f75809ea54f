import * as Type from "typebox";

import { CurrencySchema } from "@crosscall/sdk/internal/protocol/common/currency";
import type { Currency } from "@crosscall/sdk/internal/protocol/complete";
import { requireQuotedChain, vmTypeOf } from "../../market/quotedChains.ts";
import type { ServiceParts } from "../serviceParts.ts";

/** A currency in the lists of the service. */
export const CurrencyEntrySchema = Type.Object({
  ...CurrencySchema.properties,
  vmType: Type.String({ description: "Family of virtual machines: evm, svm, …" }),
});

export type CurrencyEntry = Type.Static<typeof CurrencyEntrySchema>;

export function toCurrencyEntry({ chains }: Pick<ServiceParts, "chains">, currency: Currency): CurrencyEntry {
  return { ...currency, vmType: vmTypeOf(requireQuotedChain(chains, currency.chainId, "chainId")) };
}
