import { basename, resolve } from "node:path";

/** Returns the package name for a folder: the folder's name. */
export function packageNameOf(workingFolder: string, folder: string): string {
  return basename(resolve(workingFolder, folder));
}

/** Returns why npm rejects a name for a new package; undefined for a valid name. */
export function packageNameFlaw(name: string): string | undefined {
  if (name === "") return "is empty";
  if (name.length > 214) return "is longer than 214 characters";
  if (/[A-Z]/u.test(name)) return "has capital letters";
  if (!/^[a-z0-9]/u.test(name)) return "does not begin with a letter or digit";
  if (!/^[a-z0-9._~-]+$/u.test(name)) return "has characters besides letters, digits, hyphens, dots and underscores";
  // npm installs packages into `node_modules`, and a project cannot install a dependency with its own name.
  if (name === "node_modules" || name === "crosscall") return "is taken";
  return undefined;
}

/** Returns a similar name that is allowed. */
export function similarPackageName(name: string): string {
  const similar = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, "-")
    .replace(/^-+|-+$/gu, "")
    .slice(0, 214);
  return packageNameFlaw(similar) === undefined ? similar : `my-${similar || "project"}`.slice(0, 214);
}
