const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Trusted HTML or SVG. Any other value is escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Content = Markup | string | number | bigint | undefined | readonly Content[];

/** Creates markup, such as `` markup`<b>${symbol}</b>` ``. Escapes all values except other markup. */
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
