import type { ColumnType, Kysely, Transaction } from "kysely";

/** Tables by name. Each module of the store adds its own tables. */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface StoreSchema {}

export type Database = Kysely<StoreSchema>;

export type StoreTransaction = Transaction<StoreSchema>;

/** A `numeric(78, 0)` column, which fits any uint256. It is written as a bigint and read as a decimal string. */
export type AmountColumn = ColumnType<string, bigint | string, bigint | string>;

export type NullableAmountColumn = ColumnType<string | null, bigint | string | null, bigint | string | null>;

/** A `numeric(96, 6)` column of US dollars, as a decimal string. */
export type UsdColumn = ColumnType<string, string, string>;

export type TimeColumn = ColumnType<Date, Date, Date>;

/** Id of the order; null only for a mirrored request without an order, and for the id of a claim. */
export type OrderIdColumn = ColumnType<string, string | null, string | null>;

export type JsonObject = Readonly<Record<string, unknown>>;
