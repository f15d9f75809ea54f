import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

import { expect } from "chai";

import { runCrosscall } from "../support/programs.ts";
import { useFolder } from "../support/useFolder.ts";

const execute = promisify(execFile);

const PROGRAM = join(import.meta.dirname, "../../packages/crosscall/src/main.ts");

describe("shell completion", () => {
  const folder = useFolder();

  before(async () => {
    const program = join(folder, "bin/crosscall");
    await mkdir(join(folder, "bin"));
    await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
    await chmod(program, 0o755);
    await mkdir(join(folder, ".crosscall"));
    const rpcUrls = { 31337: "http://127.0.0.1:1", 31338: "http://127.0.0.1:2" };
    await writeFile(join(folder, ".crosscall/network.json"), JSON.stringify({ rpcUrls }));
    const { stdout } = await execute(program, ["completion", "bash"]);
    await writeFile(join(folder, "completion.bash"), stdout);
  });

  const env = (): NodeJS.ProcessEnv => ({
    ...process.env,
    PATH: `${join(folder, "bin")}${delimiter}${process.env.PATH}`,
  });

  /** Completions that bash offers, or `files` if bash completes file names. */
  const completeInBash = async (...words: string[]): Promise<readonly string[]> => {
    const script = `
      source completion.bash
      source completion.bash
      allowed=files
      compopt() { [[ "$*" == '+o default' ]] && allowed=; }
      COMP_WORDS=(crosscall "$@")
      COMP_CWORD=$#
      _crosscall_complete
      printf '%s\\n' "\${COMPREPLY[@]}"
      [[ -z "\${COMPREPLY[*]}" ]] && printf '%s\\n' $allowed
      complete -p crosscall >&2
    `;
    const args = ["--norc", "--noprofile", "-c", script, "bash", ...words];
    const { stdout, stderr } = await execute("bash", args, { cwd: folder, env: env() });
    expect(stderr).to.equal("complete -o default -F _crosscall_complete crosscall\n");
    return stdout.split("\n").filter((line) => line !== "");
  };

  it("completes commands, options, choices, the network's chains, scenarios and files in bash", async function () {
    if (!existsSync("/bin/bash")) this.skip();
    expect(await completeInBash("dep")).to.deep.equal(["deploy"]);
    expect(await completeInBash("fills", "re")).to.deep.equal(["release"]);
    expect(await completeInBash("check", "--fo")).to.deep.equal(["--format"]);
    expect(await completeInBash("check", "--format", "=", "s")).to.deep.equal(["sarif"]);
    expect(await completeInBash("chain", "mine", "")).to.deep.equal(["31337", "31338"]);
    expect(await completeInBash("requests", "list", "--origin-chain-id", "")).to.deep.equal(["31337", "31338"]);
    expect(await completeInBash("trigger", "SLIPP")).to.deep.equal(["SLIPPAGE"]);
    expect(await completeInBash("scenarios", "set", "http", ":", "50")).to.deep.equal(["500", "503"]);
    expect(await completeInBash("scenarios", "set", "http", ":"))
      .to.include("503")
      .and.include("disconnect");
    expect(await completeInBash("send", "")).to.deep.equal(["files"]);
    expect(await completeInBash("check", "plan.json", "")).to.deep.equal([]);
    expect(await completeInBash("completion", "")).to.deep.equal(["bash", "zsh", "fish", "powershell"]);
    expect(await completeInBash("complet")).to.deep.equal(["completion"]);
  });

  it("never executes text from the command line", async function () {
    if (!existsSync("/bin/bash")) this.skip();
    expect(await completeInBash("deploy", `$(touch ${join(folder, "ran")})`, "")).to.deep.equal([]);
    expect(existsSync(join(folder, "ran"))).to.equal(false);
  });

  it("completes in fish", async function () {
    if (!existsSync("/usr/bin/fish")) this.skip();
    const script = "crosscall completion fish | source; complete --do-complete 'crosscall dep'";
    const { stdout } = await execute("fish", ["-c", script], { cwd: folder, env: env() });
    expect(stdout).to.match(/^deploy\t/u);
  });

  it("loads in zsh", async function () {
    if (!existsSync("/usr/bin/zsh")) this.skip();
    const script = "autoload -U compinit; compinit -D; source <(crosscall completion zsh)";
    await execute("zsh", ["-fc", script], { cwd: folder, env: env() });
  });

  it("prints a script for each supported shell, and rejects other shells", async () => {
    for (const shell of ["bash", "zsh", "fish", "powershell"]) {
      const { exitCode, stdout, stderr } = await runCrosscall(["completion", shell]);
      expect([exitCode, stderr]).to.deep.equal([0, ""]);
      expect(stdout)
        .to.match(new RegExp(`^#.*(?:${shell}|compdef)`, "u"))
        .and.include("complete ");
    }
    expect(await runCrosscall(["completion", "tcsh"])).to.include({ exitCode: 2, stdout: "" });
  });
});
