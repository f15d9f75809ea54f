import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** Each published package with its folder of the checkout. A package comes after those it depends on. */
export const PUBLISHED_PACKAGES = [
  { name: "@crosscall/contracts", folder: "contracts" },
  { name: "@crosscall/sdk", folder: "sdk" },
  { name: "crosscall", folder: "." },
  { name: "create-crosscall", folder: "create-crosscall" },
] as const;

export type PublishedPackage = (typeof PUBLISHED_PACKAGES)[number];
