/** A file in a packed package. */
export interface PackedFile {
  /** Path in the package, with slashes. */
  readonly path: string;
  readonly content: Buffer;
}

const SECRETS = /(?:^|\/)(?:\.env(?!\.example$)[^/]*|\.npmrc|id_[a-z\d]+|[^/]+\.(?:key|pem|p12|keystore))$/u;

const TESTS = /(?:^|\/)(?:tests?|__tests__)\/|\.(?:test|spec)\.[a-z]+$|\.t\.sol$/u;

/** Folder of the project templates, which may contain tests. */
const TEMPLATES = "templates/";

const SOURCE_MAP = /^(?:\/\/|\/\*)[#@] sourceMappingURL=/mu;

/**
 * Lists files that a package must not contain: secrets, tests, source maps (because sources are not published), and
 * files with paths on this machine.
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
