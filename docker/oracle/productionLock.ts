/** Part of a package-lock.json. */
export interface Lockfile {
  readonly lockfileVersion: number;
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

/** An entry of a lockfile, by its path. */
export interface LockedPackage {
  readonly name?: string;
  readonly version?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** The name and the dependencies of a workspace's manifest. */
export type WorkspaceManifest = LockedPackage & { readonly name: string };

/**
 * The lockfile of a workspace as if it were alone: what an installation of its package contains, in the versions that
 * the checkout's tests ran with. `npm sbom --workspace` omits packages that are also development dependencies of the root.
 */
export function productionLock(lockfile: Lockfile, manifest: WorkspaceManifest): Lockfile {
  const packages: Record<string, LockedPackage> = { "": withoutDevelopment(manifest) };
  const add = (from: string, owner: LockedPackage): void => {
    for (const name of dependenciesOf(owner)) {
      const path = locate(lockfile, from, name);
      if (path === undefined || path in packages) continue;
      const entry = lockfile.packages[path];
      const linked = entry?.link === true ? lockfile.packages[entry.resolved ?? ""] : entry;
      if (linked === undefined) continue;
      packages[path] = withoutDevelopment(linked);
      add(path, linked);
    }
  };
  add("", manifest);
  return { lockfileVersion: lockfile.lockfileVersion, packages };
}

function withoutDevelopment(entry: LockedPackage): LockedPackage {
  const left = new Set(["dev", "devDependencies", "devOptional", "extraneous", "peer", "workspaces"]);
  return Object.fromEntries(Object.entries(entry).filter(([field]) => !left.has(field)));
}

function dependenciesOf({ dependencies, optionalDependencies, ...peers }: LockedPackage): readonly string[] {
  const { peerDependencies = {}, peerDependenciesMeta = {} } = peers;
  const required = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...required];
}

/** Searches the folders above a package, as Node.js does. */
function locate({ packages }: Lockfile, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const path = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (path in packages) return path;
    if (folder === "") return undefined;
  }
}
