import { type RawBuilder, type SqlBool, sql } from "kysely";

import type { FieldCondition, RequestFilter, TextField } from "./requestFilter.ts";
import { rangeToSql } from "./requestRangeSql.ts";
import type { RequestTable } from "./tables/requestTables.ts";
import type { TransactionPurpose } from "./tables/transactionTables.ts";

export type Predicate = RawBuilder<SqlBool>;

interface Alternative {
  readonly condition: Predicate;
  /** Whether few requests match, so that finding them first and then sorting is faster. */
  readonly isNarrow: boolean;
}

export interface Branch {
  readonly conditions: readonly Predicate[];
  /** Whether few requests match, so that the sort order need not be walked. */
  readonly isNarrow: boolean;
}

type Column = keyof RequestTable;

interface Matcher {
  readonly oneOf: (values: readonly string[]) => Alternative[];
  readonly isAbsent: Predicate;
}

/** The database has no statistics for it, and expects many requests per address. */
const DEPOSIT_ADDRESS = address("deposit_address", true);

const MATCHERS: Record<TextField, Matcher> = {
  term: { oneOf: matchTerm, isAbsent: sql`false` },
  id: requestIdentifier("id"),
  orderId: requestIdentifier("order_id"),
  hash: transactionHash(),
  depositTxHash: transactionHash("deposit"),
  fillTxHash: transactionHash("fill"),
  refundTxHash: transactionHash("refund"),
  user: { oneOf: matchParty, isAbsent: sql`false` },
  recipient: address("recipient"),
  depositAddress: DEPOSIT_ADDRESS,
  status: exact("status"),
  failReason: exact("fail_reason"),
  refundFailReason: exact("refund_fail_reason"),
  apiKeyHash: exact("api_key_hash"),
  referrer: exact("referrer"),
  requestType: caseless("request_type"),
  currencyInAddress: address("origin_currency"),
  currencyOutAddress: address("destination_currency"),
  currencyInSymbol: caseless("origin_symbol"),
  currencyOutSymbol: caseless("destination_symbol"),
};

/** Further alternatives are left to the database to combine. */
const BRANCHES_MAX = 12;

/**
 * The filter split at each OR: a request passes if all conditions of one branch hold. Each branch is read from its own
 * index in page order and stops when the page is full; one condition with OR would read and sort all matches. A request
 * may pass several branches.
 */
export function filterToBranches(filter: RequestFilter): Branch[] {
  const { conditions, groups, features, includesChildren } = filter;
  const choices = [
    ...conditions.map((condition) => topLevelAlternatives(condition, includesChildren).map(toBranch)),
    ...(groups.length === 0
      ? []
      : [groups.flatMap((group) => combine(group.map((one) => alternativesOf(one).map(toBranch))))]),
  ];
  const common = [
    ...filter.ranges.flatMap(rangeToSql),
    ...(features.length === 0 ? [] : [sql<SqlBool>`requests.features && array[${sql.join(features)}]::text[]`]),
  ];
  return combine(choices).map(({ conditions: own, isNarrow }) => ({ conditions: [...own, ...common], isNarrow }));
}

export function filterToSql(filter: RequestFilter): readonly Predicate[] {
  const [first, ...others] = filterToBranches(filter);
  if (first === undefined) return [];
  return others.length === 0 ? first.conditions : [anyOf([first, ...others])];
}

/** All ways to choose one branch of each list. A list with too many stays one condition. */
function combine(lists: readonly (readonly Branch[])[]): Branch[] {
  let ways: Branch[] = [{ conditions: [], isNarrow: false }];
  for (const list of lists) {
    const isTooMany = ways.length * list.length > BRANCHES_MAX;
    const choices = isTooMany ? [{ conditions: [anyOf(list)], isNarrow: false }] : list;
    ways = ways.flatMap((way) =>
      choices.map((choice) => ({
        conditions: [...way.conditions, ...choice.conditions],
        isNarrow: way.isNarrow || choice.isNarrow,
      })),
    );
  }
  return ways;
}

function toBranch({ condition, isNarrow }: Alternative): Branch {
  return { conditions: [condition], isNarrow };
}

function anyOf(branches: readonly Branch[]): Predicate {
  const parts = branches.map(({ conditions }) =>
    conditions.length === 0 ? sql<SqlBool>`true` : joinPredicates(conditions, "and"),
  );
  return joinPredicates(parts, "or");
}

function topLevelAlternatives(condition: FieldCondition, includesChildren: boolean): Alternative[] {
  const alternatives = alternativesOf(condition);
  if (!includesChildren || (condition.field !== "id" && condition.field !== "depositAddress")) return alternatives;
  const matched = conditionToSql(condition);
  const isChild = sql<SqlBool>`requests.parent_request_id in (select requests.id from requests where ${matched})`;
  return [...alternatives, { condition: isChild, isNarrow: alternatives.every(({ isNarrow }) => isNarrow) }];
}

function alternativesOf(condition: FieldCondition): Alternative[] {
  return condition.isNegated ? wide(conditionToSql(condition)) : matchField(condition);
}

function conditionToSql(condition: FieldCondition): Predicate {
  const predicate = joinPredicates(
    matchField(condition).map((alternative) => alternative.condition),
    "or",
  );
  // `not` alone would drop rows where the field is null.
  return condition.isNegated ? sql<SqlBool>`((${predicate}) is not true)` : predicate;
}

function matchField({ field, values }: FieldCondition): Alternative[] {
  switch (field) {
    case "originChainId":
    case "currencyInChainId":
      return matchChain(["origin_chain_id"], values);
    case "destinationChainId":
    case "currencyOutChainId":
      return matchChain(["destination_chain_id"], values);
    case "chainId":
      return matchChain(["origin_chain_id", "destination_chain_id"], values);
    default:
      return values === null ? wide(MATCHERS[field].isAbsent) : MATCHERS[field].oneOf(values);
  }
}

function matchChain(columns: readonly Column[], chainIds: readonly number[] | null): Alternative[] {
  // Every request has its chains.
  if (chainIds === null) return wide(sql`false`);
  return columns.flatMap((column) => chainIds.flatMap((chainId) => wide(sql`${ref(column)} = ${chainId}::bigint`)));
}

function exact(column: Column): Matcher {
  return {
    oneOf: (values) => values.flatMap((value) => wide(sql`${ref(column)} = ${value}`)),
    isAbsent: sql`${ref(column)} is null`,
  };
}

function caseless(column: Column): Matcher {
  return {
    oneOf: (values) => values.flatMap((value) => wide(sql`lower(${ref(column)}) = lower(${value}::text)`)),
    isAbsent: sql`${ref(column)} is null`,
  };
}

/** Hexadecimal ids are lower case. The id gives the month, so only one table is read. */
function requestIdentifier(column: "id" | "order_id"): Matcher {
  return {
    oneOf: (values) => [
      narrow(sql`select request_ids.id, request_ids.created_at from request_ids
        where ${sql.ref(`request_ids.${column}`)} in (${sql.join(values.map(normaliseHex))})`),
    ],
    isAbsent: sql`${ref(column)} is null`,
  };
}

function narrow(query: RawBuilder<unknown>): Alternative {
  return { condition: sql`(requests.id, requests.created_at) in (${query})`, isNarrow: true };
}

function wide(condition: Predicate): Alternative[] {
  return [{ condition, isNarrow: false }];
}

/** Hexadecimal addresses ignore case, base58 ones do not. */
function address(column: Column, isNarrow = false): Matcher {
  const { isAbsent } = exact(column);
  return {
    oneOf: (values) =>
      values.flatMap((value) => {
        const isSame = sql<SqlBool>`lower(${ref(column)}) = lower(${value}::text)`;
        // The first condition is the one with an index.
        return [
          { condition: isHexadecimal(value) ? isSame : sql`(${isSame} and ${ref(column)} = ${value})`, isNarrow },
        ];
      }),
    isAbsent,
  };
}

function matchParty(values: readonly string[]): Alternative[] {
  return [...address("user").oneOf(values), ...address("recipient").oneOf(values)];
}

/** A transaction with this purpose that has not failed; any purpose if absent. */
function transactionHash(purpose?: TransactionPurpose): Matcher {
  const kind = purpose === undefined ? sql`true` : sql`known.purpose = ${purpose} and known.status <> 'failure'`;
  return {
    oneOf: (values) => [
      narrow(sql`select request_ids.id, request_ids.created_at
        from known_transactions as known join request_ids on request_ids.id = known.request_id
        where known.hash in (${sql.join(values.map(normaliseHex))}) and ${kind}`),
    ],
    isAbsent: sql`not exists (select from known_transactions as known where known.request_id = requests.id and ${kind})`,
  };
}

function matchTerm(values: readonly string[]): Alternative[] {
  return [
    ...requestIdentifier("id").oneOf(values),
    ...transactionHash().oneOf(values),
    ...matchParty(values),
    ...DEPOSIT_ADDRESS.oneOf(values),
  ];
}

function joinPredicates(predicates: readonly Predicate[], operator: "and" | "or"): Predicate {
  return sql`(${sql.join(predicates, sql.raw(` ${operator} `))})`;
}

function ref(column: Column): RawBuilder<unknown> {
  return sql.ref(`requests.${column}`);
}

function isHexadecimal(value: string): boolean {
  return /^0x[0-9a-f]*$/iu.test(value);
}

function normaliseHex(value: string): string {
  return isHexadecimal(value) ? value.toLowerCase() : value;
}
