/** What stands where a secret stood. */
const REDACTED = "[api key]";

/** Nobody nests errors and their data deeper; what is below is not shown. */
const MAX_DEPTH = 32;

const TOO_DEEP = "[nested too deep]";

/** Takes secrets out of what is shown to people. */
export interface Redactor {
  text(text: string): string;
  /** A value of JSON, with the secrets taken out of every text and every key of it. */
  json(value: unknown): unknown;
  /** What an error was caused by; another error in its place where it tells a secret. */
  cause(cause: unknown): unknown;
}

/** A redactor of these secrets, as they are and as they stand in a URL or in JSON. */
export function createRedactor(secrets: readonly (string | undefined)[]): Redactor {
  const forms = secrets
    .filter((secret): secret is string => secret !== undefined && secret !== "")
    .flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
    // The longest first, so that no part of one is left when another is inside it.
    .toSorted((a, b) => b.length - a.length);

  const text = (value: string): string => forms.reduce((shown, form) => shown.replaceAll(form, REDACTED), value);
  const json = (value: unknown, depth: number): unknown => {
    if (typeof value === "string") return text(value);
    if (typeof value !== "object" || value === null) return value;
    if (depth === MAX_DEPTH) return TOO_DEEP;
    if (Array.isArray(value)) return value.map((item) => json(item, depth + 1));
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [text(key), json(inner, depth + 1)]));
  };
  const tells = (value: unknown, depth: number): boolean => {
    if (typeof value === "string") return text(value) !== value;
    if (typeof value !== "object" || value === null) return false;
    if (depth === MAX_DEPTH) return true;
    return Reflect.ownKeys(value).some((key) => tells(Reflect.get(value, key), depth + 1));
  };
  return {
    text,
    json: (value) => json(value, 0),
    cause(cause) {
      if (forms.length === 0 || !tells(cause, 0)) return cause;
      return new Error(text(cause instanceof Error ? cause.message : String(cause)));
    },
  };
}
