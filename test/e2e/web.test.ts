import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import chromium from "@sparticuz/chromium";
import { expect } from "chai";

import { freeUrl } from "../support/httpServer.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

// Separate package that depends on the kit, with exactly the files of the page and a small app.
describe("the project of docs/web.md", () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "crosscall-web-"));
    await mkdir(join(folder, "node_modules"));
    for (const name of await readdir(join(ROOT, "node_modules"))) {
      await symlink(join(ROOT, "node_modules", name), join(folder, "node_modules", name));
    }
    await cp(join(ROOT, "test/support/webApp"), folder, { recursive: true });
    const port = new URL(await freeUrl()).port;
    const manifest = { name: "integrator", type: "module", scripts: { dev: `node server.mjs ${port}` } };
    await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
    const page = await readFile(join(ROOT, "docs/web.md"), "utf8");
    for (const [, path = "", text = ""] of page.matchAll(/^`([\w./]+)`:\n\n```typescript\n(.*?)^```$/gmsu)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text.replaceAll("5173", port));
    }
  });
  after(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));

  it("passes its tests in a real browser", async () => {
    const env = {
      // Hardhat sets environment variables that make child processes use this test's project.
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(HARDHAT|HH)_/u.test(name))),
      CHROMIUM_PATH: await chromium.executablePath(),
      NO_COLOR: "1",
      // Playwright leaves its cache behind, and Chromium sometimes leaves files.
      TMPDIR: folder,
    };
    const program = join(ROOT, "node_modules/@playwright/test/cli.js");
    const { stdout, stderr } = await run(process.execPath, [program, "test"], { cwd: folder, env }).catch(
      (error: unknown) => error as { stdout: string; stderr: string },
    );
    expect(`${stdout}${stderr}`).to.match(/^ {2}5 passed/mu);
  });

  it("passes type checks", async () => {
    const compilerOptions = {
      target: "es2024",
      lib: ["es2024", "esnext.disposable"],
      module: "nodenext",
      strict: true,
      skipLibCheck: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      types: ["node"],
    };
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions, include: ["playwright.config.ts", "e2e"] }),
    );
    const compiler = join(ROOT, "node_modules/@typescript/native-preview/bin/tsgo");
    const { stdout } = await run(process.execPath, [compiler, "--singleThreaded", "-p", folder]).catch(
      (error: unknown) => error as { stdout: string },
    );
    expect(stdout).to.equal("");
  });
});
