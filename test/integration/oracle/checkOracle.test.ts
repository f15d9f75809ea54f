import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { expect } from "chai";
import { encodeFunctionData, type Hex, zeroAddress } from "viem";
import { privateKeyToAddress } from "viem/accounts";

import { checkOracle } from "../../../packages/oracle/src/check/checkOracle.ts";
import type { OracleCheck } from "../../../packages/oracle/src/check/checkSample.ts";
import { diffOracles, type RequestDiff } from "../../../packages/oracle/src/check/diffOracles.ts";
import { openOracleHttp, readRequests } from "../../../packages/oracle/src/check/oracleHttp.ts";
import type { Oracle } from "../../../packages/oracle/src/startOracle.ts";
import {
  CHAIN,
  ORACLE_SIGNER,
  type OracleNetwork,
  startOracleNetwork,
  startTestOracle,
} from "../support/oracleNetwork.ts";
import { depositoryAbi } from "../../../packages/protocol/src/abi/service.generated.ts";

const PEER_KEY: Hex = `0x${"6b".repeat(32)}`;
const PEER_SIGNER = privateKeyToAddress(PEER_KEY).toLowerCase();
const OTHER = `0x${"77".repeat(20)}`;
const UNKNOWN: Hex = `0x${"ee".repeat(32)}`;
const ROUTE = "depository-deposits/v1";
const { signal } = new AbortController();

describe("checks and comparisons of running oracles", () => {
  let network: OracleNetwork;
  let peer: Oracle;
  let oracle: Oracle;
  let transactionId: Hex;

  before(async () => {
    network = await startOracleNetwork();
    const signing = { module: "raw-private-key", privateKey: PEER_KEY } as const;
    peer = await startTestOracle(network, { settings: { signing } });
    oracle = await startTestOracle(network, { settings: { peers: [{ baseUrl: peer.url, apiKey: undefined }] } });
    transactionId = await network.send({
      to: network.contracts.depository,
      data: encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args: [zeroAddress, UNKNOWN] }),
      value: 5n,
    });
  });
  after(async () => {
    await oracle.close();
    await peer.close();
    await network.close();
  });

  describe("crosscall oracle check", () => {
    const check = (url: string, more: object = {}): Promise<readonly OracleCheck[]> =>
      checkOracle({ url, apiKey: undefined, passKey: "pass --api-key", signal, ...more });
    const failedChecks = (checks: readonly OracleCheck[]): readonly OracleCheck[] =>
      checks.filter(({ isMet }) => !isMet);
    const failed = (checks: readonly OracleCheck[]): string[] =>
      failedChecks(checks).map(({ name, seen }) => `${name}: ${seen}`);
    const sample = () => ({ route: ROUTE, body: { chainId: CHAIN, transactionId } });

    it("reports which expected signers signed a sample", async () => {
      const samples = [sample()];
      const signers = [ORACLE_SIGNER, PEER_SIGNER];
      const agreed = await check(oracle.url, { samples, signers, chains: [CHAIN] });
      expect(failed(agreed)).to.deep.equal([]);
      expect(agreed.at(-1)?.seen).to.equal(`signed by ${ORACLE_SIGNER}, ${PEER_SIGNER}`);
      expect(failed(await check(oracle.url, { samples, signers: [...signers, OTHER] }))).to.deep.equal([
        `peers agree on ${ROUTE}: signed by ${ORACLE_SIGNER}, ${PEER_SIGNER}; not by ${OTHER}`,
      ]);
    });

    it("reports once that no server responds, or that another server responds", async () => {
      const gone = await startTestOracle(network);
      await gone.close();
      expect(await check(gone.url, { samples: [sample()], signers: [OTHER], apiKey: "any" })).to.deep.equal([
        {
          name: "it is up",
          isMet: false,
          seen: "/lives/v1 does not respond (ECONNREFUSED)",
          hint: "Start the oracle, or correct the URL.",
        },
      ]);
      expect(await check(`${oracle.url}/documentation`)).to.deep.equal([
        {
          name: "it is up",
          isMet: false,
          seen: "/lives/v1 returns 404",
          hint: "Pass the base URL of an oracle without a path.",
        },
      ]);
    });

    it("names missing chains, the missing settings of disabled chains, and endpoints that do not respond", async () => {
      const disabledChains = { base: ["BASE_RPC_URL"] };
      await using partial = await startTestOracle(network, { disabledChains, rpcUrl: "http://127.0.0.1:1" });
      const seen = async (chains: readonly string[]) =>
        failedChecks(await check(partial.url, { chains })).map((each) => [each.seen, each.hint]);
      const silent = [
        `no response from ${CHAIN} (127.0.0.1:1 unreachable)`,
        "Check the oracle's RPC URLs for these chains.",
      ];
      expect(await seen([CHAIN])).to.deep.equal([silent]);
      expect(await seen([CHAIN, "base"])).to.deep.equal([
        [
          `${CHAIN}; missing: base (disabled: BASE_RPC_URL is not set)`,
          "Set the missing values of the disabled chains, and restart the oracle.",
        ],
        silent,
      ]);
      expect(await seen(["optimism"])).to.deep.equal([
        [
          `${CHAIN}; missing: optimism; not expected: ${CHAIN}`,
          "Add the missing chains to the oracle's chain file, or check their ids.",
        ],
        silent,
      ]);
      await using disabled = await startTestOracle(network, { disabledChains });
      const ready = (await check(disabled.url)).find(({ name }) => name === "it reaches its chains");
      expect([ready?.isMet, ready?.seen]).to.deep.equal([
        true,
        "/ready returns 200; base (disabled: BASE_RPC_URL is not set)",
      ]);
    });

    it("reports why a sample was not signed", async () => {
      const body = { chainId: CHAIN, transactionId: UNKNOWN };
      expect(failed(await check(oracle.url, { samples: [{ route: ROUTE, body }] }))).to.deep.equal([
        `peers agree on ${ROUTE}: the oracle responded with 400: Missing transaction ${UNKNOWN} on chain ${CHAIN}`,
      ]);
    });

    it("explains that the key is missing or wrong", async () => {
      const apiKeys = [{ key: "the-key", label: "a" }];
      await using keyed = await startTestOracle(network, { settings: { apiKeys } });
      const hints = async (apiKey: string | undefined) =>
        new Set((await check(keyed.url, { apiKey, samples: [sample()] })).flatMap(({ hint }) => hint ?? []));
      expect([...(await hints(undefined))]).to.deep.equal(["The oracle requires an API key: pass --api-key."]);
      expect([...(await hints("the-key:a"))][0]).to.include("rejects this API key");
      expect([...(await hints("the-key"))]).to.deep.equal([]);
    });

    it("accepts responses from the public oracle", async () => {
      await using publicOracle = await PublicOracle.start(oracle.url);
      expect(failed(await check(publicOracle.url, { chains: [CHAIN] }))).to.deep.equal([]);
      expect(failed(await check(publicOracle.url, { apiKey: "any" }))).to.deep.equal([]);
      const signers = [ORACLE_SIGNER, PEER_SIGNER];
      expect(failed(await check(publicOracle.url, { samples: [sample()], signers }))).to.deep.equal([]);
      expect(failed(await check(publicOracle.url, { signers }))).to.deep.equal([
        "the oracle signs with the expected address: /metrics returns 404",
      ]);
      publicOracle.forge = true;
      expect(failed(await check(publicOracle.url, { samples: [sample()] }))[0]).to.include(
        `invalid signatures that claim to be from ${OTHER}`,
      );
    });

    it("waits while the oracle limits its requests", async () => {
      await using limited = await startTestOracle(network, { settings: { rateLimit: { max: 1, windowMs: 200 } } });
      expect(failed(await check(limited.url, { samples: [sample(), sample()] }))).to.deep.equal([]);
    });
  });

  describe("crosscall oracle diff", () => {
    const diff = async (other: Oracle, ...requests: unknown[]): Promise<RequestDiff[]> => {
      const side = (url: string) => ({
        http: openOracleHttp({ url, apiKey: undefined, signal }),
        apiKey: undefined,
        passKey: "",
      });
      const lines = requests.map((request) => JSON.stringify(request));
      const diffs: RequestDiff[] = [];
      for await (const one of diffOracles(readRequests(lines, "file"), side(oracle.url), side(other.url)))
        diffs.push(one);
      return diffs;
    };
    const request = () => ({ route: ROUTE, body: { chainId: CHAIN, transactionId, requestPeerSignatures: true } });
    const missing = { route: `/attestations/${ROUTE}`, body: { chainId: CHAIN, transactionId: UNKNOWN } };

    it("treats oracles as equal if only their own signatures differ", async () => {
      expect(await diff(peer, request(), missing)).to.deep.equal([
        { line: 1, route: ROUTE, outcome: "equal", fields: [] },
        { line: 2, route: ROUTE, outcome: "both-refused", fields: [] },
      ]);
    });

    it("names the fields that differ, with both values", async () => {
      const oracleAddress = `0x${"99".repeat(20)}` as const;
      await using foreign = await startTestOracle(network, { hub: { oracleAddress } });
      const [one] = await diff(foreign, request());
      expect(one?.outcome).to.equal("different");
      const [field] = one?.fields.filter(({ path }) => path.startsWith("execution.signatures")) ?? [];
      expect(field).to.deep.include({ path: "execution.signatures[0].oracleContract", b: oracleAddress });
    });

    it("names requests that only one oracle signs", async () => {
      await using deep = await startTestOracle(network, { additionalData: { finalizationBlocks: 1_000 } });
      const [one] = await diff(deep, request());
      expect(one?.outcome).to.equal("refused-by-b");
      expect(one?.fields).to.deep.include({ path: "status", a: 200, b: 400 });
      expect(one?.fields).to.deep.include({
        path: "message",
        a: undefined,
        b: `Transaction ${transactionId} is not finalized`,
      });
    });

    it("reports an oracle that does not respond", async () => {
      const gone = await startTestOracle(network);
      await gone.close();
      expect((await diff(gone, request()))[0]?.outcome).to.equal("unanswered");
    });

    it("stops if a key is wrong or a line is not a request", async () => {
      await using keyed = await startTestOracle(network, { settings: { apiKeys: [{ key: "k", label: "a" }] } });
      expect(await codeOf(diff(keyed, request()))).to.equal("INVALID_INPUT");
      expect(await codeOf(diff(peer, { route: "../metrics", body: {} }))).to.equal("INVALID_INPUT");
      expect(await codeOf(diff(peer, { route: ROUTE }))).to.equal("INVALID_INPUT");
    });
  });
});

async function codeOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => (error as { code?: unknown }).code,
  );
}

/**
 * Imitates the public oracle: no key required, no metrics and readiness routes, and a health status without details.
 */
class PublicOracle {
  forge = false;
  readonly #server: Server;

  private constructor(behind: string) {
    this.#server = createServer((request, response) => {
      void (async () => {
        const path = request.url ?? "";
        if (path === "/lives/v1") return response.end('{"status":"ok"}');
        if (path === "/metrics" || path === "/ready") return response.writeHead(404).end('{"statusCode":404}');
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const body = Buffer.concat(chunks).toString();
        const answer = await fetch(`${behind}${path}`, {
          method: request.method ?? "GET",
          headers: { "content-type": "application/json" },
          ...(body === "" ? {} : { body }),
        }).then((other) => other.text());
        return response.end(this.forge ? answer.replaceAll(ORACLE_SIGNER, OTHER) : answer);
      })();
    });
  }

  static async start(behind: string): Promise<PublicOracle> {
    const oracle = new PublicOracle(behind);
    await new Promise<void>((resolve) => oracle.#server.listen(0, "127.0.0.1", resolve));
    return oracle;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}
