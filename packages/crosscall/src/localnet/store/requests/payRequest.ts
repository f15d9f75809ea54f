import { sql } from "kysely";

import type { DepositToSettle } from "../deposits.ts";
import type { JobInsertion } from "../jobs.ts";
import type { Database } from "../schema.ts";
import type { StateChange, TransactionContents } from "../transactions.ts";
import { moveRequest, statusNotice } from "./transitions.ts";

export interface Payment {
  /** Request of the deposit's order. */
  readonly requestId: string;
  readonly deposit: DepositToSettle;
  readonly contents: TransactionContents;
  readonly at: Date;
  readonly job: JobInsertion;
}

/**
 * Takes the deposit of a request that waits for it: assigns the deposit, records it with its contents, updates the
 * request, and adds its job. Uses one statement instead of a transaction, because it runs for every request.
 *
 * @returns false if the deposit was not taken: the request has several inputs, another status, a deposit or a fast
 *   fill, or another process took the deposit. The job is added anyway, and does nothing.
 */
export async function payRequest(db: Database, { requestId, deposit, contents, at, job }: Payment): Promise<boolean> {
  const { chain_id, tx_hash, position, block_number } = deposit;
  const isWaiting = sql<boolean>`
    requests.origin_chain_id = ${chain_id}
    and requests.input_count = 1
    and not exists (select from transactions where request_id = ${requestId} and purpose = 'deposit')
    and not exists (select from fast_fills where request_id = ${requestId})
    -- Locked, so that a reorg either comes after this statement or prevents it.
    and (
      select true from deposits
      where chain_id = ${chain_id} and tx_hash = ${tx_hash} and position = ${position}
        and block_number = ${block_number} and state = 'seen'
      for update)`;
  const change = {
    requestId,
    from: ["waiting", "depositing"],
    to: "pending",
    at,
    set: { deposit_block: block_number },
  } as const;
  const paid = await moveRequest(db, change, isWaiting)
    .with("taken", (query) =>
      query
        .updateTable("deposits")
        .from("moved")
        .set((deposits) => ({ state: "taken", request_id: deposits.ref("moved.id") }))
        .where("deposits.chain_id", "=", chain_id)
        .where("deposits.tx_hash", "=", tx_hash)
        .where("deposits.position", "=", position),
    )
    .with("recorded", (query) =>
      query
        .insertInto("transactions")
        .columns([
          "request_id",
          "purpose",
          "chain_id",
          "hash",
          "sender",
          "status",
          "block_number",
          "block_timestamp",
          "fee",
          "gas_used",
          "amount",
          "currency",
          "created_at",
        ])
        .expression((row) =>
          row
            .selectFrom("moved")
            .innerJoin("deposits", (join) =>
              join
                .on("deposits.chain_id", "=", chain_id)
                .on("deposits.tx_hash", "=", tx_hash)
                .on("deposits.position", "=", position),
            )
            .select([
              "moved.id",
              sql<"deposit">`'deposit'`.as("purpose"),
              "deposits.chain_id",
              "deposits.tx_hash",
              "deposits.depositor",
              sql<"success">`'success'`.as("status"),
              "deposits.block_number",
              "deposits.block_timestamp",
              "deposits.fee",
              "deposits.gas_used",
              "deposits.amount",
              "deposits.currency",
              "deposits.seen_at",
            ]),
        )
        .returning("transactions.id"),
    )
    .with("described", (query) =>
      query
        .insertInto("transaction_contents")
        .columns(["transaction_id", "to", "input", "value", "state_changes"])
        .expression((row) =>
          row
            .selectFrom("recorded")
            .select([
              "recorded.id",
              sql<string | null>`${contents.to}::text`.as("to"),
              sql<string>`${contents.input}::text`.as("input"),
              sql<string>`${contents.value.toString()}::numeric`.as("value"),
              sql<StateChange[]>`${JSON.stringify(contents.stateChanges)}::jsonb`.as("state_changes"),
            ]),
        ),
    )
    .with("job", () => sql<{ id: string }>`(${job.insert})`)
    .selectFrom("moved")
    .select([statusNotice(change), sql`${job.notice}`.as("woken")])
    .execute();
  return paid.length > 0;
}
