import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

const PURPOSES = ["deposit", "fill", "refund"] as const;

/**
 * Whether a request has a deposit, a fill and a refund, next to its other filter columns: a listing of those without one
 * would otherwise look up the transactions of every request.
 */
export const knownTransactionsMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    // Most requests are filled, so few rows differ from the defaults and are written.
    for (const purpose of PURPOSES) {
      await sql`
        alter table requests add column ${columnOf(purpose)} boolean not null
        default ${sql.lit(purpose !== "refund")}`.execute(db);
    }
    await sql`
      update requests set has_deposit = known.deposit, has_fill = known.fill, has_refund = known.refund
      from (
        select id, coalesce(bool_or(purpose = 'deposit'), false) as deposit,
          coalesce(bool_or(purpose = 'fill'), false) as fill, coalesce(bool_or(purpose = 'refund'), false) as refund
        from request_ids left join known_transactions on request_id = id and status <> 'failure' group by id
      ) as known
      where requests.id = known.id and not (known.deposit and known.fill and not known.refund)`.execute(db);
    for (const purpose of PURPOSES) {
      await sql`alter table requests alter column ${columnOf(purpose)} set default false`.execute(db);
    }
    await createTriggers(db);
    for (const purpose of PURPOSES) {
      await sql`
        create index ${sql.ref(`requests_no_${purpose}`)} on requests (status, created_at desc, id desc)
        where not ${columnOf(purpose)}`.execute(db);
    }
  },
};

/** Records of another service are written with these columns; see saveRecords.ts. */
async function createTriggers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function note_known_transaction() returns trigger language plpgsql as $$
    declare
      known transactions := case when tg_op = 'DELETE' then old else new end;
      is_there boolean := tg_op <> 'DELETE' and known.status <> 'failure';
      month timestamptz := (select created_at from request_ids where id = known.request_id);
    begin
      update requests set
        has_deposit = case known.purpose when 'deposit' then is_there else has_deposit end,
        has_fill = case known.purpose when 'fill' then is_there else has_fill end,
        has_refund = case known.purpose when 'refund' then is_there else has_refund end
      where id = known.request_id and created_at = month;
      return null;
    end $$`.execute(db);
  const isListed = (row: string) =>
    sql`${sql.ref(`${row}.purpose`)} in (${sql.join(PURPOSES.map((purpose) => sql.lit(purpose)))})`;
  await sql`
    create trigger known_transaction_added after insert on transactions for each row
    when (${isListed("new")} and new.status <> 'failure') execute function note_known_transaction()`.execute(db);
  await sql`
    create trigger known_transaction_changed after update of status on transactions for each row
    when (${isListed("new")} and (old.status = 'failure') <> (new.status = 'failure'))
    execute function note_known_transaction()`.execute(db);
  await sql`
    create trigger known_transaction_deleted after delete on transactions for each row
    when (${isListed("old")} and old.status <> 'failure') execute function note_known_transaction()`.execute(db);
}

function columnOf(purpose: (typeof PURPOSES)[number]) {
  return sql.ref(`has_${purpose}`);
}
