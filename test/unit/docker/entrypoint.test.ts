import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect } from "chai";

const ENTRYPOINT = fileURLToPath(new URL("../../../docker/oracle/entrypoint.sh", import.meta.url));
const SHOW = `console.log(JSON.stringify(process.env))`;

describe("the entrypoint of the oracle's container", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "crosscall-secrets-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const run = (secrets: string, command = [process.execPath, "-e", SHOW]) => {
    const { status, stdout, stderr } = spawnSync(ENTRYPOINT, command, {
      encoding: "utf8",
      env: { PATH: process.env.PATH, SECRETS_FOLDER: secrets, KEPT: "as it was", REPLACED: "old" },
    });
    return { status, stdout, stderr };
  };
  const environment = (secrets: string) => {
    const {
      PATH: _path,
      PWD: _pwd,
      SECRETS_FOLDER: _folder,
      ...rest
    } = JSON.parse(run(secrets).stdout) as NodeJS.ProcessEnv;
    return Object.fromEntries(
      Object.entries(rest).filter(([name]) => name !== "_" && name !== "SHLVL" && name !== "OLDPWD"),
    );
  };
  const KEPT = { KEPT: "as it was", REPLACED: "old" };

  it("continues without secrets", () => {
    expect(environment(join(folder, "nothing"))).to.deep.equal(KEPT);
  });

  it("reads variables from lines, and from files named like a variable", async () => {
    await writeFile(
      join(folder, "oracle"),
      [
        "# of the vault",
        "ECDSA_PRIVATE_KEY=0xab",
        'export API_KEYS="k:solver;l:b=c"',
        "REPLACED='new $HOME `id`'",
        "",
      ].join("\n"),
    );
    await writeFile(join(folder, "BASE_RPC_URL"), "https://user:word@base.example/?KEY=a==\n");
    await writeFile(join(folder, "last-line"), "LAST=without end");
    await writeFile(join(folder, "no-name"), "nothing of use");
    expect(environment(folder)).to.deep.equal({
      ...KEPT,
      ECDSA_PRIVATE_KEY: "0xab",
      API_KEYS: "k:solver;l:b=c",
      REPLACED: "new $HOME `id`",
      BASE_RPC_URL: "https://user:word@base.example/?KEY=a==",
      LAST: "without end",
    });
  });

  it("replaces itself with the command, with its exit code, and prints nothing itself", async () => {
    await writeFile(join(folder, "SECRET"), "s3cr3t");
    expect(run(folder, ["sh", "-c", "exit 7"])).to.deep.equal({ status: 7, stdout: "", stderr: "" });
  });
});
