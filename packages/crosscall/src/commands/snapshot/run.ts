import {
  loadSnapshot,
  type NetworkSnapshot,
  NetworkSnapshotSchema,
  saveSnapshot,
} from "../../localnet/snapshot/networkSnapshot.ts";
import { ADMIN_ROUTES } from "../../localnet/service/admin/routes.ts";
import type { AdminOptions } from "../../admin/adminOptions.ts";
import { callAdmin } from "../../admin/callAdmin.ts";
import { countOf, toJsonLine, writeOutput } from "../../terminal/output.ts";
import { interruptOnCtrlC } from "../../terminal/interrupt.ts";
import { printableData } from "@crosscall/protocol/core";

/** Contents of a snapshot. */
interface Summary {
  readonly file: string;
  /** Time on the service's clock. */
  readonly savedAt: string;
  readonly chains: readonly { readonly id: number; readonly blockNumber: number; readonly blockHash: string }[];
  readonly requests: Readonly<Record<string, number>>;
}

export async function runSave(file: string, options: AdminOptions): Promise<void> {
  using interrupt = interruptOnCtrlC();
  const route = { ...ADMIN_ROUTES.snapshot.read, response: NetworkSnapshotSchema };
  const snapshot = await callAdmin(options, route, {}, interrupt.signal);
  await saveSnapshot(file, snapshot);
  const summary = summarize(file, snapshot);
  writeOutput(options.json === true ? toJsonLine({ ok: true, ...summary }) : toText(summary));
}

export async function runList(files: readonly string[], options: { readonly json?: boolean }): Promise<void> {
  const snapshots: Summary[] = [];
  for (const file of files) snapshots.push(summarize(file, await loadSnapshot(file)));
  writeOutput(
    options.json === true ? toJsonLine({ ok: true, snapshots }) : printableData(snapshots).map(toText).join(""),
  );
}

function summarize(file: string, { clock, chains, database }: NetworkSnapshot): Summary {
  const requests = database.tables.find(({ name }) => name === "requests");
  const status = requests?.columns.indexOf("status") ?? -1;
  const counts = Object.groupBy(requests?.rows ?? [], (row) => row[status] ?? "unknown");
  return {
    file,
    savedAt: new Date(clock.now).toISOString(),
    chains: chains.map(({ id, node }) => ({ id, blockNumber: node.height, blockHash: node.head })),
    requests: Object.fromEntries(Object.entries(counts).map(([name, rows = []]) => [name, rows.length])),
  };
}

function toText({ file, savedAt, chains, requests }: Summary): string {
  const total = Object.values(requests).reduce((sum, count) => sum + count, 0);
  const byStatus = Object.entries(requests).map(([status, count]) => `${count} ${status}`);
  return [
    `${file}  ${savedAt}`,
    ...chains.map(({ id, blockNumber }) => `  chain ${id} at block ${blockNumber}`),
    `  ${countOf(total, "request")}${total === 0 ? "" : `: ${byStatus.join(", ")}`}`,
    "",
  ].join("\n");
}
