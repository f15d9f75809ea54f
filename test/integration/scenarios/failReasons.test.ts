import { expect } from "chai";

import type { Quote } from "../../../packages/protocol/src/complete.ts";
import { SCENARIOS } from "../../../packages/crosscall/src/localnet/scenarios/catalogue.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { dollarsOf, reader } from "../support/parties.ts";
import { childOf, createSender, DEPOSIT, endOf, quoteDollars, reaches, requestIdOf } from "../support/scenarioRuns.ts";
import { recordOf, recordV2Of } from "../support/serviceCalls.ts";

/** Maximum number of concurrent runs. Each run sends a few requests to chains and the service. */
const AT_ONCE = 8;

/** Scenario without a refund, because the deposit no longer exists. */
const REORGED = "DEPOSIT_REORGED";

/** Time longer than the timeout of any deposit. */
const DAY_MS = 86_400_000;

interface Outcome {
  readonly quote: Quote;
  /** Id of the request with this outcome. */
  readonly id: string;
  readonly end: Awaited<ReturnType<typeof endOf>>;
}

describe("each scenario that ends a request", () => {
  const network = useNetwork();
  let untouched: bigint;
  const outcomes = new Map<string, Outcome>();

  before(async () => {
    untouched = await reader(network.chains[0]).getBalance({ address: network.accounts.stranger.address });
    const send = createSender(network);
    const waiting = SCENARIOS.filter(
      ({ name, family }) => (family === "failReason" && name !== REORGED) || family === "refundFailReason",
    );
    const work = async (): Promise<void> => {
      for (let scenario = waiting.shift(); scenario !== undefined; scenario = waiting.shift()) {
        const quote = await quoteDollars(network, { referrer: `scenario:${scenario.name}` });
        await send(quote);
        const requestId = requestIdOf(quote);
        const end = await endOf(network, requestId);
        // A request that is paid twice is filled, and the second payment is refunded in a child request.
        const id = scenario.name === "DOUBLE_SPEND" ? await childOf(network, requestId) : requestId;
        outcomes.set(scenario.name, { quote, id, end: id === requestId ? end : await endOf(network, id) });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    // Runs last, because it undoes concurrent transactions on its chain.
    const reorged = await quoteDollars(network, { referrer: `scenario:${REORGED}` });
    await send(reorged);
    const id = requestIdOf(reorged);
    await reaches(network, id, "depositing");
    network.clock.setOffset(DAY_MS);
    outcomes.set(REORGED, { quote: reorged, id, end: await endOf(network, id) });
    // Version 2 of the listing is available until the end of August.
    network.clock.set(Date.UTC(2026, 7, 1));
  });

  it("refunds the exact amount of each deposit once", async () => {
    // One deposit was half the amount, one equaled a fee, one was one dollar, one was on the other chain, and one
    // reverted.
    const whole = BigInt(SCENARIOS.filter(({ family }) => family === "failReason").length - 5);
    const fee = BigInt(outcomes.get("NEGATIVE_NEW_AMOUNT_AFTER_FEES")!.quote.fees.relayerGas.amount);
    const [origin, destination] = network.chains;
    const { address } = network.accounts.stranger;
    expect(await reader(origin).getBalance({ address })).to.equal(untouched + whole * DEPOSIT + DEPOSIT / 2n + fee);
    expect(await reader(destination).getBalance({ address })).to.equal(untouched + DEPOSIT);
    expect(await dollarsOf(origin, address)).to.equal(1_000_000n);
  });

  for (const scenario of SCENARIOS) {
    if (scenario.family !== "failReason" || scenario.name === REORGED) continue;
    it(`ends in a refund for ${scenario.name}`, async () => {
      const { id, end } = outcomes.get(scenario.name)!;
      expect([end.status, end.details?.split(":")[0]]).to.deep.equal(["refund", scenario.name]);

      const record = await recordOf(network, id);
      expect(record.status).to.equal("refund");
      expect(record.data).to.include({ failReason: scenario.name, refundFailReason: null });
      expect(record.protocol?.settlement?.destination?.fills).to.deep.equal([]);
      expect(record.protocol?.settlement?.destination?.refunds).to.have.length(1);

      const recordV2 = await recordV2Of(network, id);
      expect(recordV2.status).to.equal("refund");
      expect(recordV2.data).to.include({ failReason: scenario.name, refundFailReason: "N/A" });
    });
  }

  it(`ends in a failure for ${REORGED}, because the deposit does not reappear`, async () => {
    const { id, end } = outcomes.get(REORGED)!;
    expect([end.status, end.details?.split(":")[0]]).to.deep.equal(["failure", REORGED]);
    const record = await recordOf(network, id);
    expect(record.status).to.equal("failure");
    expect(record.data).to.include({ failReason: REORGED, refundFailReason: null });
    expect(record.protocol?.settlement?.destination).to.deep.equal({ fills: [], refunds: [] });
    const recordV2 = await recordV2Of(network, id);
    expect(recordV2.data).to.include({ failReason: REORGED, refundFailReason: "N/A" });
  });

  for (const scenario of SCENARIOS) {
    if (scenario.family !== "refundFailReason") continue;
    it(`ends in a failure without a refund for ${scenario.name}`, async () => {
      const { id, end } = outcomes.get(scenario.name)!;
      const failReason = scenario.how === "chain" ? "NEGATIVE_NEW_AMOUNT_AFTER_FEES" : "MANUAL_ADMIN_REFUND";
      const refundFailReason = scenario.name.replace("refund:", "");
      expect(end.status).to.equal("failure");

      const record = await recordOf(network, id);
      expect(record.status).to.equal("failure");
      expect(record.data).to.include({ failReason, refundFailReason });
      expect(record.protocol?.settlement?.destination).to.deep.equal({ fills: [], refunds: [] });

      const recordV2 = await recordV2Of(network, id);
      expect(recordV2.status).to.equal("failure");
      // Version 2 lacks a reason that the live service added after deprecating v2.
      const inV2 = refundFailReason === "MANUAL_REFUND_REQUIRED" ? "N/A" : refundFailReason;
      expect(recordV2.data).to.include({ failReason, refundFailReason: inV2 });
    });
  }
});
