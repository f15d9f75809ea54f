import { expect } from "chai";
import { ZeroHash } from "ethers";
import { network } from "hardhat";
import {
  type Abi,
  type Address,
  createClient,
  custom,
  encodeFunctionData,
  erc4626Abi,
  getAddress,
  type Hex,
  http,
  maxUint256,
  parseAbi,
} from "viem";

import {
  approve,
  checkCalls,
  cleanupErc20s,
  cleanupErc20sViaCall,
  cleanupNative,
  readCallFacts,
} from "../../packages/sdk/src/calls/index.ts";
import { PERMIT2_ADDRESS } from "../../packages/protocol/src/chains/index.ts";
import type { Call } from "../../packages/protocol/src/common/call.ts";
import {
  LOCAL_ROUTER_VERSIONS,
  localRouterAddress,
  type LocalRouterVersion,
} from "../../packages/protocol/src/generations/routers.ts";
import { readArtifact } from "../../packages/crosscall/src/artifacts.ts";
import { CONTRACT_SOURCES, permit2Code } from "../../packages/crosscall/src/localnet/devchain/published.ts";
import { factsOf, rejected } from "../support/rejection.ts";
import { freeUrl } from "../support/httpServer.ts";

const USER = getAddress(`0x${"0a".repeat(20)}`);
const THIEF = getAddress(`0x${"0b".repeat(20)}`);

/** Deploys the router to its public address, by which the checker identifies its version. */
async function deploy(version: LocalRouterVersion = "3.0") {
  const { ethers, provider } = await network.create();
  const addressOf = async (contract: { getAddress(): Promise<string> }) => (await contract.getAddress()) as Address;
  const { deployedBytecode } = readArtifact(CONTRACT_SOURCES[`router ${version}`]);
  await provider.request({ method: "hardhat_setCode", params: [localRouterAddress(version), deployedBytecode] });
  const router = await ethers.getContractAt("LocalRouter", localRouterAddress(version));
  const dollar = await ethers.deployContract("LocalDollar");
  const strict = await ethers.deployContract("StrictToken");
  const vault = await ethers.deployContract("LocalVault", [dollar, "Vault", "v"]);
  // Deploys another router, which executes any call for any caller.
  const anyCaller = await ethers.deployContract("LocalRouter");
  const hostile = await ethers.deployContract("CallMaker");
  const [routerAddress, dollarAddress, strictAddress, vaultAddress, anyCallerAddress, hostileAddress] =
    (await Promise.all([router, dollar, strict, vault, anyCaller, hostile].map(addressOf))) as [
      Address,
      Address,
      Address,
      Address,
      Address,
      Address,
    ];
  const fill = (txs: readonly Call[]) =>
    router.multicall(
      txs.map(({ to, data }) => ({ target: to, allowFailure: false, value: 0n, callData: data })),
      USER,
      USER,
      ZeroHash,
    );
  const deposit: Call = {
    to: vaultAddress,
    data: encodeFunctionData({ abi: erc4626Abi, functionName: "deposit", args: [100n, USER] }),
    value: "0",
  };
  const contracts = { router: routerAddress, anyCallers: [anyCallerAddress] };
  const codesOf = (txs: readonly Call[]) =>
    checkCalls({ tradeType: "EXACT_OUTPUT", amount: "100", destinationCurrency: dollarAddress, txs, contracts }).map(
      ({ code, index }) => [code, index],
    );
  return {
    ethers,
    router,
    routerAddress,
    dollar,
    dollarAddress,
    strict,
    strictAddress,
    vault,
    vaultAddress,
    anyCaller,
    anyCallerAddress,
    hostile,
    hostileAddress,
    fill,
    deposit,
    contracts,
    codesOf,
    client: createClient({ transport: custom(provider, { retryCount: 0 }) }),
  };
}

for (const version of LOCAL_ROUTER_VERSIONS) {
  describe(`calls that the checker rejects on a chain with the ${version} router`, () => {
    it("fail without an approval", async () => {
      const { router, routerAddress, dollar, dollarAddress, vault, vaultAddress, fill, deposit, codesOf } =
        await deploy(version);
      await dollar.mint(router, 100n);
      const refund: [string, undefined] = ["REFUND_TO_MISSING", undefined];
      expect(codesOf([deposit])).to.deep.equal([refund, ["LEFTOVER_TOKEN", undefined], ["APPROVAL_MISSING", 0]]);
      await expect(fill([deposit]))
        .to.be.revertedWithCustomError(dollar, "ERC20InsufficientAllowance")
        .withArgs(vaultAddress, 0n, 100n);

      const approved = [approve({ token: dollarAddress, spender: vaultAddress, amount: 100n }), deposit];
      expect(codesOf(approved)).to.deep.equal([refund]);
      await fill(approved);
      expect(await vault.balanceOf(USER)).to.equal(100n);
      expect(await dollar.allowance(routerAddress, vaultAddress)).to.equal(0n);
    });

    it("lose all tokens if the calls approve a contract that executes any call", async () => {
      const {
        router,
        dollar,
        dollarAddress,
        anyCaller,
        anyCallerAddress,
        hostile,
        hostileAddress,
        fill,
        codesOf,
        routerAddress,
      } = await deploy(version);
      await dollar.mint(router, 100n);
      const take = dollar.interface.encodeFunctionData("transferFrom", [routerAddress, THIEF, 100n]);
      const call = { target: dollarAddress, allowFailure: false, value: 0n, callData: take };
      await hostile.arm(anyCaller, anyCaller.interface.encodeFunctionData("multicall", [[call], THIEF, THIEF, "0x"]));
      const ping: Call = { to: hostileAddress, data: "0x12345678", value: "0" };
      const sweep = cleanupErc20s({ router: routerAddress, cleanups: [{ token: dollarAddress, recipient: USER }] });
      const txs = [
        approve({ token: dollarAddress, spender: anyCallerAddress }),
        ping,
        sweep,
        approve({ token: dollarAddress, spender: anyCallerAddress, amount: 0n }),
      ];
      expect(codesOf(txs)).to.deep.equal([
        ["REFUND_TO_MISSING", undefined],
        ["ANY_CALLER_APPROVED", 0],
      ]);
      await fill(txs);
      expect(await dollar.balanceOf(THIEF)).to.equal(100n);
      expect(await dollar.balanceOf(USER)).to.equal(0n);
    });

    it("lose all tokens if an unknown contract is called after a router's call to itself clears the router's guard", async () => {
      const { router, dollar, dollarAddress, hostile, hostileAddress, fill, codesOf, routerAddress } =
        await deploy(version);
      await dollar.mint(router, 100n);
      const steal = cleanupErc20s({ router: routerAddress, cleanups: [{ token: dollarAddress, recipient: THIEF }] });
      await hostile.arm(router, steal.data);
      const ping: Call = { to: hostileAddress, data: "0x12345678", value: "0" };
      const sweep = cleanupErc20s({ router: routerAddress, cleanups: [{ token: dollarAddress, recipient: USER }] });
      const nativeSweep = cleanupNative({ router: routerAddress, recipient: USER });
      expect(codesOf([ping, nativeSweep, sweep])).to.deep.equal([["REFUND_TO_MISSING", undefined]]);
      await expect(fill([ping, nativeSweep, sweep])).to.be.revertedWithCustomError(router, "InvalidMsgSender");

      const isKept = version === "3.2";
      expect(codesOf([nativeSweep, ping, sweep])).to.deep.equal([
        ["REFUND_TO_MISSING", undefined],
        ...(isKept ? [] : [["UNTRUSTED_AFTER_SELF_CALL", 1]]),
      ]);
      if (isKept) {
        await expect(fill([nativeSweep, ping, sweep])).to.be.revertedWithCustomError(router, "InvalidMsgSender");
      } else {
        await fill([nativeSweep, ping, sweep]);
      }
      expect(await dollar.balanceOf(THIEF)).to.equal(isKept ? 0n : 100n);
    });

    it("fail if a token returns no data to a ViaCall, unless the router supports every token", async () => {
      const { ethers, router, routerAddress, strict, strictAddress, hostileAddress, client, contracts, fill } =
        await deploy(version);
      await strict.mint(router, 100n);
      const cleanups = [{ token: strictAddress, to: hostileAddress, data: "0x12345678" }] as const;
      const txs = [cleanupErc20sViaCall({ router: routerAddress, cleanups })];
      const plan = {
        tradeType: "EXACT_OUTPUT",
        amount: "100",
        destinationCurrency: strictAddress,
        txs,
        contracts,
      } as const;
      const errorsNow = async () =>
        checkCalls({ ...plan, facts: await readCallFacts(client, plan) })
          .filter(({ severity }) => severity === "error")
          .map(({ code }) => code);
      if (version === "3.0") {
        expect(await errorsNow()).to.deep.equal(["VIA_CALL_NEEDS_ANSWER"]);
        await expect(fill(txs)).to.be.revert(ethers);
        return;
      }
      // The second fill starts with the allowance from the first. The token changes an allowance only from or to zero.
      for (const _ of [1, 2]) {
        expect(await errorsNow()).to.deep.equal([]);
        await fill(txs);
        expect(await strict.allowance(router, hostileAddress)).to.equal(100n);
      }
    });
  });
}

describe("calls that take through Permit2", () => {
  it("are rejected if and only if Permit2 rejects them", async () => {
    const { ethers, router, dollar, dollarAddress, routerAddress, fill, contracts, client } = await deploy();
    const code = permit2Code(Number((await ethers.provider.getNetwork()).chainId));
    await ethers.provider.send("hardhat_setCode", [PERMIT2_ADDRESS, code]);
    const encode = (functionName: "approve" | "transferFrom" | "lockdown", args: readonly unknown[]): Call => ({
      to: PERMIT2_ADDRESS,
      data: encodeFunctionData<Abi>({ abi: permit2Abi, functionName, args }),
      value: "0",
    });
    // The router is the spender of its own tokens, because no other contract here takes through Permit2.
    const approveIn = (amount: bigint, expiration: number) =>
      encode("approve", [dollarAddress, routerAddress, amount, expiration]);
    const allow = approve({ token: dollarAddress, spender: PERMIT2_ADDRESS, amount: 100n });
    const take = encode("transferFrom", [routerAddress, USER, 100n, dollarAddress]);
    const lock = encode("lockdown", [[{ token: dollarAddress, spender: routerAddress }]]);
    const FAR = 2 ** 48 - 1;
    const plans: readonly (readonly Call[])[] = [
      [allow, approveIn(100n, 0), take],
      [allow, approveIn(100n, FAR), take],
      [allow, approveIn(2n ** 160n - 1n, 0), take],
      [allow, take],
      [approveIn(100n, 0), take],
      [allow, approveIn(99n, FAR), take],
      [allow, approveIn(100n, 1), take],
      [allow, approveIn(100n, 0), lock, take],
      [allow, take, approveIn(100n, 0)],
    ];
    for (const txs of plans) {
      const snapshot: unknown = await ethers.provider.send("evm_snapshot", []);
      await dollar.mint(router, 100n);
      const facts = await readCallFacts(client, { txs, contracts });
      const found = checkCalls({
        tradeType: "EXACT_OUTPUT",
        amount: "100",
        destinationCurrency: dollarAddress,
        txs,
        contracts,
        facts,
      });
      const isFilled = await fill(txs).then(
        () => true,
        () => false,
      );
      expect(!found.some(({ severity }) => severity === "error")).to.equal(isFilled);
      await ethers.provider.send("evm_revert", [snapshot]);
    }
    await fill([approveIn(7n, FAR)]);
    const { permit2Allowances } = await readCallFacts(client, { txs: [take], contracts });
    expect(permit2Allowances).to.deep.equal([
      { token: dollarAddress, spender: routerAddress, amount: 7n, expiration: BigInt(FAR) },
    ]);
  });
});

const permit2Abi = parseAbi([
  "function approve(address token, address spender, uint160 amount, uint48 expiration)",
  "function transferFrom(address from, address to, uint160 amount, address token)",
  "function lockdown((address token, address spender)[] approvals)",
]);

describe("readCallFacts", () => {
  it("returns code, assets, allowances and token behavior", async () => {
    const { dollarAddress, strictAddress, vaultAddress, fill, deposit, contracts, client } = await deploy();
    await fill([approve({ token: strictAddress, spender: vaultAddress, amount: 7n })]);
    const txs = [
      approve({ token: strictAddress, spender: vaultAddress, amount: 100n }),
      deposit,
      { to: USER, data: "0x12345678", value: "0" },
    ];
    const { timestamp, ...facts } = await readCallFacts(client, { txs, contracts });
    expect(timestamp).to.be.a("bigint");
    expect(facts).to.deep.equal({
      accounts: [
        { address: strictAddress, hasCode: true },
        { address: vaultAddress, hasCode: true, asset: dollarAddress },
        { address: USER, hasCode: false },
      ],
      tokens: [
        { address: strictAddress, refusesAllowanceChange: true, approveReturnsNothing: true },
        { address: dollarAddress, decimals: 6, refusesAllowanceChange: false, approveReturnsNothing: false },
      ],
      allowances: [
        { token: strictAddress, spender: vaultAddress, amount: 7n },
        { token: dollarAddress, spender: vaultAddress, amount: 0n },
      ],
      permit2Allowances: [],
    });
    const plan = {
      tradeType: "EXACT_OUTPUT",
      amount: "100",
      destinationCurrency: strictAddress,
      refundTo: USER,
    } as const;
    const codes = checkCalls({ ...plan, txs, contracts, facts }).map(({ code, index }) => [code, index]);
    expect(codes).to.deep.include.members([
      ["ALLOWANCE_RESET_NEEDED", 0],
      ["APPROVAL_MISSING", 1],
      ["TARGET_WITHOUT_CODE", 2],
    ]);
  });

  it("recognizes a token that returns false instead of reverting", async () => {
    const { ethers, provider } = await network.create();
    const token = await ethers.deployContract("FalseToken");
    const address = (await token.getAddress()) as Address;
    const client = createClient({ transport: custom(provider, { retryCount: 0 }) });
    const read = () =>
      readCallFacts(client, { txs: [approve({ token: address, spender: USER })], contracts: { router: THIEF } });
    expect((await read()).tokens).to.deep.equal([
      { address, decimals: 18, refusesAllowanceChange: false, approveReturnsNothing: false },
    ]);
    await token.refuse("0x095ea7b3" satisfies Hex);
    expect((await read()).tokens).to.deep.equal([{ address, decimals: 18 }]);
  });

  it("lists accounts that are contracts on the origin chain only", async () => {
    const { vaultAddress, contracts, client } = await deploy();
    const { client: originClient, vaultAddress: other } = await deploy();
    const { ethers, provider } = await network.create();
    const empty = createClient({ transport: custom(provider, { retryCount: 0 }) });
    const [signer] = await ethers.getSigners();
    const accounts = [other, USER, String(signer?.address)];
    const origin = { client: originClient, accounts };
    expect((await readCallFacts(empty, { txs: [], contracts, origin })).missingAccounts).to.deep.equal([other]);
    expect([other, (await readCallFacts(client, { txs: [], contracts, origin })).missingAccounts]).to.deep.equal([
      vaultAddress,
      [],
    ]);
    expect(await readCallFacts(client, { txs: [], contracts })).not.to.have.property("missingAccounts");
  });

  it("fails with a typed error if the chain is unreachable, and stops when aborted", async () => {
    const client = createClient({ transport: http(await freeUrl(), { retryCount: 0 }) });
    const parameters = {
      txs: [approve({ token: USER, spender: THIEF, amount: maxUint256 })],
      contracts: { router: USER },
    };
    expect(factsOf(await rejected(readCallFacts(client, parameters)))).to.deep.equal({
      code: "CHAIN_ERROR",
      chainId: undefined,
    });
    const stopped = readCallFacts(client, { ...parameters, signal: AbortSignal.abort() });
    expect(factsOf(await rejected(stopped))).to.include({ code: "ABORTED" });
  });
});
