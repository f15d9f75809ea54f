import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";

import type { Log } from "./log.ts";
import type { RpcObserver } from "./rpc/chainRpc.ts";

export type PeerFailure = "disagreeing" | "error" | "foreign-domain" | "forged" | "timeout" | "too-large";

export type Reachability = "disabled" | "ok" | "unreachable";

export interface ReadinessReport {
  readonly isReady: boolean;
  /** Chains by id, including disabled ones. */
  readonly chains: Readonly<Record<string, Reachability>>;
  readonly hub: Reachability;
  /** Chain of allocator v2; undefined if there is none. */
  readonly allocator: Reachability | undefined;
}

/** Observer that reports events to the log and the metrics. */
export interface Observer extends RpcObserver {
  readonly registry: Registry;
  answered(route: string, status: number, seconds: number): void;
  /** @param caller label of the caller's key */
  answeredCaller(caller: string, status: number): void;
  peerFailed(peer: string, failure: PeerFailure): void;
  peerAgreed(peer: string): void;
  /** @param now milliseconds */
  probed(report: ReadinessReport, now: number): void;
}

export function createObserver(log: Log, signer: string, disabledChains: readonly string[]): Observer {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const answers = new Histogram({
    registers,
    name: "oracle_request_duration_seconds",
    help: "Responses by route and status.",
    labelNames: ["route", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });
  const callers = new Counter({
    registers,
    name: "oracle_caller_requests_total",
    help: "Responses to callers with a key, by key label and status.",
    labelNames: ["caller", "status"],
  });
  const calls = new Counter({
    registers,
    name: "oracle_rpc_calls_total",
    help: "Calls to RPC endpoints.",
    labelNames: ["chain", "method"],
  });
  const failures = new Counter({
    registers,
    name: "oracle_rpc_failures_total",
    help: "RPC endpoints that failed, lagged or returned wrong data.",
    labelNames: ["chain", "endpoint", "failure"],
  });
  const peers = new Counter({
    registers,
    name: "oracle_peer_answers_total",
    help: "Results of requests to peers.",
    labelNames: ["peer", "outcome"],
  });
  const workers = new Gauge({ registers, name: "oracle_workers", help: "Processes that serve requests." });
  workers.set(1);
  const signers = new Gauge({
    registers,
    name: "oracle_signer_info",
    help: "Address that this instance signs with.",
    labelNames: ["address"],
    aggregator: "first",
  });
  signers.set({ address: signer }, 1);
  const disabled = new Gauge({
    registers,
    name: "oracle_chain_disabled",
    help: "Chains that are disabled by a missing setting.",
    labelNames: ["chain"],
    aggregator: "first",
  });
  for (const chain of disabledChains) disabled.set({ chain }, 1);
  const probed = observeReadiness(log, registers);
  return {
    registry,
    answered: (route, status, seconds) => answers.observe({ route, status }, seconds),
    answeredCaller: (caller, status) => callers.inc({ caller, status }),
    called: (chain, _endpoint, method) => calls.inc({ chain, method }),
    failed(chain, endpoint, method, failure) {
      failures.inc({ chain, endpoint, failure });
      log.warn({ chain, endpoint, method, failure }, "an RPC endpoint returned no usable response");
    },
    peerFailed(peer, failure) {
      peers.inc({ peer, outcome: failure });
      log.warn({ peer, failure }, "a peer's signature is not added");
    },
    peerAgreed: (peer) => peers.inc({ peer, outcome: "agreed" }),
    probed,
  };
}

function observeReadiness(log: Log, registers: Registry[]): Observer["probed"] {
  // With several processes, uses the gauges from the last probe.
  const common = { registers, aggregator: "first" } as const;
  const ready = new Gauge({ ...common, name: "oracle_ready", help: "1 if /ready last returned 200, otherwise 0." });
  const probedAt = new Gauge({
    ...common,
    name: "oracle_ready_timestamp_seconds",
    help: "Time of the last probe for /ready.",
  });
  // Removes the initial value of 0, because the state is unknown before the first probe.
  ready.remove();
  const chainReady = new Gauge({
    ...common,
    name: "oracle_chain_ready",
    help: "1 if the chain responded to the last probe, otherwise 0.",
    labelNames: ["chain"],
  });
  const hubReady = new Gauge({
    ...common,
    name: "oracle_hub_ready",
    help: "1 if the hub, or the chain of the allocator v2, responded to the last probe, otherwise 0.",
    labelNames: ["part"],
  });
  let wasReady = true;
  return ({ isReady, chains, hub, allocator }, now) => {
    ready.set(Number(isReady));
    probedAt.set(Math.floor(now / 1000));
    for (const [chain, state] of Object.entries(chains)) {
      if (state !== "disabled") chainReady.set({ chain }, Number(state === "ok"));
    }
    hubReady.set({ part: "hub" }, Number(hub === "ok"));
    if (allocator !== undefined) hubReady.set({ part: "allocator" }, Number(allocator === "ok"));
    if (isReady === wasReady) return;
    wasReady = isReady;
    if (isReady) log.info("the oracle is ready again");
    else log.warn({ chains, hub, allocator }, "the oracle is not ready");
  };
}
