import type { StateChange } from "./tables/transactionTables.ts";
import type { Database } from "./store.ts";

export interface TransactionContents {
  readonly to: string | null;
  readonly input: string;
  /** Wei. */
  readonly value: bigint;
  readonly stateChanges: readonly StateChange[];
}

export async function recordContents(
  db: Database,
  transactionId: number,
  { to, input, value, stateChanges }: TransactionContents,
): Promise<void> {
  const contents = { to, input, value, state_changes: JSON.stringify(stateChanges) };
  await db
    .insertInto("transaction_contents")
    .values({ transaction_id: transactionId, ...contents })
    .onConflict((conflict) => conflict.column("transaction_id").doUpdateSet(contents))
    .execute();
}
