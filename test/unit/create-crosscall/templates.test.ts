import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect } from "chai";

import { CreateError } from "../../../packages/create-crosscall/src/createError.ts";
import { TEMPLATE_NAMES } from "../../../packages/create-crosscall/src/templates.ts";
import { projectManifest, requireEmpty, writeProject } from "../../../packages/create-crosscall/src/writeProject.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

interface TemplateManifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

async function readManifest(folder: string): Promise<TemplateManifest> {
  return JSON.parse(await readFile(join(ROOT, folder, "package.json"), "utf8")) as TemplateManifest;
}

describe("the projects from create-crosscall", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "crosscall-create-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const write = (target: string, signal = new AbortController().signal) =>
    writeProject({ folder: target, template: "proxy", packageName: "shop", version: "1.2.3", signal });

  it("contain all files of the template, including those that npm does not publish", async () => {
    const target = join(folder, "a/shop");
    expect(await write(target)).to.equal(">=22.13");
    const source = await readdir(join(ROOT, "packages/create-crosscall/templates/proxy"), { recursive: true });
    const expected = source.map((path) => (path === "_gitignore" ? ".gitignore" : path));
    expect((await readdir(target, { recursive: true })).toSorted()).to.deep.equal(expected.toSorted());
    expect(await readFile(join(target, "tsconfig.json"))).to.deep.equal(
      await readFile(join(ROOT, "packages/create-crosscall/templates/proxy/tsconfig.json")),
    );
  });

  it("have their own name, and use the packages of the same release", () => {
    const template = JSON.stringify({
      name: "my-proxy",
      private: true,
      dependencies: { "@crosscall/sdk": "^0.1.0", viem: "^2.57.0" },
      devDependencies: { crosscall: "^0.1.0", "crosscall-of-others": "^0.1.0" },
    });
    expect(JSON.parse(projectManifest(template, { packageName: "shop", version: "1.2.3" }))).to.deep.equal({
      name: "shop",
      private: true,
      dependencies: { "@crosscall/sdk": "^1.2.3", viem: "^2.57.0" },
      devDependencies: { crosscall: "^1.2.3", "crosscall-of-others": "^0.1.0" },
    });
  });

  it("are removed after an abort, with the folders created for them", async () => {
    const error = await write(join(folder, "a/shop"), AbortSignal.abort()).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(CreateError).with.property("code", "ABORTED");
    expect(await readdir(folder)).to.deep.equal([]);
    await mkdir(join(folder, ".git"));
    await write(folder, AbortSignal.abort()).catch(() => undefined);
    expect(await readdir(folder)).to.deep.equal([".git"]);
  });

  it("require a folder without files", async () => {
    await requireEmpty(join(folder, "new"));
    await mkdir(join(folder, ".git"));
    await requireEmpty(folder);
    await writeFile(join(folder, "notes.txt"), "");
    for (const path of [folder, join(folder, "notes.txt")]) {
      const error = await requireEmpty(path).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(CreateError).with.property("code", "INVALID_STATE");
    }
  });

  it("use the versions of viem and the compiler with which crosscall is tested", async () => {
    const { devDependencies } = await readManifest(".");
    for (const template of TEMPLATE_NAMES) {
      const manifest = await readManifest(`packages/create-crosscall/templates/${template}`);
      const ranges = { ...manifest.dependencies, ...manifest.devDependencies };
      expect([template, ranges.viem]).to.deep.equal([template, `^${devDependencies.viem}`]);
      expect([template, ranges.solc ?? devDependencies.solc]).to.deep.equal([template, devDependencies.solc]);
    }
  });

  it("contain the example contracts, which are linted and tested", async () => {
    for (const name of ["MintProxy.sol", "NftSale.sol"]) {
      const [copy, example] = await Promise.all(
        [`packages/create-crosscall/templates/proxy/contracts/${name}`, `examples/${name}`].map((path) =>
          readFile(join(ROOT, path), "utf8"),
        ),
      );
      expect(copy).to.equal(example);
    }
  });

  it("have a folder for each kind", async () => {
    const folders = await readdir(join(ROOT, "packages/create-crosscall/templates"));
    expect(folders.toSorted()).to.deep.equal(TEMPLATE_NAMES.toSorted());
  });
});
