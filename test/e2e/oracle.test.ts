import { expect } from "chai";
import { privateKeyToAddress } from "viem/accounts";

import { type RunningProgram, runCrosscall, startCrosscall, startProgram } from "../support/programs.ts";

const KEY = "4d".repeat(32);
const SIGNER = privateKeyToAddress(`0x${KEY}`).toLowerCase();
const env = {
  ENVIRONMENT: "localnet",
  ECDSA_PRIVATE_KEY: KEY,
  // Nothing is read of the chains here.
  LOCAL_31337_RPC_URL: "http://127.0.0.1:1",
  LOCAL_31338_RPC_URL: "http://127.0.0.1:2",
  HTTP_PORT: "0",
};
const chains = ["local-31337", "local-31338"];

interface CheckReport {
  readonly ok: boolean;
  readonly checks: readonly { readonly name: string; readonly isMet: boolean; readonly seen: string }[];
}

describe("crosscall oracle", () => {
  const check = async (...args: string[]): Promise<[number | null, CheckReport]> => {
    const { exitCode, stdout } = await runCrosscall(["oracle", "check", ...args, "--json"]);
    return [exitCode, JSON.parse(stdout) as CheckReport];
  };

  it("starts, tells its signer, holds the operations checks and stops on SIGTERM", async () => {
    const program = startCrosscall(["oracle", "--json"], { env: { ...env, API_KEYS: "the-key:tests" } });
    await program.until("}\n");
    const { url, ...about } = JSON.parse(program.stdout()) as { url: string };
    expect(about).to.deep.equal({ ok: true, signer: SIGNER, chains });

    const [exitCode, report] = await check(url, "--api-key", "the-key", "--chain", ...chains, "--signer", SIGNER);
    expect([exitCode, report.ok, report.checks.map(({ isMet }) => isMet)]).to.deep.equal([
      0,
      true,
      Array(5).fill(true),
    ]);
    const [failed, broken] = await check(url, "--chain", "base");
    expect([failed, broken.ok, broken.checks.map(({ isMet }) => isMet)]).to.deep.equal([
      ...[1, false, [true, true, false, false]],
    ]);
    await stop(program);
    const [, gone] = await check(url);
    expect(gone.checks.map(({ isMet }) => isMet)).to.deep.equal(Array(4).fill(false));
  });

  it("runs as a container runs it", async () => {
    const program = startProgram("src/oracle/main.ts", [], { env });
    await program.until("the oracle is up");
    expect(program.stdout()).to.include(`"signer":"${SIGNER}"`).and.not.to.include(KEY);
    await stop(program);
  });

  it("lists all that is wrong with its configuration", async () => {
    const broken = { ...env, ENVIRONMENT: "localnet", HTTP_PORT: "x", ECDSA_PRIVATE_KEY: "secret-word" };
    const { exitCode, stdout } = await runCrosscall(["oracle", "start", "--json"], broken);
    const { error } = JSON.parse(stdout) as { error: { code: string; problems: { at: string }[] } };
    expect([exitCode, error.code]).to.deep.equal([1, "INVALID_CONFIGURATION"]);
    expect(error.problems.map(({ at }) => at)).to.deep.equal(["ECDSA_PRIVATE_KEY", "HTTP_PORT"]);
    const container = await startProgram("src/oracle/main.ts", [], { env: broken }).finished;
    expect(container.exitCode).to.equal(1);
    expect(container.stderr).to.include("HTTP_PORT").and.not.to.include("secret-word");
  });

  it("refuses a URL that is none", async () => {
    const { exitCode, stdout } = await runCrosscall(["oracle", "check", "nothing", "--json"]);
    expect([exitCode, (JSON.parse(stdout) as { error: { code: string } }).error.code]).to.deep.equal([
      1,
      "INVALID_INPUT",
    ]);
  });
});

async function stop(program: RunningProgram): Promise<void> {
  program.child.kill("SIGTERM");
  expect((await program.finished).exitCode).to.equal(0);
}
