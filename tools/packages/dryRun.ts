// Checks the built packages in the form in which npm would publish them: files, READMEs and metadata. `npm run
// check:packages` builds first.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual, promisify } from "node:util";

import { brokenLinks } from "./readmeLinks.ts";
import { BUILT_PACKAGES, PUBLISHED_PACKAGES, ROOT } from "./publishedPackages.ts";
import { findUnwanted } from "./packedFiles.ts";
import { publicRepository } from "../repository.ts";

type Manifest = Readonly<Record<string, unknown>> & { readonly repository?: Readonly<Record<string, string>> };

interface Published {
  readonly files: readonly { readonly path: string }[];
}

/** Some versions of npm return the result by name. */
type PublishOutput = Published | Readonly<Record<string, Published>>;

const main = await readManifest(join(BUILT_PACKAGES, "crosscall"));
const faults: string[] = [];
for (const { name, folder } of PUBLISHED_PACKAGES) {
  console.error(`npm publish --dry-run ${name}...`);
  const built = join(BUILT_PACKAGES, name);
  const { paths, isCorrected } = await dryRun(built);
  const files = await Promise.all(paths.map(async (path) => ({ path, content: await readFile(join(built, path)) })));
  const own = [...findUnwanted(files, [ROOT.slice(0, -1), homedir()])];
  if (isCorrected) own.push("npm corrects package.json: run `npm pkg fix` to see the corrections");
  for (const path of ["LICENSE", "README.md"]) if (!paths.includes(path)) own.push(`${path} is missing`);
  own.push(
    ...brokenLinks(await readFile(join(built, "README.md"), "utf8")).map((link) => `README.md links to ${link}`),
  );
  own.push(...differentFields(await readManifest(built), folder));
  faults.push(...own.map((fault) => `${name}: ${fault}`));
}
for (const fault of faults) console.error(`FAILED: ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;

async function dryRun(built: string): Promise<{ readonly paths: readonly string[]; readonly isCorrected: boolean }> {
  const args = ["publish", "--dry-run", "--json", "--provenance=false", "--ignore-scripts"];
  const { stdout, stderr } = await promisify(execFile)("npm", args, { cwd: built, maxBuffer: 64 * 1024 * 1024 });
  const output = JSON.parse(stdout) as PublishOutput;
  const [published = { files: [] }] = isPublished(output) ? [output] : Object.values(output);
  return {
    paths: published.files.map(({ path }) => path),
    isCorrected: stderr.includes("npm auto-corrected"),
  };
}

function isPublished(output: PublishOutput): output is Published {
  return Array.isArray(output.files);
}

/** Lists fields that differ from the main package. */
function differentFields(manifest: Manifest, folder: string): readonly string[] {
  const { repository } = main;
  const expected: Manifest =
    repository === undefined ? main : { ...main, repository: { ...repository, directory: folder } };
  const addresses = publicRepository() === undefined ? [] : ["homepage", "bugs", "repository"];
  return ["version", "license", "publishConfig", ...addresses]
    .filter((field) => expected[field] === undefined || !isDeepStrictEqual(manifest[field], expected[field]))
    .map((field) => `package.json has a different ${field} than the package crosscall`);
}

async function readManifest(path: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(path, "package.json"), "utf8")) as Manifest;
}
