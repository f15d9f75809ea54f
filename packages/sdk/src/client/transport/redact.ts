/** Replaces a secret. */
const REDACTED = "[api key]";

/** Maximum depth. Deeper values are dropped. */
const MAX_DEPTH = 32;

const TOO_DEEP = "[nested too deep]";

export interface Redactor {
  text(text: string): string;
  /** Redacts all strings and keys. */
  json(value: unknown): unknown;
  /** Replaces a cause that contains a secret. */
  cause(cause: unknown): unknown;
}

/** Redacts plain, URL-encoded and JSON-encoded secrets. */
export function createRedactor(secrets: readonly (string | undefined)[]): Redactor {
  const forms = secrets
    .filter((secret): secret is string => secret !== undefined && secret !== "")
    .flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
    // Longest first, because a secret can contain another.
    .toSorted((a, b) => b.length - a.length);

  const text = (value: string): string => forms.reduce((shown, form) => shown.replaceAll(form, REDACTED), value);
  const json = (value: unknown, depth: number): unknown => {
    if (typeof value === "string") return text(value);
    if (typeof value !== "object" || value === null) return value;
    if (depth === MAX_DEPTH) return TOO_DEEP;
    if (Array.isArray(value)) return value.map((item) => json(item, depth + 1));
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [text(key), json(inner, depth + 1)]));
  };
  const leaks = (value: unknown, depth: number): boolean => {
    if (typeof value === "string") return text(value) !== value;
    if (typeof value !== "object" || value === null) return false;
    if (depth === MAX_DEPTH) return true;
    return Reflect.ownKeys(value).some((key) => leaks(Reflect.get(value, key), depth + 1));
  };
  return {
    text,
    json: (value) => json(value, 0),
    cause(cause) {
      if (forms.length === 0 || !leaks(cause, 0)) return cause;
      return new Error(text(cause instanceof Error ? cause.message : String(cause)));
    },
  };
}
