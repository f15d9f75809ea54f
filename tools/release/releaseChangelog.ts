const UNRELEASED = "## Unreleased\n";

/**
 * Moves what CHANGELOG.md lists as unreleased to a section of the version.
 *
 * @param date such as `2026-01-31`
 */
export function releaseChangelog(changelog: string, version: string, date: string): string {
  const start = changelog.indexOf(UNRELEASED);
  if (start < 0) throw new Error("CHANGELOG.md has no section Unreleased");
  const end = start + UNRELEASED.length;
  const next = changelog.indexOf("\n## ", end - 1);
  const text = changelog.slice(end, next < 0 ? undefined : next).trim();
  if (text === "") throw new Error("CHANGELOG.md lists nothing under Unreleased");
  return `${changelog.slice(0, end)}\n${heading(version)} (${date})\n${changelog.slice(end)}`;
}

/** Whether CHANGELOG.md has a section of the version. */
export function isInChangelog(changelog: string, version: string): boolean {
  return changelog.split("\n").some((line) => line.startsWith(`${heading(version)} (`));
}

function heading(version: string): string {
  return `## ${version}`;
}
