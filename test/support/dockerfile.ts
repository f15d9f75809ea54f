import { execFile } from "node:child_process";
import { cpSync } from "node:fs";
import { cp, mkdir, readdir, readFile, stat } from "node:fs/promises";
import { delimiter, dirname, join, posix } from "node:path";
import { promisify } from "node:util";

import dockerignore, { type Ignore } from "@balena/dockerignore";

const run = promisify(execFile);

const STAGE_COPY = { recursive: true, verbatimSymlinks: true };

/** Last stage of a Dockerfile, built in a local folder. */
export interface LaidOutImage {
  /** The working directory. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: string | undefined;
  readonly entrypoint: readonly string[];
  readonly healthcheck: readonly string[];
}

export interface LayOutOptions {
  /** Folder of the build context. */
  readonly root: string;
  /** Path relative to the root. The ignore file has the same name with `.dockerignore` appended. */
  readonly dockerfile: string;
  /** An empty folder. */
  readonly target: string;
}

interface Stage {
  readonly root: string;
  folder: string;
  readonly env: Record<string, string>;
  user: string | undefined;
  entrypoint: readonly string[];
  healthcheck: readonly string[];
}

/**
 * Builds an image as a builder would, but with each stage in a local folder. Copies the context's files that are
 * not ignored, and runs the commands, which must not use absolute paths. This machine stands in for the base
 * images.
 *
 * @throws {@link Error} if a copied file does not exist or is ignored, and for unknown instructions
 */
export async function layOutImage({ root, dockerfile, target }: LayOutOptions): Promise<LaidOutImage> {
  const ignored = dockerignore.default().add(await readFile(join(root, `${dockerfile}.dockerignore`), "utf8"));
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const { name, text } of readInstructions(await readFile(join(root, dockerfile), "utf8"))) {
    if (name === "FROM") {
      const as = /^\S+(?: AS (?<as>\S+))?$/u.exec(text)?.groups?.as ?? String(stages.size);
      const folder = join(target, as);
      stage = { root: folder, folder, env: {}, user: undefined, entrypoint: [], healthcheck: [] };
      stages.set(as, stage);
      continue;
    }
    if (stage === undefined) throw new Error(`${name} comes before FROM`);
    switch (name) {
      case "WORKDIR":
        stage.folder = join(stage.root, text);
        await mkdir(stage.folder, { recursive: true });
        break;
      case "COPY": {
        const words = text.split(/\s+/u);
        const from = words[0]?.startsWith("--from=") === true ? words.shift()?.slice("--from=".length) : undefined;
        const [to = "", ...sources] = words.reverse();
        for (const source of sources) {
          const place = join(stage.folder, to);
          if (from === undefined) await copyContext({ root, source: source.replace(/\/$/u, ""), ignored, to: place });
          else cpSync(join(stages.get(from)?.root ?? missing(from), source), place, STAGE_COPY);
        }
        break;
      }
      case "RUN": {
        const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
        // If npm installed the checkout, npm's cache contains the packages in the lockfile.
        const env = { ...process.env, ...stage.env, PATH, npm_config_prefer_offline: "true" };
        await run("sh", ["-e", "-c", text], { cwd: stage.folder, env });
        break;
      }
      case "ENV": {
        const [variable = "", value = ""] = text.split("=", 2);
        stage.env[variable] = value;
        break;
      }
      case "USER":
        stage.user = text;
        break;
      case "HEALTHCHECK":
        stage.healthcheck = JSON.parse(text.replace(/^CMD /u, "")) as string[];
        break;
      case "ENTRYPOINT":
        stage.entrypoint = JSON.parse(text) as string[];
        break;
      case "EXPOSE":
      case "STOPSIGNAL":
        break;
      default:
        throw new Error(`unknown instruction ${name}`);
    }
  }
  if (stage === undefined) throw new Error("the Dockerfile has no stage");
  return stage;
}

interface ContextCopy {
  readonly root: string;
  /** Path relative to the root. */
  readonly source: string;
  readonly ignored: Ignore;
  readonly to: string;
}

/** Copies a file, or the contents of a folder, without ignored files. */
async function copyContext({ root, source, ignored, to }: ContextCopy): Promise<void> {
  const isFolder = (await stat(join(root, source))).isDirectory();
  const files = ignored.filter(isFolder ? await listFiles(root, source) : [source]);
  if (files.length === 0) throw new Error(`COPY ${source}: the ignore file excludes every file`);
  for (const file of files) {
    const place = isFolder ? posix.relative(source, file) : to.endsWith("/") ? posix.basename(file) : "";
    await cp(join(root, file), join(to, place));
  }
}

function missing(stage: string): never {
  throw new Error(`COPY names the unknown stage ${stage}`);
}

async function listFiles(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => posix.relative(root, join(parentPath, name)));
}

function readInstructions(text: string): readonly { readonly name: string; readonly text: string }[] {
  return text
    .replaceAll(/^#.*\n/gmu, "")
    .replaceAll("\\\n", " ")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const { name = "", rest = "" } = /^(?<name>[A-Z]+) (?<rest>.*)$/u.exec(line)?.groups ?? {};
      if (name === "") throw new Error(`not an instruction: ${line}`);
      return { name, text: rest };
    });
}
