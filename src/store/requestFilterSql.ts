import { type RawBuilder, type SqlBool, sql } from "kysely";

import type { FieldCondition, RequestFilter, TextField } from "./requestFilter.ts";
import { rangeToSql } from "./requestRangeSql.ts";
import type { RequestTable, TransactionPurpose } from "./schema.ts";

/** A condition over one row of the table `requests`. */
export type Predicate = RawBuilder<SqlBool>;

type Column = keyof RequestTable;

/** How a field is compared. */
interface Matcher {
  readonly oneOf: (values: readonly string[]) => Predicate;
  readonly isAbsent: Predicate;
}

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
  depositAddress: address("deposit_address"),
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

/** The filter as SQL: all of these must hold. */
export function filterToSql(filter: RequestFilter): Predicate[] {
  const { groups, features } = filter;
  return [
    ...filter.conditions.map((condition) => topLevelToSql(condition, filter.includesChildren)),
    ...filter.ranges.flatMap(rangeToSql),
    ...(groups.length === 0 ? [] : [joinPredicates(groups.map(groupToSql), "or")]),
    ...(features.length === 0 ? [] : [sql<SqlBool>`requests.features && array[${sql.join(features)}]::text[]`]),
  ];
}

function groupToSql(group: readonly FieldCondition[]): Predicate {
  return group.length === 0 ? sql`true` : joinPredicates(group.map(conditionToSql), "and");
}

function topLevelToSql(condition: FieldCondition, includesChildren: boolean): Predicate {
  const predicate = conditionToSql(condition);
  const hasChildren = condition.field === "id" || condition.field === "depositAddress";
  return includesChildren && hasChildren ? withChildren(predicate) : predicate;
}

function conditionToSql(condition: FieldCondition): Predicate {
  const predicate = matchField(condition);
  // A field that is absent is not one of the values: `not` alone would leave such a row out.
  return condition.isNegated ? sql<SqlBool>`((${predicate}) is not true)` : predicate;
}

function matchField({ field, values }: FieldCondition): Predicate {
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
      return values === null ? MATCHERS[field].isAbsent : MATCHERS[field].oneOf(values);
  }
}

function matchChain(columns: readonly Column[], chainIds: readonly number[] | null): Predicate {
  // Every request has its chains.
  if (chainIds === null) return sql`false`;
  const list = sql.join(chainIds.map((chainId) => sql`${chainId}::bigint`));
  return joinPredicates(
    columns.map((column) => sql<SqlBool>`${ref(column)} in (${list})`),
    "or",
  );
}

function exact(column: Column): Matcher {
  return {
    oneOf: (values) => sql`${ref(column)} in (${sql.join(values)})`,
    isAbsent: sql`${ref(column)} is null`,
  };
}

function caseless(column: Column): Matcher {
  return {
    oneOf: (values) => sql`lower(${ref(column)}) in (${sql.join(values.map(lower))})`,
    isAbsent: sql`${ref(column)} is null`,
  };
}

/** An id, hexadecimal in lower case; every request has both. The ids tell the month, so that one table is read. */
function requestIdentifier(column: "id" | "order_id"): Matcher {
  return {
    oneOf: (values) =>
      inRequests(sql`select request_ids.id, request_ids.created_at from request_ids
        where ${sql.ref(`request_ids.${column}`)} in (${sql.join(values.map(normaliseHex))})`),
    isAbsent: sql`false`,
  };
}

/** The requests that a query names by id and time of creation. */
function inRequests(query: RawBuilder<unknown>): Predicate {
  return sql`(requests.id, requests.created_at) in (${query})`;
}

/** Hexadecimal addresses are one whatever their case; base58 ones differ by it. */
function address(column: Column): Matcher {
  const whateverCase = caseless(column);
  return {
    oneOf(values) {
      const found = whateverCase.oneOf(values);
      const cased = values.filter((value) => !isHexadecimal(value));
      if (cased.length === 0) return found;
      const hexadecimal = values.filter(isHexadecimal);
      const kept = [exact(column).oneOf(cased), ...(hexadecimal.length === 0 ? [] : [whateverCase.oneOf(hexadecimal)])];
      // The first condition is the one that the index serves.
      return joinPredicates([found, joinPredicates(kept, "or")], "and");
    },
    isAbsent: whateverCase.isAbsent,
  };
}

function matchParty(values: readonly string[]): Predicate {
  return joinPredicates([address("user").oneOf(values), address("recipient").oneOf(values)], "or");
}

/** A transaction of the request that does this and has not failed; with no purpose any transaction. */
function transactionHash(purpose?: TransactionPurpose): Matcher {
  const kind = purpose === undefined ? sql`true` : sql`known.purpose = ${purpose} and known.status <> 'failure'`;
  return {
    oneOf: (values) =>
      inRequests(sql`select request_ids.id, request_ids.created_at
        from known_transactions as known join request_ids on request_ids.id = known.request_id
        where known.hash in (${sql.join(values.map(normaliseHex))}) and ${kind}`),
    isAbsent: sql`not exists (select from known_transactions as known where known.request_id = requests.id and ${kind})`,
  };
}

/** A union and not one condition with OR: each branch is read off its own index, whatever the table. */
function matchTerm(values: readonly string[]): Predicate {
  const branches = [
    MATCHERS.id.oneOf(values),
    address("user").oneOf(values),
    address("recipient").oneOf(values),
    address("deposit_address").oneOf(values),
  ].map((predicate) => sql`select requests.id from requests where ${predicate}`);
  const hashes = sql.join(values.map(normaliseHex));
  branches.push(sql`select known.request_id from known_transactions as known where known.hash in (${hashes})`);
  return sql`requests.id in (${sql.join(branches, sql` union all `)})`;
}

function withChildren(predicate: Predicate): Predicate {
  const matched = sql`select requests.id from requests where ${predicate}`;
  return sql`requests.id in (${matched} union all
    select child.id from requests as child where child.parent_request_id in (${matched}))`;
}

function joinPredicates(predicates: readonly Predicate[], operator: "and" | "or"): Predicate {
  return sql`(${sql.join(predicates, sql.raw(` ${operator} `))})`;
}

function ref(column: Column): RawBuilder<unknown> {
  return sql.ref(`requests.${column}`);
}

function lower(value: string): RawBuilder<unknown> {
  return sql`lower(${value}::text)`;
}

function isHexadecimal(value: string): boolean {
  return /^0x[0-9a-f]*$/iu.test(value);
}

function normaliseHex(value: string): string {
  return isHexadecimal(value) ? value.toLowerCase() : value;
}
