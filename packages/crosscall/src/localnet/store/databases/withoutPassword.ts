/** Without password and parameters, which may also contain one. */
export function withoutPassword(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.password = "";
  url.search = "";
  url.hash = "";
  return url.href;
}
