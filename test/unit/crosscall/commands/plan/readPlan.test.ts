import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { toPlanOverrides } from "../../../../../packages/crosscall/src/commands/plan/planOptions.ts";
import { checkPlan } from "../../../../../packages/crosscall/src/commands/plan/checkPlan.ts";
import { readPlan } from "../../../../../packages/crosscall/src/commands/plan/readPlan.ts";
import { requireRequest } from "../../../../../packages/crosscall/src/commands/quote/run.ts";
import { factsOf, refusal, rejected } from "../../../../support/rejection.ts";

const DOLLAR = "0x1111111111111111111111111111111111111111";
const VAULT = "0x3333333333333333333333333333333333333333";
const USER = "0x4444444444444444444444444444444444444444";

const terms = { tradeType: "EXACT_OUTPUT", amount: "5", recipient: USER };
const recipe = { ...terms, recipe: "erc4626Deposit", args: { vault: VAULT, asset: DOLLAR } };
const actions = { ...terms, destinationCurrency: DOLLAR };
const contract = { kind: "contract", address: VAULT, abi: ["function a(uint256 x)"], functionName: "a", args: ["1"] };
const proxy = { kind: "proxy", proxy: VAULT, token: DOLLAR };

describe("readPlan", () => {
  let folder = "";
  const { signal } = new AbortController();

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "crosscall-plan-"));
  });
  after(() => rm(folder, { recursive: true }));

  const write = async (name: string, text: string): Promise<string> => {
    const file = join(folder, name);
    await writeFile(file, text);
    return file;
  };

  const read = async (content: unknown) =>
    readPlan({ file: await write("plan.json", JSON.stringify(content)), signal });

  const refused = (field: string, value: string | undefined) => ({ code: "INVALID_INPUT", field, value });

  it("says that an argument is missing, and what it is", async () => {
    const error = await read({ ...recipe, args: { vault: VAULT } }).catch((reason: unknown) => reason);
    expect(error).to.have.property("message", "args.asset is missing: the recipe needs an address");
  });

  const cases: readonly [string, unknown, string, string | undefined][] = [
    ["an array", [], "plan", "[]"],
    ["an unknown field", { ...recipe, minmumOut: "1" }, "minmumOut", undefined],
    ["an amount as a number", { ...recipe, amount: 5 }, "amount", "5"],
    ["a missing amount", { ...recipe, amount: undefined }, "amount", undefined],
    ["an unknown recipe", { ...recipe, recipe: "erc4626" }, "recipe", '"erc4626"'],
    ["an unknown argument", { ...recipe, args: { ...recipe.args, x: 1 } }, "args.x", "1"],
    ["a missing argument", { ...recipe, args: { vault: VAULT } }, "args.asset", undefined],
    [
      "an argument that is not an address",
      { ...recipe, args: { ...recipe.args, vault: "0x3" } },
      "args.vault",
      '"0x3"',
    ],
    ["both a recipe and calls", { ...recipe, txs: [] }, "recipe, txs", "2"],
    [
      "a currency other than the recipe's",
      { ...recipe, destinationCurrency: USER },
      "destinationCurrency",
      `"${USER}"`,
    ],
    ["a plan without a recipient", { ...recipe, recipient: undefined }, "recipient", undefined],
    ["a trade type without calls", { ...recipe, tradeType: "EXPECTED_OUTPUT" }, "tradeType", '"EXPECTED_OUTPUT"'],
    ["an invalid trade type", { ...recipe, tradeType: "EXACT" }, "tradeType", '"EXACT"'],
    ["an invalid router", { ...recipe, router: "0x" }, "router", '"0x"'],
    ["an invalid contract", { txs: [], contracts: { trusted: ["0x"] } }, "contracts.trusted[0]", '"0x"'],
    ["a call without a target", { ...terms, txs: [{ data: "0x", value: "0" }] }, "txs[0].to", undefined],
    ["an unknown action", { ...actions, actions: [{ kind: "swap" }] }, "actions[0].kind", '"swap"'],
    ["an invalid action", { ...actions, actions: [null] }, "actions[0].kind", undefined],
    [
      "an unknown field of an allowance",
      { ...actions, actions: [{ ...proxy, allowance: { standng: "1" } }] },
      "actions[0].allowance.standng",
      undefined,
    ],
    [
      "an unknown field of programs",
      { txs: [], programs: { executor: VAULT, livePuller: VAULT, mode: "pull" } },
      "programs.mode",
      undefined,
    ],
    ["an unknown field of contracts", { txs: [], contracts: { proxys: [] } }, "contracts.proxys", undefined],
    [
      "an unknown field of a proxy",
      { txs: [], contracts: { proxies: [{ address: VAULT, input: DOLLAR }] } },
      "contracts.proxies[0].input",
      undefined,
    ],
    ["an unknown field of an action", { ...actions, actions: [{ ...proxy, min: 1 }] }, "actions[0].min", undefined],
    [
      "a proxy without its token",
      { ...actions, actions: [{ ...proxy, token: undefined }] },
      "actions[0].token",
      undefined,
    ],
    ["an invalid limit", { ...actions, actions: [{ ...proxy, minimumOut: "x" }] }, "actions[0].minimumOut", '"x"'],
    [
      "an invalid standing allowance",
      { ...actions, actions: [{ ...proxy, allowance: { standing: "x" } }] },
      "actions[0].allowance.standing",
      '"x"',
    ],
    [
      "a function that no proxy has",
      { ...actions, actions: [{ ...proxy, functionName: "run" }] },
      "actions[0].functionName",
      '"run"',
    ],
    ["an invalid ABI", { ...actions, actions: [{ ...contract, abi: "x" }] }, "actions[0].abi", '"x"'],
    ["invalid signatures", { ...actions, actions: [{ ...contract, abi: ["x"] }] }, "actions[0].abi", '["x"]'],
    [
      "a function with other parameters",
      { ...actions, actions: [{ ...contract, args: [] }] },
      "actions[0].functionName",
      '"a"',
    ],
    [
      "a live amount without a token",
      { ...actions, actions: [{ ...contract, args: [{ live: "x" }] }] },
      "actions[0].args[0].live",
      '{"live":"x"}',
    ],
  ];
  for (const [name, content, field, value] of cases) {
    it(`rejects ${name}`, async () => {
      expect(factsOf(await rejected(read(content)))).to.deep.include(refused(field, value));
    });
  }

  it("rejects files that are missing, are not JSON, do not load, or export no plan", async () => {
    const files = [
      join(folder, "none.json"),
      join(folder, "none.ts"),
      await write("broken.json", "{"),
      await write("empty.ts", "export const x = 1;"),
      await write("throwing.mjs", "throw new Error('x');"),
    ];
    for (const file of files) {
      const error = await rejected(readPlan({ file, signal }));
      expect(factsOf(error)).to.deep.include(refused("file", JSON.stringify(file)));
    }
  });

  it("stops waiting for a module on abort", async () => {
    const file = await write("endless.mjs", "await new Promise(() => setTimeout(() => {}, 1));");
    const controller = new AbortController();
    const reading = rejected(readPlan({ file, signal: controller.signal }));
    controller.abort();
    expect((await reading).code).to.equal("ABORTED");
  });

  it("rejects arguments without a recipe, and incomplete program arguments", async () => {
    const overrides = { fields: {}, args: [{ path: ["vault"], text: VAULT }] };
    const error = await rejected(readPlan({ file: undefined, overrides, signal }));
    expect(factsOf(error)).to.deep.include(refused("--arg", '"vault"'));
    expect(refusal(() => toPlanOverrides({ arg: [], executor: VAULT }))).to.deep.equal(
      refused("--live-puller", undefined),
    );
  });

  it("accepts a plan without calls, which is valid only for a quote", async () => {
    const plan = await read({ user: USER, amount: "5" });
    expect(plan.request).to.deep.equal({ user: USER, amount: "5" });
    expect(refusal(() => checkPlan(plan))).to.deep.equal(refused("txs", undefined));
    expect(refusal(() => requireRequest(plan.request))).to.deep.equal(refused("originChainId", undefined));
  });
});
