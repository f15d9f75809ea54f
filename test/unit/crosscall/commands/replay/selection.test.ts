import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import {
  selectFills,
  type SelectionOptions,
  type CampaignSubject,
  toInput,
} from "../../../../../packages/crosscall/src/commands/replay/campaign/selection.ts";
import { ROUTER_ADDRESS } from "../../../../../packages/protocol/src/generations/routers.ts";
import type { CampaignItem } from "../../../../../packages/crosscall/src/localnet/store/campaigns.ts";
import { rejected } from "../../../../support/rejection.ts";
import { TOKEN, USER } from "../../replay/trace/frames.ts";

const { signal } = new AbortController();

describe("selectFills", () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "crosscall-selection-"));
    for (const tradeType of ["EXACT_INPUT", "EXACT_OUTPUT"]) {
      const plan = {
        txs: [{ to: TOKEN, data: "0x", value: "0" }],
        tradeType,
        amount: "5",
        recipient: USER,
        destinationChainId: 10,
        destinationCurrency: TOKEN,
        router: ROUTER_ADDRESS,
      };
      await writeFile(join(folder, `${tradeType}.json`), JSON.stringify(plan));
    }
  });
  after(() => rm(folder, { recursive: true }));

  async function select(options: SelectionOptions) {
    const { name, selection, list } = await selectFills({ plans: folder, ...options }, signal);
    const items: CampaignItem[] = [];
    for await (const item of list(signal)) items.push(item);
    // Returns the fills in database order.
    const subjects = items.map(({ subject }) => JSON.parse(JSON.stringify(subject)) as CampaignSubject);
    return { name, selection, subjects };
  }

  it("stores the replay options with the campaign and with each of its fills", async () => {
    const [exact, plain] = [await select({ amount: 7n, exact: true }), await select({ amount: 7n })];
    expect(exact.selection).to.have.property("exact", true);
    expect(exact.subjects.map((subject) => subject.exact)).to.deep.equal([true, true]);
    expect(plain.selection).to.have.property("exact", false);
    expect(plain.subjects.map((subject) => subject.exact)).to.deep.equal([false, false]);
    expect(exact.name).not.to.equal(plain.name);
  });

  it("stores the options for requests too", async () => {
    const options = { apiUrl: "http://127.0.0.1:1", apiKey: "key", status: "failure" };
    const [exact, plain] = await Promise.all(
      [true, false].map((exact) => selectFills({ ...options, exact } as SelectionOptions, signal)),
    );
    expect(exact?.selection).to.have.property("exact", true);
    expect(exact?.name).not.to.equal(plain?.name);
  });

  it("applies the given amount to plans without an amount", async () => {
    const { subjects } = await select({ amount: 7n });
    const delivered = subjects.map((subject) => {
      const input = toInput(subject);
      return input.kind === "plan" ? [input.plan.tradeType, input.plan.delivered] : undefined;
    });
    expect(delivered).to.deep.equal([
      ["EXACT_INPUT", 7n],
      ["EXACT_OUTPUT", undefined],
    ]);
  });

  it("rejects a plan without a delivered amount, by name", async () => {
    const error = await rejected(select({}));
    expect(error).to.deep.include({ code: "STAGE_FAILED", stage: join(folder, "EXACT_INPUT.json") });
    expect(error.cause).to.deep.include({ code: "INVALID_INPUT", field: "--amount" });
  });

  it("rejects an amount for requests, because their records already contain it", async () => {
    const error = await rejected(selectFills({ apiUrl: "http://127.0.0.1:1", amount: 7n }, signal));
    expect(error).to.deep.include({ code: "INVALID_INPUT", field: "--amount" });
  });
});
