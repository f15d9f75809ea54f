import { ServiceUnreachableError, TimedOutError } from "@crosscall/protocol/core";
import type { OracleSettings } from "../config/settings.ts";
import type { Observer, PeerFailure } from "../observer.ts";
import { ResponseTooLargeError, createHttpClient } from "../rpc/httpClient.ts";

export interface PeerCall {
  /** Path and query. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The caller's API key, for peers that receive it. */
  readonly callerKey: string | undefined;
}

export interface PeerSignature {
  readonly oracleSigner: string;
}

export type PeerVerdict<Signature extends PeerSignature> =
  | { readonly isAgreed: true; readonly signatures: readonly Signature[] }
  | { readonly isAgreed: false; readonly failure: PeerFailure };

export interface Peers {
  /**
   * Sends requests to all peers concurrently and collects signatures in order of arrival. Omits peers that time out,
   * fail or disagree, so that peers never fail the request.
   *
   * @param judge checks a peer's response
   */
  collect<Signature extends PeerSignature>(
    call: PeerCall,
    judge: (answer: unknown) => Promise<PeerVerdict<Signature>>,
  ): Promise<readonly Signature[]>;
  close(): void;
}

/** Maximum length of a peer's response. Longer responses are discarded. */
const MAX_RESPONSE_BYTES = 1024 * 1024;

export function openPeers(settings: OracleSettings, observer: Observer): Peers {
  const { signers, signersThreshold, peerTimeoutMs } = settings;
  const peers = settings.peers.map(({ baseUrl, apiKey }) => ({ http: createHttpClient(baseUrl), apiKey }));
  // If no counted signer is required, the peers' responses have no effect.
  const isPointless = peers.length === 0 || (signers !== undefined && signersThreshold === 0);

  const ask = async <Signature extends PeerSignature>(
    { http, apiKey }: (typeof peers)[number],
    { path, callerKey }: PeerCall,
    body: string,
    judge: (answer: unknown) => Promise<PeerVerdict<Signature>>,
  ): Promise<readonly Signature[]> => {
    const key = apiKey ?? callerKey;
    let verdict: PeerVerdict<Signature>;
    try {
      const { status, body: text } = await http.send({
        method: "POST",
        path,
        body,
        timeoutMs: peerTimeoutMs,
        maxBytes: MAX_RESPONSE_BYTES,
        headers: key === undefined ? {} : { "x-api-key": key },
      });
      verdict = status === 200 ? await judge(JSON.parse(text)) : { isAgreed: false, failure: "error" };
    } catch (error) {
      verdict = { isAgreed: false, failure: failureOf(error) };
    }
    if (verdict.isAgreed) {
      observer.peerAgreed(http.host);
      return verdict.signatures;
    }
    observer.peerFailed(http.host, verdict.failure);
    return [];
  };

  return {
    collect: (call, judge) => {
      if (isPointless) return Promise.resolve([]);
      const body = JSON.stringify({ ...call.body, requestPeerSignatures: false });
      return gather(
        peers.map((peer) => ask(peer, call, body, judge)),
        signers === undefined ? undefined : { signers, needed: signersThreshold },
      );
    },
    close: () => peers.forEach(({ http }) => http.close()),
  };
}

/** Ends when all peers have responded, or enough counted signers have signed. Each signer counts once. */
function gather<Signature extends PeerSignature>(
  answers: readonly Promise<readonly Signature[]>[],
  threshold: { readonly signers: readonly string[]; readonly needed: number } | undefined,
): Promise<readonly Signature[]> {
  return new Promise((resolve) => {
    const collected = new Map<string, Signature>();
    let open = answers.length;
    const hasEnough = (): boolean =>
      threshold !== undefined && threshold.signers.filter((signer) => collected.has(signer)).length >= threshold.needed;
    for (const answer of answers) {
      void answer.then((signatures) => {
        for (const signature of signatures) {
          const signer = signature.oracleSigner.toLowerCase();
          if (!collected.has(signer)) collected.set(signer, signature);
        }
        open -= 1;
        if (open === 0 || hasEnough()) resolve([...collected.values()]);
      });
    }
  });
}

function failureOf(error: unknown): PeerFailure {
  if (error instanceof TimedOutError) return "timeout";
  if (error instanceof ResponseTooLargeError) return "too-large";
  return error instanceof ServiceUnreachableError || error instanceof SyntaxError ? "error" : "disagreeing";
}
