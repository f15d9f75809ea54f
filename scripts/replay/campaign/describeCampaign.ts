import { eachFinishedItem } from "../../../src/campaign/eachFinishedItem.ts";
import { junitLines } from "../../../src/campaign/junit.ts";
import type { CampaignSummary } from "../../../src/campaign/summarizeCampaign.ts";
import { toColumns } from "../../../src/replay/report/columns.ts";
import type { Store } from "../../../src/store/store.ts";
import { replaceFile } from "../../terminal/replaceFile.ts";

export function describeCampaign(name: string, summary: CampaignSummary): string {
  const { total, works, fails, errors, waiting, causes } = summary;
  const parts = [
    `${works} work`,
    `${fails} fail`,
    `${errors} could not be replayed`,
    ...(waiting === 0 ? [] : [`${waiting} are still to be replayed`]),
  ];
  const table = toColumns(
    [{ title: "outcome" }, { title: "cause" }, { title: "fills", isNumber: true }],
    causes.map(({ outcome, cause, count }) => [outcome, cause, String(count)]),
  );
  return [
    `campaign ${name}: ${total} fills; ${parts.join(", ")}`,
    ...(causes.length === 0 ? [] : table.map((line) => `  ${line}`)),
    "",
  ].join("\n");
}

export async function writeJunit(file: string, { db }: Store, name: string, summary: CampaignSummary): Promise<void> {
  await replaceFile(file, async (handle) => {
    for await (const line of junitLines(name, summary, eachFinishedItem(db, name))) await handle.write(line);
  });
}
