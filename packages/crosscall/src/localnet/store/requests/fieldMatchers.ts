import { type RawBuilder, sql, type SqlBool } from "kysely";

import type { FieldCondition, TextField } from "./filter.ts";
import type { RequestTable } from "./requests.ts";

export type Predicate = RawBuilder<SqlBool>;

/** A way to satisfy a condition on a field. */
export interface Alternative {
  readonly condition: Predicate;
  /** Whether few requests match, so that finding them first and then sorting is faster. */
  readonly isNarrow: boolean;
  /** Key and value; alternatives with the same key differ only in the value. */
  readonly listed?: Listed;
}

export interface Listed {
  readonly key: string;
  readonly type: "text" | "bigint";
  readonly value: string | number;
  readonly match: (value: RawBuilder<unknown>) => Predicate;
}

type Column = keyof RequestTable;

interface Matcher {
  readonly oneOf: (values: readonly string[]) => Alternative[];
  readonly isAbsent: Predicate;
}

/** Marked as rare, because the database has no statistics for this expression and expects many requests per address. */
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

export function alternativesOf(condition: FieldCondition): Alternative[] {
  return condition.isNegated ? wide(conditionToSql(condition)) : matchField(condition);
}

export function conditionToSql(condition: FieldCondition): Predicate {
  const predicate = joinPredicates(
    matchField(condition).map((alternative) => alternative.condition),
    "or",
  );
  // Also includes rows in which the field is null, which `not` alone would drop.
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
  // Never null, because every request has chains.
  if (chainIds === null) return wide(sql`false`);
  return columns.flatMap((column) => oneOf(chainIds, column, "bigint", (chainId) => sql`${ref(column)} = ${chainId}`));
}

function exact(column: Column): Matcher {
  return {
    oneOf: (values) => oneOf(values, column, "text", (value) => sql`${ref(column)} = ${value}`),
    isAbsent: sql`${ref(column)} is null`,
  };
}

function caseless(column: Column): Matcher {
  return {
    // Removes duplicates: each value of a list is read separately, so equal values would return a request twice.
    oneOf: (values) =>
      oneOf(distinctCaseless(values), column, "text", (value) => sql`lower(${ref(column)}) = lower(${value})`),
    isAbsent: sql`${ref(column)} is null`,
  };
}

function distinctCaseless(values: readonly string[]): readonly string[] {
  return [...new Map(values.map((value) => [value.toLowerCase(), value])).values()];
}

/** Matches a request or order id. Hex ids are in lower case. The id determines the month, so only one table is read. */
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

/** Matches an address. Hex addresses are case-insensitive, base58 addresses are not. */
function address(column: Column, isNarrow = false): Matcher {
  const { isAbsent } = exact(column);
  const isSame = (value: RawBuilder<unknown>): Predicate => sql`lower(${ref(column)}) = lower(${value})`;
  return {
    oneOf: (values) => {
      const hexadecimal = values.filter(isHexadecimal).map(normaliseHex);
      const others = values.filter((value) => !isHexadecimal(value));
      return [
        ...oneOf(hexadecimal, column, "text", isSame, isNarrow),
        // The condition with an index must come first.
        ...oneOf(
          others,
          `${column} exactly`,
          "text",
          (value) => sql`(${isSame(value)} and ${ref(column)} = ${value})`,
          isNarrow,
        ),
      ];
    },
    isAbsent,
  };
}

function oneOf(
  values: readonly Listed["value"][],
  key: string,
  type: Listed["type"],
  match: Listed["match"],
  isNarrow = false,
): Alternative[] {
  return values.map((value) => ({
    condition: match(sql`${value}::${sql.raw(type)}`),
    isNarrow,
    listed: { key, type, value, match },
  }));
}

function matchParty(values: readonly string[]): Alternative[] {
  return [...address("user").oneOf(values), ...address("recipient").oneOf(values)];
}

/** Matches transactions with this purpose, or with any purpose if undefined, that have not failed. */
function transactionHash(purpose?: "deposit" | "fill" | "refund"): Matcher {
  const kind = purpose === undefined ? sql`true` : sql`known.purpose = ${purpose} and known.status <> 'failure'`;
  const anyTransaction = sql<SqlBool>`exists (
    select from known_transactions as known where known.request_id = requests.id and ${kind})`;
  return {
    oneOf: (values) => [
      narrow(sql`select request_ids.id, request_ids.created_at
        from known_transactions as known join request_ids on request_ids.id = known.request_id
        where known.hash in (${sql.join(values.map(normaliseHex))}) and ${kind}`),
    ],
    isAbsent: sql`not ${purpose === undefined ? anyTransaction : ref(`has_${purpose}`)}`,
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

export function joinPredicates(predicates: readonly Predicate[], operator: "and" | "or"): Predicate {
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
