import { expect } from "chai";

import { depositOnce } from "../../bench/network/depositOnce.ts";
import { createServiceClient, watchRequest } from "../../packages/sdk/src/index.ts";
import { countWork, type WorkCount, type WorkCounter } from "../support/countWork.ts";
import { useNetwork } from "../support/useNetwork.ts";

/** Limits for one request. Lower them when a request needs fewer statements or RPC requests. */
const STATEMENTS_MAX = 23;
const RPC_CALLS_MAX = 9;

/** Number of statements for a status poll. */
const POLL_STATEMENTS = 1;

const REQUESTS = 5;

/** Statements that do not depend on requests: periodic statements of a network, and the queue's statements. */
const PERIODIC =
  /^(?!with "before")[^]*pgboss|from "(?:fast_fills|webhook_events)" where "state"|where "status" = \$1 order by "updated_at"/u;

/** Number of statements to fetch and complete a job. */
const JOB_STATEMENTS = 2;

/** Statement of a status poll. Excluded, because the number of polls depends on the client. */
const STATUS_POLL = /json_build_object\('purpose'/u;

describe("the cost of a request", function () {
  let counter: WorkCounter;
  before(() => {
    counter = countWork();
  });
  after(() => counter[Symbol.dispose]());
  const network = useNetwork({ limits: "off" });

  it("is a limited number of statements and RPC requests, from quote to success", async () => {
    const client = createServiceClient({ baseUrl: network.url, limits: false });
    const counts: WorkCount[] = [];
    for (let at = 0; at < REQUESTS; at += 1) {
      counter.take();
      const requestId = await depositOnce(network);
      // Polls rarely, so that the number of polls stays low.
      await watchRequest(client, { requestId, pollIntervalMs: 300 });
      counts.push(counter.take());
    }
    // One watch scans a block and another confirms the scan. Their order and shared work vary.
    const statements = Math.min(...counts.map((count) => count.statements.filter(isOfRequest).length));
    const rpcCalls = Math.min(...counts.map((count) => count.rpcCalls.length));
    expect(statements + JOB_STATEMENTS, "statements").to.be.within(1, STATEMENTS_MAX);
    expect(rpcCalls, "chain calls").to.be.within(1, RPC_CALLS_MAX);
  });

  it("is one statement for a status poll", async () => {
    const requestId = await depositOnce(network);
    await watchRequest(createServiceClient({ baseUrl: network.url, limits: false }), { requestId });
    counter.take();
    const response = await fetch(`${network.url}/intents/status/v3?requestId=${requestId}`);
    expect(response.status).to.equal(200);
    const { statements } = counter.take();
    const reads = statements.filter((text) => text.includes("request_ids"));
    expect(reads).to.have.length(POLL_STATEMENTS);
  });
});

function isOfRequest(text: string): boolean {
  return !(PERIODIC.test(text) || STATUS_POLL.test(text));
}
