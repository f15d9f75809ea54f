import { InvalidInputError } from "@crosscall/protocol/core";
import { BPS_PER_WHOLE } from "@crosscall/protocol/encoding";

export function requireShare(shareBps: number, field: string): number {
  if (Number.isInteger(shareBps) && shareBps > 0 && shareBps <= Number(BPS_PER_WHOLE)) return shareBps;
  throw new InvalidInputError({
    field,
    value: shareBps,
    reason: `a share is a whole number of bps, from 1 to ${BPS_PER_WHOLE}`,
    hint: `Pass ${field} in bps: 10,000 is all.`,
  });
}
