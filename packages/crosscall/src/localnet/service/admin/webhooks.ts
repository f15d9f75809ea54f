import type { Static } from "typebox";

import type { StatusUpdate } from "@crosscall/protocol/complete";
import { NO_REASON } from "@crosscall/protocol/schema";
import { rejectField, rejectUnknown } from "../../market/rejection.ts";
import { apiKeyId, findApiKeyById } from "../../store/keys.ts";
import { hashApiKey } from "../../store/hashApiKey.ts";
import {
  findWebhook,
  listDeliveries,
  listWebhooks,
  removeWebhook,
  setWebhook,
  type WebhookEventRow,
  type WebhookRow,
} from "../../store/webhooks.ts";
import type { ChainReader, Recorder, Timed } from "../../market/market.ts";
import type { KeyHolder, WebhookSender } from "../serviceParts.ts";
import { openWebhook, sealWebhook } from "../webhooks/secretBox.ts";
import { findHeaderProblem, type SendOutcome, sendWebhook } from "../webhooks/sendWebhook.ts";
import { resolveTarget, TargetRejection } from "../webhooks/target.ts";
import type { Database } from "../../store/schema.ts";
import type { AdminHandlers } from "./routes.ts";
import type { DeliveryInfo, NewWebhookSchema, WebhookInfo } from "./schemas.ts";

const TEST_REQUEST_ID = `0x${"0".repeat(64)}`;

export function webhookHandlers(parts: ChainReader & Recorder & KeyHolder & WebhookSender): AdminHandlers["webhooks"] {
  const { db } = parts.store;
  return {
    list: async () => ({ webhooks: (await listWebhooks(db)).map(toWebhook) }),
    set: async ({ body }) => ({ webhook: toWebhook(await writeWebhook(parts, body)) }),
    async remove({ params: { keyId } }) {
      const webhook = await requireWebhook(db, keyId);
      await removeWebhook(db, webhook.key_hash);
      return { webhook: toWebhook(webhook) };
    },
    test: async ({ params: { keyId } }) => testWebhook(parts, await requireWebhook(db, keyId)),
    deliveries: async ({ query: { limit = 50, ...query } }) => ({
      deliveries: (await listDeliveries(db, { ...query, limit })).map(toDelivery),
    }),
  };
}

async function writeWebhook(
  { store, keys, clock, webhooks }: Recorder & KeyHolder & WebhookSender,
  { apiKey, url, headers = {} }: Static<typeof NewWebhookSchema>,
): Promise<WebhookRow> {
  if ((await keys.find(apiKey)) === undefined) {
    throw rejectField("apiKey", null, "is unknown or revoked", "Pass an active key; it signs the events.");
  }
  const problem = findHeaderProblem(headers);
  if (problem !== undefined) {
    const field = problem.name === "" ? "headers" : `headers.${problem.name}`;
    throw rejectField(field, null, problem.reason, "Omit it, or use another one.");
  }
  try {
    await resolveTarget(url, webhooks.policy);
  } catch (error) {
    if (!(error instanceof TargetRejection)) throw error;
    const hint = "Use a URL on loopback, or allow its host with `crosscall up --allow-webhook-hosts`.";
    throw rejectField("url", null, error.message, hint);
  }
  const keyHash = hashApiKey(apiKey);
  const row: WebhookRow = {
    key_hash: keyHash,
    url,
    header_names: Object.keys(headers),
    sealed: sealWebhook(webhooks.secretBox, keyHash, { apiKey, headers }),
    created_at: new Date(clock.now()),
  };
  await setWebhook(store.db, row);
  return row;
}

async function requireWebhook(db: Database, keyId: string): Promise<WebhookRow> {
  const key = await findApiKeyById(db, keyId);
  const webhook = key === undefined ? undefined : await findWebhook(db, key.hash);
  if (webhook === undefined) throw rejectUnknown(`the webhook of key ${keyId}`);
  return webhook;
}

async function testWebhook(parts: Timed & ChainReader & WebhookSender, webhook: WebhookRow): Promise<SendOutcome> {
  const { webhooks, clock, chains } = parts;
  const secrets = openWebhook(webhooks.secretBox, webhook);
  if (secrets === undefined) {
    const problem = "its key was encrypted by an earlier version: set the webhook again";
    return { isDelivered: false, answerStatus: null, problem };
  }
  const now = clock.now();
  const [originChainId = 0, destinationChainId = 0] = chains.keys();
  const data: StatusUpdate = {
    requestId: TEST_REQUEST_ID,
    status: "waiting",
    inTxHashes: [],
    txHashes: [],
    updatedAt: now,
    originChainId,
    destinationChainId,
    depositAddress: null,
    referrer: null,
    details: "a test of the webhook",
    failReason: NO_REASON,
    refundFailReason: NO_REASON,
  };
  const { policy, timeoutMs } = webhooks;
  const signal = AbortSignal.timeout(timeoutMs);
  return sendWebhook({ url: webhook.url, ...secrets, data, now, policy, timeoutMs, signal });
}

function toWebhook({ key_hash, url, header_names, created_at }: WebhookRow): WebhookInfo {
  return { keyId: apiKeyId(key_hash), url, headerNames: header_names, createdAt: created_at.toISOString() };
}

function toDelivery(row: WebhookEventRow): DeliveryInfo {
  return {
    id: row.id,
    keyId: apiKeyId(row.key_hash),
    requestId: row.request_id,
    status: row.status,
    updatedAt: row.status_at.getTime(),
    state: row.state,
    attempts: row.attempts,
    answerStatus: row.answer_status,
    problem: row.problem,
    nextAttemptAt: row.held_until?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
    data: row.data,
  };
}
