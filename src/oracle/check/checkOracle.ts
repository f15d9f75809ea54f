export interface CheckOracleParameters {
  readonly url: string;
  readonly apiKey?: string;
  /** Chains that it should list; not checked by default. */
  readonly chains?: readonly string[];
  /** The expected signer; not checked by default. */
  readonly signer?: string;
  readonly signal: AbortSignal;
}

export interface OracleCheck {
  readonly name: string;
  readonly isMet: boolean;
  readonly seen: string;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** The operational checks of spec 3. Bad responses are results, not exceptions. */
export async function checkOracle(parameters: CheckOracleParameters): Promise<readonly OracleCheck[]> {
  const { url, apiKey, signal } = parameters;
  const base = url.replace(/\/+$/u, "");
  const get = async (path: string, key: string | undefined): Promise<Answer> => {
    try {
      const response = await fetch(`${base}${path}`, {
        signal,
        headers: key === undefined ? {} : { "x-api-key": key },
      });
      return { status: response.status, text: await response.text() };
    } catch (error) {
      signal.throwIfAborted();
      return { status: 0, text: error instanceof Error ? error.message : "" };
    }
  };
  const lives = await get("/lives/v1", undefined);
  const documentation = await get("/documentation", undefined);
  const chains = await get("/chains/v1", apiKey);
  const metrics = await get("/metrics", apiKey);
  const checks = [
    { name: "it is up", isMet: fieldOf(lives.text, "status") === "ok", seen: `/lives/v1 answers ${lives.status}` },
    {
      name: "its documentation loads",
      isMet: documentation.status === 200,
      seen: `/documentation answers ${documentation.status}`,
    },
    checkChains(chains, parameters.chains),
    checkSigner(metrics, parameters.signer),
  ];
  if (apiKey === undefined) return checks;
  const withoutKey = await get("/chains/v1", undefined);
  const isMet = withoutKey.status === 401;
  return [...checks, { name: "it is closed without a key", isMet, seen: `/chains/v1 answers ${withoutKey.status}` }];
}

function checkChains({ status, text }: Answer, expected: readonly string[] | undefined): OracleCheck {
  const listed = fieldOf(text, "chains");
  const ids = Array.isArray(listed) ? listed.map((chain) => String(fieldOf(JSON.stringify(chain), "id"))) : undefined;
  const isMet = ids !== undefined && ids.length > 0 && (expected ?? ids).toSorted().join() === ids.toSorted().join();
  return {
    name: expected === undefined ? "it lists its chains" : "it lists the chains that it should",
    isMet,
    seen: ids === undefined ? describe("/chains/v1", status) : ids.join(", "),
  };
}

function checkSigner({ status, text }: Answer, expected: string | undefined): OracleCheck {
  const signer = /^oracle_signer_info\{address="(0x[0-9a-f]{40})"\} 1$/mu.exec(text)?.[1];
  return {
    name: expected === undefined ? "it reports its signer" : "it signs with the address that it should",
    isMet: signer !== undefined && (expected ?? signer).toLowerCase() === signer,
    seen: signer ?? describe("/metrics", status),
  };
}

function describe(path: string, status: number): string {
  return `${path} answers ${status}${status === 401 ? ": it requires an API key, or does not accept this one" : ""}`;
}

/** Undefined if the text is not a JSON object. */
function fieldOf(text: string, name: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (Reflect.get(value, name) as unknown) : undefined;
  } catch {
    return undefined;
  }
}
