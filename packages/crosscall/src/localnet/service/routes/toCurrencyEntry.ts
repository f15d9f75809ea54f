import type { Currency, CurrencyEntry } from "@crosscall/protocol/complete";
import { requireQuotedChain, vmTypeOf } from "../../market/quotedChains.ts";
import type { ServiceParts } from "../serviceParts.ts";

export function toCurrencyEntry({ chains }: Pick<ServiceParts, "chains">, currency: Currency): CurrencyEntry {
  return { ...currency, vmType: vmTypeOf(requireQuotedChain(chains, currency.chainId, "chainId")) };
}
