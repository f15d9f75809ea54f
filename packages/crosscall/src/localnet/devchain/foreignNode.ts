import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { http, type Transport } from "viem";

import { InvalidStateError } from "@crosscall/protocol/core";
import { createLocalNames, guardServer, type LocalNames } from "@crosscall/oracle/server";
import { readPublicBody } from "../readBody.ts";
import { redactCause, redactUrl } from "../redactUrl.ts";
import { httpTransport } from "./chainClient.ts";
import { ChainChanges, type ChainNode, Latency } from "./node.ts";

/** Maximum size in bytes, enough for a block of transactions. */
const MAXIMUM_BODY = 16 * 1_024 * 1_024;

/** Pattern of the methods that change a chain, in the body of a call. */
const CHANGES = /"(?:eth_send|evm_|hardhat_|anvil_)/u;

/** Opens a loopback proxy that can delay calls to a foreign node. */
export async function openForeignNode(nodeUrl: string, names: LocalNames = createLocalNames([])): Promise<ChainNode> {
  const latency = new Latency();
  // Other processes call the node without this proxy, so the changes are incomplete.
  const changes = new ChainChanges(false);
  const end = new AbortController();
  const server = createServer((incoming, outgoing) => {
    // Closes the connection if the node is down.
    pass({ nodeUrl, latency, changes, signal: end.signal }, incoming, outgoing).catch(() => outgoing.destroy());
  });
  guardServer(server, names);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const transport = http(nodeUrl, { retryCount: 0, timeout: 30_000 })({});
  const request = async (method: string, params: readonly unknown[] = []): Promise<unknown> => {
    try {
      return await transport.request({ method, params });
    } finally {
      if (CHANGES.test(`"${method}`)) changes.announce();
    }
  };

  const rpcUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    rpcUrl,
    latency,
    changes,
    transport: directTransport({ nodeUrl, latency, changes, signal: end.signal }),
    request,
    async reorg(blocks) {
      try {
        const isAutomatic = await request("anvil_getAutomine");
        // Reverted transactions return to the pool, and must be dropped before a block includes them.
        if (isAutomatic === true) await request("evm_setAutomine", [false]);
        try {
          await request("anvil_reorg", [blocks, []]);
          await request("anvil_dropAllTransactions");
        } finally {
          if (isAutomatic === true) await request("evm_setAutomine", [true]);
        }
      } catch (cause) {
        throw new InvalidStateError({
          message: `the node at ${redactUrl(nodeUrl)} cannot revert ${blocks} blocks`,
          hint: "Use anvil, or a chain in this process.",
          cause: redactCause(cause, nodeUrl),
        });
      }
    },
    async close() {
      latency.end();
      end.abort();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Returns a transport for calls from this process, which bypass the proxy. */
function directTransport({ nodeUrl, latency, changes, signal }: Proxied): Transport {
  // Batches concurrent calls.
  const transport = httpTransport(nodeUrl, { batch: true, fetchOptions: { signal } });
  return (parameters) => {
    const { request, ...rest } = transport(parameters);
    const delayed = async (call: RpcRequest, options?: object): Promise<unknown> => {
      await latency.wait();
      try {
        return await request(call, options);
      } finally {
        if (CHANGES.test(`"${call.method}`)) changes.announce();
      }
    };
    return { ...rest, request: delayed as typeof request };
  };
}

interface RpcRequest {
  readonly method: string;
  readonly params?: unknown;
}

interface Proxied extends Pick<ChainNode, "latency" | "changes"> {
  readonly nodeUrl: string;
  readonly signal: AbortSignal;
}

async function pass(
  { nodeUrl, latency, changes, signal }: Proxied,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const body = await readPublicBody(incoming, outgoing, { methods: "POST", maxBytes: MAXIMUM_BODY });
  if (body === undefined) return;
  await latency.wait();
  const answer = await fetch(nodeUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: new Uint8Array(body),
    signal,
  });
  const content = Buffer.from(await answer.arrayBuffer());
  outgoing.writeHead(answer.status, { "content-type": "application/json" }).end(content);
  if (CHANGES.test(body.toString("latin1"))) changes.announce();
}
