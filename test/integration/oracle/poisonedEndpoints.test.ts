import { readFile } from "node:fs/promises";

import { expect } from "chai";
import { type Address, encodeFunctionData, type Hex, toHex, zeroAddress, zeroHash } from "viem";
import { getBlock } from "viem/actions";

import { localAccounts } from "../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import type { Oracle } from "../../../packages/oracle/src/startOracle.ts";
import { executeWithdrawal } from "../support/executeWithdrawal.ts";
import { LyingRpc } from "../support/lyingRpc.ts";
import { ask, CHAIN, type OracleNetwork, startOracleNetwork, startTestOracle } from "../support/oracleNetwork.ts";
import { encodeEvmWithdrawal } from "../../../packages/protocol/src/attestation/index.ts";
import { depositoryAbi } from "../../../packages/protocol/src/abi/service.generated.ts";

const DEPOSITS = "/attestations/depository-deposits/v1";
const WITHDRAWALS = "/attestations/depository-withdrawals/v1";
const FINALITY = { finalizationBlocks: 3, finalizationTime: 6 };
const LIE_ATTEMPTS = 20;
const AGREEMENTS = [1, 2, 3] as const;
const ENDPOINTS = 3;
const FIELDS = ["amounts", "calls", "times", "heights"] as const;
const ID: Hex = `0x${"c1".repeat(32)}`;
const { user, stranger } = localAccounts;

type Field = (typeof FIELDS)[number];
type Role = "honest" | "liar" | "down";
/** Data that the oracle signs: an honest endpoint's data, no data, or other data. */
type Outcome = "correct" | "nothing" | "wrong";
type Lie = NonNullable<LyingRpc["lie"]>;

/** A change to the responses of all dishonest endpoints, and the requests that read these responses. */
interface Drill {
  readonly lie: Lie;
  /** Each lie uses its own transactions, because an oracle caches data that it reads. */
  readonly requests: readonly { readonly path: string; readonly body: object }[];
}

/** Execution in each response, or undefined if the response has no signature. */
type Signed = readonly (string | undefined)[];

/** Returns all assignments of roles to endpoints. */
function assignments(roles: readonly Role[], count = ENDPOINTS): readonly (readonly Role[])[] {
  if (count === 0) return [[]];
  return assignments(roles, count - 1).flatMap((others) => roles.map((role) => [role, ...others]));
}

describe("an oracle with colluding endpoints", () => {
  let network: OracleNetwork;
  let endpoints: readonly LyingRpc[];
  let drills: Readonly<Record<Field, Drill>>;
  let truths: Readonly<Record<Field, Signed>>;
  before(async () => {
    network = await startOracleNetwork();
    endpoints = await Promise.all(Array.from({ length: ENDPOINTS }, () => LyingRpc.start(network.rpcUrl)));
    const deposit = (value: bigint, id: Hex): Promise<Hex> =>
      network.send({
        to: network.contracts.depository,
        data: encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args: [user.address, id] }),
        value,
      });
    const recipient = stranger.address.toLowerCase() as Address;
    const [paid, dated, final] = [await deposit(5n, zeroHash), await deposit(5n, ID), await deposit(5n, zeroHash)];
    const { timestamp } = await getBlock(network.client);
    const withdrawal = {
      calls: [{ to: recipient, data: "0x" as const, value: 1n, allowFailure: false }],
      nonce: 1n,
      expiration: timestamp + 30n,
    };
    await executeWithdrawal(network, withdrawal);
    await network.mine(4, 100);
    const recent = await deposit(7n, zeroHash);
    const depositsOf = (transactionId: Hex) => ({ path: DEPOSITS, body: { chainId: CHAIN, transactionId } });
    const withdrawalAddressRequest = {
      chainId: CHAIN,
      currency: zeroAddress,
      withdrawer: user.address,
      withdrawerChainId: CHAIN,
      recipient,
      withdrawalNonce: zeroHash,
    };
    const [five, other] = [5n, 500n].map((amount) => toHex(amount, { size: 32 }).slice(2)) as [string, string];
    drills = {
      amounts: {
        lie: (method, result) =>
          method === "eth_getTransactionReceipt"
            ? (JSON.parse(JSON.stringify(result).replaceAll(five, other)) as unknown)
            : result,
        requests: [depositsOf(paid)],
      },
      // The withdrawal was paid out and has since expired. If an endpoint reports "not executed", the oracle would
      // return the balance a second time.
      calls: {
        lie: (method, result) => (method === "eth_call" ? zeroHash : result),
        requests: [
          {
            path: WITHDRAWALS,
            body: { chainId: CHAIN, withdrawal: encodeEvmWithdrawal(withdrawal), withdrawalAddressRequest },
          },
        ],
      },
      // A deposit's time is part of the account that it is credited to.
      times: {
        lie: (method, result, [block]) =>
          method === "eth_getBlockByNumber" && block !== "latest" ? shifted(result, "timestamp", -1_000n) : result,
        requests: [depositsOf(dated)],
      },
      // The first transaction is final, and the second is not.
      heights: {
        lie: (method, result, [block]) =>
          method === "eth_getBlockByNumber" && block === "latest"
            ? shifted(shifted(result, "number", 1_000n), "timestamp", 9_000n)
            : result,
        requests: [depositsOf(final), depositsOf(recent)],
      },
    };
    truths = await withOracle(1, async (oracle) => ({
      amounts: await signedBy(oracle, drills.amounts),
      calls: await signedBy(oracle, drills.calls),
      times: await signedBy(oracle, drills.times),
      heights: await signedBy(oracle, drills.heights),
    }));
    const count = Object.values(truths).map((signed) => signed.filter((execution) => execution !== undefined).length);
    expect(count).to.deep.equal([1, 1, 1, 1]);
  });
  after(async () => {
    await Promise.all(endpoints.map((endpoint) => endpoint.close()));
    await network.close();
  });

  async function withOracle<Value>(rpcAgreement: number, use: (oracle: Oracle) => Promise<Value>): Promise<Value> {
    const [first, ...others] = endpoints.map(({ url }) => url);
    // The clock advances with each call, so the oracle never uses its cached latest block.
    let now = 0;
    await using oracle = await startTestOracle(network, {
      rpcUrl: first!,
      additionalData: { ...FINALITY, rpcUrls: others, rpcAgreement },
      clock: { now: () => (now += 10_000) },
    });
    return await use(oracle);
  }

  async function signedBy(oracle: Oracle, { requests }: Drill): Promise<Signed> {
    const signed: (string | undefined)[] = [];
    for (const { path, body } of requests) {
      const { body: answer } = await ask<{ readonly execution?: object }>(oracle, path, body);
      signed.push(answer.execution === undefined ? undefined : JSON.stringify(answer.execution));
      if (answer.execution === undefined) expect(JSON.stringify(answer)).not.to.include("signature");
    }
    return signed;
  }

  function measure(agreement: number, roles: readonly Role[]): Promise<ReadonlyMap<Field, Outcome>> {
    return withOracle(agreement, async (oracle) => {
      const outcomes = new Map<Field, Outcome>();
      for (const field of FIELDS) {
        for (const [index, endpoint] of endpoints.entries()) {
          endpoint.lie = roles[index] === "liar" ? drills[field].lie : undefined;
          endpoint.fault = roles[index] === "down" ? "down" : undefined;
        }
        let outcome: Outcome = "nothing";
        // The oracle ignores a lie that arrives late, so several attempts can be necessary even with enough liars.
        const isEnough = agreement > 1 && liarsOf(roles) >= agreement;
        for (let attempt = 0; attempt < (isEnough ? LIE_ATTEMPTS : 1) && outcome !== "wrong"; attempt += 1) {
          outcome = outcomeOf(await signedBy(oracle, drills[field]), truths[field]);
        }
        outcomes.set(field, outcome);
      }
      return outcomes;
    });
  }

  it("signs the data that the table in the documentation states", async () => {
    const rows: string[][] = [];
    for (const agreement of AGREEMENTS) {
      const seen = FIELDS.map(() => Array.from({ length: ENDPOINTS + 1 }, () => new Set<Outcome>()));
      for (const roles of assignments(["honest", "liar"])) {
        const outcomes = await measure(agreement, roles);
        for (const [index, field] of FIELDS.entries()) seen[index]![liarsOf(roles)]!.add(outcomes.get(field)!);
      }
      const fieldsOf = new Map<string, Field[]>();
      for (const [index, field] of FIELDS.entries()) {
        const key = JSON.stringify(seen[index]!.map((outcomes) => [...outcomes].toSorted().join(" or ")));
        fieldsOf.set(key, [...(fieldsOf.get(key) ?? []), field]);
      }
      for (const [key, fields] of fieldsOf) {
        const about = fields.length === FIELDS.length ? "anything" : fields.join(", ");
        rows.push([agreement.toString(), about, ...(JSON.parse(key) as string[])]);
      }
    }
    expect(await documentedRows()).to.deep.equal(rows);
  });

  it("signs nothing false with fewer dishonest endpoints than the agreement requires, even if other endpoints are down", async () => {
    for (const agreement of AGREEMENTS) {
      for (const roles of assignments(["honest", "liar", "down"])) {
        const liars = liarsOf(roles);
        if (!roles.includes("down") || liars === 0 || liars >= agreement) continue;
        for (const [field, outcome] of await measure(agreement, roles)) {
          expect(outcome, `${field}, ${agreement} of ${roles.join(", ")}`).not.to.equal("wrong");
        }
      }
    }
  });
});

function liarsOf(roles: readonly Role[]): number {
  return roles.filter((role) => role === "liar").length;
}

function outcomeOf(signed: Signed, truth: Signed): Outcome {
  if (signed.some((execution, index) => execution !== undefined && execution !== truth[index])) return "wrong";
  return signed.some((execution) => execution !== undefined) ? "correct" : "nothing";
}

function shifted(block: unknown, field: string, by: bigint): unknown {
  const value: unknown = typeof block === "object" && block !== null ? Reflect.get(block, field) : undefined;
  return typeof value === "string" ? { ...(block as object), [field]: toHex(BigInt(value) + by) } : block;
}

/** Returns the cells of the documentation's table, without the header. */
async function documentedRows(): Promise<string[][]> {
  const text = await readFile(new URL("../../../docs/oracle.md", import.meta.url), "utf8");
  const [, table = ""] = /\n\| `rpcAgreement` +\| wrong data[^\n]*\n\|[-| ]+\|\n((?:\|[^\n]*\n)+)/u.exec(text) ?? [];
  const lines = table.split("\n").filter((line) => line !== "");
  return lines.map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
