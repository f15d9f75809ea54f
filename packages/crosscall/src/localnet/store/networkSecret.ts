import type { Database } from "./store.ts";

/**
 * Secret of a database, which signs access tokens and encrypts webhooks. All processes on the database use the same one,
 * also after a restart and in a copy, whatever their admin keys are.
 *
 * @param random the secret of a database that has none yet
 */
export async function readNetworkSecret(db: Database, random: string): Promise<string> {
  await db
    .insertInto("network_secrets")
    .values({ is_current: true, secret: random })
    .onConflict((conflict) => conflict.column("is_current").doNothing())
    .execute();
  const { secret } = await db.selectFrom("network_secrets").select("secret").executeTakeFirstOrThrow();
  return secret;
}
