import { Argument, Option } from "commander";
import { expect } from "chai";

import { Command } from "../../../../../packages/crosscall/src/options/command.ts";
import { complete } from "../../../../../packages/crosscall/src/commands/completion/complete.ts";

describe("complete", () => {
  const program = new Command("tool").version("1.0.0");
  program
    .command("check")
    .argument("<file>")
    .addOption(new Option("-f, --format <format>").choices(["text", "json"]))
    .addOption(new Option("--names <names...>").choices(["one", "two"]))
    .option("--color [when]", "when to color")
    .option("--no-wait", "do not wait")
    .option("--url <url>");
  const chain = program.command("chain");
  chain.command("mine").argument("<chainId>").addArgument(new Argument("<files...>"));
  chain.command("stop").addArgument(new Argument("[how]").choices(["now", "later"]));
  program.command("secret", { hidden: true });

  const valuesFor = async (...words: string[]): Promise<readonly string[] | undefined> => {
    const found = await complete(program, words, (name, placeholder) =>
      placeholder === "file" || placeholder === "files"
        ? undefined
        : [{ value: `${name}:${placeholder}`, description: "" }],
    );
    return found?.map(({ value }) => value);
  };

  it("completes visible commands at each level", async () => {
    expect(await valuesFor("")).to.deep.equal(["check", "chain", "help"]);
    expect(await valuesFor("ch")).to.deep.equal(["check", "chain"]);
    expect(await valuesFor("chain", "")).to.deep.equal(["mine", "stop", "help"]);
    expect(await valuesFor("secret", "--")).to.deep.equal(["--help"]);
  });

  it("completes options of the current command, even after other options' values", async () => {
    const all = ["--format", "--names", "--color", "--no-wait", "--url", "--help"];
    expect(await valuesFor("check", "-")).to.deep.equal(all);
    expect(await valuesFor("check", "--url", "x", "file", "--n")).to.deep.equal(["--names", "--no-wait"]);
    expect(await valuesFor("--v")).to.deep.equal(["--version"]);
    expect(await valuesFor("check", "--", "--n")).to.equal(undefined);
  });

  it("completes choices and option values in every spelling", async () => {
    expect(await valuesFor("check", "--format", "")).to.deep.equal(["text", "json"]);
    expect(await valuesFor("check", "-f", "j")).to.deep.equal(["json"]);
    expect(await valuesFor("check", "--format=j")).to.deep.equal(["json"]);
    expect(await valuesFor("check", "--format", "=", "j")).to.deep.equal(["json"]);
    expect(await valuesFor("check", "--format", "=")).to.deep.equal(["text", "json"]);
    expect(await valuesFor("check", "--url", "")).to.deep.equal(["--url:url"]);
    expect(await valuesFor("check", "--url", "--n")).to.deep.equal([]);
    expect(await valuesFor("check", "--color", "")).to.deep.equal(["--color:when"]);
    expect(await valuesFor("check", "--color", "--n")).to.deep.equal(["--names", "--no-wait"]);
    expect(await valuesFor("check", "--names", "one", "t")).to.deep.equal(["two"]);
    expect(await valuesFor("check", "--names", "one", "--u")).to.deep.equal(["--url"]);
    expect(await valuesFor("check", "--no-wait", "x")).to.equal(undefined);
  });

  it("completes arguments by their position, and nothing after the last", async () => {
    expect(await valuesFor("check", "")).to.equal(undefined);
    expect(await valuesFor("check", "file", "")).to.deep.equal([]);
    expect(await valuesFor("chain", "mine", "")).to.deep.equal(["chainId:chainId"]);
    expect(await valuesFor("chain", "mine", "1", "a", "")).to.equal(undefined);
    expect(await valuesFor("chain", "stop", "l")).to.deep.equal(["later"]);
    expect(await valuesFor("unknown", "")).to.deep.equal([]);
    expect(await valuesFor("check", "http", ":", "x", "")).to.deep.equal([]);
    expect(await valuesFor()).to.deep.equal(["check", "chain", "help"]);
  });
});
