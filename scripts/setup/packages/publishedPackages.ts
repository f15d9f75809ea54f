import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** Where the build puts each package, below its name. */
export const BUILT_PACKAGES = join(ROOT, "dist/node_modules");

/** Each published package with its folder of the checkout. A package comes after those it depends on. */
export const PUBLISHED_PACKAGES = [
  { name: "@crosscall/contracts", folder: "contracts" },
  { name: "@crosscall/sdk", folder: "sdk" },
  { name: "crosscall", folder: "." },
  { name: "create-crosscall", folder: "create-crosscall" },
] as const;
