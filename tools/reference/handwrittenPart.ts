/** Separates the text of an error's page from its generated reference. */
export const GENERATED_MARK = "<!-- Generated from the sources by npm run generate. -->";

/** Sections that each page of an error has, in order. */
const SECTIONS = ["When it is thrown", "How to fix it", "Example"];

/** The part between the first paragraph of a page and its reference. A new page starts with empty sections. */
export function handwrittenPart(page: string | undefined): string {
  if (page === undefined) return SECTIONS.map((title) => `## ${title}`).join("\n\n");
  const [text = ""] = page.split(GENERATED_MARK, 1);
  return text.slice(text.indexOf("\n## ")).trim();
}

/** Titles of the sections that are missing or empty. */
export function missingSections(page: string): readonly string[] {
  const sections = handwrittenPart(page).split(/^## /mu);
  return SECTIONS.filter((title) => !sections.some((text) => text.startsWith(`${title}\n\n`) && text.trim() !== title));
}
