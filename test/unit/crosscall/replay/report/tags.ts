const VOID_TAGS = new Set(["!doctype", "meta", "br"]);

/**
 * Returns the tags of a page in order, without attributes.
 *
 * @throws if a tag is not closed in the right place
 */
export function tagsOf(html: string): string[] {
  const open: string[] = [];
  const tags: string[] = [];
  const body = html.replace(/<style>[^<]*<\/style>/u, "<style></style>");
  for (const [, slash, name = "", rest = ""] of body.matchAll(/<(\/?)([!a-z][a-z0-9]*)((?:[^<>"]|"[^"]*")*)>/gu)) {
    tags.push(`${slash ?? ""}${name}`);
    if (slash === "/") {
      const opened = open.pop();
      if (opened !== name) throw new Error(`</${name}> closes <${opened ?? "nothing"}>`);
    } else if (!VOID_TAGS.has(name) && !rest.endsWith("/")) open.push(name);
  }
  if (open.length > 0) throw new Error(`not closed: ${open.join(", ")}`);
  return tags;
}
