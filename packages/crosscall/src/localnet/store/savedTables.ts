import { sql } from "kysely";
import * as Type from "typebox";

import { InvalidStateError } from "@crosscall/protocol/core";
import type { Database } from "./schema.ts";

const SavedTableSchema = Type.Object({
  name: Type.String(),
  /** Without generated columns. */
  columns: Type.Array(Type.String()),
  /** Rows with values in PostgreSQL's text format, which can be read back exactly. */
  rows: Type.Array(Type.Array(Type.Union([Type.String(), Type.Null()]))),
});

/** Contents of a store without its job queues. The solver and the webhooks find unfinished work in the tables. */
export const SavedTablesSchema = Type.Object({
  migrations: Type.Array(Type.String()),
  /** Tables in dependency order. */
  tables: Type.Array(SavedTableSchema),
  /** Last values of sequences; null if unused. */
  sequences: Type.Array(Type.Object({ name: Type.String(), lastValue: Type.Union([Type.String(), Type.Null()]) })),
});

type SavedTable = Type.Static<typeof SavedTableSchema>;

export type SavedTables = Type.Static<typeof SavedTablesSchema>;

interface TableColumns {
  readonly name: string;
  readonly columns: string[];
  readonly types: readonly string[];
}

const ROWS_AT_ONCE = 500;

/** Reads all tables. Call it in a transaction with a consistent snapshot. Equal contents produce equal results. */
export async function saveTables(db: Database): Promise<SavedTables> {
  const tables: SavedTable[] = [];
  await useUtc(db);
  for (const { name, columns } of await listTables(db)) {
    const values = sql.join(columns.map((column) => sql`${sql.ref(column)}::text`));
    const { rows } = await sql<{ values: (string | null)[] }>`
      select json_build_array(${values}) as values from ${sql.table(name)}
      order by json_build_array(${values})::text collate "C"`.execute(db);
    tables.push({ name, columns, rows: rows.map((row) => row.values) });
  }
  return { migrations: await listMigrations(db), tables, sequences: await listSequences(db) };
}

/**
 * Fills the tables of a new store.
 *
 * @throws {@link InvalidStateError} if the store contains data, or has the schema of another version
 */
export async function restoreTables(db: Database, saved: SavedTables): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await requireNew(transaction);
    await requireSameVersion(transaction, saved);
    await useUtc(transaction);
    const known = new Map((await listTables(transaction)).map((table) => [table.name, table]));
    for (const { name } of saved.tables.toReversed()) await sql`delete from ${sql.table(name)}`.execute(transaction);
    for (const table of saved.tables) {
      await restoreTable(transaction, table, known.get(table.name));
      if (table.name === "request_ids") await createMonths(transaction);
    }
    for (const { name, lastValue } of saved.sequences) {
      if (lastValue !== null)
        await sql`select setval(${name}::text::regclass, ${lastValue}::text::bigint)`.execute(transaction);
    }
  });
}

async function restoreTable(db: Database, { name, columns, rows }: SavedTable, known?: TableColumns): Promise<void> {
  if (known === undefined || columns.some((column) => !known.columns.includes(column))) {
    throw otherVersion(`the table ${name} has different columns`);
  }
  const values = columns.map((column, index) => {
    const type = known.types[known.columns.indexOf(column)] ?? "text";
    return sql`(line ->> ${sql.lit(index)})::${sql.raw(type)}`;
  });
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    await sql`
      insert into ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column)))})
      overriding system value
      select ${sql.join(values)} from jsonb_array_elements(${JSON.stringify(rows.slice(start, start + ROWS_AT_ONCE))}::text::jsonb) as line`.execute(
      db,
    );
  }
}

async function createMonths(db: Database): Promise<void> {
  await sql`select ensure_requests_month(created_at) from (select distinct created_at from request_ids) as request`.execute(
    db,
  );
}

async function requireNew(db: Database): Promise<void> {
  if ((await db.selectFrom("scans").select("chain_id").limit(1).executeTakeFirst()) === undefined) return;
  throw new InvalidStateError({
    message: "a snapshot can only be loaded into a new database, but this one contains data",
    hint: "Use a new folder or database, or omit both to keep the data in memory.",
  });
}

async function requireSameVersion(db: Database, { migrations }: SavedTables): Promise<void> {
  const present = await listMigrations(db);
  if (present.join() !== migrations.join()) throw otherVersion("its database has a different schema");
}

function otherVersion(reason: string): InvalidStateError {
  return new InvalidStateError({
    message: `the snapshot was saved by a different version of crosscall: ${reason}`,
    hint: "Load it with that version, or save a new one.",
  });
}

/** Sets the session's time zone to UTC. Otherwise, times would be printed in the session's own time zone. */
async function useUtc(db: Database): Promise<void> {
  await sql`set local time zone 'UTC'`.execute(db);
}

async function listMigrations(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

async function listSequences(db: Database): Promise<SavedTables["sequences"]> {
  const { rows } = await sql<SavedTables["sequences"][number]>`
    select sequencename as name, last_value::text as "lastValue" from pg_sequences
    where schemaname = current_schema()
    order by sequencename`.execute(db);
  return rows;
}

/** Lists the tables in dependency order, without the clock, which a snapshot stores as a time. */
async function listTables(db: Database): Promise<TableColumns[]> {
  const { rows: tables } = await sql<TableColumns & { readonly needs: readonly string[] }>`
    select relname as name,
      (select array_agg(attname::text order by attnum) from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
      (select array_agg(format_type(atttypid, atttypmod) order by attnum) from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as types,
      array(select confrelid::regclass::text from pg_constraint
        where contype = 'f' and conrelid = pg_class.oid and confrelid <> conrelid) as needs
    from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition and relname not like 'kysely_%'
      and relname <> 'service_clock'
    order by relname`.execute(db);
  const sorted: TableColumns[] = [];
  const open = new Map(tables.map((table) => [table.name, table]));
  while (open.size > 0) {
    const ready = [...open.values()].filter(({ needs }) => needs.every((need) => !open.has(need)));
    if (ready.length === 0) throw new Error("the tables reference each other in a cycle");
    for (const table of ready) {
      open.delete(table.name);
      sorted.push(table);
    }
  }
  return sorted;
}
