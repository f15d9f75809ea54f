import { basename, resolve } from "node:path";

/** Returns the name of a folder, which becomes the package name. */
export function packageNameOf(workingFolder: string, folder: string): string {
  return basename(resolve(workingFolder, folder));
}

/** Returns why npm rejects a name for a new package, or undefined if the name is valid. */
export function packageNameFlaw(name: string): string | undefined {
  if (name === "") return "is empty";
  if (name.length > 214) return "is longer than 214 characters";
  if (/[A-Z]/u.test(name)) return "has capital letters";
  if (!/^[a-z0-9]/u.test(name)) return "does not begin with a letter or digit";
  if (!/^[a-z0-9._~-]+$/u.test(name)) return "has characters other than letters, digits, hyphens, dots and underscores";
  // npm reserves `node_modules`, and a project cannot install a dependency with its own name.
  if (name === "node_modules" || name === "crosscall") return "is taken";
  return undefined;
}

/** Returns a similar, valid name. */
export function similarPackageName(name: string): string {
  const similar = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, "-")
    .replace(/^-+|-+$/gu, "")
    .slice(0, 214);
  return packageNameFlaw(similar) === undefined ? similar : `my-${similar || "project"}`.slice(0, 214);
}
