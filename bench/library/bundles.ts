import { relative } from "node:path";
import { gzipSync } from "node:zlib";

import { build } from "esbuild";

/** A bundle of the benchmark. */
export interface Bundle {
  readonly name: string;
  /** Bytes of the bundle, minified and gzipped, without viem, which both libraries need. */
  readonly withoutViem: number;
  /** The same with all dependencies. */
  readonly whole: number;
  /** Time to load the whole bundle, in milliseconds: the median of several loads, each as a new module. */
  readonly loadMs: number;
}

/** The service's published SDK. Its client does one job: quote, execute, follow. */
export const PEER = "@relayprotocol/relay-sdk";

/** The same job with the kit, without what is loaded when a quote is executed: its verification. */
const SAME_JOB = "crosscall, the SDK's job";

/** The SDK verifies nothing. */
const VERIFIED_JOB = `${SAME_JOB}, and the verification`;

/** The bundles, by the program that an application would contain. */
const JOB = 'export { createServiceClient, executeSteps, getQuote, watchRequest } from "@crosscall/sdk"';

const IMPORTS: Readonly<Record<string, string>> = {
  [SAME_JOB]: JOB,
  [VERIFIED_JOB]: JOB,
  "@crosscall/sdk": 'export * from "@crosscall/sdk"',
  "@crosscall/sdk/calls": 'export * from "@crosscall/sdk/calls"',
  "@crosscall/sdk/protocol": 'export * from "@crosscall/sdk/protocol"',
  [PEER]: `export * from "${PEER}"`,
};

const LOADS = 15;

/**
 * Bundles each light entry point and the published SDK for browsers.
 *
 * @param loads how often each bundle is loaded to measure the time
 */
export async function measureBundles(signal: AbortSignal, loads = LOADS): Promise<readonly Bundle[]> {
  const bundles: Bundle[] = [];
  for (const [name, source] of Object.entries(IMPORTS)) {
    signal.throwIfAborted();
    const isSplit = name === SAME_JOB;
    bundles.push({
      name,
      withoutViem: sizeOf(await bundle(source, ["viem", "viem/*"], isSplit)),
      whole: sizeOf(await bundle(source, [], isSplit)),
      loadMs: await measureLoad(await bundle(source, [], false), loads),
    });
  }
  return bundles;
}

/** The files that the program loads at once. */
async function bundle(source: string, external: string[], isSplit: boolean): Promise<readonly Uint8Array[]> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: source, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    external,
    splitting: isSplit,
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

async function measureLoad(files: readonly Uint8Array[], loads: number): Promise<number> {
  const source = Buffer.concat(files).toString("base64");
  const times: number[] = [];
  for (let load = 0; load < loads; load += 1) {
    const started = performance.now();
    // A module with a new URL is loaded again.
    await import(`data:text/javascript;base64,${source}#${load}`);
    times.push(performance.now() - started);
  }
  return times.toSorted((left, right) => left - right)[Math.floor(loads / 2)] ?? 0;
}
