/** Commands that the user runs in a project. */
export interface PackageManager {
  readonly name: "npm" | "pnpm" | "yarn" | "bun";
  readonly install: string;
  readonly test: string;
  /** Command that runs a program of an installed package. */
  readonly execute: string;
}

const MANAGERS: readonly PackageManager[] = [
  { name: "npm", install: "npm install", test: "npm test", execute: "npx" },
  { name: "pnpm", install: "pnpm install", test: "pnpm test", execute: "pnpm exec" },
  { name: "yarn", install: "yarn install", test: "yarn test", execute: "yarn" },
  { name: "bun", install: "bun install", test: "bun run test", execute: "bunx" },
];

/** Returns the package manager that ran the command. */
export function detectPackageManager(userAgent = ""): PackageManager {
  const [npm, ...others] = MANAGERS as readonly [PackageManager, ...PackageManager[]];
  return others.find(({ name }) => userAgent.startsWith(`${name}/`)) ?? npm;
}
