import type { Feature } from "@crosscall/protocol/common";

export const CHAIN_FIELDS = [
  "originChainId",
  "destinationChainId",
  "chainId",
  "currencyInChainId",
  "currencyOutChainId",
] as const;

export type ChainField = (typeof CHAIN_FIELDS)[number];

export const TEXT_FIELDS = [
  "term",
  "id",
  "orderId",
  "hash",
  "depositTxHash",
  "fillTxHash",
  "refundTxHash",
  "user",
  "recipient",
  "depositAddress",
  "status",
  "failReason",
  "refundFailReason",
  "apiKeyHash",
  "referrer",
  "requestType",
  "currencyInAddress",
  "currencyOutAddress",
  "currencyInSymbol",
  "currencyOutSymbol",
] as const;

/**
 * `term` is a request id, a wallet, a deposit address or any transaction hash; `hash` is any transaction hash; `user`
 * is the sender or the recipient.
 */
export type TextField = (typeof TEXT_FIELDS)[number];

/** Condition that matches if the field is one of the values. Null matches a missing field. */
export type FieldCondition =
  | { readonly field: ChainField; readonly values: readonly number[] | null; readonly isNegated: boolean }
  | { readonly field: TextField; readonly values: readonly string[] | null; readonly isNegated: boolean };

export const RANGE_FIELDS = [
  "createdAt",
  "updatedAt",
  "depositBlock",
  "amountUsd",
  "appFeesAmountUsd",
  "fillTime",
] as const;

export type RangeField = (typeof RANGE_FIELDS)[number];

/**
 * Inclusive bounds as decimal strings: Unix seconds (`max` includes the whole second), US dollars, seconds from the
 * deposit's block to the fill's block, or the deposit's block number. Requests without the field do not match.
 */
export interface RangeCondition {
  readonly field: RangeField;
  readonly min?: string;
  readonly max?: string;
}

/** Filter of a listing. A request must match all parts. */
export interface RequestFilter {
  readonly conditions: readonly FieldCondition[];
  /** Groups of conditions. A request must match all conditions in at least one group. An empty list has no effect. */
  readonly groups: readonly (readonly FieldCondition[])[];
  readonly ranges: readonly RangeCondition[];
  /** Features. A request must have at least one of them. An empty list has no effect. */
  readonly features: readonly Feature[];
  /** Whether `id` and `depositAddress` also match child requests. */
  readonly includesChildren: boolean;
}

export const EVERY_REQUEST: RequestFilter = {
  conditions: [],
  groups: [],
  ranges: [],
  features: [],
  includesChildren: false,
};

/** Maximum number of groups that differ in more than one field. */
export const GROUPS_MAX = 50;

type Group = readonly FieldCondition[];

/** Merges groups that only differ in the values of one field. The index then finds the merged group value by value. */
export function mergeGroups(groups: readonly Group[]): Group[] {
  const fields = new Set(groups.flatMap((group) => group.filter(isList).map(({ field }) => field)));
  return [...fields].reduce<Group[]>((merged, field) => mergeBy(field, merged), [...groups]);
}

function mergeBy(field: FieldCondition["field"], groups: readonly Group[]): Group[] {
  const alike = Map.groupBy(groups, (group) => {
    const [one, ...others] = group.filter((condition) => isList(condition) && condition.field === field);
    // A group without the field, or with two conditions on it, cannot be merged.
    if (one === undefined || others.length > 0) return group;
    return JSON.stringify(group.filter((condition) => condition !== one).toSorted(byField));
  });
  return [...alike.values()].flatMap((members) => {
    const [first] = members;
    if (first === undefined || members.length === 1) return members;
    const values = members.flatMap((group) =>
      group.flatMap((condition): (string | number)[] =>
        isList(condition) && condition.field === field ? [...(condition.values ?? [])] : [],
      ),
    );
    return [
      first.map((condition) =>
        isList(condition) && condition.field === field
          ? ({ ...condition, values: [...new Set(values)] } as FieldCondition)
          : condition,
      ),
    ];
  });
}

function isList({ values, isNegated }: FieldCondition): boolean {
  return values !== null && !isNegated;
}

function byField(left: FieldCondition, right: FieldCondition): number {
  return nameOf(left) < nameOf(right) ? -1 : 1;
}

function nameOf({ field, isNegated }: FieldCondition): string {
  return `${field} ${isNegated}`;
}
