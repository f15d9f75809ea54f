import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect } from "chai";
import { type Abi, type Address, encodeDeployData, getContractAddress, type Hex, keccak256 } from "viem";

import type { DeploymentRecord } from "../../../../../packages/crosscall/src/commands/deploy/record.ts";
import { planDeployment } from "../../../../../packages/crosscall/src/commands/deploy/plan.ts";
import {
  compareWithRelease,
  planRelease,
  readRelease,
} from "../../../../../packages/crosscall/src/commands/deploy/release.ts";
import { VM_TYPE_BY_CHAIN_ID } from "../../../../../packages/protocol/src/chains/families/vmTypes.ts";
import { caught } from "../../../../support/rejection.ts";

const ROOT = fileURLToPath(new URL("../../../../../", import.meta.url));

/** Excludes the kit's constants, which are used to check the records. */
const FACTORY: Address = "0x4e59b44847b379578588920cA78FbF26c0B4956C";
const SALT: Hex = "0x0000000000000000000000000000000000000000000000000000000000000000";
const OTHER: Address = "0x1111111111111111111111111111111111111111";
const RECEIVER_ARGUMENTS = {
  solver: "0xf70da97812CB96acDF810712Aa562db8dfA3dbEF",
  depository: "0x4cD00E387622C35bDDB9b4c962C136462338BC31",
  permit2: "0x000000000022D473030F116dDEE9F6B43aC78BA3",
  policy: "0x0000000000000000000000000000000000000000",
};

/** Chains with a VM that derives addresses differently. */
const ZK_STACK = [232, 324, 2_741, 543_210];
const WITHOUT_TRANSIENT_STORAGE = [1_101, 167_000];

/** Chains on which the service uses other contracts. */
const OTHER_DEPOSITORY = "0x59916DA825D2D2eC1BF878D71c88826F6633ecca";
const OTHER_SERVICE = [25, 1_088, 2_911, 5_000, 59_144];
const TESTNET_DEPOSITORY = "0x5Feab8dB4534F9F7E2669Bb260c57a01aD1c12e3";
const TESTNETS = [84_532, 11_155_111];

const readJson = async (path: string): Promise<unknown> => JSON.parse(await readFile(join(ROOT, path), "utf8"));

async function releaseOf(chainId: number): Promise<DeploymentRecord> {
  const record = await readRelease(chainId);
  if (record === undefined) throw new Error(`the release has no record of chain ${chainId}`);
  return record;
}

/** Returns the record entry for a contract of this build, without its deployment status. */
async function recompute(path: string, args: Readonly<Record<string, string>>, parent?: Address) {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const { abi, bytecode, buildInfoId } = (await readJson(`artifacts/contracts/${path}.sol/${name}.json`)) as {
    readonly abi: Abi;
    readonly bytecode: Hex;
    readonly buildInfoId: string;
  };
  const { solcLongVersion, input } = (await readJson(`artifacts/build-info/${buildInfoId}.json`)) as {
    readonly solcLongVersion: string;
    readonly input: { settings: { evmVersion: string; viaIR: boolean; optimizer: { runs: number } } };
  };
  const { evmVersion, viaIR, optimizer } = input.settings;
  const code = encodeDeployData({ abi, bytecode, args: Object.values(args) });
  return {
    contract: `contracts/${path}.sol:${name}`,
    address:
      parent === undefined
        ? getContractAddress({ opcode: "CREATE2", from: FACTORY, salt: SALT, bytecodeHash: keccak256(code) })
        : getContractAddress({ from: parent, nonce: 1n }),
    creator: parent ?? FACTORY,
    arguments: args,
    creationCodeHash: keccak256(code),
    compiler: { version: solcLongVersion, evmVersion, viaIR, optimizerRuns: optimizer.runs },
  };
}

describe("the release's deployment records", () => {
  it("contain, for every EVM chain, the addresses, code hashes, arguments and compiler of this build", async () => {
    const chainIds = [...VM_TYPE_BY_CHAIN_ID].flatMap(([id, vmType]) => (vmType === "evm" ? [id] : []));
    const others = [...ZK_STACK, ...WITHOUT_TRANSIENT_STORAGE, ...OTHER_SERVICE, ...TESTNETS];
    const usual = chainIds.filter((id) => !others.includes(id));
    expect(usual).to.include.members([1, 10, 8_453, 42_161, 31_337]);
    // The contract's arguments include no router, so its address does not depend on a chain's routers.
    const executor = await recompute("executor/PushExecutor", {});
    for (const [chains, depository] of [
      [usual, RECEIVER_ARGUMENTS.depository],
      [OTHER_SERVICE, OTHER_DEPOSITORY],
      [TESTNETS, TESTNET_DEPOSITORY],
    ] as const) {
      const expected = {
        PushExecutor: executor,
        "PushExecutor.LivePuller": await recompute("executor/LivePuller", {}, executor.address),
        RequestReceiver: await recompute("receiver/RequestReceiver", { ...RECEIVER_ARGUMENTS, depository }),
      };
      for (const chainId of chains) {
        const record = await releaseOf(chainId);
        expect(record).to.include({ chainId, factory: FACTORY, salt: SALT });
        for (const [name, facts] of Object.entries(expected)) expect(record.contracts[name]).to.deep.include(facts);
      }
    }
  });

  it("use the second build on chains without transient storage", async () => {
    for (const chainId of WITHOUT_TRANSIENT_STORAGE) {
      const { PushExecutor: executor, RequestReceiver: receiver } = (await releaseOf(chainId)).contracts;
      expect(executor).to.deep.include({ arguments: {} });
      expect(receiver).to.deep.include({ arguments: { ...RECEIVER_ARGUMENTS, depository: OTHER_DEPOSITORY } });
      for (const entry of [executor, receiver]) expect(entry?.compiler).to.include({ evmVersion: "london" });
    }
  });

  it("report no code at an address that is only computed", async () => {
    for (const [chainId, vmType] of VM_TYPE_BY_CHAIN_ID) {
      if (vmType !== "evm" || ZK_STACK.includes(chainId)) continue;
      for (const { state, block, bytecodeHash } of Object.values((await releaseOf(chainId)).contracts)) {
        if (state === "computed") expect([block, bytecodeHash]).to.deep.equal([null, null]);
        else expect([state, bytecodeHash]).to.deep.equal(["deployed", String(bytecodeHash)]);
      }
    }
  });
});

describe("compareWithRelease", () => {
  it("accepts the release's values", async () => {
    expect(compareWithRelease(10, planRelease(10), await releaseOf(10))).to.deep.equal([]);
  });

  for (const [field, change] of [
    ["factory", (record: DeploymentRecord) => ({ ...record, factory: OTHER })],
    ["salt", (record: DeploymentRecord) => ({ ...record, salt: `0x${"01".repeat(32)}` })],
    ...(
      [
        ["RequestReceiver", "address"],
        ["RequestReceiver", "creator"],
        ["RequestReceiver", "creationCodeHash"],
        ["RequestReceiver", "compiler"],
        ["PushExecutor.LivePuller", "creationCodeHash"],
      ] as const
    ).map(
      ([name, field]) =>
        [
          `contracts.${name}.${field}`,
          ({ contracts, ...record }: DeploymentRecord) => {
            const contract = contracts[name];
            if (contract === undefined) throw new Error(`the record has no ${name}`);
            return {
              ...record,
              contracts: { ...contracts, [name]: { ...contract, [field]: alter(contract[field]) } },
            };
          },
        ] as const,
    ),
  ] as const) {
    it(`rejects a different ${field} by name`, async () => {
      const record = change(await releaseOf(10));
      const failure = caught(() => compareWithRelease(10, planRelease(10), record));
      expect(failure).to.include({ code: "RELEASE_MISMATCH", chainId: 10, field });
    });
  }

  it("reports a standard contract that the record lacks", async () => {
    const { contracts, ...record } = await releaseOf(10);
    const { PushExecutor: _, ...others } = contracts;
    expect(compareWithRelease(10, planRelease(10), { ...record, contracts: others })).to.have.length(1);
  });

  it("reports a contract with different arguments, and a chain without a record", async () => {
    const request = { contract: "RequestReceiver", arguments: { solver: OTHER } } as const;
    const own = planDeployment([{ request, at: "contracts[0]" }], []);
    expect(compareWithRelease(10, own, await releaseOf(10))).to.have.length(1);
    expect(await readRelease(31_999)).to.equal(undefined);
    expect(compareWithRelease(31_999, planRelease(10), undefined)).to.have.length(1);
  });
});

/** Returns a different value of the same type. */
function alter(value: unknown): unknown {
  if (typeof value === "string") return value.replace(/.$/u, (last) => (last === "1" ? "2" : "1"));
  return { ...(value as object), viaIR: false };
}
