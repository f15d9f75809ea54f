import { diff, major } from "semver";

import type { ApiChanges } from "./compareReports.ts";

/** Allowed changes of a release: nothing that integrators call, additions, or anything. */
export type ReleaseLevel = "patch" | "minor" | "major";

/** State of the checkout since the last release. */
export interface ReleaseState {
  /** Version of the last release. */
  readonly released: string;
  /** Version of the checkout, which is higher once the next release is prepared. */
  readonly version: string;
  /** Levels of the changesets that no version contains yet. */
  readonly changesets: readonly ReleaseLevel[];
  /** Changes of the public API since the last release. */
  readonly changes: ApiChanges;
}

/** Levels of the next release; undefined if the API is the same, or if no release is planned. */
export interface ReleaseDecision {
  readonly needed: ReleaseLevel | undefined;
  readonly planned: ReleaseLevel | undefined;
  readonly isAllowed: boolean;
}

const LEVELS: readonly ReleaseLevel[] = ["patch", "minor", "major"];

/** Decides whether the planned release may change the API as it does. Below 1.0.0, a minor release may change anything. */
export function decideRelease({ released, version, changesets, changes }: ReleaseState): ReleaseDecision {
  const needed = neededLevel(changes, major(released) > 0);
  // The level of a prerelease, such as `preminor`, is that of the release it precedes.
  const levels: readonly (string | undefined)[] = [...changesets, diff(released, version)?.replace(/^pre/u, "")];
  const planned = LEVELS.findLast((level) => levels.includes(level));
  return { needed, planned, isAllowed: rankOf(planned) >= rankOf(needed) };
}

function neededLevel({ removed, added }: ApiChanges, isStable: boolean): ReleaseLevel | undefined {
  if (removed.length > 0) return isStable ? "major" : "minor";
  if (added.length > 0) return isStable ? "minor" : "patch";
  return undefined;
}

function rankOf(level: ReleaseLevel | undefined): number {
  return level === undefined ? -1 : LEVELS.indexOf(level);
}
