import { relative } from "node:path";
import { gzipSync } from "node:zlib";

import { build, type Plugin } from "esbuild";

/** A bundle of the benchmark. */
export interface Bundle {
  readonly name: string;
  /** Size in bytes, minified and gzipped, without viem, which both libraries need. */
  readonly withoutViem: number;
  /** Same as `withoutViem`, but with all dependencies. */
  readonly whole: number;
  /** Median time to load the bundle and all its dependencies as a new module, in milliseconds. */
  readonly loadMs: number;
}

/** The service's published SDK. Its client requests a quote, executes it and tracks the request. */
export const PEER = "@relayprotocol/relay-sdk";

/** Program that does the same with the kit. */
const JOB = 'export { createServiceClient, executeSteps, getQuote, watchRequest } from "@crosscall/sdk"';

/** Code that a page loads first: everything except `import()`. */
export const FIRST_LOAD = "crosscall, the SDK's job: first load";

/** One file without the verification, because the SDK verifies nothing. */
const UNVERIFIED = "crosscall, the SDK's job: whole, without the verification";

const VERIFIED = "crosscall, the SDK's job: whole, with the verification";

interface Program {
  readonly source: string;
  /** Bundles everything in one file by default. */
  readonly leaves?: "what is loaded later" | "the verification";
}

const entryPoint = (name: string): readonly [string, Program] => [name, { source: `export * from "${name}"` }];

const PROGRAMS: ReadonlyMap<string, Program> = new Map([
  [FIRST_LOAD, { source: JOB, leaves: "what is loaded later" }],
  [UNVERIFIED, { source: JOB, leaves: "the verification" }],
  [VERIFIED, { source: JOB }],
  ...["", "/calls", "/verify", "/attestation", "/migrate"].map((path) => entryPoint(`@crosscall/sdk${path}`)),
  ...["", "/abi"].map((path) => entryPoint(`@crosscall/protocol${path}`)),
  entryPoint(PEER),
]);

const LOADS = 15;

/**
 * Bundles each light entry point and the published SDK for browsers.
 *
 * @param loads number of times that each bundle is loaded to measure the time
 */
export async function measureBundles(signal: AbortSignal, loads = LOADS): Promise<readonly Bundle[]> {
  const bundles: Bundle[] = [];
  for (const [name, program] of PROGRAMS) {
    signal.throwIfAborted();
    bundles.push({
      name,
      withoutViem: sizeOf(await bundle(program, ["viem", "viem/*"])),
      whole: sizeOf(await bundle(program, [])),
      loadMs: await measureLoad(name, await bundle(program, [], [LATER]), loads),
    });
  }
  return bundles;
}

/** Omits modules that the program can import at run time. */
const LATER = skipImports("later", () => true);

const VERIFICATION = skipImports("verification", (path) => path.includes("/verify/"));

function skipImports(name: string, isSkipped: (path: string) => boolean): Plugin {
  return {
    name,
    setup(esbuild) {
      esbuild.onResolve({ filter: /^/ }, ({ kind, path }) =>
        kind === "dynamic-import" && isSkipped(path) ? { path, external: true } : undefined,
      );
    },
  };
}

/** Bundles a program. Returns the files of its first load. */
async function bundle(
  { source, leaves }: Program,
  external: string[],
  plugins: Plugin[] = leaves === "the verification" ? [VERIFICATION] : [],
): Promise<readonly Uint8Array[]> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: source, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    external,
    splitting: leaves === "what is loaded later" && plugins.length === 0,
    plugins,
    metafile: true,
    absWorkingDir: import.meta.dirname,
    outdir: "out",
    write: false,
    logLevel: "silent",
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [relative(import.meta.dirname, path), contents]));
  const pending = Object.entries(metafile.outputs).flatMap(([path, { entryPoint }]) =>
    entryPoint === "<stdin>" ? [path] : [],
  );
  const loaded = new Map<string, Uint8Array>();
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const contents = files.get(path);
    if (contents === undefined || loaded.has(path)) continue;
    loaded.set(path, contents);
    const imports = metafile.outputs[path]?.imports ?? [];
    pending.push(...imports.flatMap(({ kind, path: next }) => (kind === "dynamic-import" ? [] : [next])));
  }
  if (loaded.size === 0) throw new Error(`not bundled: ${source}`);
  return [...loaded.values()];
}

function sizeOf(files: readonly Uint8Array[]): number {
  return files.reduce((sum, contents) => sum + gzipSync(contents, { level: 9 }).length, 0);
}

async function measureLoad(name: string, files: readonly Uint8Array[], loads: number): Promise<number> {
  const source = Buffer.concat(files).toString("base64");
  const times: number[] = [];
  for (let load = 0; load < loads; load += 1) {
    const started = performance.now();
    // A new URL loads the module again.
    await import(`data:text/javascript;base64,${source}#${encodeURIComponent(name)}${load}`);
    times.push(performance.now() - started);
  }
  return times.toSorted((left, right) => left - right)[Math.floor(loads / 2)] ?? 0;
}
