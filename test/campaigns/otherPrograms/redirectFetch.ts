/** Maps URL prefixes to their replacements. */
export type Redirects = Readonly<Record<string, string>>;

/**
 * Redirects the URLs that programs fetch, by prefix. Only loopback is reachable, so nothing is sent to a live
 * service.
 *
 * @returns a function that restores `fetch`
 */
export function redirectFetch(redirects: Redirects): () => void {
  const original = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const from = input instanceof Request ? input.url : String(input);
    const [prefix, target] = Object.entries(redirects).find(([start]) => from.startsWith(start)) ?? ["", ""];
    const url = target + from.slice(prefix.length);
    if (new URL(url).hostname !== "127.0.0.1") return Promise.reject(new Error(`${url} is not on loopback`));
    return original(input instanceof Request ? new Request(url, input) : url, init);
  };
  return () => {
    globalThis.fetch = original;
  };
}

// Applies when a program preloads this module.
const given = process.env.CROSSCALL_REDIRECTS;
if (given !== undefined) redirectFetch(JSON.parse(given) as Redirects);
