/** Reason and hint for a rejected request, for the server's error. */
export interface NameRejection {
  readonly field: "host" | "origin";
  readonly reason: string;
  readonly hint: string;
}

/** Host names under which a server on loopback accepts requests. */
export interface LocalNames {
  /** Rejects a `Host` that is neither loopback nor allowed, because a website can point its own name at loopback. */
  refuseHost(host: string | undefined): NameRejection | undefined;
  /**
   * Rejects requests from pages of other websites. Allows pages on loopback or allowed hosts, browser extensions such
   * as wallets, and programs, which send no `Origin`.
   */
  refuseOrigin(origin: string | undefined): NameRejection | undefined;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u;

const EXTENSION = /^(?:chrome|moz|safari-web)-extension:$/u;

/** @param hosts allowed host names in addition to loopback */
export function createLocalNames(hosts: readonly string[]): LocalNames {
  const allowed = new Set(hosts.map((host) => host.toLowerCase()));
  const isAllowed = (name: string): boolean => isLoopback(name) || allowed.has(name);
  return {
    refuseHost(host) {
      const name = hostNameOf(host);
      if (isAllowed(name)) return undefined;
      return {
        field: "host",
        reason: `${JSON.stringify(name)} is not a name of this network`,
        hint: "Use 127.0.0.1, or allow the name with --host (in code: hosts).",
      };
    },
    refuseOrigin(origin) {
      if (origin === undefined) return undefined;
      const url = URL.canParse(origin) ? new URL(origin) : undefined;
      if (url !== undefined && (EXTENSION.test(url.protocol) || isAllowed(url.hostname))) return undefined;
      return {
        field: "origin",
        reason: `${JSON.stringify(origin)} is another website`,
        hint: "Serve the page from localhost, or allow its host with --host (in code: hosts).",
      };
    },
  };
}

export function isLoopback(hostName: string): boolean {
  return LOOPBACK.test(hostName);
}

/** Returns the name in a `Host` header, or an empty string if there is none. */
export function hostNameOf(host: string | undefined): string {
  const url = `http://${host ?? ""}`;
  return URL.canParse(url) ? new URL(url).hostname : "";
}
