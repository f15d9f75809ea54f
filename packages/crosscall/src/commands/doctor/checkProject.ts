import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { satisfies } from "semver";

/**
 * Outcome of a check. `warning`: the project works, but something needs attention. `skipped`: a required input is
 * missing.
 */
export type CheckState = "ok" | "warning" | "failed" | "skipped";

/** Result of one check. */
export interface Check {
  readonly area: "project" | "service" | "chain";
  /** The expected condition. */
  readonly name: string;
  readonly state: CheckState;
  readonly seen: string;
  /** Next step, unless the check passed. */
  readonly hint?: string;
}

/** Fields to read from a package.json. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly engines?: { readonly node?: string };
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

interface ProjectFacts {
  readonly nodeVersion: string;
  /** The running program. */
  readonly program: Manifest;
  /** Returns the manifest of a package that the project resolves, or undefined if it is missing. */
  readonly find: (name: string) => Manifest | undefined;
}

const KIT = ["crosscall", "@crosscall/sdk", "@crosscall/protocol", "@crosscall/oracle", "@crosscall/contracts"];

/** Checks the versions of Node.js, of the kit's packages, and of the peer dependencies that they require. */
export function checkProject({ nodeVersion, program, find }: ProjectFacts): readonly Check[] {
  const needed = program.engines?.node ?? "*";
  const isNodeFit = satisfies(nodeVersion, needed);
  const node: Check = {
    area: "project",
    name: `Node.js ${needed}`,
    state: isNodeFit ? "ok" : "failed",
    seen: nodeVersion,
    ...(isNodeFit ? {} : { hint: "Install a supported version of Node.js." }),
  };
  const found = KIT.flatMap((name) => find(name) ?? []);
  if (found.length === 0) {
    const hint = "Run the command in your project's folder, or install the packages there.";
    return [node, { area: "project", name: "crosscall is installed here", state: "skipped", seen: "no package", hint }];
  }
  return [node, checkVersions(found, program), ...found.flatMap((manifest) => checkPeers(manifest, find))];
}

/** Checks that all packages have the same version, because they are released together. */
function checkVersions(found: readonly Manifest[], program: Manifest): Check {
  const what = { area: "project", name: "all packages have the same version" } as const;
  const versions = new Set(found.map(({ version }) => version));
  const seen = found.map(({ name, version }) => `${name} ${version}`).join(", ");
  if (versions.size > 1) {
    return { ...what, state: "failed", seen, hint: "Install the same version of all crosscall packages." };
  }
  if (versions.has(program.version)) return { ...what, state: "ok", seen };
  const hint = `Install version ${program.version} in the project, or run the project's version with npx in its folder.`;
  return { ...what, state: "warning", seen: `${seen}; this command is ${program.version}`, hint };
}

function checkPeers(
  { name, peerDependencies = {}, peerDependenciesMeta = {} }: Manifest,
  find: ProjectFacts["find"],
): readonly Check[] {
  return Object.entries(peerDependencies).flatMap(([peer, range]): readonly Check[] => {
    const version = find(peer)?.version;
    if (version === undefined && peerDependenciesMeta[peer]?.optional === true) return [];
    const what = { area: "project", name: `${peer} ${range} for ${name}` } as const;
    if (version !== undefined && satisfies(version, range)) return [{ ...what, state: "ok", seen: version }];
    const hint = `Install ${peer}@"${range}".`;
    return [{ ...what, state: "failed", seen: version ?? "not installed", hint }];
  });
}

/**
 * Finds a package as a module in this folder would, but reads the file directly, because many packages do not export
 * their package.json.
 */
export function findIn(folder: string): ProjectFacts["find"] {
  const require = createRequire(join(folder, "package.json"));
  return (name) => {
    const paths = (require.resolve.paths(name) ?? []).map((path) => join(path, name, "package.json"));
    const file = paths.find((path) => existsSync(path));
    return file === undefined ? undefined : (JSON.parse(readFileSync(file, "utf8")) as Manifest);
  };
}
