import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

const STATEMENTS = [
  "alter table requests add column input_count integer not null default 1",
  // One deposit and one refund per input. Every other transaction has the index 0.
  "alter table transactions add column input_index integer not null default 0",
  "alter table transactions drop constraint transactions_once",
  "alter table transactions add constraint transactions_once unique (request_id, purpose, input_index)",
  // A request can keep other deposits after one of them is deleted.
  `create or replace function note_known_transaction() returns trigger language plpgsql as $$
    declare
      known transactions := case when tg_op = 'DELETE' then old else new end;
      is_there boolean := (tg_op <> 'DELETE' and known.status <> 'failure') or exists (
        select from transactions as other
        where other.request_id = known.request_id and other.purpose = known.purpose and other.status <> 'failure');
      month timestamptz := (select created_at from request_ids where id = known.request_id);
    begin
      update requests set
        has_deposit = case known.purpose when 'deposit' then is_there else has_deposit end,
        has_fill = case known.purpose when 'fill' then is_there else has_fill end,
        has_refund = case known.purpose when 'refund' then is_there else has_refund end
      where id = known.request_id and created_at = month;
      return null;
    end $$`,
];

/** Adds requests with several inputs. */
export const inputsMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
