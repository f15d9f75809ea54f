import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

import { InvalidInputError, InvalidStateError, printableData, shortReason } from "@crosscall/protocol/core";
import { parseJson } from "@crosscall/protocol/schema";
import { hashApiKey } from "../../localnet/store/hashApiKey.ts";
import { ADMIN_ROUTES } from "../../localnet/service/admin/routes.ts";
import type { AdminOptions } from "../../admin/adminOptions.ts";
import { callAdmin } from "../../admin/callAdmin.ts";
import { interruptOnCtrlC } from "../../terminal/interrupt.ts";
import { toJsonLine, writeNotice, writeOutput } from "../../terminal/output.ts";

interface ListenOptions extends AdminOptions {
  readonly forwardTo?: string;
  readonly apiKey: string;
}

/** Path that identifies webhooks of this command, because a killed process leaves its webhook behind. */
const PATH = "/crosscall-listen";

const FORWARD_TIMEOUT_MS = 30_000;

/** Receives webhook events of a key until Ctrl-C, and prints and forwards them. */
export async function runListen({ forwardTo, apiKey, ...options }: ListenOptions): Promise<void> {
  using interrupt = interruptOnCtrlC();
  const { signal } = interrupt;
  const { json = false } = options;
  requireUrl(forwardTo);
  await requireNoWebhook(options, apiKey, signal);
  const server = createServer((request, response) => {
    void receive(request, forwardTo, json, signal).then((status) => response.writeHead(status).end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`;
    const { webhook } = await callAdmin(options, ADMIN_ROUTES.webhooks.set, { body: { apiKey, url } }, signal);
    try {
      writeNotice(
        `Listening for events${forwardTo === undefined ? "" : `, forwarded to ${forwardTo}`}. Events are signed with your API key. Press Ctrl-C to stop.\n`,
      );
      await interrupt.fired;
    } finally {
      await remove(options, webhook.keyId);
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function requireUrl(forwardTo: string | undefined): void {
  if (forwardTo === undefined || /^https?:$/u.test(URL.canParse(forwardTo) ? new URL(forwardTo).protocol : "")) return;
  throw new InvalidInputError({
    field: "--forward-to",
    value: forwardTo,
    reason: "it is not an HTTP URL",
    hint: "Pass a full URL, for example http://localhost:4000/webhook.",
  });
}

/** Rejects a key that has a webhook, because the headers of that webhook could not be restored. */
async function requireNoWebhook(options: AdminOptions, apiKey: string, signal: AbortSignal): Promise<void> {
  const { webhooks } = await callAdmin(options, ADMIN_ROUTES.webhooks.list, {}, signal);
  const there = webhooks.find(({ keyId, url }) => hashApiKey(apiKey).startsWith(keyId) && !url.endsWith(PATH));
  if (there === undefined) return;
  throw new InvalidStateError({
    message: `the API key already has the webhook ${there.url}`,
    hint: `Remove it with \`crosscall webhooks remove ${there.keyId}\`, or pass another key with --api-key.`,
  });
}

/** Reports a failure without throwing, because the network may have stopped first. */
async function remove(options: AdminOptions, keyId: string): Promise<void> {
  const signal = AbortSignal.timeout(FORWARD_TIMEOUT_MS);
  try {
    await callAdmin(options, ADMIN_ROUTES.webhooks.remove, { params: { keyId } }, signal);
  } catch (error) {
    writeNotice(`The webhook was not removed: ${shortReason(error)}.\n`);
  }
}

/** @returns status code for the service, which resends events that are not accepted */
async function receive(
  request: IncomingMessage,
  forwardTo: string | undefined,
  json: boolean,
  signal: AbortSignal,
): Promise<number> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const event = parseJson(body.toString()) as { data?: { requestId?: string; status?: string } } | undefined;
  const forwarded = forwardTo === undefined ? undefined : await forward(request, body, forwardTo, signal);
  if (json) {
    writeOutput(toJsonLine({ event, ...(forwarded === undefined ? {} : { forwarded }) }));
  } else {
    const { requestId = "", status = "" } = printableData(event?.data ?? {});
    const answer = forwarded === undefined ? "" : `  -> ${forwarded.status ?? forwarded.problem ?? ""}`;
    writeOutput(`${status.padEnd(10)}  ${requestId}${answer}\n`);
  }
  return forwarded === undefined ? 200 : (forwarded.status ?? 502);
}

interface Forwarded {
  readonly status?: number;
  readonly problem?: string;
}

async function forward(
  request: IncomingMessage,
  body: Buffer,
  forwardTo: string,
  signal: AbortSignal,
): Promise<Forwarded> {
  const headers = Object.entries(request.headersDistinct).flatMap(([name, values = []]) =>
    HOP_HEADERS.has(name) ? [] : values.map((value): [string, string] => [name, value]),
  );
  try {
    const response = await fetch(forwardTo, {
      method: "POST",
      headers,
      body: new Uint8Array(body),
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(FORWARD_TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    return { status: response.status };
  } catch (error) {
    return { problem: shortReason(error instanceof Error && error.cause !== undefined ? error.cause : error) };
  }
}

const HOP_HEADERS: ReadonlySet<string> = new Set(["connection", "content-length", "host", "transfer-encoding"]);
