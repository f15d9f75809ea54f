import { eachFinishedItem } from "../../../src/campaign/eachFinishedItem.ts";
import { junitLines } from "../../../src/campaign/junit.ts";
import type { CampaignSummary } from "../../../src/campaign/summarizeCampaign.ts";
import type { Store } from "../../../src/store/store.ts";
import { replaceFile } from "../../terminal/replaceFile.ts";

/** @throws {@link InvalidInputError} if the file cannot be written */
export async function writeJunit(file: string, { db }: Store, name: string, summary: CampaignSummary): Promise<void> {
  await replaceFile(file, async (handle) => {
    for await (const line of junitLines(name, summary, eachFinishedItem(db, name))) await handle.write(line);
  });
}
