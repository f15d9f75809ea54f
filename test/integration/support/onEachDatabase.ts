import { expect } from "chai";

import { openStore, type Store, type StoreOptions } from "../../../packages/crosscall/src/localnet/store/store.ts";
import { newPostgresDatabase } from "../../support/postgres.ts";

type Place = Pick<StoreOptions, "folder" | "url">;

/** Returns the location of a new store, for each kind of database. */
const PLACES: Record<string, () => Promise<Place>> = {
  PGlite: () => Promise.resolve({}),
  PostgreSQL: async () => ({ url: await newPostgresDatabase() }),
};

/** Opens a new empty store for a suite. */
export type OpenStore = () => Promise<Store>;

/** Runs a suite on each kind of database. */
export function onEachDatabase(title: string, suite: (open: OpenStore) => void): void {
  for (const [name, place] of Object.entries(PLACES)) {
    describe(`${title} on ${name}`, () => {
      suite(async () => openStore({ ...(await place()), onError: (error) => expect.fail(error.message) }));
    });
  }
}
