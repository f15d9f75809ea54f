import type { Dirent } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import ignore, { type Ignore } from "ignore";
import type ts from "typescript";

import { InvalidInputError, throwIfAborted } from "@crosscall/protocol/core";
import { compiler } from "./compiler.ts";
import { type Finding, type Read, toFindings } from "./rules.ts";
import { followValues } from "./followValues.ts";
import { parseSource } from "./parseSource.ts";
import { readOfRecord, readOfValue } from "./readsOfRecords.ts";
import { mentionsQuotes, readsOfQuotes } from "./readsOfText.ts";
import { readsOfCall, readsOfSearch, readsOfText } from "./readsOfUrls.ts";

const ENDINGS = /\.(?:[cm]?[jt]s|[jt]sx|vue|html?|py)$/u;

/**
 * Files without a parser here, reported if they mention the service: other languages, templates, notebooks and settings,
 * and files without an ending, such as scripts, a Makefile and a Dockerfile.
 */
const OTHER_ENDINGS =
  /\.(?:astro|bash|bat|c|cc|cfg|clj|cmd|conf|cpp|cs|dart|ejs|env|erb|erl|exs?|fish|fs|go|gradle|graphql|groovy|hbs|hcl|hs|http|hurl|ini|ipynb|java|jl|json[5c]?|kts?|liquid|lua|mdx?|mk|njk|php|pl|properties|ps1|r|rb|rs|scala|sh|svelte|swift|tf|tfvars|toml|tpl|xml|ya?ml|zig|zsh)$|^(?:[^.]+|\.env\b.*|Dockerfile\..*)$/iu;

/** Other languages, whose code may build the service's URLs from parts. */
const CODE_ENDINGS = /\.(?:astro|cs|dart|go|java|kts?|php|rb|rs|scala|sh|svelte|swift)$/u;
const SKIPPED = new Set(["node_modules", "dist", ".git"]);

interface Rules {
  /** Path relative to the root, with a trailing slash; empty for the root. */
  readonly base: string;
  readonly ignored: Ignore;
}

/** A file or folder that is not scanned. */
export interface SkippedPath {
  /** Relative, with slashes; a folder ends with one. */
  readonly path: string;
  readonly reason: "ignored" | "link";
}

/**
 * Lists files with code, sorted by path. Skips `node_modules`, `dist`, `.git`, ignored files and links.
 *
 * @param skip called for each ignored file or folder, and each link; not for packages and build output
 * @returns relative paths with slashes
 */
export async function* listFiles(
  root: string,
  signal: AbortSignal,
  skip: (skipped: SkippedPath) => void = () => undefined,
): AsyncGenerator<string> {
  yield* walk({ root, signal, skip }, "", []);
}

interface Walk {
  readonly root: string;
  readonly signal: AbortSignal;
  readonly skip: (skipped: SkippedPath) => void;
}

async function* walk(context: Walk, base: string, above: readonly Rules[]): AsyncGenerator<string> {
  const { root, signal, skip } = context;
  signal.throwIfAborted();
  const entries = await readdir(join(root, base), { withFileTypes: true });
  const rules = [...above, ...(await readRules(root, base, entries))];
  for (const entry of entries.toSorted((left, right) => (left.name < right.name ? -1 : 1))) {
    const path = base + entry.name;
    if (entry.isDirectory()) {
      if (SKIPPED.has(entry.name)) continue;
      if (isIgnored(rules, `${path}/`)) skip({ path: `${path}/`, reason: "ignored" });
      else yield* walk(context, `${path}/`, rules);
    } else if (entry.isSymbolicLink()) {
      skip({ path, reason: "link" });
    } else if (entry.isFile() && isCode(entry.name)) {
      if (isIgnored(rules, path)) skip({ path, reason: "ignored" });
      else yield path;
    }
  }
}

function isCode(name: string): boolean {
  return ENDINGS.test(name) || OTHER_ENDINGS.test(name);
}

async function readRules(root: string, base: string, entries: readonly Dirent[]): Promise<Rules[]> {
  if (!entries.some((entry) => entry.isFile() && entry.name === ".gitignore")) return [];
  return [{ base, ignored: ignore().add(await readFile(join(root, base, ".gitignore"), "utf8")) }];
}

function isIgnored(rules: readonly Rules[], path: string): boolean {
  return rules.some(({ base, ignored }) => ignored.ignores(path.slice(base.length)));
}

/** Prefilter: a file is parsed only if it contains a URL or one of these names. */
const NAMES =
  /(?:in|out)Txs|feesUsd|paidAppFees|subsidized(?:Request|Fee)|[cC]urrencyObject|expandedPriceImpact|depositAddressType|[fF]ailReason|feeSponsorship|supersededByRequestId|\bfees\b|\bmetadata\b/u;

function needsTree(text: string): boolean {
  return NAMES.test(text) || (/requests/iu.test(text) && /v2|relay\.link/iu.test(text));
}

/** @param name path of the file; its extension determines the language */
export function scanSource(name: string, text: string): Finding[] {
  const isScript = !name.endsWith(".py");
  const quotes = mentionsQuotes(text) ? readsOfQuotes(text, !isScript || isPage(name)) : [];
  const records = isScript ? scanScript(name, scriptsOf(name, text)) : [];
  // The parser knows more about a URL than its text.
  const isParsed = ({ start, reads }: Read): boolean =>
    records.some(
      (read) => read.reads.startsWith(reads) && read.start <= start && start < read.start + read.code.length,
    );
  return toFindings(name, text, [...records, ...quotes.filter((read) => !isParsed(read))]);
}

/**
 * Keeps the scripts of pages and Vue components, and replaces everything else with spaces, so that offsets stay the
 * same.
 */
function scriptsOf(name: string, text: string): string {
  if (!isPage(name)) return text;
  const blank = (part: string): string => part.replaceAll(/[^\n]/gu, " ");
  let end = 0;
  let scripts = "";
  for (const match of text.matchAll(/(?<=<script\b[^>]*>)[\s\S]*?(?=<\/script>)/giu)) {
    scripts += blank(text.slice(end, match.index)) + match[0];
    end = match.index + match[0].length;
  }
  return scripts + blank(text.slice(end));
}

function isPage(name: string): boolean {
  return /\.(?:vue|html?)$/u.test(name);
}

function scanScript(name: string, text: string): Read[] {
  if (!needsTree(text)) return [];
  const source = parseSource(`/${isPage(name) ? `${name}.ts` : name}`, text);
  const flow = followValues(source);
  const reads: Read[] = [];
  const visit = (node: ts.Node): void => {
    const single = readOfRecord(flow, node) ?? readOfValue(flow, node);
    if (single !== undefined) reads.push(single);
    reads.push(...readsOfText(flow, node), ...readsOfCall(flow, node), ...readsOfSearch(flow, node));
    compiler.forEachChild(node, visit);
  };
  visit(source.file);
  // The status name alone is not evidence.
  const isEvident = reads.some(({ confidence, reads: what }) => confidence === "certain" || what !== "status delayed");
  return isEvident ? reads : [];
}

export interface ScanResult {
  readonly files: number;
  readonly durationMs: number;
  readonly findings: readonly Finding[];
  /** Files that could not be scanned, or only in part. */
  readonly unread: readonly { readonly file: string; readonly reason: string }[];
  /** Ignored files and folders, and links. */
  readonly skipped: readonly SkippedPath[];
}

/** Number of files after which the scan yields to the event loop. */
const FILES_PER_TURN = 25;

/**
 * Scans a folder, or one file.
 *
 * @param update called to report progress
 */
export async function scanFolder(
  path: string,
  signal: AbortSignal,
  update: (text: string) => void,
): Promise<ScanResult> {
  const skipped: SkippedPath[] = [];
  const { folder, paths } = await findSources(path, signal, (each) => skipped.push(each));
  const started = performance.now();
  const findings: Finding[] = [];
  const unread: { file: string; reason: string }[] = [];
  let files = 0;
  for await (const path of paths) {
    try {
      const text = await readFile(join(folder, path), "utf8");
      if (ENDINGS.test(path)) findings.push(...scanSource(path, text));
      const reason = reasonUnread(path, text);
      if (reason !== undefined) unread.push({ file: path, reason });
    } catch (error) {
      // An unreadable or too deeply nested file must not end the scan of the others.
      unread.push({ file: path, reason: error instanceof Error ? error.message : String(error) });
    }
    files += 1;
    if (files % FILES_PER_TURN !== 0) continue;
    update(`${files} files, ${findings.length} uses of retired endpoints`);
    // Lets Ctrl-C through.
    await new Promise((resolve) => setImmediate(resolve));
    throwIfAborted(signal, "the scan");
  }
  return { files, durationMs: Math.round(performance.now() - started), findings, unread, skipped };
}

/** Returns why a file that may call the service is not scanned, or only in part. */
function reasonUnread(path: string, text: string): string | undefined {
  if (path.endsWith(".py")) {
    return /\/requests\b/u.test(text)
      ? "only URLs are found in Python, not the fields that the code reads from request records"
      : undefined;
  }
  if (ENDINGS.test(path)) return undefined;
  if (CODE_ENDINGS.test(path) && (mentionsQuotes(text) || /\/requests\b|\brequests\/v2\b/u.test(text))) {
    return "code in this language is not scanned, but the file may call the service";
  }
  return /\brelay\.link\/(?:requests|quote|price|execute)\b|\/requests\/v2\b/u.test(text)
    ? "this kind of file is not scanned, but it has a URL of the service"
    : undefined;
}

async function findSources(
  path: string,
  signal: AbortSignal,
  skip: (skipped: SkippedPath) => void,
): Promise<{ readonly folder: string; readonly paths: AsyncIterable<string> | Iterable<string> }> {
  const entry = await stat(path).catch(() => undefined);
  if (entry?.isDirectory() === true) return { folder: path, paths: listFiles(path, signal, skip) };
  if (entry?.isFile() === true) return { folder: dirname(path), paths: [basename(path)] };
  throw new InvalidInputError({
    field: "path",
    value: path,
    reason: "the folder or file does not exist",
    hint: "Pass the folder with the sources, or one file.",
  });
}
