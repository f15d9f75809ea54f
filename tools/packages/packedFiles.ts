/** A file of a package as npm packs it. */
export interface PackedFile {
  /** Path in the package, with slashes. */
  readonly path: string;
  readonly content: Buffer;
}

const SECRETS = /(?:^|\/)(?:\.env(?!\.example$)[^/]*|\.npmrc|id_[a-z\d]+|[^/]+\.(?:key|pem|p12|keystore))$/u;

const TESTS = /(?:^|\/)(?:tests?|__tests__)\/|\.(?:test|spec)\.[a-z]+$|\.t\.sol$/u;

/** A project's own tests are part of the template that makes it. */
const TEMPLATES = "templates/";

const SOURCE_MAP = /^(?:\/\/|\/\*)[#@] sourceMappingURL=/mu;

/**
 * Lists files that a package must not contain: secrets, tests, source maps, whose sources are not published, and files
 * with paths of this machine.
 *
 * @param folders absolute paths on the machine
 */
export function findUnwanted(files: readonly PackedFile[], folders: readonly string[]): readonly string[] {
  return files.flatMap(({ path, content }) => {
    const found: string[] = [];
    if (SECRETS.test(path)) found.push("may be secret");
    if (TESTS.test(path) && !path.startsWith(TEMPLATES)) found.push("is a test");
    if (path.endsWith(".map") || (/\.(?:[cm]?js|css)$/u.test(path) && SOURCE_MAP.test(content.toString()))) {
      found.push("has a source map");
    }
    const named = folders.find((folder) => content.includes(folder));
    if (named !== undefined) found.push(`names ${named}`);
    return found.map((reason) => `${path} ${reason}`);
  });
}
