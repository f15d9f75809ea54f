import { sql } from "kysely";

import type { Store } from "../../packages/crosscall/src/localnet/store/store.ts";

/** Adds deposit addresses without payments. Each is watched one millisecond longer than the previous one. */
export async function addWatchedAddresses({ db }: Pick<Store, "db">, count: number, until: Date): Promise<void> {
  await sql`
    insert into deposit_addresses (address, request_id, request, watched_until)
    select '0x' || substr(md5(n::text) || md5(n::text), 1, 40), 'r' || n, '{"originCurrency":"0x"}',
      ${until}::timestamptz + n * interval '1 millisecond'
    from generate_series(1, ${sql.lit(count)}) as n`.execute(db);
}
