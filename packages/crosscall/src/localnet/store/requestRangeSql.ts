import { type RawBuilder, type SqlBool, sql } from "kysely";

import type { RangeCondition, RangeField } from "./requestFilter.ts";

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

/** Times have milliseconds: the last second of `max` ends where the next begins. */
function time(column: string): Bounds {
  const second = (value: string): RawBuilder<unknown> => sql`to_timestamp(${value}::text::double precision)`;
  return {
    column,
    lowest: second,
    highest: (max) => sql`< ${second(max)} + interval '1 second'`,
  };
}
