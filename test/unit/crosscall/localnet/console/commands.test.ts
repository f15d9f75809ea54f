import { execFileSync } from "node:child_process";

import { expect } from "chai";
import fc from "fast-check";

import { createProgram } from "../../../../../packages/crosscall/src/program.ts";
import {
  listCommands,
  requestCommands,
  shellText,
  toOption,
} from "../../../../../packages/crosscall/src/localnet/console/commands.ts";
import { FILTER_NAMES } from "../../../../../packages/crosscall/src/localnet/console/requests/list.ts";
import { inputs } from "../../../../support/inputs.ts";

const SERVICE = { url: "http://127.0.0.1:3000", apiKey: undefined };

describe("console commands", () => {
  it("pass any text through a shell unchanged", () => {
    const text = fc.string({ unit: "binary" }).filter((each) => !each.includes("\0") && each.isWellFormed());
    fc.assert(
      fc.property(fc.array(text, { minLength: 20, maxLength: 20 }), (texts) => {
        const printed = execFileSync("sh", ["-c", `printf '%s\\0' ${texts.map(shellText).join(" ")}`]).toString();
        expect(printed.split("\0").slice(0, -1)).to.deep.equal(texts);
      }),
      { numRuns: inputs(10), examples: [[Array.from({ length: 20 }, () => `'; $(touch x) \`y\` "`)]] },
    );
  });

  it("have an option of `requests list` for every filter", async () => {
    const program = await createProgram();
    const list = program.commands
      .find((each) => each.name() === "requests")
      ?.commands.find((each) => each.name() === "list");
    const options = list?.options.map(({ long }) => long);
    expect(FILTER_NAMES).to.include("currencyInSymbol");
    expect(options).to.include.members(FILTER_NAMES.map(toOption));
  });

  it("do not contain a hidden key", () => {
    const filters = new URLSearchParams({
      user: "0x1",
      includeChildRequests: "true",
      originChainId: "10",
      features: "app_fees",
    });
    const { curl, sdk, cli } = listCommands(SERVICE, filters);
    expect(curl).to.equal(`curl '${SERVICE.url}/requests/v3?${filters.toString()}' -H "x-api-key: $CROSSCALL_API_KEY"`);
    expect(sdk).to.include(`apiKey: process.env.CROSSCALL_API_KEY`);
    expect(sdk).to.include(`{ user: "0x1", includeChildRequests: true, originChainId: 10, features: ["app_fees"] }`);
    expect(cli).to.equal(
      `crosscall requests list --user 0x1 --include-child-requests --origin-chain-id 10 --features app_fees --api-url ${SERVICE.url}`,
    );
    expect(requestCommands({ ...SERVICE, apiKey: "own" }, "0x2").cli).to.equal(
      `crosscall requests get 0x2 --api-url ${SERVICE.url} --api-key own`,
    );
  });
});
