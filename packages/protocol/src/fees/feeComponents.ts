import type { FeeComponent } from "../common/requestType.ts";
import type { FeeComponentV2 } from "../common/quoteValues.ts";

export type ByFeeComponent<Value> = Readonly<Record<FeeComponent, Value>>;

/** Fees by component, in US dollars, scaled by 10^18. */
export type FeesUsd = ByFeeComponent<bigint>;

export type ByQuoteFeeComponent<Value> = Readonly<Record<Exclude<FeeComponentV2, "rent">, Value>>;

/**
 * Converts a fee component's name from quotes and v2 to v3: `relay` is `platform`.
 *
 * @returns undefined for `rent`, which has no v3 component
 */
export function toFeeComponent(component: FeeComponentV2): FeeComponent | undefined {
  if (component === "rent") return undefined;
  return component === "relay" ? "platform" : component;
}

/** Converts a fee component's name from v3 to quotes and v2: `platform` is `relay`. */
export function toQuoteFeeComponent(component: FeeComponent): Exclude<FeeComponentV2, "rent"> {
  return component === "platform" ? "relay" : component;
}

/** Converts values per component from the names in quotes and v2 to the names in v3. */
export function fromQuoteFees<Value>({
  execution,
  swap,
  relay,
  app,
}: ByQuoteFeeComponent<Value>): ByFeeComponent<Value> {
  return { execution, swap, platform: relay, app };
}

/** Converts values per component from the names in v3 to the names in quotes and v2. */
export function toQuoteFees<Value>({
  execution,
  swap,
  platform,
  app,
}: ByFeeComponent<Value>): ByQuoteFeeComponent<Value> {
  return { execution, swap, relay: platform, app };
}

/** Applies a function to the value of each present component. */
export function mapFees<From, To>(
  fees: ByFeeComponent<From>,
  map: (fee: From, component: FeeComponent) => To,
): ByFeeComponent<To> {
  return {
    swap: map(fees.swap, "swap"),
    execution: map(fees.execution, "execution"),
    platform: map(fees.platform, "platform"),
    app: map(fees.app, "app"),
  };
}

/** Returns the sum of all components, in US dollars, scaled by 10^18. */
export function sumFees({ swap, execution, platform, app }: FeesUsd): bigint {
  return swap + execution + platform + app;
}
