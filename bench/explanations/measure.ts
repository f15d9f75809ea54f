import { type Address, concat, encodeFunctionData, getAddress, type Hex, parseAbiItem, size, slice } from "viem";

import {
  type CatalogEntry,
  type CauseKind,
  describeEntry,
  findEntries,
  listCatalog,
} from "../../packages/crosscall/src/replay/causes/catalog.ts";
import { explainFill } from "../../packages/crosscall/src/replay/explain/explainFill.ts";
import { encodeFill, type FillCall } from "../../packages/crosscall/src/replay/fillPlan.ts";
import { prepareTransaction } from "../../packages/crosscall/src/replay/prepare/preparedFill.ts";
import {
  describeCondition,
  type Explanation,
  type FailedCondition,
  type Verdict,
} from "../../packages/crosscall/src/replay/verdict.ts";
import { passingCode, revertingCode } from "../../test/integration/replay/failures/causeFailures.ts";
import type { PlantedCause } from "../../test/integration/replay/failures/failureCase.ts";
import { explainCase, FAILURE_GROUPS } from "../../test/integration/replay/failures/failureGroups.ts";
import { callOf, type FillFork, rawCall } from "../../test/integration/replay/support/fillFork.ts";
import { encodeText, sampleRevert } from "../../test/unit/crosscall/replay/causes/sampleRevert.ts";

/** A failed fill with a planted cause, and its explanation. */
export interface ExplanationRow {
  /**
   * `cases`: real contracts; `catalog`: errors of other projects; `foreign`: the same errors, raised by unknown contracts
   * for other reasons; `controls`: errors that nothing explains.
   */
  readonly part: "cases" | "catalog" | "foreign" | "controls";
  readonly name: string;
  readonly planted: PlantedCause;
  readonly explained: CauseKind | "unknown";
  readonly isCertain: boolean;
  readonly cause: string;
  /** Whether the cause names what was planted; for a foreign contract, whether it marks the project's meaning as uncertain. */
  readonly isSaid: boolean;
}

const PLACE: Address = getAddress("0x00000000000000000000000000000000000005d1");

const FOREIGN: Address = getAddress("0x00000000000000000000000000000000000005d2");

/** Function of no listed project. */
const PLAIN = "function poke(uint256 argument)";

const RELAY = "function relay(address to, bytes data) payable";

/** One of this many entries is also tried inside another contract, and as a control. */
const SAMPLE = 10;

const NOWHERE = { selectors: new Set<string>(), addresses: new Set<string>() };

/** Start of an explanation if the meaning of an error depends on its contract. */
const DOUBT = /^(?:if the contract is from|in) [A-Z0-9a-z]/u;

/** Runs and explains all failures. One network serves all. */
export async function measureExplanations(world: FillFork): Promise<readonly ExplanationRow[]> {
  const rows: ExplanationRow[] = [];
  for (const [group, cases] of Object.entries(FAILURE_GROUPS)) {
    for (const failure of cases) {
      const { verdict } = await explainCase(world, failure);
      const isSaid = (cause: string): boolean => failure.says?.test(cause) ?? true;
      rows.push(toRow("cases", `${group}: ${failure.name}`, failure.cause, verdict, isSaid));
    }
  }
  const relay = await world.deploy("mocks/Target");
  for (const [position, entry] of listCatalog().entries()) {
    const name = `${entry.project}: ${entry.key}`;
    const data = sampleRevert(entry);
    const isSaid = (cause: string, condition?: FailedCondition): boolean =>
      cause.includes(describeSample(entry, data)) || (condition !== undefined && isStated(cause, condition));
    rows.push(toRow("catalog", name, entry.kind, await explainRevert(world, data, entry), isSaid));
    if (position % SAMPLE === 0) {
      const call = await explainRevert(world, data, entry, (inner) => callOf(relay, RELAY, inner.to, inner.data));
      rows.push(toRow("catalog", `${name}, inside another contract`, entry.kind, call, isSaid));
    }
    if (entry.isGeneral) continue;
    const foreign = await explainRevert(world, data);
    rows.push(toRow("foreign", name, "unknown", foreign, (cause) => DOUBT.test(cause)));
    const called = await explainForeign(world, data, entry);
    rows.push(toRow("foreign", `${name}, called by ${entry.project}`, "unknown", called, (cause) => DOUBT.test(cause)));
  }
  for (const { name, data } of controls()) {
    rows.push(toRow("controls", name, "unknown", await explainRevert(world, data), () => true));
  }
  return rows;
}

function describeSample(entry: CatalogEntry, data: Hex): string {
  const text = entry.key.startsWith('"') ? entry.key.slice(1, -1).replaceAll("*", "7") : undefined;
  const found = findEntries(data, text, { contract: PLACE, selectors: [...entry.selectors] as Hex[] });
  const own = found.find((each) => each.entry === entry);
  return own === undefined ? entry.cause : describeEntry(own);
}

function isStated(cause: string, condition: FailedCondition): boolean {
  return cause.endsWith(describeCondition(condition));
}

function toRow(
  part: ExplanationRow["part"],
  name: string,
  planted: PlantedCause,
  verdict: Verdict,
  isSaid: (cause: string, condition?: FailedCondition) => boolean,
): ExplanationRow {
  const { explanation, condition } = verdict.outcome === "success" ? NOT_FAILED : verdict;
  const { kind, isCertain, cause } = explanation ?? UNEXPLAINED;
  return { part, name, planted, explained: kind, isCertain, cause, isSaid: isSaid(cause, condition) };
}

const UNEXPLAINED: Explanation = { kind: "unknown", isCertain: false, cause: "", source: undefined };
const NOT_FAILED = { explanation: UNEXPLAINED, condition: undefined };

type Places = Pick<CatalogEntry, "selectors" | "addresses">;

/** Explains a fill whose call reverts with the data, in a contract like those of the entry's project. */
async function explainRevert(
  { fork, plan }: FillFork,
  data: Hex,
  places: Places = NOWHERE,
  around: (call: FillCall) => FillCall = (call) => call,
): Promise<Verdict> {
  return fork.isolate(async () => {
    const call = callIn(places);
    await fork.request("hardhat_setCode", [call.to, revertingCode(data)]);
    return explainCall({ fork, plan }, around(call));
  });
}

/** Explains a fill in which a contract like those of the entry's project calls a foreign one, which reverts with the data. */
async function explainForeign({ fork, plan }: FillFork, data: Hex, entry: CatalogEntry): Promise<Verdict> {
  return fork.isolate(async () => {
    const call = callIn(entry);
    await fork.request("hardhat_setCode", [FOREIGN, revertingCode(data)]);
    await fork.request("hardhat_setCode", [call.to, passingCode(FOREIGN)]);
    return explainCall({ fork, plan }, call);
  });
}

/** Returns a call of a function of the project, at its address if it has one. */
function callIn({ selectors, addresses }: Places): FillCall {
  const [place = PLACE] = [...addresses].map((address) => getAddress(address));
  const [selector] = selectors;
  return selector === undefined ? callOf(place, PLAIN, 7n) : rawCall(place, concat([selector as Hex, zeros(8)]));
}

async function explainCall({ fork, plan }: Pick<FillFork, "fork" | "plan">, call: FillCall): Promise<Verdict> {
  const failing = plan([call]);
  const prepared = await prepareTransaction(fork, encodeFill(failing, 0n));
  return explainFill({ prepared, plan: failing });
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
