import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";

import { expect } from "chai";
import { encodeFunctionData, type Hex, numberToHex, zeroAddress } from "viem";
import { sign } from "viem/accounts";

import type { OracleSettings } from "../../../packages/oracle/src/config/settings.ts";
import { createOracleLog } from "../../../packages/oracle/src/log.ts";
import type { DepositsAttestation } from "../../../packages/protocol/src/attestation/messages/deposits.ts";
import type { SignedExecution } from "../../../packages/protocol/src/attestation/messages/parts.ts";
import type { Oracle } from "../../../packages/oracle/src/startOracle.ts";
import { hashExecution } from "../../../packages/sdk/src/attestation.ts";
import { FakePeer } from "../support/fakePeer.ts";
import {
  ask,
  CHAIN,
  executionSigners,
  ORACLE_CONTRACT,
  ORACLE_KEY,
  ORACLE_SIGNER,
  type OracleNetwork,
  startOracleNetwork,
  startTestOracle,
} from "../support/oracleNetwork.ts";
import { depositoryAbi } from "../../../packages/protocol/src/abi/service.generated.ts";

const ROUTE = "/attestations/depository-deposits/v1";
const UNKNOWN: Hex = `0x${"ee".repeat(32)}`;
const apiKeys = [
  { key: "first-key", label: "a" },
  { key: "second-key", label: "b" },
];

describe("the oracle service", () => {
  let network: OracleNetwork;
  let oracle: Oracle;
  let transactionId: Hex;

  before(async () => {
    network = await startOracleNetwork();
    oracle = await startTestOracle(network);
    transactionId = await network.send({
      to: network.contracts.depository,
      data: encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args: [zeroAddress, UNKNOWN] }),
      value: 5n,
    });
  });
  after(async () => {
    await oracle.close();
    await network.close();
  });

  const get = async (
    path: string,
    { from = oracle, headers = {} }: { from?: Oracle; headers?: Record<string, string> } = {},
  ) => {
    const response = await fetch(`${from.url}${path}`, { headers });
    return { status: response.status, body: await response.text() };
  };

  describe("responds as the public oracle does", () => {
    it("reports its health and version", async () => {
      expect(await get("/lives/v1")).to.deep.equal({ status: 200, body: '{"status":"ok"}' });
      expect((await get("/lives/v1?withReport=1")).body).to.equal('{"status":"ok","version":"undefined"}');
      await using versioned = await startTestOracle(network, { settings: { version: "v7" } });
      expect((await get("/lives/v1?withReport=true", { from: versioned })).body).to.include('"version":"v7"');
    });

    it("reports the disabled chains, and rejects attestations for them", async () => {
      await using partial = await startTestOracle(network, { disabledChains: { base: ["BASE_RPC_URL"] } });
      expect(await get("/lives/v1", { from: partial })).to.deep.equal({
        status: 200,
        body: '{"status":"ok","disabledChains":["base"]}',
      });
      expect((await get("/metrics", { from: partial })).body).to.include('oracle_chain_disabled{chain="base"} 1');
      expect(await ask(partial, ROUTE, { chainId: "base", transactionId: UNKNOWN })).to.deep.include({
        status: 400,
        body: { message: "Chain base is not available" },
      });
    });

    it("lists its chains without their secrets", async () => {
      const { depository } = network.contracts;
      expect(await get("/chains/v1")).to.deep.equal({
        status: 200,
        body: JSON.stringify({ chains: [{ id: CHAIN, vmType: "ethereum-vm", depository }] }),
      });
    });

    it("documents its routes", async () => {
      expect((await get("/documentation")).status).to.equal(200);
      const document = JSON.parse((await get("/documentation/json")).body) as { openapi: string; paths: object };
      expect(document.openapi).to.equal("3.0.3");
      expect(Object.keys(document.paths)).to.include.members(["/lives/v1", "/chains/v1", ROUTE]);
    });

    const refused: [string, unknown, string][] = [
      ["a missing field", { chainId: CHAIN }, "body must have required property 'transactionId'"],
      [
        "an unknown mode",
        { chainId: CHAIN, transactionId: UNKNOWN, mode: "x" },
        "body/mode must be equal to constant, body/mode must be equal to constant, " +
          "body/mode must match a schema in anyOf",
      ],
    ];
    for (const [what, body, message] of refused) {
      it(`rejects ${what} with the validator's message`, async () => {
        const answer = await ask(oracle, ROUTE, body);
        expect({ status: answer.status, body: answer.body }).to.deep.equal({ status: 400, body: { message } });
      });
    }

    it("rejects invalid JSON with a message", async () => {
      for (const body of ["{", ""]) {
        const answer = await ask(oracle, ROUTE, body);
        expect([answer.status, Object.keys(answer.body)]).to.deep.equal([400, ["message"]]);
      }
      const text = await ask(oracle, ROUTE, "x", { "content-type": "text/plain" });
      expect(text).to.deep.include({ status: 400, body: { message: "body must be object" } });
    });

    it("rejects bodies larger than 1 MiB, and unknown routes", async () => {
      const large = await ask<unknown>(oracle, ROUTE, { chainId: "x".repeat(1024 * 1024) });
      expect({ status: large.status, body: JSON.stringify(large.body) }).to.deep.equal({
        status: 413,
        body: JSON.stringify({
          statusCode: 413,
          code: "FST_ERR_CTP_BODY_TOO_LARGE",
          error: "Payload Too Large",
          message: "Request body is too large",
        }),
      });
      expect(await get("/x")).to.deep.equal({
        status: 404,
        body: '{"message":"Route GET:/x not found","error":"Not Found","statusCode":404}',
      });
    });

    it("accepts strings as numbers and booleans", async () => {
      const body = { chainId: CHAIN, transactionId, requestPeerSignatures: "false", more: 1 };
      expect((await ask(oracle, ROUTE, body)).status).to.equal(200);
    });
  });

  describe("accepts", () => {
    it("only requests with a key, if keys are set", async () => {
      await using keyed = await startTestOracle(network, { settings: { apiKeys } });
      for (const path of ["/lives/v1", "/documentation", "/documentation/json"]) {
        expect((await get(path, { from: keyed })).status).to.equal(200);
      }
      for (const path of ["/chains/v1", "/metrics", "/lives/v1/", "/documentationx"]) {
        expect(await get(path, { from: keyed })).to.deep.equal({ status: 401, body: '{"message":"Unauthorized"}' });
      }
      for (const key of ["", "first-ke", "first-key2", "a", "first-key,second-key"]) {
        expect((await ask(keyed, ROUTE, {}, { "x-api-key": key })).status).to.equal(401);
      }
      for (const { key } of apiKeys) {
        expect((await get("/chains/v1", { from: keyed, headers: { "x-api-key": key } })).status).to.equal(200);
      }
    });

    it("a limited number of requests per window without a key, and any number with a key", async () => {
      let now = 0;
      const settings: Partial<OracleSettings> = { rateLimit: { max: 2, windowMs: 5_000 } };
      await using limited = await startTestOracle(network, { settings, clock: { now: () => now } });
      const call = async () => {
        const { status, headers } = await ask(limited, ROUTE, { chainId: "other", transactionId });
        return [
          status,
          headers.get("x-ratelimit-limit"),
          headers.get("x-ratelimit-remaining"),
          headers.get("retry-after"),
        ];
      };
      // Requests that the validator rejects are not counted.
      expect((await ask(limited, ROUTE, {})).headers.has("x-ratelimit-limit")).to.equal(false);
      expect(await call()).to.deep.equal([400, "2", "1", null]);
      expect((await get("/unknown", { from: limited })).status).to.equal(404);
      expect(await call()).to.deep.equal([429, "2", "0", "5"]);
      expect(await get("/chains/v1", { from: limited })).to.deep.equal({
        status: 429,
        body: '{"error":"Rate limit exceeded"}',
      });
      expect((await get("/lives/v1", { from: limited })).status).to.equal(200);
      now = 5_000;
      expect(await call()).to.deep.equal([400, "2", "1", null]);

      await using keyed = await startTestOracle(network, { settings: { ...settings, apiKeys } });
      const guess = async (path: string) =>
        (await get(path, { from: keyed, headers: { "x-api-key": "guess" } })).status;
      // Also applies to paths that start with the path of an open route.
      expect([await guess("/chains/v1"), await guess("/livesx"), await guess("/documentationx")]).to.deep.equal([
        401, 401, 429,
      ]);
      for (let index = 0; index < 4; index++) {
        expect((await get("/chains/v1", { from: keyed, headers: { "x-api-key": "first-key" } })).status).to.equal(200);
      }
    });
  });

  it("rejects a request target that contains a host, because the oracle would pass it to peers", async () => {
    const { hostname, port } = new URL(oracle.url);
    const call = request({ hostname, port, method: "POST", path: `http://other.example${ROUTE}` });
    call.setHeader("content-type", "application/json").end(JSON.stringify({ chainId: CHAIN, transactionId }));
    const [answer] = (await once(call, "response")) as [IncomingMessage];
    expect([answer.statusCode, await text(answer)]).to.deep.equal([400, '{"message":"The target must be a path"}']);
  });

  it("reports metrics for operators, but no keys", async () => {
    const lines: string[] = [];
    const log = createOracleLog("info", { write: (line) => void lines.push(line) });
    const url = "http://secret-user:secret-word@127.0.0.1:1/secret-path";
    const settings = { apiKeys: [{ key: "secret-key", label: "our solver" }] };
    await using watched = await startTestOracle(network, { log, settings, rpcUrl: url });
    const headers = { "x-api-key": "secret-key" };
    await ask(watched, ROUTE, { chainId: CHAIN, transactionId }, headers);
    const { body: metrics } = await get("/metrics", { from: watched, headers });
    expect(metrics).to.include(`oracle_signer_info{address="${ORACLE_SIGNER}"} 1`);
    expect(metrics).to.include('oracle_caller_requests_total{caller="our solver",status="500"} 1');
    expect(lines.join("")).to.include('"caller":"our solver"');
    expect(metrics).to.include(
      `oracle_rpc_failures_total{chain="${CHAIN}",endpoint="127.0.0.1:1",failure="unreachable"}`,
    );
    expect(metrics).to.include(`oracle_request_duration_seconds_count{route="${ROUTE}",status="500"} 1`);
    const seen = lines.join("");
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).to.include.members([
      "the oracle is up",
      "an RPC endpoint returned no usable response",
      "a call failed",
    ]);
    expect(seen).to.include(ORACLE_SIGNER);
    expect(seen + metrics).not.to.match(/secret/u);
    expect(seen).not.to.include(ORACLE_KEY.slice(2));
  });

  describe("requests signatures from peers", () => {
    const peerKey: Hex = `0x${"6b".repeat(32)}`;
    let peer: Oracle;
    let stranger: FakePeer;

    before(async () => {
      peer = await startTestOracle(network, {
        settings: { signing: { module: "raw-private-key", privateKey: peerKey }, apiKeys },
      });
      stranger = await FakePeer.start();
    });
    beforeEach(() => {
      stranger.answer = undefined;
    });
    after(async () => {
      await peer.close();
      await stranger.close();
    });

    const attested = async (settings: Partial<OracleSettings>, headers: Record<string, string> = {}) => {
      await using asking = await startTestOracle(network, { settings });
      const body = { chainId: CHAIN, transactionId, requestPeerSignatures: true };
      const answer = await ask<DepositsAttestation>(asking, ROUTE, body, headers);
      expect(answer.status).to.equal(200);
      return answer.body.execution!;
    };

    it("and appends them", async () => {
      const execution = await attested({ peers: [{ baseUrl: peer.url, apiKey: "second-key" }] });
      const signers = await executionSigners(execution);
      expect(signers).to.deep.equal([ORACLE_SIGNER, peer.signer]);
      expect(execution.signatures.map(({ oracleSigner }) => oracleSigner)).to.deep.equal(signers);
    });

    it("only if the client requests it", async () => {
      await using asking = await startTestOracle(network, {
        settings: { peers: [{ baseUrl: peer.url, apiKey: "second-key" }] },
      });
      const { body } = await ask<DepositsAttestation>(asking, ROUTE, { chainId: CHAIN, transactionId });
      expect(body.execution?.signatures).to.have.length(1);
    });

    it("with the client's own key if keys are passed through", async () => {
      const settings = { peers: [{ baseUrl: peer.url, apiKey: undefined }] };
      expect((await attested(settings, { "x-api-key": "first-key" })).signatures).to.have.length(2);
      expect((await attested(settings)).signatures).to.have.length(1);
    });

    it("and returns its own signature if the peers are down, respond late, or reject the request", async () => {
      const gone = { baseUrl: "http://127.0.0.1:1", apiKey: "k" };
      const late = { baseUrl: stranger.url, apiKey: "k" };
      stranger.answer = () => new Promise<never>(() => undefined);
      const execution = await attested({
        peers: [gone, late, { baseUrl: peer.url, apiKey: "wrong" }],
        peerTimeoutMs: 80,
      });
      expect(execution.signatures).to.have.length(1);
    });

    it("with the same request, but without requesting more signatures from their peers", async () => {
      stranger.answer = () => Promise.resolve({});
      await attested({ peers: [{ baseUrl: stranger.url, apiKey: "its-key" }] });
      expect(stranger.seen).to.deep.equal({
        url: ROUTE,
        key: "its-key",
        body: { chainId: CHAIN, transactionId, requestPeerSignatures: false },
      });
    });

    type Signed = SignedExecution["signatures"][number];
    const dishonest: [string, (own: SignedExecution, signed: Signed) => unknown][] = [
      ["another execution", (own, signed) => ({ ...own, idempotencyKey: UNKNOWN, signatures: [signed] })],
      ["other actions", (own, signed) => ({ ...own, actions: [...own.actions, "0x"], signatures: [signed] })],
      ["a hub with another name", (own, signed) => ({ ...own, signatures: [{ ...signed, oracleChainId: "x" }] })],
      ["another contract", (own, signed) => ({ ...own, signatures: [{ ...signed, oracleContract: zeroAddress }] })],
      ["another signer", (own, signed) => ({ ...own, signatures: [{ ...signed, oracleSigner: zeroAddress }] })],
      [
        "a forged signature of the same signer first",
        (own, signed) => ({ ...own, signatures: [{ ...signed, signature: "0x12" }, signed] }),
      ],
      [
        "signatures of 16 other signers first",
        (own, signed) => ({ ...own, signatures: [...strangersOf(signed), signed] }),
      ],
      ["no signature", (own, signed) => ({ ...own, signatures: [{ ...signed, signature: "0x12" }] })],
      ["our own signature", (own) => own],
      ["nothing", () => undefined],
      ["a huge response", (own) => ({ ...own, actions: ["x".repeat(2 * 1024 * 1024)] })],
    ];
    function strangersOf(signed: Signed): Signed[] {
      return Array.from({ length: 16 }, (_, index) => ({ ...signed, oracleSigner: numberToHex(index, { size: 20 }) }));
    }

    for (const [what, lie] of dishonest) {
      it(`and ignores a peer that returns ${what}`, async () => {
        const { body } = await ask<DepositsAttestation>(oracle, ROUTE, { chainId: CHAIN, transactionId });
        const own = body.execution!;
        const signed = { ...own.signatures[0]!, ...(await signedBy(peerKey, own)) };
        stranger.answer = () => Promise.resolve({ execution: lie(own, signed) });
        const peers = [{ baseUrl: stranger.url, apiKey: "k" }];
        expect((await attested({ peers })).signatures).to.deep.equal(own.signatures);
        // The same peer is accepted when it responds honestly.
        stranger.answer = () => Promise.resolve({ execution: { ...own, signatures: [signed, signed] } });
        expect((await attested({ peers })).signatures).to.deep.equal([...own.signatures, signed]);
      });
    }

    it("until enough trusted signers have responded", async () => {
      const late = { baseUrl: stranger.url, apiKey: "k" };
      stranger.answer = () => new Promise<never>(() => undefined);
      const peers = [late, { baseUrl: peer.url, apiKey: "second-key" }];
      const execution = await attested({ peers, signers: [peer.signer], signersThreshold: 1, peerTimeoutMs: 60_000 });
      expect(execution.signatures).to.have.length(2);
      stranger.seen = undefined;
      expect((await attested({ peers, signers: [peer.signer], signersThreshold: 0 })).signatures).to.have.length(1);
      expect(stranger.seen).to.equal(undefined);
    });
  });
});

describe("an oracle that shuts down", () => {
  it("completes requests in progress, and does not wait for connections with incomplete requests", async () => {
    const node = await FakePeer.start();
    const asked = Promise.withResolvers<undefined>();
    const held = Promise.withResolvers<undefined>();
    node.answer = async () => {
      asked.resolve(undefined);
      await held.promise;
      return {};
    };
    const oracle = await startTestOracle({ rpcUrl: node.url, contracts: { depository: zeroAddress } });
    const underWay = ask(oracle, ROUTE, { chainId: CHAIN, transactionId: UNKNOWN });
    await asked.promise;
    const half = `POST ${ROUTE} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n`;
    const cut = ["", half, `${half}content-length: 9\r\n\r\n{`].map(async (sent) => {
      const socket = connect(Number(new URL(oracle.url).port), "127.0.0.1");
      await once(socket, "connect");
      socket.on("error", () => undefined).resume();
      socket.write(sent);
      return { closed: new Promise<void>((resolve) => socket.once("close", () => resolve())) };
    });
    const silent = await Promise.all(cut);
    const closed = oracle.close();
    // Waits longer than the keep-alive timeout of idle connections.
    await delay(700);
    held.resolve(undefined);
    expect((await underWay).status).to.equal(500);
    await closed;
    await Promise.all(silent.map(({ closed: gone }) => gone));
    await node.close();
  });
});

async function signedBy(privateKey: Hex, { idempotencyKey, actions }: SignedExecution) {
  const hash = hashExecution(
    { oracleVersion: "2", evmChainId: 31_337, oracleAddress: ORACLE_CONTRACT },
    { idempotencyKey: idempotencyKey as Hex, actions: actions as Hex[] },
  );
  const { privateKeyToAddress } = await import("viem/accounts");
  return {
    oracleSigner: privateKeyToAddress(privateKey).toLowerCase(),
    signature: await sign({ hash, privateKey, to: "hex" }),
  };
}
