export { BPS_PER_WHOLE, bpsOf, formatAmount, mulDiv, mulDivUp, parseAmount, requireAmount } from "./amounts.ts";
