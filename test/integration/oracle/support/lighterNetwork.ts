import { expect } from "chai";
import { AbiCoder, keccak256 } from "ethers";
import { type Address, type Hex, toHex, zeroAddress, zeroHash } from "viem";

import type { WithdrawalStatusAttestation } from "../../../../packages/protocol/src/attestation/messages/withdrawalsV2.ts";
import { localAccounts } from "../../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import type { ChainConfig } from "../../../../packages/oracle/src/chainFiles.ts";
import type { Oracle } from "../../../../packages/oracle/src/startOracle.ts";
import { Answers } from "../../support/responses.ts";
import { ask, type OracleNetwork, startOracleNetwork } from "../../support/oracleNetwork.ts";
import { signWithdrawal } from "../../support/ownerDigest.ts";
import { SOLVER_CHAIN, startFamilyOracle } from "./familyOracle.ts";
import {
  ALLOCATOR_SPENDER,
  ALLOCATOR_V2,
  ALLOCATOR_V2_ABI,
  ALLOCATOR_V3,
  ALLOCATOR_V3_ABI,
  AURORA_CHAIN_ID,
  BUILDER,
  BUILDER_ABI,
} from "./hubContracts.ts";
import {
  respondExchange,
  respondExplorer,
  DOLLAR,
  EXECUTED,
  type ExchangeTransaction,
  LighterExchange,
  lighterWithdrawal,
  PERPETUALS,
  SPOT,
  type TransferInfo,
} from "./lighterShapes.ts";
import { type RecordedServer, startRecordedServer } from "./recordedServer.ts";
import { aliasOf, tokenOf, withdrawnOf } from "./vectors.ts";

export const STATUS_V2 = "/attestations/depository-withdrawals/v2";
export const STATUS_V3 = "/attestations/depository-withdrawals/v3";
export const CHAIN = "lighter";
export const HUB_CHAIN_ID = 3_586_256n;
export const [DEPOSITORY, SECOND] = [723_071, 731_033];
export const [RECIPIENT, STRANGER] = [462_196, 3003];
/** Unix seconds. */
export const TIME = 1_790_000_000;
export const EXPIRES = TIME * 1000 + 600_000;
export const AMOUNT = 1_500_000;
export const NONCE: Hex = `0x${"0b".repeat(32)}`;

const { user: owner } = localAccounts;
export const ownerAddress = owner.address.toLowerCase() as Address;
/** Owner's account on the hub. */
export const alias = aliasOf(SOLVER_CHAIN, ownerAddress);

/** Encodes an account or asset index as bytes. */
export const encode = (index: number | string): Hex => toHex(BigInt(index), { size: 16 });
export const token = tokenOf(CHAIN, encode(0));
/** Withdrawal's account on the hub. */
export const account = withdrawnOf(CHAIN, [encode(DEPOSITORY), encode(0), encode(RECIPIENT), alias, NONCE]);

/** Transfer that executes the withdrawal. */
export const INFO: TransferInfo = {
  FromAccountIndex: DEPOSITORY,
  ApiKeyIndex: 5,
  ToAccountIndex: RECIPIENT,
  AssetIndex: DOLLAR,
  FromRouteType: PERPETUALS,
  ToRouteType: SPOT,
  Amount: AMOUNT,
  USDCFee: 3_000_000,
  Memo: new Array<number>(32).fill(0),
  ExpiredAt: EXPIRES,
  Nonce: 42,
};
/** Payload from the allocator, and the id of the withdrawal. */
export const { id, payload } = lighterWithdrawal(INFO);

const coder = AbiCoder.defaultAbiCoder();

/** Request to allocator v2. */
export const requestV2 = {
  chainId: HUB_CHAIN_ID,
  depository: `${DEPOSITORY}`,
  currency: `${DOLLAR}`,
  amount: BigInt(AMOUNT),
  spender: alias,
  receiver: `${RECIPIENT}`,
  data: coder.encode(
    ["uint8", "uint64", "uint64", "uint64", "uint64", "uint64", "bytes32"],
    [0, 42, PERPETUALS, SPOT, 5, 3_000_000, zeroHash],
  ) as Hex,
  nonce: NONCE,
};
const payloadId = keccak256(
  coder.encode(["tuple(uint256,string,string,uint256,address,string,bytes,bytes32)"], [Object.values(requestV2)]),
) as Hex;

/** Request to allocator v3. */
export const requestV3 = {
  chainId: CHAIN,
  depository: encode(DEPOSITORY),
  currency: encode(0),
  amount: BigInt(AMOUNT),
  spenderChainId: SOLVER_CHAIN,
  spender: ownerAddress,
  receiver: encode(RECIPIENT),
  data: coder.encode(["uint64", "uint64", "uint64"], [42, 5, 3_000_000]) as Hex,
  nonce: NONCE,
};
export const requestHash = keccak256(
  coder.encode(["tuple(string,bytes,bytes,uint256,string,bytes,bytes,bytes,bytes32)"], [Object.values(requestV3)]),
) as Hex;

const common = { chainId: CHAIN, currency: "0", amount: `${AMOUNT}`, nonce: NONCE };

/** Body of the v2 routes without a signature. */
export const bodyV2 = {
  ...common,
  ...{ ownerChainId: SOLVER_CHAIN, owner: ownerAddress as string, recipient: `${RECIPIENT}` },
  additionalData: {
    "lighter-vm": {
      ...{ nonce: 42, fromRouteType: PERPETUALS, toRouteType: SPOT, apiKeyIndex: 5, usdcFee: 3_000_000 },
      ...{ memo: "", assetIndex: DOLLAR },
    },
  },
};
/** Body of the v3 routes. */
export const bodyV3 = {
  ...common,
  ...{ spenderChainId: SOLVER_CHAIN, spender: ownerAddress as string, receiver: `${RECIPIENT}` },
  additionalData: { "lighter-vm": { nonce: "42", apiKeyIndex: "5", usdcFee: "3000000" } },
};

/** Exchange, explorer and allocators for one withdrawal. They return recorded responses. */
export class LighterNetwork {
  readonly network: OracleNetwork;
  readonly older: Answers<typeof ALLOCATOR_V2_ABI>;
  readonly newer: Answers<typeof ALLOCATOR_V3_ABI>;
  readonly builder: Answers<typeof BUILDER_ABI>;
  /** EVM addresses of accounts. */
  readonly owners = new Map<string, string>();
  exchange!: RecordedServer;
  explorer!: RecordedServer;
  /** Oracle that reads the exchange and the explorer. */
  oracle!: Oracle;
  /** Time on the oracles' clock, in milliseconds. */
  now = TIME * 1000;
  readonly #transfers = new LighterExchange();
  #listed: readonly object[] = [];

  private constructor(
    network: OracleNetwork,
    [older, newer, builder]: [
      Answers<typeof ALLOCATOR_V2_ABI>,
      Answers<typeof ALLOCATOR_V3_ABI>,
      Answers<typeof BUILDER_ABI>,
    ],
  ) {
    this.network = network;
    [this.older, this.newer, this.builder] = [older, newer, builder];
  }

  static async start(): Promise<LighterNetwork> {
    const network = await startOracleNetwork();
    const older = await Answers.at(network, ALLOCATOR_V2, ALLOCATOR_V2_ABI, [
      { functionName: "payloads", result: "0x" },
      { functionName: "payloadBuilders", result: zeroAddress },
      { functionName: "payloadBuilders", args: [HUB_CHAIN_ID, `${DEPOSITORY}`], result: BUILDER },
      { functionName: "signedPayloads", result: "0x1234" },
    ]);
    const newer = await Answers.at(network, ALLOCATOR_V3, ALLOCATOR_V3_ABI, [
      { functionName: "payloads", result: "0x" },
      { functionName: "payloadBuilders", result: zeroAddress },
      { functionName: "payloadBuilders", args: [CHAIN, encode(DEPOSITORY)], result: BUILDER },
      { functionName: "hashesToSign", result: zeroHash },
    ]);
    const builder = await Answers.at(network, BUILDER, BUILDER_ABI, [
      { functionName: "family", result: "lighter-vm" },
      { functionName: "hashToSign", result: NONCE },
    ]);
    const started = new LighterNetwork(network, [older, newer, builder]);
    started.exchange = await startRecordedServer(respondExchange(started.#transfers.transactions, started.owners));
    started.explorer = await startRecordedServer(
      respondExplorer((of) => (of === `${DEPOSITORY}` ? started.#listed : [])),
    );
    started.oracle = await started.startOracle({ explorerApiUrl: `${started.explorer.url}/api` });
    await started.build(payload);
    return started;
  }

  startOracle(additionalData: ChainConfig["additionalData"]): Promise<Oracle> {
    const { rpcUrl } = this.network;
    return startFamilyOracle({
      chain: {
        ...{ id: CHAIN, vmType: "lighter-vm", httpRpcUrl: this.exchange.url, additionalData },
        ...{ depository: `${DEPOSITORY}`, additionalDepositories: [`${SECOND}`], hubChainId: Number(HUB_CHAIN_ID) },
      },
      hubUrl: rpcUrl,
      hub: {
        allocatorAddress: ALLOCATOR_V3,
        auroraHttpRpcUrl: rpcUrl,
        auroraEvmChainId: AURORA_CHAIN_ID,
        auroraAllocatorAddress: ALLOCATOR_V2,
        auroraAllocatorSpenderAddress: ALLOCATOR_SPENDER,
      },
      now: () => this.now,
    });
  }

  /** Makes both allocators build a payload for the withdrawal. */
  async build(result: Hex): Promise<void> {
    await this.older.set({ functionName: "payloads", args: [payloadId], result });
    await this.newer.set({ functionName: "payloads", args: [requestHash], result });
  }

  /** Adds a transfer to the exchange, but not to the explorer. */
  take(change: Partial<TransferInfo> = {}, status = EXECUTED, rest: Partial<ExchangeTransaction> = {}) {
    return this.#transfers.add({ ...INFO, ...change }, { status, ...rest });
  }

  /** Replaces the depository's entries in the explorer, latest first. */
  list(...sent: readonly { readonly log: object }[]): void {
    this.#listed = sent.map(({ log }) => log);
  }

  async statusOf(path: string, change: object = {}, oracle: Oracle = this.oracle) {
    const body = path === STATUS_V2 ? await signed() : bodyV3;
    const { status, body: answer } = await ask<WithdrawalStatusAttestation>(oracle, path, { ...body, ...change });
    return { status, body: answer };
  }

  /** Returns the status from versions 2 and 3 of the route. */
  async statusesOf(change: object = {}, oracle: Oracle = this.oracle): Promise<number[]> {
    const answers = [await this.statusOf(STATUS_V2, change, oracle), await this.statusOf(STATUS_V3, change, oracle)];
    for (const { status, body } of answers) expect(status, JSON.stringify(body)).to.equal(200);
    return answers.map(({ body }) => body.status);
  }

  async close(): Promise<void> {
    await this.oracle.close();
    await this.network.close();
    this.exchange.close();
    this.explorer.close();
  }
}

/** Returns a changed body for the v2 routes, signed by an owner. */
export async function signed(change: object = {}, by = owner) {
  const fields = { ...bodyV2, ...change };
  return { ...fields, ownerSignature: await signWithdrawal(by, fields) };
}
