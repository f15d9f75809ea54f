import { compact } from "@crosscall/protocol/core";
import { ADMIN_ROUTES } from "../../localnet/service/admin/routes.ts";
import type { KeyInfo } from "../../localnet/service/admin/schemas.ts";
import type { AdminOptions } from "../../admin/adminOptions.ts";
import { runAdmin } from "../../admin/callAdmin.ts";

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
  const limits = compact({ quote: quoteLimit, listing: listingLimit, other: otherLimit });
  const body = { ...compact({ integrator, label, sponsorBalance }), limits };
  return runAdmin(
    options,
    ADMIN_ROUTES.keys.add,
    { body },
    ({ apiKey, key }) => `${apiKey}\nid ${key.id} of ${key.integrator}. Save the key: it is not shown again.\n`,
  );
}

export function runList(options: AdminOptions): Promise<void> {
  return runAdmin(options, ADMIN_ROUTES.keys.list, {}, ({ keys }) => keys.map(toLine).join(""));
}

function toLine({ id, integrator, label, revokedAt, createdAt }: KeyInfo): string {
  const state = revokedAt === null ? `since ${createdAt}` : `revoked ${revokedAt}`;
  return `${id}  ${integrator.padEnd(12)}  ${state.padEnd(32)}  ${label}\n`;
}

export function runRemove(id: string, options: AdminOptions): Promise<void> {
  return runAdmin(options, ADMIN_ROUTES.keys.revoke, { params: { id } }, ({ key }) => `${key.id} is revoked.\n`);
}
