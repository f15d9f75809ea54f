import {
  AddedKeySchema,
  type KeyInfo,
  KeyListSchema,
  RevokedKeySchema,
} from "../../localnet/service/admin/keySchemas.ts";
import type { AdminOptions } from "../../admin/adminOptions.ts";
import { runAdmin } from "../../admin/runAdmin.ts";

interface AddOptions extends AdminOptions {
  readonly integrator?: string;
  readonly label?: string;
  readonly quoteLimit?: number | false;
  readonly listingLimit?: number | false;
  readonly otherLimit?: number | false;
  readonly sponsorBalance?: string;
}

export function runAdd(options: AddOptions): Promise<void> {
  const { integrator, label, quoteLimit, listingLimit, otherLimit, sponsorBalance } = options;
  const limits = { quote: quoteLimit, listing: listingLimit, other: otherLimit };
  const body = { integrator, label, limits, sponsorBalance };
  return runAdmin(
    options,
    { method: "POST", path: "/admin/keys", body, schema: AddedKeySchema },
    ({ apiKey, key }) => `${apiKey}\nid ${key.id} of ${key.integrator}. Keep the key: it is not shown again.\n`,
  );
}

export function runList(options: AdminOptions): Promise<void> {
  const call = { method: "GET", path: "/admin/keys", schema: KeyListSchema } as const;
  return runAdmin(options, call, ({ keys }) => keys.map(toLine).join(""));
}

function toLine({ id, integrator, label, revokedAt, createdAt }: KeyInfo): string {
  const state = revokedAt === null ? `since ${createdAt}` : `revoked ${revokedAt}`;
  return `${id}  ${integrator.padEnd(12)}  ${state.padEnd(32)}  ${label}\n`;
}

export function runRemove(id: string, options: AdminOptions): Promise<void> {
  const call = { method: "DELETE", path: `/admin/keys/${encodeURIComponent(id)}`, schema: RevokedKeySchema } as const;
  return runAdmin(options, call, ({ key }) => `${key.id} is revoked.\n`);
}
