import type { FieldCondition } from "./requestFilter.ts";

/** Groups that differ in more than one field. */
export const GROUPS_MAX = 50;

type Group = readonly FieldCondition[];

/**
 * Groups that differ in the values of one field become one group with all values of the field, which an index finds
 * value by value.
 */
export function mergeGroups(groups: readonly Group[]): Group[] {
  const fields = new Set(groups.flatMap((group) => group.filter(isList).map(({ field }) => field)));
  return [...fields].reduce<Group[]>((merged, field) => mergeBy(field, merged), [...groups]);
}

function mergeBy(field: FieldCondition["field"], groups: readonly Group[]): Group[] {
  const alike = Map.groupBy(groups, (group) => {
    const [one, ...others] = group.filter((condition) => isList(condition) && condition.field === field);
    // A group without the field, or with two conditions on it, is like itself only.
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
