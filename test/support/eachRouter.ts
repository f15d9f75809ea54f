import { expect } from "chai";
import type { ContractTransactionResponse } from "ethers";

import {
  DEFAULT_ROUTER,
  LOCAL_ROUTER_VERSIONS,
  type LocalRouterVersion,
} from "../../packages/protocol/src/generations/routers.ts";
import { readArtifact } from "../../packages/crosscall/src/artifacts.ts";
import { CONTRACT_SOURCES } from "../../packages/crosscall/src/localnet/devchain/published.ts";

/** Caches the routers' code, because reading an artifact takes as long as a fill. */
const codes = new Map<LocalRouterVersion, string>();

/** Chain on which a test runs. */
interface Chain {
  readonly provider: { request(call: { method: string; params: readonly unknown[] }): Promise<unknown> };
  readonly networkHelpers: {
    takeSnapshot(): Promise<{ restore(): Promise<void> }>;
    readonly time: { latest(): Promise<number>; setNextBlockTimestamp(timestamp: number): Promise<void> };
  };
}

/**
 * Sends a fill to each version of the local router, at the same address and time. All versions must fail with the
 * same error, or cause the same events in other contracts. Keeps the newest version's fill.
 *
 * @param router address of a local router of any version
 */
export async function sendToEachRouter(
  { provider, networkHelpers }: Chain,
  router: string,
  send: () => Promise<ContractTransactionResponse>,
): Promise<ContractTransactionResponse> {
  const { time } = networkHelpers;
  const timestamp = (await time.latest()) + 1;
  const sendTo = async (version: LocalRouterVersion): Promise<ContractTransactionResponse> => {
    await provider.request({ method: "hardhat_setCode", params: [router, codeOf(version)] });
    await time.setNextBlockTimestamp(timestamp);
    return send();
  };

  const [oldest = DEFAULT_ROUTER, ...newer] = LOCAL_ROUTER_VERSIONS;
  const snapshot = await networkHelpers.takeSnapshot();
  let sent = sendTo(oldest);
  const outcome = await outcomeOf(sent, router);
  for (const version of newer) {
    await snapshot.restore();
    sent = sendTo(version);
    expect(await outcomeOf(sent, router), `with router ${version}`).to.deep.equal(outcome);
  }
  return sent;
}

function codeOf(version: LocalRouterVersion): string {
  const code = codes.get(version) ?? readArtifact(CONTRACT_SOURCES[`router ${version}`]).deployedBytecode;
  codes.set(version, code);
  return code;
}

/** Returns the error, or the events of contracts other than the router. */
async function outcomeOf(sent: Promise<ContractTransactionResponse>, router: string): Promise<unknown> {
  try {
    const receipt = await (await sent).wait();
    return receipt?.logs
      .filter(({ address }) => address !== router)
      .map(({ address, topics, data }) => ({ address, topics, data }));
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
}
