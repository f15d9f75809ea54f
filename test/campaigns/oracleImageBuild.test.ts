import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, copyFile, cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { expect } from "chai";

import { attestStatement, ORACLE_ENV } from "../support/attestStatement.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const DOCKERFILE = "docker/oracle/Dockerfile";
const BASE_IMAGE = "docker.io/library/node:24-slim";
const execute = promisify(execFile);
const run = async (program: string, ...args: readonly string[]): Promise<string> =>
  (await execute(program, args, { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 })).stdout.trim();

/** Programs that the Dockerfile runs. */
const PROGRAMS = ["sh", "env", "find"];

describe("a build of the oracle image", () => {
  let folder: string;
  let buildah: (...args: readonly string[]) => Promise<string>;
  let clean = (): Promise<void> => Promise.resolve();

  before(async function skipWithoutBuilder() {
    const reason = await whyNoBuilder();
    if (reason !== undefined) {
      console.log(`  The oracle image is not built: ${reason}.`);
      this.skip();
    }
    folder = await mkdtemp(join(tmpdir(), "crosscall-build-"));
    const storage = ["--storage-driver", "vfs", "--root", join(folder, "storage"), "--runroot", join(folder, "run")];
    buildah = (...args) => run("buildah", ...storage, ...args);
    clean = async () => {
      await buildah("rm", "--all");
      await rm(folder, { recursive: true });
    };
  });
  after(() => clean());

  it("produces an image that attests and stops on SIGTERM", async () => {
    await makeBaseImage(join(folder, "base"), buildah);
    const ignore = ["--ignorefile", `${DOCKERFILE}.dockerignore`];
    const how = ["--pull=never", "--isolation", "chroot", "--format", "docker"];
    await buildah("bud", ...how, ...ignore, "-f", DOCKERFILE, "-t", "crosscall-oracle", ".");
    const { config } = (JSON.parse(await buildah("inspect", "--type", "image", "crosscall-oracle")) as Inspected)
      .Docker;
    expect([config.User, config.WorkingDir, config.StopSignal]).to.deep.equal(["node", "/app", "SIGTERM"]);
    expect(config.Healthcheck.Test.slice(0, 3)).to.deep.equal(["CMD", "node", "-e"]);

    const mounted = await buildah("mount", await buildah("from", "--pull=never", "crosscall-oracle"));
    const inside = (...command: readonly string[]) => [
      ...["--userspec=1000:1000", mounted, "env", "-C", config.WorkingDir],
      ...[...config.Env, ...Object.entries(ORACLE_ENV).map(([name, value]) => `${name}=${value}`)],
      ...command,
    ];
    const oracle = spawn("chroot", inside(...config.Entrypoint), { stdio: ["ignore", "pipe", "inherit"] });
    const exited = once(oracle, "exit");
    const [line] = (await once(createInterface(oracle.stdout), "line")) as [string];
    const { port } = JSON.parse(line) as { port: number };
    expect(await attestStatement(`http://127.0.0.1:${port}`)).to.equal(200);
    const [, ...check] = config.Healthcheck.Test;
    await run("chroot", ...inside(`HTTP_PORT=${port}`, ...check));
    oracle.kill("SIGTERM");
    expect(await exited).to.deep.equal([0, null]);
  });
});

interface Inspected {
  readonly Docker: {
    readonly config: {
      readonly User: string;
      readonly WorkingDir: string;
      readonly StopSignal: string;
      readonly Env: readonly string[];
      readonly Entrypoint: readonly string[];
      readonly Healthcheck: { readonly Test: readonly string[] };
    };
  };
}

async function whyNoBuilder(): Promise<string | undefined> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "a build without a daemon needs root on Linux";
  const hasBuilder = await run("buildah", "--version").then(
    () => true,
    () => false,
  );
  return hasBuilder ? undefined : "buildah is not installed (apt-get install buildah)";
}

/**
 * Builds an image of this machine's Node.js, npm and shell, and tags it as the base image, so that no registry is
 * needed.
 */
async function makeBaseImage(root: string, buildah: (...args: readonly string[]) => Promise<string>): Promise<void> {
  for (const path of ["usr/bin", "usr/lib", "usr/lib64", "etc/ssl", "tmp", "proc", "sys", "dev", "root"]) {
    await mkdir(join(root, path), { recursive: true });
  }
  await chmod(join(root, "tmp"), 0o1777);
  for (const name of ["bin", "lib", "lib64"]) await symlink(`usr/${name}`, join(root, name));
  const which = async (name: string): Promise<string> => realpath(await run("sh", "-c", `command -v ${name}`));
  for (const name of PROGRAMS) await copyProgram(await which(name), name, root);
  await copyProgram(process.execPath, "node", root);
  const npm = dirname(dirname(await which("npm")));
  await cp(npm, join(root, "usr/lib/npm"), { recursive: true });
  await symlink(`../lib/npm/bin/${basename(await which("npm"))}`, join(root, "usr/bin/npm"));
  await writeFile(join(root, "etc/passwd"), "root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/tmp:/bin/sh\n");
  await writeFile(join(root, "etc/group"), "root:x:0:\nnode:x:1000:\n");

  const env = [`npm_config_registry=${await run("npm", "config", "get", "registry")}`];
  const authorities = process.env.NODE_EXTRA_CA_CERTS;
  if (authorities !== undefined) {
    await copyFile(authorities, join(root, "etc/ssl/extra.pem"));
    env.push("NODE_EXTRA_CA_CERTS=/etc/ssl/extra.pem");
  }
  const container = await buildah("from", "scratch");
  await buildah("add", "--quiet", container, root, "/");
  await buildah("config", ...env.flatMap((each) => ["--env", each]), container);
  await buildah("commit", "--quiet", container, BASE_IMAGE);
}

/** Includes the libraries that the programs load. */
async function copyProgram(program: string, name: string, root: string): Promise<void> {
  await copyFile(program, join(root, "usr/bin", name));
  for (const [library] of (await run("ldd", program)).matchAll(/\/\S+/gu)) {
    const place = join(root, library.replace(/^\/(?:usr\/)?/u, "usr/"));
    await mkdir(dirname(place), { recursive: true });
    await copyFile(await realpath(library), place);
  }
}
