import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, copyFile, cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const BASE_IMAGE = "docker.io/library/node:24-slim";
const execute = promisify(execFile);
const run = async (program: string, ...args: readonly string[]): Promise<string> =>
  (await execute(program, args, { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 })).stdout.trim();

/** Settings of an image. */
export interface ImageConfig {
  readonly User: string;
  readonly WorkingDir: string;
  readonly StopSignal: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd?: readonly string[] | null;
  readonly ExposedPorts?: Readonly<Record<string, unknown>>;
  readonly Volumes?: Readonly<Record<string, unknown>>;
  readonly Healthcheck: { readonly Test: readonly string[] };
}

export interface BuiltImage {
  readonly config: ImageConfig;
  /** Runs the entry point, and waits for its first line of output. */
  start(args?: readonly string[]): Promise<StartedContainer>;
  /** Runs a command to its end, as the image's user. Returns its output. */
  run(...command: readonly string[]): Promise<string>;
}

export interface StartedContainer {
  readonly firstLine: string;
  /** Sends SIGTERM. Resolves with exit code and signal. */
  stop(): Promise<unknown>;
}

export interface BuiltWith {
  /** Programs that the Dockerfile runs, besides a shell. */
  readonly programs: readonly string[];
  /** Environment of the container. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface ImageBuilder {
  build(dockerfile: string, tag: string, how: BuiltWith): Promise<BuiltImage>;
  close(): Promise<void>;
}

/** Reason why this machine cannot build an image. Undefined if it can. */
export async function whyNoBuilder(): Promise<string | undefined> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "a build without a daemon needs root on Linux";
  const hasBuilder = await run("buildah", "--version").then(
    () => true,
    () => false,
  );
  return hasBuilder ? undefined : "buildah is not installed (apt-get install buildah)";
}

/** Builds images with buildah, without a daemon or registry. This machine's programs stand in for the base image. */
export async function openImageBuilder(): Promise<ImageBuilder> {
  const folder = await mkdtemp(join(tmpdir(), "crosscall-build-"));
  const storage = ["--storage-driver", "vfs", "--root", join(folder, "storage"), "--runroot", join(folder, "run")];
  const buildah: Buildah = (...args) => run("buildah", ...storage, ...args);
  return {
    async build(dockerfile, tag, { programs, env = {} }) {
      await makeBaseImage(join(folder, "base"), ["sh", "env", ...programs], buildah);
      const how = ["--pull=never", "--isolation", "chroot", "--format", "docker"];
      await buildah("bud", ...how, "--ignorefile", `${dockerfile}.dockerignore`, "-f", dockerfile, "-t", tag, ".");
      const { config } = (JSON.parse(await buildah("inspect", "--type", "image", tag)) as Inspected).Docker;
      const mounted = await buildah("mount", await buildah("from", "--pull=never", tag));
      const inside = (...command: readonly string[]): readonly string[] => [
        ...["--userspec=1000:1000", mounted, "env", "-C", config.WorkingDir, ...config.Env],
        ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
        ...command,
      ];
      return {
        config,
        start: (args = config.Cmd ?? []) => start(inside(...config.Entrypoint, ...args)),
        run: (...command) => run("chroot", ...inside(...command)),
      };
    },
    async close() {
      await buildah("rm", "--all");
      await rm(folder, { recursive: true });
    },
  };
}

type Buildah = (...args: readonly string[]) => Promise<string>;

interface Inspected {
  readonly Docker: { readonly config: ImageConfig };
}

async function start(inside: readonly string[]): Promise<StartedContainer> {
  const child = spawn("chroot", inside, { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const lines = createInterface(child.stdout);
  const [firstLine] = (await Promise.race([once(lines, "line"), once(lines, "close")])) as [string?];
  if (firstLine === undefined) throw new Error(`the container ended: ${String(await exited)}`);
  return {
    firstLine,
    stop: () => {
      child.kill("SIGTERM");
      return exited;
    },
  };
}

/** Builds an image from this machine's Node.js, npm and programs, under the base image's name. */
async function makeBaseImage(root: string, programs: readonly string[], buildah: Buildah): Promise<void> {
  for (const path of [
    "usr/bin",
    "usr/local/bin",
    "usr/lib",
    "usr/lib64",
    "etc/ssl",
    "tmp",
    "proc",
    "sys",
    "dev",
    "root",
  ]) {
    await mkdir(join(root, path), { recursive: true });
  }
  await chmod(join(root, "tmp"), 0o1777);
  for (const name of ["bin", "lib", "lib64"]) await symlink(`usr/${name}`, join(root, name));
  const which = async (name: string): Promise<string> => realpath(await run("sh", "-c", `command -v ${name}`));
  for (const name of programs) await copyProgram(await which(name), name, root);
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
