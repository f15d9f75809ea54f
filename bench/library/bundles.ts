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

/** The same job with the kit. */
export const SAME_JOB = "crosscall, the SDK's job";

/** The bundles, by the program that an application would contain. */
const IMPORTS: Readonly<Record<string, string>> = {
  [SAME_JOB]: 'export { createServiceClient, executeSteps, getQuote, watchRequest } from "@crosscall/sdk"',
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
    const code = await bundle(source, []);
    bundles.push({
      name,
      withoutViem: gzipSync(await bundle(source, ["viem", "viem/*"]), { level: 9 }).length,
      whole: gzipSync(code, { level: 9 }).length,
      loadMs: await measureLoad(code, loads),
    });
  }
  return bundles;
}

async function bundle(source: string, external: string[]): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    external,
    write: false,
    logLevel: "silent",
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error(`not bundled: ${source}`);
  return file.contents;
}

async function measureLoad(code: Uint8Array, loads: number): Promise<number> {
  const source = Buffer.from(code).toString("base64");
  const times: number[] = [];
  for (let load = 0; load < loads; load += 1) {
    const started = performance.now();
    // A module with a new URL is loaded again.
    await import(`data:text/javascript;base64,${source}#${load}`);
    times.push(performance.now() - started);
  }
  return times.toSorted((left, right) => left - right)[Math.floor(loads / 2)] ?? 0;
}
