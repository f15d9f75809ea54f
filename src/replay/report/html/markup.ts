const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** HTML or SVG that was made here: everything else that goes into a page is escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a page is made of: markup as it is, text and numbers escaped, lists one after another. */
export type Content = Markup | string | number | bigint | undefined | readonly Content[];

/** Markup of a template, in which only other markup keeps its tags: `` markup`<b>${symbol}</b>` ``. */
export function markup(parts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return new Markup(
    parts.map((part, index) => part + (index < contents.length ? toText(contents[index]) : "")).join(""),
  );
}

function toText(content: Content): string {
  if (content === undefined) return "";
  if (content instanceof Markup) return content.text;
  if (typeof content === "object") return content.map(toText).join("");
  return String(content).replace(/[&<>"']/gu, (character) => ESCAPES[character] ?? character);
}
