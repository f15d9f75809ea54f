import { expect } from "chai";

import { readFamilies } from "../../bench/service/families.ts";
import { fetchPage } from "../../bench/service/fetchPage.ts";
import { withRequests } from "../../bench/service/withRequests.ts";
import { Stages } from "../../packages/crosscall/src/terminal/stages.ts";
import { newPostgresDatabase } from "../support/postgres.ts";

describe("the filters of bench:service", () => {
  it("are accepted by the service", async () => {
    const stages = new Stages({ isSilent: true, signal: new AbortController().signal });
    await withRequests(stages, { createDatabase: newPostgresDatabase }, 1_000, async (network, pool) => {
      const families = await readFamilies(pool, network.apiKey, 1);
      for (const { name, queries } of families) {
        expect([name, queries.length]).to.deep.equal([name, 1]);
        for (const query of queries) await fetchPage(network, query);
      }
    });
  });
});
