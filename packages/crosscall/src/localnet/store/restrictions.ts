import type { JsonObject } from "./tables/scenarioTables.ts";
import type { Database } from "./store.ts";

export async function findRestrictions(db: Database): Promise<JsonObject | undefined> {
  const row = await db.selectFrom("restrictions").select("restrictions").executeTakeFirst();
  return row?.restrictions;
}

export async function setRestrictions(db: Database, restrictions: JsonObject): Promise<void> {
  if (Object.keys(restrictions).length === 0) {
    await db.deleteFrom("restrictions").execute();
    return;
  }
  const text = JSON.stringify(restrictions);
  await db
    .insertInto("restrictions")
    .values({ is_current: true, restrictions: text })
    .onConflict((conflict) => conflict.column("is_current").doUpdateSet({ restrictions: text }))
    .execute();
}
