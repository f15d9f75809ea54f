import type { Currency } from "../common/currency.ts";
import { type FeesUsd, sumFees } from "./feeComponents.ts";
import type { FeeComponent } from "../common/requestType.ts";

/**
 * Groups of fees (spec 2, section 9.2): the platform fee (as the provider's fee), the app fee, the swap and execution
 * fees (as the swap's impact), and passed-through amounts.
 */
export type FeeGroup = "provider" | "app" | "swapImpact" | "passThrough";

/** Amount of a fee, in US dollars, scaled by 10^18; negative if in the user's favor. */
export interface FeeLine {
  readonly group: FeeGroup;
  readonly component: FeeComponent | "activation";
  readonly usdE18: bigint;
}

/** A reported total that differs from the sum of its lines. */
export interface FeeMismatch {
  /** `details.totalImpact.usd`. */
  readonly field: string;
  /** Cost in US dollars, scaled by 10^18. */
  readonly statedUsdE18: bigint;
  readonly summedUsdE18: bigint;
  /** `statedUsdE18 - summedUsdE18`; small if the service rounds. */
  readonly differenceUsdE18: bigint;
}

/** Amount that arrives, in the smallest unit. */
export interface ArrivingAmount {
  readonly currency: Currency;
  readonly amount: bigint;
}

/**
 * All fees of a request in US dollars, scaled by 10^18. The lines add up exactly: `totalUsdE18` is the sum of all lines,
 * of all groups, and of the parts that sponsor and user pay. Nothing is rounded after parsing. Differences from the
 * service's rounded totals are in `mismatches`.
 */
export interface FeeTable {
  readonly lines: readonly FeeLine[];
  readonly groups: Readonly<Record<FeeGroup, bigint>>;
  readonly totalUsdE18: bigint;
  readonly sponsorPaysUsdE18: bigint;
  readonly userPaysUsdE18: bigint;
  /** Gas of the deposit, which the user pays in addition to the fees; undefined if unknown. */
  readonly originGasUsdE18: bigint | undefined;
  /** Minimum or actual output; undefined if unknown. */
  readonly arrivesAtLeast: ArrivingAmount | undefined;
  readonly mismatches: readonly FeeMismatch[];
}

/** As a cost. */
export interface StatedTotal {
  readonly field: string;
  readonly statedUsdE18: bigint;
  /** Part of the table that must equal the total. */
  readonly of: (table: Omit<FeeTable, "mismatches">) => bigint;
}

export interface FeeTableParts {
  readonly fees: FeesUsd;
  readonly activationUsdE18: bigint;
  readonly sponsorPaysUsdE18: bigint;
  readonly originGasUsdE18: bigint | undefined;
  readonly arrivesAtLeast: ArrivingAmount | undefined;
  readonly stated: readonly StatedTotal[];
}

/** Returns the table, and compares it with reported totals. */
export function buildFeeTable(parts: FeeTableParts): FeeTable {
  const { fees, activationUsdE18, sponsorPaysUsdE18, originGasUsdE18, arrivesAtLeast } = parts;
  const lines: FeeLine[] = [
    { group: "provider", component: "platform", usdE18: fees.platform },
    { group: "app", component: "app", usdE18: fees.app },
    { group: "swapImpact", component: "swap", usdE18: fees.swap },
    { group: "swapImpact", component: "execution", usdE18: fees.execution },
  ];
  if (activationUsdE18 !== 0n) lines.push({ group: "passThrough", component: "activation", usdE18: activationUsdE18 });
  const totalUsdE18 = sumFees(fees) + activationUsdE18;
  const table = {
    lines,
    groups: {
      provider: fees.platform,
      app: fees.app,
      swapImpact: fees.swap + fees.execution,
      passThrough: activationUsdE18,
    },
    totalUsdE18,
    sponsorPaysUsdE18,
    userPaysUsdE18: totalUsdE18 - sponsorPaysUsdE18,
    originGasUsdE18,
    arrivesAtLeast,
  };
  const mismatches = parts.stated.flatMap(({ field, statedUsdE18, of }) => {
    const summedUsdE18 = of(table);
    const differenceUsdE18 = statedUsdE18 - summedUsdE18;
    return differenceUsdE18 === 0n ? [] : [{ field, statedUsdE18, summedUsdE18, differenceUsdE18 }];
  });
  return { ...table, mismatches };
}
