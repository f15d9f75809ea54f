export { BPS_PER_WHOLE, bpsOf, formatAmount, mulDiv, mulDivUp, parseAmount, requireAmount } from "./amounts.ts";
export { decodeBase64, encodeBase64 } from "./baseTexts.ts";
