import { expect } from "chai";
import fc from "fast-check";

import { EVERY_REQUEST } from "../../packages/crosscall/src/localnet/store/requests/filter.ts";
import {
  listRequests,
  positionOf,
  type RequestPosition,
  type RequestSort,
} from "../../packages/crosscall/src/localnet/store/requests/listRequests.ts";
import { insertRequest } from "../../packages/crosscall/src/localnet/store/requests/requests.ts";
import type { Store } from "../../packages/crosscall/src/localnet/store/store.ts";
import { FIRST_SECOND, randomRequests } from "./support/randomRequests.ts";
import { onEachDatabase } from "./support/onEachDatabase.ts";
import { newOrder, newRequest } from "./support/storeRows.ts";

const COUNT = 60;

/** Change made between two pages, at this second: an insertion of a request or an update of an existing one. */
const change = fc.record({
  kind: fc.constantFrom("insert", "update"),
  index: fc.nat({ max: COUNT - 1 }),
  second: fc.integer({ min: 0, max: 300 }),
});
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

onEachDatabase("pages of the store while requests are added and changed", (open) => {
  const requests = randomRequests(COUNT, 20_261_122).map(({ request }) => request);
  const original = requests.map(({ id }) => id);
  let store: Store;
  let inserted = 0;

  before(async () => {
    store = await open();
    for (const request of requests) await insertRequest(store.db, request, newOrder());
  });
  after(() => store.close());

  /** Reverts the changes made by a run. */
  const restore = async (changes: readonly Change[]) => {
    await store.db.deleteFrom("request_ids").where("id", "not in", original).execute();
    for (const { kind, index } of changes) {
      const request = requests[index]!;
      if (kind === "insert") continue;
      const { updated_at } = request;
      await store.db.updateTable("requests").set({ updated_at }).where("id", "=", request.id).execute();
    }
  };

  const apply = async ({ kind, index, second }: Change, updatedAt: Date) => {
    if (kind === "insert") {
      inserted += 1;
      const at = new Date((FIRST_SECOND + second) * 1_000);
      await insertRequest(
        store.db,
        newRequest(`new ${inserted}`, { created_at: at, updated_at: updatedAt }),
        newOrder(),
      );
    } else {
      await store.db
        .updateTable("requests")
        .set({ updated_at: updatedAt })
        .where("id", "=", original[index] ?? "")
        .execute();
    }
  };

  /** Reads all pages, and makes a change before each page except the first. */
  const readAll = async (sortBy: RequestSort, direction: "asc" | "desc", limit: number, changes: readonly Change[]) => {
    const seen: string[] = [];
    let after: RequestPosition | undefined;
    // Each change is newer than all previous changes, as in a service.
    let updatedAt = (FIRST_SECOND + 1_000) * 1_000;
    for (const next of [...changes, undefined, undefined, undefined]) {
      const place = after === undefined ? {} : { after };
      const page = await listRequests(store.db, { filter: EVERY_REQUEST, sortBy, direction, limit, ...place });
      seen.push(...page.map((row) => row.id));
      const last = page.at(-1);
      if (last === undefined) break;
      after = positionOf(last, sortBy);
      updatedAt += 1_000;
      if (next !== undefined) await apply(next, new Date(updatedAt));
    }
    await restore(changes);
    return seen;
  };

  for (const sortBy of ["createdAt", "amountUsd"] as const) {
    for (const direction of ["asc", "desc"] as const) {
      it(`return each existing request once if sorted by ${sortBy} ${direction}`, () =>
        fc.assert(
          fc.asyncProperty(fc.array(change, { minLength: 8, maxLength: 12 }), async (changes) => {
            const seen = await readAll(sortBy, direction, 8, changes);
            expect(new Set(seen).size).to.equal(seen.length);
            expect(seen).to.include.members(original);
          }),
          { numRuns: 15, seed: 3 },
        ));
    }
  }

  it("return every request in ascending order of updatedAt, and return changed requests again", () =>
    fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 20, maxLength: 24 }), async (changes) => {
        expect(await readAll("updatedAt", "asc", 8, changes)).to.include.members(original);
      }),
      { numRuns: 15, seed: 3 },
    ));

  it("return no request twice in descending order of updatedAt", () =>
    fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 8, maxLength: 12 }), async (changes) => {
        const seen = await readAll("updatedAt", "desc", 8, changes);
        expect(new Set(seen).size).to.equal(seen.length);
      }),
      { numRuns: 15, seed: 3 },
    ));
});
