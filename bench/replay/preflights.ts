import { composeDemoRequest } from "../../packages/crosscall/src/commands/demo/playIntegrator.ts";
import { throwIfAborted } from "../../packages/protocol/src/core/abort.ts";
import { createServiceClient, getQuote } from "../../packages/sdk/src/index.ts";
import { localnet } from "../../packages/crosscall/src/localnet/index.ts";
import { createPreflight } from "../../packages/crosscall/src/replay/preflight/index.ts";
import { startRpcRecorder } from "../../test/integration/support/rpcRecorder.ts";

/** Times of preflights of the demo's quote, in milliseconds. Each preflight opens its own two forks. */
export interface PreflightTimes {
  readonly delayMs: number;
  readonly firstMs: number;
  readonly bestMs: number;
}

/** Measures the preflight of the demo's quote on chains that delay each response. */
export async function measurePreflights(
  delaysMs: readonly number[],
  rounds: number,
  signal: AbortSignal,
): Promise<readonly PreflightTimes[]> {
  await using network = await localnet();
  const [origin, destination] = network.chains;
  const request = composeDemoRequest(network, origin, destination, Math.floor(Date.now() / 1_000));
  const quote = await getQuote(createServiceClient({ baseUrl: network.url, apiKey: network.apiKey }), request);
  const results: PreflightTimes[] = [];
  for (const delayMs of delaysMs) {
    const proxies = await Promise.all(network.chains.map(({ rpcUrl }) => startRpcRecorder(rpcUrl, delayMs)));
    const chains = network.chains.map(({ id }, index) => ({ id, rpcUrl: proxies[index]?.url ?? "" }));
    const run = createPreflight({ chains, trust: network.trust });
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      throwIfAborted(signal, "the benchmark");
      const started = performance.now();
      const { verdict, findings } = await run({ request, quote, signal });
      times.push(performance.now() - started);
      if (verdict !== "passed") throw new Error(`the preflight fails: ${findings.map(({ code }) => code).join(", ")}`);
    }
    results.push({ delayMs, firstMs: times[0] ?? Number.NaN, bestMs: Math.min(...times) });
    await Promise.all(proxies.map((proxy) => proxy.close()));
  }
  return results;
}
