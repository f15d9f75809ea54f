import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { gzipSync } from "node:zlib";

import { expect } from "chai";
import { encodeFunctionData, type Hex, zeroAddress, zeroHash } from "viem";

import type { DepositsAttestation } from "../../../packages/protocol/src/attestation/messages/deposits.ts";
import { createOracleLog } from "../../../packages/oracle/src/log.ts";
import type { Oracle } from "../../../packages/oracle/src/startOracle.ts";
import { ask, CHAIN, type OracleNetwork, startOracleNetwork, startTestOracle } from "../support/oracleNetwork.ts";
import { until } from "../../support/until.ts";
import { simpleOrder } from "../support/orders.ts";
import { depositoryAbi } from "../../../packages/protocol/src/abi/service.generated.ts";

const DEPOSITS = "/attestations/depository-deposits/v1";
const FILLS = "/attestations/solver-fills/v1";
const TRANSFER = "/attestations/transfer/v1";
const TRIGGER = "/attestations/deposit-address-triggers/v1";
const UNKNOWN: Hex = `0x${"ee".repeat(32)}`;
const MEGABYTE = 1024 * 1024;

/** Timeouts, much shorter than in production. */
const SHORT = {
  headersTimeoutMs: 100,
  requestTimeoutMs: 200,
  keepAliveTimeoutMs: 100,
  responseTimeoutMs: 100,
  checkEveryMs: 50,
  maxConnections: 600,
};

type Respond = (response: ServerResponse, body: string) => void;

/** Starts a server with responses that a test sets. */
async function startHostile(): Promise<{
  readonly url: string;
  readonly paths: string[];
  respond: Respond;
  close(): Promise<void>;
}> {
  const paths: string[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    paths.push(request.url ?? "");
    response.on("error", () => undefined);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    hostile.respond(response, Buffer.concat(chunks).toString());
  };
  const server: Server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const hostile = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paths,
    respond: ((response) => response.end()) as Respond,
    close(): Promise<void> {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return hostile;
}

describe("the limits of the oracle", () => {
  let network: OracleNetwork;
  let oracle: Oracle;
  let transactionId: Hex;
  before(async () => {
    network = await startOracleNetwork();
    oracle = await startTestOracle(network, { hub: { depositAddressManagerAddress: zeroAddress } });
    transactionId = await network.send({
      to: network.contracts.depository,
      data: encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args: [zeroAddress, zeroHash] }),
      value: 5n,
    });
  });
  after(async () => {
    await oracle.close();
    await network.close();
  });

  const metricsOf = async ({ url }: Oracle): Promise<string> => (await fetch(`${url}/metrics`)).text();

  const get = ({ url }: Oracle): Promise<Response> => fetch(`${url}/lives/v1`, { headers: { connection: "close" } });

  describe("reject a request", () => {
    const digits = "9".repeat(500_000);
    const transfer = {
      chainId: CHAIN,
      currency: zeroAddress,
      amount: "1",
      recipient: zeroAddress,
      nonce: "1",
      ownerChainId: CHAIN,
      owner: zeroAddress,
      ownerSignature: "0x",
    };
    const fill = () => ({
      order: simpleOrder(network, 1n),
      orderSignature: "0x",
      inputs: [{ transactionId: UNKNOWN, onchainId: UNKNOWN, inputIndex: 0 }],
      fill: { transactionId: UNKNOWN },
    });
    const trigger = {
      input: { vmType: "ethereum-vm", chainId: CHAIN, currency: zeroAddress, amount: "70" },
      derivationFields: {
        inputVmType: "ethereum-vm",
        outputVmType: "ethereum-vm",
        outputChainId: CHAIN,
        outputCurrency: zeroAddress,
        outputRecipient: zeroAddress,
        solver: zeroAddress,
        pricingOracle: zeroAddress,
        depositor: zeroAddress,
        refundRecipient: zeroAddress,
        priceImpactBps: "30",
      },
      orderId: UNKNOWN,
      nonce: "4",
      extraData: "0x",
      currencies: [],
      prices: [],
    };
    const many = (count: number, item: unknown): unknown[] => Array.from({ length: count }, () => item);
    const nested = (depth: number): unknown => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`);
    const cases: [what: string, path: string, body: () => object, message: string][] = [
      [
        "a long amount",
        TRANSFER,
        () => ({ ...transfer, amount: digits }),
        "body/amount must NOT have more than 78 characters",
      ],
      [
        "a long nonce",
        TRANSFER,
        () => ({ ...transfer, nonce: `0x${digits}` }),
        "body/nonce must NOT have more than 512 characters",
      ],
      [
        "an amount above 2^256",
        TRIGGER,
        () => ({ ...trigger, nonce: (2n ** 256n).toString() }),
        `Number "${2n ** 256n}" is not in safe 256-bit unsigned integer range (0 to ${2n ** 256n - 1n})`,
      ],
      [
        "an amount that is not a number",
        TRANSFER,
        () => ({ ...transfer, amount: "1.5" }),
        'body/amount must match pattern "^([0-9]+|0[xX][0-9a-fA-F]{1,64})$"',
      ],
      [
        "a long address",
        TRANSFER,
        () => ({ ...transfer, owner: digits }),
        "body/owner must NOT have more than 512 characters",
      ],
      [
        "a long id",
        DEPOSITS,
        () => ({ chainId: CHAIN, transactionId: digits }),
        "body/transactionId must NOT have more than 512 characters",
      ],
      [
        "many inputs",
        FILLS,
        () => ({ ...fill(), inputs: many(65, fill().inputs[0]) }),
        "body/inputs must NOT have more than 64 items",
      ],
      [
        "many refunds",
        FILLS,
        () => {
          const { order, ...rest } = fill();
          const [input] = order.inputs;
          return { ...rest, order: { ...order, inputs: [{ ...input, refunds: many(257, input?.refunds[0]) }] } };
        },
        "body/order/inputs/0/refunds must NOT have more than 256 items",
      ],
      [
        "a long weight",
        FILLS,
        () => {
          const { order, ...rest } = fill();
          const [input] = order.inputs;
          return {
            ...rest,
            order: { ...order, inputs: [{ ...input, payment: { ...input?.payment, weight: digits } }] },
          };
        },
        "body/order/inputs/0/payment/weight must NOT have more than 78 characters",
      ],
      [
        "many currencies",
        TRIGGER,
        () => ({ ...trigger, currencies: many(300, { chainId: CHAIN, currency: zeroAddress }) }),
        "body/currencies must NOT have more than 256 items",
      ],
      [
        "a number with infinitely many digits",
        FILLS,
        () => ({ ...fill(), inputs: [{ ...fill().inputs[0], inputIndex: digits }] }),
        "body/inputs/0/inputIndex must be a finite number",
      ],
      [
        "many values in an unknown field",
        DEPOSITS,
        () => ({ chainId: CHAIN, transactionId, more: many(10_000, 1), requestPeerSignatures: true }),
        "body/more must NOT bring the body to more than 2500 values",
      ],
      [
        "deep nesting",
        DEPOSITS,
        () => ({ chainId: CHAIN, transactionId, more: nested(100), requestPeerSignatures: true }),
        `body/more${"/0".repeat(15)} must NOT be nested deeper than 16 levels`,
      ],
    ];
    for (const [what, path, body, message] of cases) {
      it(`with ${what}, naming the field`, async () => {
        const { status, body: answer } = await ask(oracle, path, body());
        expect({ status, answer }).to.deep.equal({ status: 400, answer: { message } });
      });
    }
  });

  describe("close connections", () => {
    const started = () => startTestOracle(network, { connectionLimits: SHORT });
    const head = `POST ${DEPOSITS} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n`;

    it("that send nothing, half a request or half a body, or are idle", async () => {
      await using limited = await started();
      const { port } = new URL(limited.url);
      const partial = ["", head, `${head}content-length: 9\r\n\r\n{`, "GET /lives/v1 HTTP/1.1\r\nhost: x\r\n\r\n"];
      const sockets = Array.from({ length: 500 }, (_, index) => {
        const socket = connect(Number(port), "127.0.0.1");
        socket.on("error", () => undefined).resume();
        socket.write(partial[index % partial.length] ?? "");
        // Some are reset, and `once` would reject.
        return new Promise((resolve) => socket.once("close", resolve));
      });
      await Promise.all(sockets);
      expect((await ask(limited, DEPOSITS, { chainId: CHAIN, transactionId })).status).to.equal(200);
    });

    it("that send a body slowly", async () => {
      await using limited = await started();
      const socket = connect(Number(new URL(limited.url).port), "127.0.0.1");
      socket.on("error", () => undefined).resume();
      socket.write(`${head}content-length: 1000000\r\n\r\n{`);
      const trickle = setInterval(() => socket.write(" "), 20);
      await new Promise((resolve) => socket.once("close", resolve));
      clearInterval(trickle);
    });

    it("that do not read a response", async () => {
      await using limited = await startTestOracle(network, { connectionLimits: { ...SHORT, maxConnections: 1 } });
      const socket = connect(Number(new URL(limited.url).port), "127.0.0.1");
      socket.on("error", () => undefined).pause();
      // Requests more responses than fit in the connection's buffers.
      socket.write("GET /documentation/json HTTP/1.1\r\nhost: x\r\n\r\n".repeat(300));
      await once(socket, "connect");
      await until(
        () =>
          get(limited).then(
            () => true,
            () => false,
          ),
        { what: "the only connection" },
      );
      socket.destroy();
    });
  });

  describe("apply to upstream responses", () => {
    let hostile: Awaited<ReturnType<typeof startHostile>>;
    before(async () => {
      hostile = await startHostile();
    });
    after(() => hostile.close());

    const honest = async (response: ServerResponse, body: string): Promise<void> => {
      const answer = await fetch(network.rpcUrl, {
        method: "POST",
        body,
        headers: { "content-type": "application/json" },
      });
      response.end(await answer.text());
    };
    /** Sends until the client disconnects, or until the given number of megabytes. */
    const pour = (response: ServerResponse, megabytes: number): void => {
      const chunk = Buffer.alloc(MEGABYTE, " ");
      let left = megabytes;
      const more = (): void => {
        if (response.destroyed || left === 0) return void response.end();
        left -= 1;
        if (response.write(chunk)) setImmediate(more);
        else response.once("drain", more);
      };
      more();
    };
    const lies: [what: string, failure: string, respond: Respond][] = [
      ["an endless one", "too-large", (response) => pour(response, 400)],
      [
        "a large one with a content length",
        "too-large",
        (response) => void response.writeHead(200, { "content-length": `${400 * MEGABYTE}` }).write("{"),
      ],
      [
        "a small one that decompresses to a large one",
        "malformed",
        (response) =>
          response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(64 * MEGABYTE, " "))),
      ],
      [
        "a redirect",
        "malformed",
        (response) => response.writeHead(307, { location: `${hostile.url}/elsewhere` }).end('{"result":null}'),
      ],
    ];
    for (const [what, failure, respond] of lies) {
      it(`and reject ${what}`, async () => {
        hostile.respond = respond;
        hostile.paths.length = 0;
        await using fooled = await startTestOracle(network, {
          rpcUrl: hostile.url,
          additionalData: { finalizationBlocks: 0, finalizationTime: 0, rpcUrls: [network.rpcUrl] },
        });
        expect((await ask(fooled, DEPOSITS, { chainId: CHAIN, transactionId })).status).to.equal(200);
        expect(await metricsOf(fooled)).to.match(
          new RegExp(
            `oracle_rpc_failures_total\\{chain="${CHAIN}",endpoint="[^"]+",failure="${failure}"\\} [1-9]`,
            "u",
          ),
        );
        expect(new Set(hostile.paths)).to.deep.equal(new Set(["/"]));
      });
    }

    it("and to their total size, so that 20 large responses do not exhaust the memory", async () => {
      hostile.respond = (response) => pour(response, 400);
      await using fooled = await startTestOracle(network, { rpcUrl: hostile.url });
      const before = process.memoryUsage().rss;
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          ask(fooled, DEPOSITS, { chainId: CHAIN, transactionId: `0x${index.toString(16).padStart(64, "0")}` }),
        ),
      );
      expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([500]));
      expect((process.memoryUsage().rss - before) / MEGABYTE).to.be.lessThan(200);
    });

    it("and skip peers with responses that are too large", async () => {
      hostile.respond = (response) => pour(response, 400);
      const peers = [{ baseUrl: hostile.url, apiKey: "k" }];
      await using asking = await startTestOracle(network, { settings: { peers } });
      const body = { chainId: CHAIN, transactionId, requestPeerSignatures: true };
      const answer = await ask<DepositsAttestation>(asking, DEPOSITS, body);
      expect([answer.status, answer.body.execution?.signatures.length]).to.deep.equal([200, 1]);
      expect(await metricsOf(asking)).to.match(/oracle_peer_answers_total\{peer="[^"]+",outcome="too-large"\} 1/u);
    });

    it("and keep secrets in responses out of the log", async () => {
      const secrets = [
        "hunter2word",
        "https://rpc.example/v2/leakedpath",
        "abcdef0123456789abcdef0123456789",
        "dXNlcjpwYXNz",
      ];
      const message = `no access: ${secrets[1]} password=${secrets[0]} ${secrets[2]} Authorization: Basic ${secrets[3]}\u001b[31m\n\u202e${"x".repeat(50)}`;
      hostile.respond = (response) =>
        response.end(JSON.stringify({ jsonrpc: "2.0", id: 0, error: { code: -1, message } }));
      const lines: string[] = [];
      const log = createOracleLog("info", { write: (line) => void lines.push(line) });
      await using logged = await startTestOracle(network, { log, rpcUrl: hostile.url });
      expect((await ask(logged, DEPOSITS, { chainId: CHAIN, transactionId })).status).to.equal(500);
      const failed = lines.find((line) => line.includes("a call failed")) ?? "";
      expect(failed).to.include("no access");
      for (const secret of secrets) expect(lines.join("")).not.to.include(secret);
      expect(failed).not.to.match(/\\u001b|\u202e/u);
      hostile.respond = (response, body) => void honest(response, body);
      expect((await ask(logged, DEPOSITS, { chainId: CHAIN, transactionId })).status).to.equal(200);
    });
  });
});
