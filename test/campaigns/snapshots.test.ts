import { expect } from "chai";

import { localnet } from "../../packages/crosscall/src/localnet/index.ts";
import { countFills } from "../integration/support/heldFills.ts";
import { createSender, endOf, quoteDollars, requestIdOf } from "../integration/support/scenarioRuns.ts";
import { inputs } from "../support/inputs.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { seededRandom } from "./crash/orders.ts";

const POINTS = inputs(6);
const SEED = 1;

/** Longer than a fill takes on an idle machine, so that some snapshots are taken after the fill. */
const LONGEST_WAIT_MS = 150;

describe("snapshots at random points of a request", () => {
  const network = useNetwork({ logLevel: "error" });
  const random = seededRandom(SEED);

  for (let point = 1; point <= POINTS; ++point) {
    it(`allow all requests to complete after a snapshot at point ${point}`, async () => {
      const send = createSender(network);
      const quotes = await Promise.all([quoteDollars(network), quoteDollars(network), quoteDollars(network)]);
      const sent = Promise.all(quotes.map(send));
      await new Promise((resolve) => setTimeout(resolve, random() * LONGEST_WAIT_MS));
      const from = await network.snapshot();
      await sent;
      await using copy = await localnet({ keepsRetired: true, from, logLevel: "error" });
      // The copy lacks deposits made after the snapshot, so the user repeats them. Deposits and fills are compared
      // by order.
      const waiting = [];
      for (const quote of quotes) if ((await countFills(copy.chains[0], quote)) === 0) waiting.push(quote);
      await Promise.all(waiting.map(createSender(copy)));
      for (const one of [network, copy]) {
        for (const quote of quotes) {
          expect((await endOf(one, requestIdOf(quote))).status).to.equal("success");
          expect(await countFills(one.chains[1], quote)).to.equal(1);
        }
      }
    });
  }
});
