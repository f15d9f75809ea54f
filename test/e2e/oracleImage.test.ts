import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { expect } from "chai";

import { startProgram } from "../support/programs.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const run = promisify(execFile);

/** An installation of the kit takes more than ten times as much. */
const MOST_BYTES = 100 * 1024 * 1024;

describe("the image of the oracle", () => {
  let app: string;
  let dockerfile: string;

  before(async () => {
    app = await mkdtemp(join(tmpdir(), "crosscall-image-"));
    dockerfile = await readFile(join(ROOT, "docker/oracle/Dockerfile"), "utf8");
    await run(process.execPath, [join(ROOT, "docker/oracle/keepNeeded.mjs"), ROOT, "src/oracle/main.ts", app]);
    await cp(join(ROOT, "package.json"), join(app, "package.json"));
    await cp(join(ROOT, "configs"), join(app, "configs"), { recursive: true });
  });
  after(() => rm(app, { recursive: true }));

  it("runs without privileges, and is small", async () => {
    expect(/^USER (.*)$/mu.exec(dockerfile)?.[1]).to.equal("node");
    const entries = await readdir(app, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    expect(bytes > 0 && bytes < MOST_BYTES, `${bytes} bytes`).to.equal(true);
    const packages = await readdir(join(app, "node_modules"));
    expect(packages).to.include.members(["fastify", "viem", "@aws-sdk"]);
    expect(packages).not.to.include.members(["hardhat"]).and.not.to.include.members(["typescript"]);
  });

  it("contains everything the oracle loads, reads secrets, and is read-only", async () => {
    const secrets = join(app, "secrets");
    await mkdir(secrets);
    await writeFile(join(secrets, "oracle"), `export ECDSA_PRIVATE_KEY="${"4d".repeat(32)}" # the signer`);
    const [, ...args] = JSON.parse(/^ENTRYPOINT (.*)$/mu.exec(dockerfile)?.[1] ?? "[]") as string[];
    expect(args.at(-1)).to.equal("src/oracle/main.ts");
    const rights = args.slice(0, -1);
    const start = (nodeOptions: readonly string[], changes: Readonly<Record<string, string>> = {}) =>
      startProgram(join(app, "src/oracle/main.ts"), [], {
        nodeOptions,
        cwd: app,
        env: {
          ENVIRONMENT: "localnet",
          SECRETS_FOLDER: secrets,
          HTTP_PORT: "0",
          LOCAL_31337_RPC_URL: "http://127.0.0.1:1",
          LOCAL_31338_RPC_URL: "http://127.0.0.1:2",
          ...changes,
        },
      });
    const oracle = start(rights);
    const { port } = JSON.parse(await oracle.firstLine()) as { port: number };
    for (const path of ["/lives/v1", "/chains/v1", "/documentation", "/documentation/static/swagger-ui.css"]) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      // An unread body keeps its connection open.
      await response.arrayBuffer();
      expect([path, response.status]).to.deep.equal([path, 200]);
    }
    oracle.child.kill("SIGTERM");
    expect((await oracle.finished).exitCode).to.equal(0);

    const several = start([...rights, "--allow-child-process"], { WORKERS: "2" });
    expect((JSON.parse(await several.firstLine()) as { workers: number[] }).workers).to.have.length(2);
    several.child.kill("SIGTERM");
    expect((await several.finished).exitCode).to.equal(0);

    // Loaded only when a key service signs.
    await run(process.execPath, [...rights, "-e", 'await import("@aws-sdk/client-kms")'], { cwd: app });
    const writes = run(process.execPath, [...rights, "-e", 'require("node:fs").writeFileSync("written", "")'], {
      cwd: app,
    });
    expect(((await writes.catch((error: unknown) => error)) as { stderr: string }).stderr).to.include(
      "ERR_ACCESS_DENIED",
    );
  });
});
