import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { OracleConfigurationError } from "../../../../packages/oracle/src/config/environment.ts";
import { readSecrets } from "../../../../packages/oracle/src/config/readSecrets.ts";

const ENV = { GIVEN: "as it was" };

describe("readSecrets", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "crosscall-secrets-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const read = async (text: string) => {
    await writeFile(join(folder, "oracle"), text);
    return readSecrets(folder, ENV);
  };

  /** Returns the variables that a shell sets when it sources a file. */
  const sourced = (text: string): Record<string, string> => {
    const script = `set -a\n${text}\n"${process.execPath}" -e 'console.log(JSON.stringify(process.env))'`;
    const { stdout } = spawnSync("sh", ["-c", script], { encoding: "utf8", env: ENV });
    const {
      PWD: _pwd,
      OLDPWD: _oldPwd,
      SHLVL: _level,
      _: _last,
      GIVEN: _given,
      ...set
    } = JSON.parse(stdout) as Record<string, string>;
    return set;
  };

  for (const [what, text] of Object.entries({
    "plain lines, with comments": "# of the vault\nA=0xab\n\nB=c # of the key\nC=no#comment\nD=last",
    "exports of one and of several variables": "export A=1\nexport B=2 C=3\nexport A",
    "quoted values": `A="k:solver;l:b=c"\nB='new $HOME \`id\`'\nC="it's"'"'\nD=""`,
    "values in parts": `A=a'b c'"d e"f\\ g`,
    "several variables on a line": "A=1 B=2; C=3 && D=4",
    "values that span several lines": `A="first\nsecond"\nB='third\n fourth'\nC=con\\\ntinued\nD="con\\\ntinued"`,
    references: `A=1\nB=$A\${A}x\nC="$A $GIVEN"\nD='$A'\nE=\\$A\nF="\\$A"\nG=$MISSING\nH=$`,
    backslashes: `A=a\\b\nB="a\\b\\\\c\\"d"\nC='a\\b'`,
    "indented lines and lowercase names": "  A=1\n\tlower_case=2\n  export  B=3",
    "a URL": "A=https://user:word@base.example/?KEY=a==",
  })) {
    it(`reads the same variables as a shell from ${what}`, async () => {
      const expected = sourced(text);
      expect(expected).to.have.property("A");
      expect(await read(text)).to.deep.equal(expected);
    });
  }

  it("accepts Windows line endings", async () => {
    expect(await read("A=1\r\nB='2'\r\n")).to.deep.equal({ A: "1", B: "2" });
  });

  it("runs nothing, and keeps command substitutions as text", async () => {
    const proof = join(folder, "proof");
    expect(await read(`touch ${proof}\nA="$(touch ${proof})"\nB="\`touch ${proof}\`"\nnothing of use`)).to.deep.equal({
      A: `$(touch ${proof})`,
      B: `\`touch ${proof}\``,
    });
    expect(spawnSync("ls", [folder], { encoding: "utf8" }).stdout).to.equal("oracle\n");
  });

  it("reads a file named after a variable as the variable's value, and ignores folders", async () => {
    await writeFile(join(folder, "BASE_RPC_URL"), "https://base.example/?KEY='a'\n");
    await mkdir(join(folder, "..data"));
    expect(await read("A=$BASE_RPC_URL")).to.deep.equal({
      A: "https://base.example/?KEY='a'",
      BASE_RPC_URL: "https://base.example/?KEY='a'",
    });
  });

  it("returns no variables without a folder", async () => {
    expect(await readSecrets(join(folder, "none"), ENV)).to.deep.equal({});
  });

  it("rejects values that a shell would change, without printing them", async () => {
    const error = await read(`A=1\nB=s3cr3t s3cr3t\nC="s3cr3t`).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(OracleConfigurationError);
    const { problems, message } = error as OracleConfigurationError;
    expect(problems.map(({ at }) => at)).to.deep.equal([
      `${join(folder, "oracle")}, line 2`,
      `${join(folder, "oracle")}, line 3`,
    ]);
    expect(message).not.to.include("s3cr3t");
  });
});
