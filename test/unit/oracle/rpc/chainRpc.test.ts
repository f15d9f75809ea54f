import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { expect } from "chai";

import { type ChainRpc, createChainRpc } from "../../../../packages/oracle/src/rpc/chainRpc.ts";
import { createRpcEndpoint } from "../../../../packages/oracle/src/rpc/rpcEndpoint.ts";
import { CallRevertedError, RpcError } from "../../../../packages/oracle/src/rpc/rpcErrors.ts";
import { until } from "../../../support/until.ts";

interface RpcCall {
  readonly id: number;
  readonly method: string;
}
type Answer = (calls: readonly RpcCall[], isBatch: boolean) => { status?: number; body: unknown } | undefined;

/** JSON-RPC server over HTTP that returns the test's responses. */
class RpcServer {
  readonly batches: string[][] = [];
  answer: Answer;
  readonly #server: Server;

  private constructor(answer: Answer) {
    this.answer = answer;
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const parsed = JSON.parse(Buffer.concat(chunks).toString()) as RpcCall | RpcCall[];
        const calls = Array.isArray(parsed) ? parsed : [parsed];
        this.batches.push(calls.map(({ method }) => method));
        const answered = this.answer(calls, Array.isArray(parsed));
        if (answered === undefined) return;
        response.writeHead(answered.status ?? 200);
        response.end(typeof answered.body === "string" ? answered.body : JSON.stringify(answered.body));
      });
    });
  }

  static async start(answer: Answer): Promise<RpcServer> {
    const server = new RpcServer(answer);
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

const say =
  (result: unknown): Answer =>
  (calls, isBatch) => {
    const answers = calls.map(({ id }) => ({ jsonrpc: "2.0", id, result }));
    return { body: isBatch ? answers.toReversed() : answers[0] };
  };
const fail =
  (error: object, status = 200): Answer =>
  (calls, isBatch) => {
    const answers = calls.map(({ id }) => ({ jsonrpc: "2.0", id, error }));
    return { status, body: isBatch ? answers : answers[0] };
  };
/** Only the hanging endpoint has a short timeout, so that no result depends on the speed of the other endpoints. */
const HANG_MS = 50;
const NEVER_MS = 3_600_000;
const hang: Answer = () => undefined;
const hangForever: Answer = () => undefined;

const asText = (answer: unknown): string => {
  if (typeof answer !== "string") throw new Error("no text");
  return answer;
};

describe("a chain's endpoints", () => {
  const servers: RpcServer[] = [];
  const rpcs: ChainRpc[] = [];
  let failures: string[] = [];
  let now = 1_000_000;

  const start = async (answers: Answer[], agreement = 1): Promise<ChainRpc> => {
    failures = [];
    const started = await Promise.all(answers.map((answer) => RpcServer.start(answer)));
    servers.push(...started);
    const urls = started.map(({ url }) => url);
    const rpc = createChainRpc({
      chainId: "c",
      agreement,
      clock: { now: () => now },
      observer: {
        called: () => undefined,
        failed: (_chain, endpoint, _method, failure) => {
          failures.push(`${urls.findIndex((url) => url.endsWith(endpoint))} ${failure}`);
        },
      },
      endpoints: urls.map((url, index) =>
        createRpcEndpoint({ url, batchSize: 3, timeoutMs: answers[index] === hang ? HANG_MS : NEVER_MS }),
      ),
    });
    rpcs.push(rpc);
    return rpc;
  };
  const failureOf = async (work: Promise<unknown>): Promise<unknown> => {
    try {
      return await work;
    } catch (error) {
      return error;
    }
  };

  afterEach(async () => {
    for (const rpc of rpcs.splice(0)) rpc.close();
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  it("receive all calls from one event loop turn as a batch, and a single call as an object", async () => {
    const rpc = await start([(calls, isBatch) => say(isBatch ? "batch" : "alone")(calls, isBatch)]);
    const read = (method: string) => rpc.read(method, [], asText);
    expect(await read("a")).to.equal("alone");
    expect(await Promise.all(["a", "b", "c", "d"].map(read))).to.deep.equal(["batch", "batch", "batch", "alone"]);
    expect(servers[0]?.batches).to.deep.equal([["a"], ["a", "b", "c"], ["d"]]);
  });

  const broken: [string, Answer, string][] = [
    ["rate-limits with an HTTP status", () => ({ status: 429, body: "" }), "rate-limited"],
    ["rate-limits with a JSON error", fail({ code: -32005, message: "x" }), "rate-limited"],
    ["rate-limits with a message", fail({ code: -32000, message: "Too Many Requests" }), "rate-limited"],
    ["refuses", fail({ code: -32601, message: "no such method" }), "refused"],
    ["fails", () => ({ status: 502, body: "<html>" }), "refused"],
    ["answers no JSON", () => ({ body: "{" }), "malformed"],
    ["returns no result", () => ({ body: { id: 0 } }), "malformed"],
    ["returns an unreadable result", say(7), "malformed"],
    ["hangs", hang, "timeout"],
  ];
  for (const [what, answer, failure] of broken) {
    it(`are replaced by the next one if one ${what}, and the failing one is reported and skipped for a while`, async () => {
      const rpc = await start([answer, say("right")]);
      expect(await rpc.read("a", [], asText)).to.equal("right");
      expect(await rpc.read("a", [], asText)).to.equal("right");
      expect(failures).to.deep.equal([`0 ${failure}`]);
      now += 5_001;
      expect(await rpc.read("a", [], asText)).to.equal("right");
      expect(failures).to.deep.equal([`0 ${failure}`, `0 ${failure}`]);
      // The clock is set back.
      now -= 10_000;
      expect(await rpc.read("a", [], asText)).to.equal("right");
      expect(failures).to.deep.equal([`0 ${failure}`, `0 ${failure}`, `0 ${failure}`]);
    });
  }

  it("fail with the last error if all of them fail", async () => {
    const rpc = await start([() => ({ status: 429, body: "" }), fail({ code: 1, message: "no" })]);
    const error = await failureOf(rpc.read("a", [], asText));
    expect(error).to.be.instanceOf(RpcError).with.property("failure", "refused");
    expect((error as RpcError).code).to.equal("CHAIN_ERROR");
  });

  it("receive no further request if a call reverts", async () => {
    const rpc = await start([fail({ code: 3, message: "execution reverted" }), say("right")]);
    expect(await failureOf(rpc.read("eth_call", [], asText))).to.be.instanceOf(CallRevertedError);
    expect(failures).to.deep.equal([]);
  });

  it("must agree if the chain requires agreement, and an endpoint that deviates is reported", async () => {
    const rpc = await start([say("lie"), say("right"), say("right")], 2);
    expect(await rpc.read("a", [], asText)).to.equal("right");
    await until(() => failures.length > 0);
    expect(failures).to.deep.equal(["0 disagreeing"]);
  });

  it("can agree without waiting for a hanging endpoint", async () => {
    const rpc = await start([hangForever, say("right"), say("right")], 2);
    expect(await rpc.read("a", [], asText)).to.equal("right");
    expect(failures).to.deep.equal([]);
  });

  it("fail if too few agree", async () => {
    const rpc = await start([say("a"), say("b"), fail({ code: 1, message: "no" })], 2);
    const error = await failureOf(rpc.read("a", [], asText));
    expect(error).to.be.instanceOf(RpcError).with.property("failure", "disagreeing");
    expect(failures.toSorted()).to.deep.equal(["0 disagreeing", "1 disagreeing", "2 refused"]);
  });

  it("can agree that a call reverts", async () => {
    const revert = fail({ code: 3, message: "execution reverted" });
    const rpc = await start([revert, say("right"), revert], 2);
    expect(await failureOf(rpc.read("eth_call", [], asText))).to.be.instanceOf(CallRevertedError);
  });

  it("report the highest value that enough endpoints agree on", async () => {
    const heightsOf = (text: string): readonly number[] => text.split(" ").map(Number);
    const three = await start([say("7"), say("900"), say("8")], 2);
    expect(await three.readHeight("latest", [], asText, heightsOf)).to.equal("8");
    const one = await start([say("7"), say("900")]);
    expect(await one.readHeight("latest", [], asText, heightsOf)).to.equal("7");
    // Only the endpoint that reports the later time for this block number has the block.
    for (const servers of [
      [say("7 100"), say("7 900"), say("7 100")],
      [say("7 100"), say("6 99"), say("7 900")],
    ]) {
      const some = await start(servers, 2);
      expect(await some.readHeight("latest", [], asText, heightsOf)).to.equal("7 100");
    }
    // A hanging endpoint does not delay the others, regardless of its timeout.
    const hanging = await start([say("7"), hangForever, say("8")], 2);
    expect(await hanging.readHeight("latest", [], asText, heightsOf)).to.equal("7");
    const few = await start([say("7"), fail({ code: 1, message: "no" })], 2);
    expect(await failureOf(few.readHeight("latest", [], asText, heightsOf))).to.be.instanceOf(RpcError);
  });
});
