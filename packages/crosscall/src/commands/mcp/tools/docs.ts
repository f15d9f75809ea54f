import * as Type from "typebox";

import { countOf } from "../../../terminal/output.ts";
import { requireInside } from "../files.ts";
import { createDocsSearch, readDocs, readDocsPage } from "../searchDocs.ts";
import { commandOf, defineTool, type Tool } from "../tool.ts";

/** Maximum number of findings to return. */
const MAX_FINDINGS = 100;

/** Folder of the pages in a project that has installed the package. */
const INSTALLED = "node_modules/crosscall/docs";

export const docsTools: readonly Tool[] = [
  defineTool({
    name: "search_docs",
    description: "Search the documentation of this version. Returns pages, headings and excerpts, best first.",
    input: { query: Type.String({ minLength: 2, description: "A few words." }) },
    async run({ query }) {
      const matches = createDocsSearch(await readDocs())(query);
      return { ok: matches.length > 0, facts: { matches }, command: `grep -rin '${quoteless(query)}' ${INSTALLED}` };
    },
  }),
  defineTool({
    name: "read_docs",
    description: "Read a page of the documentation, or one section. Long pages are cut: pass a heading.",
    input: {
      page: Type.String({ description: "Page from search_docs, such as replay.md." }),
      heading: Type.Optional(Type.String({ description: "Heading from search_docs." })),
    },
    async run({ page, heading }) {
      return { ok: true, summary: await readDocsPage(page, heading), command: `cat ${INSTALLED}/${page}` };
    },
  }),
  defineTool({
    name: "migrate_report",
    description:
      "Find uses of the service's retired endpoints (requests v2, quote v2) in a file or folder, and their replacements.",
    input: { path: Type.String({ description: "File or folder in the server's working folder." }) },
    async run({ path: given }, signal) {
      const path = await requireInside(given, "path");
      // Imported here, because it loads the project's TypeScript.
      const { scanFolder } = await import("../../migrate/scan/scanFolder.ts");
      const { files, findings, unread } = await scanFolder(path, signal, () => undefined);
      return {
        ok: findings.length === 0,
        summary: `${countOf(files, "file")}, ${countOf(findings.length, "use")} of retired endpoints`,
        facts: { findings: findings.slice(0, MAX_FINDINGS), unread: unread.slice(0, MAX_FINDINGS) },
        command: commandOf("migrate", "report", path),
      };
    },
  }),
];

function quoteless(query: string): string {
  return query.replaceAll("'", "");
}
