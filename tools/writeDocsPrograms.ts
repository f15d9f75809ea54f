// Writes the programs of the documentation to files, and a configuration that type-checks them together with the
// sources.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** Folder inside the checkout, so that the packages can be resolved by name. */
const FOLDER = join(ROOT, ".crosscall/types");

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const files = ["README.md", ...globSync("docs/{*,errors/*}.md", { cwd: ROOT })].flatMap(writePrograms);
writeFileSync(join(FOLDER, "tsconfig.json"), JSON.stringify({ extends: "../../tsconfig.json", files }));

function writePrograms(page: string): readonly string[] {
  const programs = readFileSync(join(ROOT, page), "utf8").matchAll(/^```ts\n(.*?)^```$/gmsu);
  return [...programs].map(([, text = ""], index) => {
    const name = `${basename(page, ".md")}-${index + 1}.ts`;
    writeFileSync(join(FOLDER, name), text);
    return name;
  });
}
