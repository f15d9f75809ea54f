import { createLog } from "../../../packages/crosscall/src/localnet/log.ts";
import { createSettableClock } from "../../../packages/crosscall/src/localnet/service/sharedClock.ts";
import { startWebhooks } from "../../../packages/crosscall/src/localnet/service/webhooks/deliverEvents.ts";
import { createSecretBox, sealWebhook } from "../../../packages/crosscall/src/localnet/service/webhooks/secretBox.ts";
import { checkWebhookOptions } from "../../../packages/crosscall/src/localnet/service/webhooks/settings.ts";
import { hashApiKey } from "../../../packages/crosscall/src/localnet/store/hashApiKey.ts";
import { insertApiKey } from "../../../packages/crosscall/src/localnet/store/keys.ts";
import { insertRequest } from "../../../packages/crosscall/src/localnet/store/requests/requests.ts";
import { transition } from "../../../packages/crosscall/src/localnet/store/requests/transitions.ts";
import { openStore } from "../../../packages/crosscall/src/localnet/store/store.ts";
import { setWebhook } from "../../../packages/crosscall/src/localnet/store/webhooks.ts";
import { newOrder, newRequest } from "./storeRows.ts";

// Process that is killed during a delivery: `node deliverAndHang.ts <database folder> <webhook url>`.
const [folder = "", url = ""] = process.argv.slice(2);
const apiKey = "ck_webhooks";
const createdAt = new Date(1_800_000_000_000);
const keyHash = hashApiKey(apiKey);
const secretBox = createSecretBox("admin", () => crypto.getRandomValues(new Uint8Array(32)));

const store = await openStore({ folder, onError: (error) => process.stderr.write(`${error.message}\n`) });
await insertApiKey(store.db, { apiKey, integrator: "shop", label: "", limits: {}, createdAt });
await setWebhook(store.db, {
  key_hash: keyHash,
  url,
  header_names: [],
  sealed: sealWebhook(secretBox, keyHash, { apiKey, headers: {} }),
  created_at: createdAt,
});
await insertRequest(store.db, newRequest("killed", { api_key_hash: keyHash }), newOrder());
await transition(store.db, { requestId: "killed", from: ["waiting"], to: "pending", at: createdAt });
await transition(store.db, { requestId: "killed", from: ["pending"], to: "submitted", at: createdAt });
await startWebhooks({
  store,
  clock: createSettableClock({ now: () => createdAt.getTime() }),
  log: createLog("silent"),
  webhooks: { ...checkWebhookOptions({ firstRetryMs: 0, timeoutMs: 500 }), secretBox },
});
process.stdout.write("up\n");
