import { type RawBuilder, sql, type SqlBool } from "kysely";

import { QueryTooExpensiveError } from "../queryTooExpensive.ts";
import {
  type Alternative,
  alternativesOf,
  conditionToSql,
  joinPredicates,
  type Listed,
  type Predicate,
} from "./fieldMatchers.ts";
import {
  type FieldCondition,
  GROUPS_MAX,
  mergeGroups,
  type RangeCondition,
  type RangeField,
  type RequestFilter,
} from "./filter.ts";

/** A value in a list. Each value is read separately from the index. */
export interface ValueList {
  readonly type: Listed["type"];
  readonly values: readonly Listed["value"][];
  readonly match: Listed["match"];
}

export interface Branch {
  readonly conditions: readonly Predicate[];
  /** Whether few requests match, so that they can be sorted without scanning in sort order. */
  readonly isNarrow: boolean;
  readonly list?: ValueList;
}

/**
 * Maximum number of branches. Above this number, the values of each field are combined into one list, which is one
 * branch.
 */
const BRANCHES_MAX = 12;

/**
 * Maximum number of branches for alternatives. Planning takes longer with each branch, so the database combines further
 * alternatives.
 */
const FOLDED_BRANCHES_MAX = GROUPS_MAX;

/**
 * Splits the filter at each OR. A request matches if all conditions of one branch match. Each branch reads its own
 * index in page order and stops when the page is full. A single condition with OR would read and sort all matches. A
 * request can match several branches.
 *
 * @throws {@link QueryTooExpensiveError} if too many groups differ in more than one field
 */
export function filterToBranches(filter: RequestFilter): Branch[] {
  const groups = mergeGroups(filter.groups);
  if (groups.length > GROUPS_MAX) throw new QueryTooExpensiveError({ flaw: "groups", groups: groups.length });
  const branches = explode(filter.conditions, groups, filter.includesChildren) ?? foldAll(filter, groups);
  const common = commonConditions(filter);
  return branches.map((branch) => ({ ...branch, conditions: [...branch.conditions, ...common] }));
}

export function filterToSql(filter: RequestFilter): readonly Predicate[] {
  const branches = filterToBranches(filter);
  const [first, ...others] = branches;
  if (first === undefined) return [];
  return others.length === 0 ? toConditions(first) : [anyOf(branches)];
}

/** Returns one branch per value, unless there are too many values. */
function explode(
  conditions: RequestFilter["conditions"],
  groups: RequestFilter["groups"],
  includesChildren: boolean,
): Branch[] | undefined {
  const each = conditions.map((condition) => toBranches(topLevelAlternatives(condition, includesChildren)));
  const ofGroups = groups.map((group) => group.map((condition) => toBranches(alternativesOf(condition))));
  const ways = waysOf(each) * (groups.length === 0 ? 1 : ofGroups.reduce((sum, lists) => sum + waysOf(lists), 0));
  if (ways > BRANCHES_MAX) return undefined;
  return combine(groups.length === 0 ? each : [...each, ofGroups.flatMap((lists) => combine(lists))]);
}

function foldAll({ conditions, includesChildren }: RequestFilter, groups: RequestFilter["groups"]): Branch[] {
  const each = conditions.map((condition) => fold(topLevelAlternatives(condition, includesChildren)));
  const ofGroups = groups.flatMap((group) => combine(group.map((condition) => fold(alternativesOf(condition)))));
  return combine(groups.length === 0 ? each : [...each, ofGroups]);
}

function waysOf(lists: readonly (readonly Branch[])[]): number {
  return lists.reduce((product, { length }) => product * length, 1);
}

function commonConditions({ ranges, features }: RequestFilter): Predicate[] {
  return [
    ...ranges.flatMap(rangeToSql),
    ...(features.length === 0 ? [] : [sql<SqlBool>`requests.features && array[${sql.join(features)}]::text[]`]),
  ];
}

/** Returns all combinations of one branch from each list. A list with too many branches stays one condition. */
function combine(lists: readonly (readonly Branch[])[]): Branch[] {
  let ways: Branch[] = [{ conditions: [], isNarrow: false }];
  for (const list of lists) {
    const isTooMany = ways.length * list.length > FOLDED_BRANCHES_MAX;
    const choices = isTooMany ? [{ conditions: [anyOf(list)], isNarrow: false }] : list;
    ways = ways.flatMap((way) => choices.map((choice) => join(way, choice)));
  }
  return ways;
}

/**
 * Joins two branches. Reads only one list value by value: the longest, because longer lists usually have rarer values.
 */
function join(one: Branch, other: Branch): Branch {
  const [list, filtered] =
    (one.list?.values.length ?? 0) < (other.list?.values.length ?? 0) ? [other.list, one.list] : [one.list, other.list];
  return {
    conditions: [
      ...one.conditions,
      ...other.conditions,
      ...(filtered === undefined ? [] : [listToCondition(filtered)]),
    ],
    isNarrow: one.isNarrow || other.isNarrow,
    ...(list === undefined ? {} : { list }),
  };
}

function toBranches(alternatives: readonly Alternative[]): Branch[] {
  return alternatives.map(({ condition, isNarrow }) => ({ conditions: [condition], isNarrow }));
}

function fold(alternatives: readonly Alternative[]): Branch[] {
  const byKey = Map.groupBy(alternatives, ({ listed }) => listed?.key);
  return [...byKey].flatMap(([key, members]) => {
    const listed = members.flatMap((member) => member.listed ?? []);
    const [first, second] = listed;
    if (key === undefined || first === undefined || second === undefined) return toBranches(members);
    const { type, match } = first;
    const values = [...new Set(listed.map(({ value }) => value))];
    return [{ conditions: [], isNarrow: members.every(({ isNarrow }) => isNarrow), list: { type, match, values } }];
  });
}

export function toConditions({ conditions, list }: Branch): readonly Predicate[] {
  return list === undefined ? conditions : [...conditions, listToCondition(list)];
}

/** Returns a condition that the database combines itself. */
function listToCondition({ type, values, match }: ValueList): Predicate {
  return joinPredicates(
    values.map((value) => match(sql`${value}::${sql.raw(type)}`)),
    "or",
  );
}

function anyOf(branches: readonly Branch[]): Predicate {
  const parts = branches.map((branch) => {
    const conditions = toConditions(branch);
    return conditions.length === 0 ? sql<SqlBool>`true` : joinPredicates(conditions, "and");
  });
  return joinPredicates(parts, "or");
}

function topLevelAlternatives(condition: FieldCondition, includesChildren: boolean): Alternative[] {
  const alternatives = alternativesOf(condition);
  if (!includesChildren || (condition.field !== "id" && condition.field !== "depositAddress")) return alternatives;
  const matched = conditionToSql(condition);
  const isChild = sql<SqlBool>`requests.parent_request_id in (select requests.id from requests where ${matched})`;
  return [...alternatives, { condition: isChild, isNarrow: alternatives.every(({ isNarrow }) => isNarrow) }];
}

export function rangeToSql({ field, min, max }: RangeCondition): RawBuilder<SqlBool>[] {
  const { column, lowest, highest } = BOUNDS[field];
  return [
    ...(min === undefined ? [] : [sql<SqlBool>`${sql.ref(column)} >= ${lowest(min)}`]),
    ...(max === undefined ? [] : [sql<SqlBool>`${sql.ref(column)} ${highest(max)}`]),
  ];
}

interface Bounds {
  readonly column: string;
  readonly lowest: (min: string) => RawBuilder<unknown>;
  readonly highest: (max: string) => RawBuilder<unknown>;
}

const BOUNDS: Record<RangeField, Bounds> = {
  createdAt: time("requests.created_at"),
  updatedAt: time("requests.updated_at"),
  depositBlock: number("requests.deposit_block", "bigint"),
  amountUsd: number("requests.amount_usd", "numeric"),
  appFeesAmountUsd: number("requests.app_fees_usd", "numeric"),
  fillTime: number("requests.fill_time_seconds", "bigint"),
};

function number(column: string, type: "bigint" | "numeric"): Bounds {
  const bound = (value: string): RawBuilder<unknown> => sql`${value}::text::${sql.raw(type)}`;
  return { column, lowest: bound, highest: (max) => sql`<= ${bound(max)}` };
}

/**
 * Returns the bounds of a time. Excludes the next second, because times have milliseconds and `max` includes its whole
 * second.
 */
function time(column: string): Bounds {
  const second = (value: string): RawBuilder<unknown> => sql`to_timestamp(${value}::text::double precision)`;
  return {
    column,
    lowest: second,
    highest: (max) => sql`< ${second(max)} + interval '1 second'`,
  };
}
