import type { ColumnType } from "kysely";

/** A `numeric(78, 0)` column: it holds any uint256, is written as a bigint and read as a decimal string. */
export type AmountColumn = ColumnType<string, bigint | string, bigint | string>;

/** An amount that may not be there. */
export type NullableAmountColumn = ColumnType<string | null, bigint | string | null, bigint | string | null>;

/** A `numeric(96, 6)` column of US dollars: written and read as a decimal string. */
export type UsdColumn = ColumnType<string, string, string>;

/** A `timestamptz(3)` column. */
export type TimeColumn = ColumnType<Date, Date, Date>;

/** Null where a mirrored request has no order; what this service's own code reads has one. */
export type OrderIdColumn = ColumnType<string, string | null, string | null>;
