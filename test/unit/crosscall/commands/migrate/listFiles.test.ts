import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { expect } from "chai";

import {
  listFiles,
  scanFolder,
  type SkippedPath,
} from "../../../../../packages/crosscall/src/commands/migrate/scan/scanFolder.ts";
import { AbortedError } from "../../../../../packages/protocol/src/core/errors.ts";

describe("listFiles", () => {
  let root = "";

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "crosscall-files-"));
  });
  afterEach(() => rm(root, { recursive: true }));

  async function write(files: Record<string, string>): Promise<void> {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
  }

  async function list(signal = new AbortController().signal): Promise<string[]> {
    const paths = [];
    for await (const path of listFiles(root, signal)) paths.push(path);
    return paths;
  }

  it("lists every kind of code file, and no other files", async () => {
    const kinds = [
      "cjs",
      "cts",
      "go",
      "html",
      "ipynb",
      "js",
      "json",
      "jsx",
      "mjs",
      "mts",
      "py",
      "rs",
      "ts",
      "tsx",
      "vue",
      "yaml",
    ];
    await write(Object.fromEntries([...kinds, "css", "txt", "tsv"].map((kind) => [`deep/a.${kind}`, ""])));
    expect(await list()).to.deep.equal(kinds.map((kind) => `deep/a.${kind}`));
  });

  it("skips packages, build output, and files that match the .gitignore in their folder", async () => {
    await write({
      ".gitignore": "generated/\n*.gen.ts\n!keep.gen.ts\n",
      "app/.gitignore": "/local.ts\n",
      "app/a.ts": "",
      "app/keep.gen.ts": "",
      "app/local.ts": "",
      "app/other.gen.ts": "",
      "dist/b.js": "",
      "generated/c.ts": "",
      "lib/local.ts": "",
      "node_modules/d/index.js": "",
    });
    expect(await list()).to.deep.equal(["app/a.ts", "app/keep.gen.ts", "lib/local.ts"]);
  });

  it("does not follow symbolic links, which can form a cycle", async () => {
    await write({ "a.ts": "" });
    await symlink(root, join(root, "again"));
    expect(await list()).to.deep.equal(["a.ts"]);
  });

  it("names ignored files with code, ignored folders and links, but not packages and build output", async () => {
    await write({
      ".gitignore": "generated/\n*.gen.ts\n*.log\n",
      "a.gen.ts": "",
      "a.log": "",
      "b.ts": "",
      "dist/c.js": "",
      "generated/d.ts": "",
      "node_modules/e.js": "",
    });
    await symlink(join(root, "b.ts"), join(root, "link.ts"));
    const skipped: SkippedPath[] = [];
    for await (const path of listFiles(root, new AbortController().signal, (each) => skipped.push(each))) {
      expect(path).to.equal("b.ts");
    }
    expect(skipped).to.deep.equal([
      { path: "a.gen.ts", reason: "ignored" },
      { path: "generated/", reason: "ignored" },
      { path: "link.ts", reason: "link" },
    ]);
  });

  it("reports files that it reads only in part, and only if they use the service", async () => {
    await write({
      "a.go": 'fetch("/requests?user=0x00")',
      "b.py": 'requests.get("https://api.relay.link/requests/v2")',
      "c.py": "import requests",
      "d.yaml": "url: https://api.relay.link/quote",
      "e.json": '{ "path": "/quote" }',
      "f.go": 'return "requests/v2"',
      ".env.local": "URL=https://api.relay.link/quote",
      Dockerfile: "RUN curl https://api.relay.link/requests/v2",
      "nginx.conf": "proxy_pass https://api.relay.link/requests;",
      poll: "#!/bin/sh\ncurl https://api.relay.link/price",
      "z.css": "/* https://api.relay.link/quote */",
    });
    const { unread, findings } = await scanFolder(root, new AbortController().signal, () => undefined);
    expect(unread.map(({ file }) => file)).to.deep.equal([
      ".env.local",
      "Dockerfile",
      "a.go",
      "b.py",
      "d.yaml",
      "f.go",
      "nginx.conf",
      "poll",
    ]);
    expect(findings.map(({ file, reads }) => [file, reads])).to.deep.equal([["b.py", "GET /requests/v2"]]);
  });

  it("stops if the caller aborts", async () => {
    const error = await list(AbortSignal.abort(new AbortedError({ what: "it" }))).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(AbortedError);
  });
});
