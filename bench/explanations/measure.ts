import { type Address, concat, encodeFunctionData, getAddress, type Hex, parseAbiItem, size, slice } from "viem";

import { type CatalogEntry, type CauseKind, listCatalog } from "../../packages/crosscall/src/replay/causes/catalog.ts";
import { explainFill } from "../../packages/crosscall/src/replay/explain/explainFill.ts";
import { encodeFill, type FillCall } from "../../packages/crosscall/src/replay/fillPlan.ts";
import { prepareTransaction } from "../../packages/crosscall/src/replay/prepare/preparedFill.ts";
import type { Explanation } from "../../packages/crosscall/src/replay/verdict.ts";
import { revertingCode } from "../../test/integration/replay/failures/causeFailures.ts";
import type { PlantedCause } from "../../test/integration/replay/failures/failureCase.ts";
import { explainCase, FAILURE_GROUPS } from "../../test/integration/replay/failures/failureGroups.ts";
import { callOf, type FillFork, rawCall } from "../../test/integration/replay/support/fillFork.ts";
import { encodeText, sampleRevert } from "../../test/unit/crosscall/replay/causes/sampleRevert.ts";

/** A failed fill with a planted cause, and its explanation. */
export interface ExplanationRow {
  /** `cases`: real contracts; `catalog`: errors of other projects; `controls`: errors that nothing explains. */
  readonly part: "cases" | "catalog" | "controls";
  readonly name: string;
  readonly planted: PlantedCause;
  readonly explained: CauseKind | "unknown";
  readonly isCertain: boolean;
  readonly cause: string;
}

const PLACE: Address = getAddress("0x00000000000000000000000000000000000005d1");

/** Function of no listed project. */
const PLAIN = "function poke(uint256 argument)";

const RELAY = "function relay(address to, bytes data) payable";

/** One of this many entries is also tried inside another contract, and as a control. */
const SAMPLE = 10;

const NOWHERE = { selectors: new Set<string>(), addresses: new Set<string>() };

/** Runs and explains all failures. One network serves all. */
export async function measureExplanations(world: FillFork): Promise<readonly ExplanationRow[]> {
  const rows: ExplanationRow[] = [];
  for (const [group, cases] of Object.entries(FAILURE_GROUPS)) {
    for (const failure of cases) {
      const { verdict } = await explainCase(world, failure);
      const explanation = verdict.outcome === "success" ? undefined : verdict.explanation;
      rows.push(toRow("cases", `${group}: ${failure.name}`, failure.cause, explanation));
    }
  }
  const relay = await world.deploy("mocks/Target");
  for (const [position, entry] of listCatalog().entries()) {
    const name = `${entry.project}: ${entry.key}`;
    const data = sampleRevert(entry);
    rows.push(toRow("catalog", name, entry.kind, await explainRevert(world, data, entry)));
    if (position % SAMPLE !== 0) continue;
    const inside = await explainRevert(world, data, entry, relay);
    rows.push(toRow("catalog", `${name}, inside another contract`, entry.kind, inside));
  }
  for (const { name, data } of controls()) {
    rows.push(toRow("controls", name, "unknown", await explainRevert(world, data)));
  }
  return rows;
}

function toRow(
  part: ExplanationRow["part"],
  name: string,
  planted: PlantedCause,
  { kind, isCertain, cause }: Explanation = { kind: "unknown", isCertain: false, cause: "", source: undefined },
): ExplanationRow {
  return { part, name, planted, explained: kind, isCertain, cause };
}

/** Explains a fill whose call reverts with the data, in a contract like those of the entry's project. */
async function explainRevert(
  { fork, plan }: FillFork,
  data: Hex,
  { selectors, addresses }: Pick<CatalogEntry, "selectors" | "addresses"> = NOWHERE,
  relay?: Address,
): Promise<Explanation | undefined> {
  return fork.isolate(async () => {
    const [place = PLACE] = [...addresses].map((address) => getAddress(address));
    await fork.request("hardhat_setCode", [place, revertingCode(data)]);
    const [selector] = selectors;
    const call: FillCall =
      selector === undefined ? callOf(place, PLAIN, 7n) : rawCall(place, concat([selector as Hex, zeros(8)]));
    const relayed = relay === undefined ? call : callOf(relay, RELAY, call.to, call.data);
    const failing = plan([relayed]);
    const prepared = await prepareTransaction(fork, encodeFill(failing, 0n));
    const verdict = await explainFill({ prepared, plan: failing });
    return verdict.outcome === "success" ? undefined : verdict.explanation;
  });
}

function zeros(words: number): Hex {
  return `0x${"00".repeat(32 * words)}`;
}

interface Control {
  readonly name: string;
  readonly data: Hex;
}

/** Errors that resemble listed ones: other arguments, missing arguments, and other texts. */
function controls(): readonly Control[] {
  return listCatalog().flatMap((entry, position): Control[] => {
    if (position % SAMPLE !== 0) return [];
    const { key } = entry;
    if (key.startsWith('"')) {
      const text = key.slice(1, -1).replaceAll("*", "7");
      // Patterns accept any text at their end.
      return key.endsWith('*"') ? [] : [{ name: `"${text}" in another text`, data: encodeText(`Own: ${text}; or so`) }];
    }
    const data = sampleRevert(entry);
    const name = key.slice(0, key.indexOf("("));
    const other = encodeFunctionData({
      abi: [parseAbiItem(`function ${name}(uint72 own, bytes3[] values)`)],
      args: [7n, []],
    });
    return [
      { name: `${name} with other arguments`, data: other },
      ...(size(data) > 4 ? [{ name: `${name} without its arguments`, data: slice(data, 0, 4) }] : []),
    ];
  });
}
