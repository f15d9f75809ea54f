import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { RequestRecordV2Schema } from "../../packages/protocol/src/v2/requestRecordV2.ts";
import { toV3 } from "../../packages/protocol/src/v2/toV3.ts";
import { parseData } from "../../packages/protocol/src/schema/parse.ts";
import {
  type FinishedProgram,
  type ProgramOptions,
  type RunningProgram,
  runCrosscall,
  startCrosscall,
} from "../support/programs.ts";
import { recordV2 } from "../unit/protocol/v2/fixtures.ts";

const start = (args: readonly string[], options?: ProgramOptions): RunningProgram =>
  startCrosscall(["migrate", ...args], options);
const run = (args: readonly string[], input = ""): Promise<FinishedProgram> =>
  runCrosscall(["migrate", ...args], { input });

describe("crosscall migrate", () => {
  let folder = "";

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "crosscall-migrate-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function write(name: string, text: string): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, text);
    return path;
  }

  describe("report", () => {
    const CERTAIN = 'const page = await (await fetch("/requests/v2")).json();\nshow(page.requests[0].data.price);\n';
    const LIKELY = "show(request.data.fees.gas);\n";

    it("shows each read with its replacement, and exits with 1 if a finding is certain", async () => {
      await write("a.ts", CERTAIN);
      const { exitCode, stdout, stderr } = await run(["report", folder]);
      expect(exitCode).to.equal(1);
      expect(stdout.split("\n").slice(0, 3)).to.deep.equal([
        "a.ts",
        '  1:33  certain  "/requests/v2"',
        '    -> "/requests/v3"',
      ]);
      expect(stdout).to.include("2:6  certain  page.requests[0].data.price");
      expect(stdout).to.match(/^1 files: 2 certain and 0 likely uses of retired endpoints/mu);
      expect(stderr).to.include("Scan");
    });

    it("exits with 0 or 1, depending on --fail-on", async () => {
      await write("b.ts", LIKELY);
      const codes = [];
      for (const failOn of ["certain", "likely", "never"]) {
        codes.push((await run(["report", folder, "--fail-on", failOn])).exitCode);
      }
      await write("a.ts", CERTAIN);
      codes.push((await run(["report", folder, "--fail-on", "never"])).exitCode);
      expect(codes).to.deep.equal([0, 1, 0, 0]);
    });

    it("prints exactly one JSON object with --json", async () => {
      await write("b.ts", LIKELY);
      const { exitCode, stdout, stderr } = await run(["report", folder, "--json"]);
      const { durationMs, ...result } = JSON.parse(stdout) as Record<string, unknown>;
      expect([exitCode, stderr, typeof durationMs]).to.deep.equal([0, "", "number"]);
      expect(result).to.deep.equal({
        ok: true,
        files: 1,
        findings: [
          {
            file: "b.ts",
            line: 1,
            column: 6,
            code: "request.data.fees.gas",
            confidence: "likely",
            reads: "data.fees.gas",
            replacement: "request.data.fees.quoted.execution.amount",
            reason: "v3 has fees by component instead of gas, fixed, price and gateway; this is the nearest component",
          },
        ],
        unread: [],
        skipped: [],
      });
    });

    it("prints SARIF with --sarif", async () => {
      await mkdir(join(folder, "my app"));
      await write("my app/a.ts", CERTAIN);
      const { exitCode, stdout } = await run(["report", folder, "--sarif"]);
      const { version, runs } = JSON.parse(stdout) as Sarif;
      expect([exitCode, version]).to.deep.equal([1, "2.1.0"]);
      expect(runs[0]?.tool.driver.rules.map(({ id }) => id)).to.deep.equal(["GET /requests/v2", "data.price"]);
      expect(runs[0]?.results.map(({ ruleId, level, locations }) => [ruleId, level, locations])).to.deep.equal([
        ["GET /requests/v2", "error", locationOf("my%20app/a.ts", 1, 33)],
        ["data.price", "error", locationOf("my%20app/a.ts", 2, 6)],
      ]);
    });

    it("rejects a missing folder, and two formats at once", async () => {
      const { exitCode, stdout } = await run(["report", join(folder, "none"), "--json"]);
      expect(exitCode).to.equal(1);
      expect(JSON.parse(stdout)).to.have.nested.property("error.cause.code", "INVALID_INPUT");
      expect((await run(["report", folder, "--json", "--sarif"])).exitCode).to.equal(2);
    });

    it("stops on Ctrl-C", async () => {
      for (let index = 0; index < 2000; index += 1) await write(`${index}.ts`, CERTAIN);
      const command = start(["report", folder]);
      await command.until("Scan");
      command.child.kill("SIGINT");
      expect((await command.finished).exitCode).to.equal(130);
    });
  });

  describe("records", () => {
    const other = { id: "2", status: "delayed" };
    const LINES = `${JSON.stringify(recordV2)}\n${JSON.stringify(other)}\n`;

    it("converts lines from standard input, and reports the number of losses on standard error", async () => {
      const { exitCode, stdout, stderr } = await run(["records", "-"], LINES);
      expect(exitCode).to.equal(0);
      const records = stdout.trimEnd().split("\n");
      expect(records.map((line) => JSON.parse(line) as unknown)).to.deep.equal([
        toV3(parseData(RequestRecordV2Schema, recordV2, "it")).record,
        toV3(other).record,
      ]);
      expect(stderr).to.match(/^2 records converted$/mu);
      expect(stderr).to.match(/^ +1 {2}data\.fees\.gas$/mu);
      expect(stderr).to.match(/^ +1 {2}data\.feeSponsorship\.quoted\.selectedComponents\[\]$/mu);
    });

    it("writes the records to a file, and prints the summary as JSON to standard output", async () => {
      const out = join(folder, "v3.jsonl");
      const input = await write("page.json", JSON.stringify({ requests: [other] }, undefined, 2));
      const { exitCode, stdout, stderr } = await run(["records", input, "--out", out, "--json"]);
      expect([exitCode, stderr]).to.deep.equal([0, ""]);
      expect(JSON.parse(stdout)).to.deep.include({ ok: true, records: 1, lost: { status: 1 }, malformed: [] });
      expect(JSON.parse(await readFile(out, "utf8"))).to.deep.equal(toV3(other).record);
    });

    it("stops at the first malformed record, and reports its line and path", async () => {
      const input = await write("v2.jsonl", `${LINES}{"id":"3","data":{"price":5}}\n${LINES}`);
      const { exitCode, stdout, stderr } = await run(["records", input]);
      expect([exitCode, stdout.split("\n").length]).to.deep.equal([1, 3]);
      expect(stderr).to.include("line 3").and.include("data.price");
    });

    it("continues after a malformed record with --keep-going, keeps every record, and exits with 1", async () => {
      const bad = ['{"id":3}', "{oops"];
      const input = await write("v2.jsonl", [bad[0], JSON.stringify(other), bad[1], JSON.stringify(other)].join("\n"));
      const malformed = join(folder, "malformed.jsonl");
      const out = join(folder, "v3.jsonl");
      const args = ["records", input, "--keep-going", malformed, "--out", out, "--json"];
      const { exitCode, stdout } = await run(args);
      expect(exitCode).to.equal(1);
      const summary = JSON.parse(stdout) as {
        ok: boolean;
        records: number;
        malformed: { line: number; path: string }[];
      };
      expect([summary.ok, summary.records]).to.deep.equal([false, 2]);
      expect(summary.malformed.map(({ line, path }) => [line, path])).to.deep.equal([
        [1, "id"],
        [3, ""],
      ]);
      expect(await readFile(malformed, "utf8")).to.equal(`${bad.join("\n")}\n`);
      expect((await readFile(out, "utf8")).split("\n")).to.have.length(3);
    });

    it("overwrites its input file, and leaves the file unchanged if it fails", async () => {
      const input = await write("same.jsonl", LINES);
      const { exitCode } = await run(["records", input, "--out", join(folder, ".", "same.jsonl")]);
      const records = (await readFile(input, "utf8")).trimEnd().split("\n");
      expect([exitCode, JSON.parse(records[1] ?? "")]).to.deep.equal([0, toV3(other).record]);

      const text = `${LINES}{oops\n`;
      const broken = await write("broken.jsonl", text);
      expect((await run(["records", broken, "--out", broken])).exitCode).to.equal(1);
      expect(await readFile(broken, "utf8")).to.equal(text);
      expect((await readdir(folder)).filter((name) => name.includes(".part"))).to.deep.equal([]);
    });

    it("rejects writing malformed records to a file that it reads or writes", async () => {
      const input = await write("kept.jsonl", LINES);
      const out = join(folder, "new.jsonl");
      for (const [malformed, args] of [
        [input, []],
        [out, ["--out", out]],
      ] as const) {
        const command = ["records", input, "--keep-going", malformed, "--json", ...args];
        const { exitCode, stdout, stderr } = await run(command);
        expect(exitCode).to.equal(1);
        // In each case, one stream is empty, because the error goes to the stream without records.
        expect(JSON.parse(`${stdout}${stderr}`)).to.have.nested.property("error.field", "--keep-going");
      }
      expect(await readFile(input, "utf8")).to.equal(LINES);
    });

    it("does not write an error between the records with --json", async () => {
      const { exitCode, stdout, stderr } = await run(["records", "-", "--json"], `${JSON.stringify(other)}\n{oops\n`);
      expect([exitCode, stdout]).to.deep.equal([1, `${JSON.stringify(toV3(other).record)}\n`]);
      expect(JSON.parse(stderr)).to.have.nested.property("error.code", "MALFORMED_DATA");
      const toFile = await run(["records", "-", "--json", "--out", join(folder, "failed.jsonl")], "{oops\n");
      expect([toFile.exitCode, toFile.stderr]).to.deep.equal([1, ""]);
      expect(JSON.parse(toFile.stdout)).to.have.nested.property("error.code", "MALFORMED_DATA");
    });

    it("stops on Ctrl-C while it waits for input", async () => {
      const command = start(["records", "-"], { input: `${JSON.stringify(other)}\n`, isInputOpen: true });
      await command.until("{");
      command.child.kill("SIGINT");
      expect((await command.finished).exitCode).to.equal(130);
    });

    it("migrates the partner id, and rejects a missing file", async () => {
      const { stdout } = await run(["records", "-"], '{"id":"1","moonpayId":"7"}\n');
      expect(JSON.parse(stdout)).to.have.nested.property("data.externalMetadata.moonpayId", "7");
      const { exitCode, stderr } = await run(["records", join(folder, "none")]);
      expect([exitCode, stderr.includes("To do:")]).to.deep.equal([1, true]);
    });
  });

  it("explains each command with an example", async () => {
    for (const command of ["report", "records"]) {
      const { exitCode, stdout } = await run([command, "--help"]);
      expect([exitCode, stdout.includes(`crosscall migrate ${command}`)]).to.deep.equal([0, true]);
      expect(stdout).to.include("Examples:");
    }
    expect((await run(["nothing"])).exitCode).to.equal(2);
  });
});

interface Sarif {
  readonly version: string;
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly { id: string }[] } };
    readonly results: readonly { ruleId: string; level: string; locations: unknown }[];
  }[];
}

function locationOf(uri: string, startLine: number, startColumn: number): unknown {
  return [{ physicalLocation: { artifactLocation: { uri }, region: { startLine, startColumn } } }];
}
