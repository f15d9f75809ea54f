import type { ReadinessReport, Reachability } from "../observer.ts";
import type { OracleContext } from "../oracleContext.ts";

export interface Readiness {
  /** Returns a report. Probes at most once per `FRESH_MS`. */
  check(): Promise<ReadinessReport>;
}

/** Time for which a report is reused. */
const FRESH_MS = 5_000;

/** Time after which a chain counts as unreachable. It is shorter than the usual timeouts of health probes. */
const PATIENCE_MS = 2_000;

type Probe = () => Promise<Reachability>;

/** Sends one request to each chain and to the hub. An oracle with disabled chains can be ready. */
export function createReadiness({
  chains,
  hub,
  hubReader,
  disabledChains,
  clock,
  observer,
}: Pick<OracleContext, "chains" | "clock" | "disabledChains" | "hub" | "hubReader" | "observer">): Readiness {
  const probes = chains.all.map(({ config, vm }): readonly [id: string, probe: Probe] => [
    config.id,
    vm === undefined ? () => Promise.resolve("disabled") : createProbe(() => vm.probe()),
  ]);
  const probeHub = createProbe(() => hubReader.probe());
  const probeAllocator = hub.auroraHttpRpcUrl === undefined ? undefined : createProbe(() => hubReader.probeAllocator());

  const probeAll = async (): Promise<ReadinessReport> => {
    const [states, hubState, allocator] = await Promise.all([
      Promise.all(probes.map(async ([id, probe]) => [id, await probe()] as const)),
      probeHub(),
      probeAllocator?.(),
    ]);
    const isReady = [...states.map(([, state]) => state), hubState, allocator].every(
      (state) => state !== "unreachable",
    );
    const disabled = Object.keys(disabledChains).map((id) => [id, "disabled"] as const);
    const report = { isReady, chains: Object.fromEntries([...states, ...disabled]), hub: hubState, allocator };
    observer.probed(report, clock.now());
    return report;
  };

  let latest: { readonly at: number; readonly report: Promise<ReadinessReport> } | undefined;
  return {
    check() {
      const now = clock.now();
      // Limits the age in both directions, so that a report does not last longer if the clock is set back.
      if (latest === undefined || now >= latest.at + FRESH_MS || now < latest.at)
        latest = { at: now, report: probeAll() };
      return latest.report;
    },
  };
}

/** Shares a pending request instead of sending another. */
function createProbe(read: () => Promise<unknown>): Probe {
  let pending: Promise<Reachability> | undefined;
  return () => {
    pending ??= read()
      .then(
        () => "ok" as const,
        () => "unreachable" as const,
      )
      .finally(() => {
        pending = undefined;
      });
    return withinPatience(pending);
  };
}

function withinPatience(state: Promise<Reachability>): Promise<Reachability> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve("unreachable"), PATIENCE_MS);
    void state.then((value) => {
      clearTimeout(timer);
      resolve(value);
    });
  });
}
