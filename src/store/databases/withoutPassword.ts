/** A database's URL as it may be shown: without its password and its parameters, which may hold one, too. */
export function withoutPassword(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.password = "";
  url.search = "";
  url.hash = "";
  return url.href;
}
