import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { expect } from "chai";
import { parse } from "yaml";

import { until } from "../support/until.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const run = promisify(execFile);

type Values = Readonly<Record<string, string>>;

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

interface Step {
  readonly id: string;
  readonly shell: string;
  readonly env: Values;
  readonly run: string;
}

describe("the GitHub action", () => {
  let folder: string;
  let pid: number | undefined;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "crosscall-action-"));
    await mkdir(join(folder, "node_modules/.bin"), { recursive: true });
    await symlink(join(ROOT, "packages/crosscall/src/main.ts"), join(folder, "node_modules/.bin/crosscall"));
  });
  after(async () => {
    if (pid !== undefined) process.kill(pid, "SIGTERM");
    await until(() => pid === undefined || !isRunning(pid));
    await rm(folder, { recursive: true });
  });

  it("starts the project's network, and exports its URLs and keys", async () => {
    const ports = { port: "0", "rpc-port": "0" };
    const { outputs, env } = await runAction({
      arguments: "--like-mainnet --chains base,arbitrum --no-oracle",
      ...ports,
    });
    pid = Number(outputs.pid);
    const { url = "" } = outputs;
    expect(env).to.deep.equal({
      CROSSCALL_API_URL: url,
      CROSSCALL_API_KEY: outputs["api-key"],
      CROSSCALL_ADMIN_KEY: outputs["admin-key"],
    });
    const statusOf = async (path: string, headers: Values = {}) => (await fetch(`${url}${path}`, { headers })).status;
    expect(await statusOf("/ready")).to.equal(200);
    expect(await statusOf("/admin/keys", { "x-admin-key": env.CROSSCALL_ADMIN_KEY ?? "" })).to.equal(200);
    expect(await statusOf("/requests/v3", { "x-api-key": env.CROSSCALL_API_KEY ?? "" })).to.equal(200);
    const rpcUrls = JSON.parse(outputs["rpc-urls"] ?? "") as Values;
    expect(Object.keys(rpcUrls)).to.deep.equal(["8453", "42161"]);
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_accounts", params: [] });
    const headers = { "content-type": "application/json" };
    const response = await fetch(rpcUrls["8453"] ?? "", { method: "POST", headers, body });
    const { result } = (await response.json()) as { readonly result: readonly string[] };
    expect(result).to.include(outputs.user?.toLowerCase());
    expect(await readFile(outputs.log ?? "", "utf8")).to.equal("");
  });

  it("fails with the network's output if the network does not start", async () => {
    const failure = await runAction({ arguments: "--chains nowhere", port: "0" }).catch(
      (error: unknown) => error as { readonly code: number; readonly stdout: string },
    );
    expect(failure).to.have.property("code", 1);
    expect(failure)
      .to.have.property("stdout")
      .that.matches(/^::error title=crosscall::The network stopped\.\n[\s\S]*nowhere/u);
  });

  /** Runs the action's steps as a GitHub runner does. */
  async function runAction(given: Values): Promise<{ readonly outputs: Values; readonly env: Values }> {
    const action = parse(await readFile(join(ROOT, "action/action.yml"), "utf8")) as Action;
    const defaults = Object.entries(action.inputs).map(([name, input]) => [`inputs.${name}`, input.default]);
    const values = new Map<string, string>(defaults as [string, string][]);
    for (const [name, value] of Object.entries(given)) values.set(`inputs.${name}`, value);
    const fill = (text: string): string =>
      text.replaceAll(/\$\{\{ (\S+) \}\}/gu, (_, name: string) => {
        const value = values.get(name);
        if (value === undefined) throw new Error(`unknown value ${name}`);
        return value;
      });
    const temporary = await mkdtemp(join(folder, "runner-"));
    const [environment, output] = [join(temporary, "env"), join(temporary, "output")];
    await writeFile(environment, "");
    for (const { id, shell, env, run: script } of action.runs.steps) {
      expect(shell).to.equal("bash");
      // GitHub advises against interpolating inputs into scripts.
      expect(script).to.not.include("${{");
      await writeFile(output, "");
      await writeFile(join(temporary, "step.sh"), script);
      await run("bash", ["--noprofile", "--norc", "-eo", "pipefail", join(temporary, "step.sh")], {
        cwd: folder,
        env: {
          HOME: folder,
          PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
          RUNNER_TEMP: temporary,
          GITHUB_ENV: environment,
          GITHUB_OUTPUT: output,
          ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)])),
        },
      });
      for (const [name, value] of Object.entries(await readValues(output)))
        values.set(`steps.${id}.outputs.${name}`, value);
    }
    const outputs = Object.entries(action.outputs).map(([name, { value }]) => [name, fill(value)]);
    return { outputs: Object.fromEntries(outputs) as Values, env: await readValues(environment) };
  }
});

async function readValues(path: string): Promise<Values> {
  const lines = (await readFile(path, "utf8")).split("\n").filter((line) => line !== "");
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
