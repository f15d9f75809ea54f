import { posix } from "node:path";

/** Repository that relative links in a README or a page point to. */
export interface Repository {
  /** Such as `https://github.com/owner/name`; undefined while there is none. */
  readonly url: string | undefined;
  /** Branch, tag or commit with the linked files. */
  readonly revision: string;
  /** Returns the text of a file, `null` for a folder, or `undefined` if the path does not exist. */
  readonly read: (path: string) => string | null | undefined;
  /** Whether the package has the file at the same relative path, so that links to it stay; for no file by default. */
  readonly isPackaged?: (path: string) => boolean;
  /** Whether the repository lacks the file, so that only the text of a link remains; for no file by default. */
  readonly isGenerated?: (path: string) => boolean;
}

/** Pattern of a link or an image in Markdown or HTML. */
const LINK =
  /(?<inlineHead>(?<image>!\[[^[\]]*)?\]\()(?<inline>[^()\s]+)|(?<labelHead>^\[[^\]]+\]: +)(?<label>\S+)|(?<tagHead><(?<tag>a|img)\b[^>]*?(?:href|src)=")(?<attribute>[^"]+)/gmu;

/** Pattern of a link in Markdown with its text. */
const INLINE_LINK = /!?\[([^\]]*)\]\(([^()\s]+)\)/gu;

/** Pattern of a fenced code block. */
const FENCE = /(^(?:```|~~~)[^\n]*\n[\s\S]*?^(?:```|~~~)[^\S\n]*$)/mu;

/**
 * Replaces relative links with URLs in the repository, because npm shows a README without the files around it. Without a
 * repository, only the text of a link remains.
 */
export function publishLinks(markdown: string, folder: string, repository: Repository): string {
  const { url, isPackaged = () => false, isGenerated = () => false } = repository;
  const leaves = (link: string): boolean => isRelative(link) && !isPackaged(pathOf(link, folder));
  const linked = keepTexts(markdown, (link) => leaves(link) && isGenerated(pathOf(link, folder)));
  // Without a repository, this only requires that the links lead to files.
  const published = mapLinks(linked, (link, isImage) =>
    leaves(link) ? toAddress(link, isImage, folder, repository) : link,
  );
  return url === undefined ? keepTexts(linked, leaves) : published;
}

/** Replaces links with their text. */
function keepTexts(markdown: string, isReplaced: (link: string) => boolean): string {
  return mapProse(markdown, (prose) =>
    prose.replaceAll(INLINE_LINK, (found, text: string, link: string) => (isReplaced(link) ? text : found)),
  );
}

/** Finds links in a README that do not work on npm: links to files, and links to missing headings. */
export function brokenLinks(markdown: string): readonly string[] {
  const anchors = headingAnchors(markdown);
  const broken: string[] = [];
  mapLinks(markdown, (link) => {
    if (isRelative(link) || (link.startsWith("#") && !anchors.has(link.slice(1)))) broken.push(link);
    return link;
  });
  return broken;
}

/** Returns the anchors of headings, as GitHub and npm create them. */
function headingAnchors(markdown: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  const prose = markdown.split(FENCE).filter((_, index) => index % 2 === 0);
  for (const [, title = ""] of prose.join("").matchAll(/^#{1,6} +(.*?) *#*$/gmu)) {
    const text = title.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/gu, "$1").toLowerCase();
    const anchor = text.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(" ", "-");
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count += 1) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

function mapLinks(markdown: string, map: (link: string, isImage: boolean) => string): string {
  return mapProse(markdown, (prose) =>
    prose.replaceAll(LINK, (...found) => {
      const groups = found.at(-1) as Readonly<Record<string, string | undefined>>;
      const head = groups.inlineHead ?? groups.labelHead ?? groups.tagHead ?? "";
      const link = groups.inline ?? groups.label ?? groups.attribute ?? "";
      return `${head}${map(link, groups.image !== undefined || groups.tag === "img")}`;
    }),
  );
}

/** Changes the text outside of code blocks. */
function mapProse(markdown: string, map: (prose: string) => string): string {
  return markdown
    .split(FENCE)
    .map((part, index) => (index % 2 === 1 ? part : map(part)))
    .join("");
}

/** Returns whether a link points to another file on the same server. */
function isRelative(link: string): boolean {
  return !/^(?:[a-z][a-z\d+.-]*:|\/\/|#)/iu.test(link);
}

/** Returns the path in the repository that a relative link points to. */
function pathOf(link: string, folder: string): string {
  const [path = ""] = link.split("#", 1);
  return path.startsWith("/") ? path.slice(1) : posix.join(folder, path);
}

function toAddress(link: string, isImage: boolean, folder: string, { url, revision, read }: Repository): string {
  const fragment = link.split("#", 2)[1];
  const target = pathOf(link, folder);
  const text = read(target);
  if (text === undefined) throw new Error(`a README links to ${link}, which does not exist`);
  if (fragment !== undefined && !headingAnchors(text ?? "").has(fragment)) {
    throw new Error(`a README links to ${link}, but ${target} has no such heading`);
  }
  const view = text === null ? "tree" : isImage ? "raw" : "blob";
  return `${url}/${view}/${revision}/${target}${fragment === undefined ? "" : `#${fragment}`}`;
}
