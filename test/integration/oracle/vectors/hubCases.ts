import {
  type Address,
  concat,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  keccak256,
  numberToHex,
  sha256,
  stringToHex,
  toHex,
  zeroAddress,
  zeroHash,
} from "viem";

import {
  hashOwnerOrder,
  hubAlias,
  hubTokenId,
  orderAddress,
  withdrawalAddress,
} from "../../../../packages/sdk/src/attestation.ts";
import { hashEvmWithdrawal } from "../../../../packages/protocol/src/attestation/evmWithdrawal.ts";
import {
  hashSubmitWithdrawRequest,
  type SubmitWithdrawRequest,
  type WithdrawRequest,
} from "../../../../packages/protocol/src/attestation/withdrawRequest.ts";
import { localAccounts } from "../../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import {
  ALLOCATOR_V2_ABI,
  ALLOCATOR_V3_ABI,
  BUILDER_ABI,
  EXECUTOR_ABI,
  HUB_ABI,
  LIMITER_ABI,
  MANAGER_ABI,
  MAPPING_ABI,
} from "../support/hubContracts.ts";
import { idOf } from "../support/vectors.ts";
import { type Case, DEPOSITORY, ID, place } from "./evmCases.ts";
import { addressOf, EvmWorld, FIRST_LOG, hashOf, nativeDeposit, NOW, TIME } from "./world.ts";
import { encodeTrigger } from "./trigger.ts";
import {
  encodeEvmWithdrawal,
  hashWithdrawRequest,
  NO_FILL_TYPES,
  NONCE_MAPPING_TYPES,
} from "../../../../packages/protocol/src/attestation/index.ts";
import { depositoryAbi } from "../../../../packages/protocol/src/abi/service.generated.ts";

const { user, stranger } = localAccounts;
const owner = user.address.toLowerCase() as Address;
const recipient = stranger.address.toLowerCase() as Address;
const token = addressOf("token");

/** Contracts on the hub and on the allocator's chain. */
export const HUB = {
  oracle: "0x795f9464ee05a34fe1e18925ca4e4753dcd60058",
  hub: addressOf("hub"),
  mapping: addressOf("mapping"),
  allocator: addressOf("allocator"),
  executor: addressOf("executor"),
  manager: addressOf("manager"),
  limiter: addressOf("limiter"),
  auroraAllocator: addressOf("aurora allocator"),
  auroraSpender: addressOf("aurora spender"),
} as const satisfies Record<string, Address>;

export const HUB_CHAIN_ID = 537_713;
export const EVM_CHAIN_IDS: Readonly<Record<string, number>> = { base: 8453, polygon: 137 };
const [BUILDER, HASH_TO_SIGN] = [addressOf("builder"), hashOf("hash to sign")];

export interface HubWorlds {
  readonly hub: EvmWorld;
  readonly aurora: EvmWorld;
}

export function openHubWorlds(): HubWorlds {
  const [hub, aurora] = [new EvmWorld("hub"), new EvmWorld("aurora")];
  hub.returns(HUB.oracle, HUB_ABI, "HUB", HUB.hub, []);
  hub.returns(HUB.hub, HUB_ABI, "balanceOf", 0n);
  hub.returns(HUB.mapping, MAPPING_ABI, "getEntry", ["0x", 0n]);
  hub.returns(HUB.allocator, ALLOCATOR_V3_ABI, "payloads", "0x");
  hub.returns(HUB.allocator, ALLOCATOR_V3_ABI, "payloadBuilders", zeroAddress);
  hub.returns(HUB.allocator, ALLOCATOR_V3_ABI, "hashesToSign", zeroHash);
  hub.returns(BUILDER, BUILDER_ABI, "family", "ethereum-vm", []);
  hub.returns(HUB.executor, EXECUTOR_ABI, "orderAddressByWithdrawRequestHash", zeroAddress);
  hub.returns(HUB.manager, MANAGER_ABI, "triggers", zeroHash);
  hub.returns(HUB.limiter, LIMITER_ABI, "canConsume", true);
  hub.returns(HUB.limiter, LIMITER_ABI, "canConsume", false, ["fast", zeroAddress, 77n]);
  aurora.returns(HUB.auroraAllocator, ALLOCATOR_V2_ABI, "payloads", "0x");
  aurora.returns(HUB.auroraAllocator, ALLOCATOR_V2_ABI, "payloadBuilders", zeroAddress);
  aurora.returns(HUB.auroraAllocator, ALLOCATOR_V2_ABI, "signedPayloads", "0x");
  aurora.returns(BUILDER, BUILDER_ABI, "family", "ethereum-vm", []);
  aurora.returns(BUILDER, BUILDER_ABI, "hashToSign", HASH_TO_SIGN);
  for (const chain of Object.keys(EVM_CHAIN_IDS)) {
    hub.returns(HUB.allocator, ALLOCATOR_V3_ABI, "payloadBuilders", BUILDER, [chain, DEPOSITORY]);
    const args = [BigInt(EVM_CHAIN_IDS[chain]!), DEPOSITORY];
    aurora.returns(HUB.auroraAllocator, ALLOCATOR_V2_ABI, "payloadBuilders", BUILDER, args);
  }
  return { hub, aurora };
}

/** Sets the mapping's entry for a nonce. */
export function bindEntry({ hub }: HubWorlds, user: Address, id: Hex, data: Hex, createdAt = TIME): void {
  hub.returns(HUB.mapping, MAPPING_ABI, "getEntry", [data, BigInt(createdAt)], [user, id]);
}

/** Makes both allocators accept withdrawals on a chain. */
export function useBuilder(
  worlds: HubWorlds,
  of: { chainId: string; hubChainId: bigint; depository: string },
  bytes: Hex,
) {
  const builder = addressOf(`builder of ${of.chainId}`);
  for (const world of [worlds.hub, worlds.aurora]) {
    world.returns(builder, BUILDER_ABI, "family", "lighter-vm", []);
    world.returns(builder, BUILDER_ABI, "hashToSign", HASH_TO_SIGN);
  }
  worlds.hub.returns(HUB.allocator, ALLOCATOR_V3_ABI, "payloadBuilders", builder, [of.chainId, bytes]);
  const args = [of.hubChainId, of.depository];
  worlds.aurora.returns(HUB.auroraAllocator, ALLOCATOR_V2_ABI, "payloadBuilders", builder, args);
}

/** Withdrawal request for both allocators, with its payload. */
interface BuiltPayload {
  readonly requestV2: SubmitWithdrawRequest;
  readonly requestV3: WithdrawRequest;
  readonly payload: Hex;
}

/** Makes both allocators build and sign a payload. */
export function buildPayload({ hub, aurora }: HubWorlds, { requestV2, requestV3, payload }: BuiltPayload): void {
  const id = hashSubmitWithdrawRequest(requestV2);
  aurora.returns(HUB.auroraAllocator, ALLOCATOR_V2_ABI, "payloads", payload, [id]);
  aurora.returns(HUB.auroraAllocator, ALLOCATOR_V2_ABI, "signedPayloads", "0x1234", [id, HASH_TO_SIGN]);
  hub.returns(HUB.allocator, ALLOCATOR_V3_ABI, "payloads", payload, [hashWithdrawRequest(requestV3)]);
}

/** Sets a balance on the hub. */
export function setBalance({ hub }: HubWorlds, account: Address, tokenId: bigint, amount: bigint): void {
  hub.returns(HUB.hub, HUB_ABI, "balanceOf", amount, [account, tokenId]);
}

const fieldsOf = (chainId: string, currency: string, amount: bigint, nonce: Hex) =>
  ({ chainId, currency, amount: `${amount}`, ownerChainId: chainId, owner, recipient, nonce }) as const;

type Fields = ReturnType<typeof fieldsOf>;

const signed = async (fields: Fields, operation: "transfer" | "withdrawal", by = user) => ({
  ...fields,
  ownerSignature: await by.signMessage({ message: { raw: hashOwnerOrder({ operation, ...fields }) } }),
});

/** Returns requests for withdrawals in each state, to the three versions of the route. */
export async function withdrawalCases({ hub, aurora }: HubWorlds, world: EvmWorld): Promise<Case[]> {
  const cases: Case[] = [];
  const chainId = world.name;
  world.returns(DEPOSITORY, depositoryAbi, "callRequests", false);
  let count = 0;
  for (const currency of [zeroAddress, token]) {
    for (const state of ["pending", "executed", "expired", "not built"] as const) {
      for (const withTransaction of [false, true]) {
        count += 1;
        const amount = 7n ** BigInt(count);
        const nonce = numberToHex(count, { size: 32 });
        const call =
          currency === zeroAddress
            ? { to: recipient, data: "0x" as Hex, value: amount }
            : {
                to: token,
                data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [recipient, amount] }),
                value: 0n,
              };
        const withdrawal = {
          calls: [{ ...call, allowFailure: false }],
          nonce: BigInt(count),
          expiration: BigInt(state === "expired" ? TIME - 10_000 : 4_000_000_000),
        };
        const payload = encodeEvmWithdrawal(withdrawal);
        if (state === "executed") {
          world.returns(DEPOSITORY, depositoryAbi, "callRequests", true, [hashEvmWithdrawal(withdrawal)]);
        }
        const fields = fieldsOf(chainId, currency, amount, nonce);
        const spender = hubAlias(chainId, owner).toLowerCase() as Address;
        const requestV2 = {
          chainId: BigInt(EVM_CHAIN_IDS[chainId]!),
          depository: DEPOSITORY,
          currency,
          amount,
          spender,
          receiver: recipient,
          data: "0x" as Hex,
          nonce,
        };
        const parts = { depository: DEPOSITORY, currency, amount, receiver: recipient, data: "0x" as Hex, nonce };
        const requestV3 = { chainId, spenderChainId: chainId, spender: owner, ...parts };
        if (state !== "not built") buildPayload({ hub, aurora }, { requestV2, requestV3, payload });
        const transaction = withTransaction ? { transactionId: hashOf(`withdrawal ${count}`) } : {};
        const name = `${chainId}: ${state} withdrawal ${count}`;
        const withdrawalAddressRequest = {
          chainId,
          currency,
          withdrawer: owner,
          withdrawerChainId: chainId,
          recipient,
          withdrawalNonce: nonce,
        };
        cases.push(
          {
            name,
            route: "depository-withdrawals/v1",
            request: { chainId, withdrawal: payload, withdrawalAddressRequest, ...transaction },
          },
          {
            name,
            route: "depository-withdrawals/v2",
            request: { ...(await signed(fields, "withdrawal")), ...transaction },
          },
          {
            name,
            route: "depository-withdrawals/v3",
            request: {
              chainId,
              currency,
              amount: `${amount}`,
              spenderChainId: chainId,
              spender: owner,
              receiver: recipient,
              nonce,
              ...transaction,
            },
          },
        );
      }
    }
  }
  const request = fieldsOf(chainId, zeroAddress, 70n, ID);
  const [good, foreign] = [await signed(request, "withdrawal"), await signed(request, "withdrawal", stranger)];
  const route = "depository-withdrawals/v2";
  cases.push(
    { name: `${chainId}: signature of another account`, route, request: foreign },
    { name: `${chainId}: no owner signature`, route, request },
    { name: `${chainId}: unknown depository`, route, request: { ...good, depository: recipient } },
    {
      name: `${chainId}: unknown chain`,
      route,
      request: await signed({ ...request, chainId: "nowhere" }, "withdrawal"),
    },
    { name: `${chainId}: recover mode without its fields`, route, request: { ...request, recoverMode: true } },
  );
  return cases;
}

/** Returns transfers of balances on the hub. */
export async function balanceCases(worlds: HubWorlds, world: EvmWorld): Promise<Case[]> {
  const cases: Case[] = [];
  const chainId = world.name;
  const hold = (account: Address, currency: Address, amount: bigint): void =>
    setBalance(worlds, account, hubTokenId(chainId, currency), amount);
  const alias = hubAlias(chainId, owner);
  const balance = 10n ** 30n;
  for (const currency of [zeroAddress, token]) {
    hold(alias, currency, balance);
    for (const amount of [1n, 40n, balance, balance + 1n, 0n]) {
      const nonce = hashOf(`nonce of ${amount}`);
      const fields = fieldsOf(chainId, currency, amount, nonce);
      const name = `${chainId}: ${amount} of ${currency === token ? "the token" : "the native currency"}`;
      const account = withdrawalAddress({
        chainId,
        depository: DEPOSITORY,
        currency,
        recipient,
        ownerAlias: alias,
        nonce: BigInt(nonce),
      });
      if (amount === 40n) hold(account, currency, amount);
      const owned = await signed(fields, "withdrawal");
      const packed = concat([alias, toHex(amount, { size: 32 }), nonce]);
      const addressed = {
        settlementChainId: "relay",
        expectedAmount: `${amount}`,
        chainId,
        currency,
        withdrawer: owner,
        withdrawerChainId: chainId,
        recipient,
        withdrawalNonce: nonce,
      };
      const signature = await user.signMessage({ message: { raw: sha256(stringToHex(keccak256(packed))) } });
      cases.push(
        { name, route: "transfer/v1", request: await signed({ ...fields, nonce: "0x0123" }, "transfer") },
        { name, route: "withdrawal-initiation/v1", request: { ...addressed, signature } },
        { name, route: "withdrawal-initiated/v1", request: addressed },
        { name, route: "withdrawal-initiation/v2", request: owned },
        { name, route: "withdrawal-initiated/v2", request: owned },
      );
    }
  }
  const request = fieldsOf(chainId, zeroAddress, 40n, "0x09");
  setBalance(worlds, alias, hubTokenId("relay", token), 99n);
  cases.push(
    {
      name: `${chainId}: hub-native token`,
      route: "transfer/v1",
      request: await signed({ ...request, chainId: "relay", currency: token }, "transfer"),
    },
    {
      name: `${chainId}: transfer signed by another account`,
      route: "transfer/v1",
      request: await signed(request, "transfer", stranger),
    },
    { name: `${chainId}: transfer without a signature`, route: "transfer/v1", request },
  );
  return cases;
}

/** Returns recoveries of deposits, and settlements from a depository. */
export async function recoverCases(worlds: HubWorlds, world: EvmWorld): Promise<Case[]> {
  const cases: Case[] = [];
  const chainId = world.name;
  const alice = addressOf("alice");
  const ages = [30, 50_400 - 75 + 50, 52_000];
  for (const depth of ages) {
    for (const kind of ["held", "spent", "without an id"] as const) {
      const id = kind === "without an id" ? zeroHash : hashOf(`recovered ${depth} ${kind}`);
      const amount = BigInt(depth) * 1_000n;
      const transactionId = world.happen({ logs: [nativeDeposit(DEPOSITORY, alice, amount, id)], depth });
      const depositTimestamp = EvmWorld.timeAt(depth);
      const account = orderAddress({ chainId, depositor: alice, depositId: id, depositTimestamp });
      if (kind === "held") {
        worlds.hub.returns(HUB.hub, HUB_ABI, "balanceOf", amount, [account, hubTokenId(chainId, zeroAddress)]);
      }
      const request = { chainId, transactionId, onchainId: idOf(chainId, transactionId, FIRST_LOG) };
      const name = `${chainId}: recovered ${kind}, ${NOW - depositTimestamp} seconds old`;
      cases.push(
        { name: `${name}: deposit`, route: "depository-deposits/v1", request: { chainId, transactionId } },
        { name, route: "recover/v1", request },
        { name: `${name}: another onchain id`, route: "recover/v1", request: { ...request, onchainId: ID } },
      );
    }
  }
  for (const state of ["declined", "open"] as const) {
    for (const change of [{}, { fees: 2 }, { weight: 2n }, { inputs: 2 }]) {
      const { fees = 0, weight = 1n, inputs = 1 } = change as { fees?: number; weight?: bigint; inputs?: number };
      const amount = 1_000n;
      const placed = await place(world, `${chainId}: ${state} ${JSON.stringify({ fees, inputs })} ${weight}`, {
        inputs: Array.from({ length: inputs }, () => ({ amount, weight, paid: amount })),
        isPlain: true,
        payments: [{ currency: zeroAddress, amount: 900n }],
        fees: Array.from({ length: fees }, (_, fee) => ({
          chainId,
          currency: zeroAddress,
          recipient: addressOf(`fee ${fee}`),
        })),
      });
      const [input] = placed.body.inputs as readonly [{ transactionId: Hex; onchainId: Hex }];
      const { order, orderSignature } = placed.body;
      const request = {
        chainId,
        transactionId: input.transactionId,
        onchainId: input.onchainId,
        order,
        orderSignature,
      };
      const account = orderAddress({
        chainId,
        depositor: alice,
        depositId: placed.orderId,
        depositTimestamp: EvmWorld.timeAt(),
      });
      worlds.hub.returns(HUB.hub, HUB_ABI, "balanceOf", amount, [account, hubTokenId(chainId, zeroAddress)]);
      const entry: Hex = `0x${idOf(`no_fill_or_refund:${placed.orderId}`).slice(2)}`;
      if (state === "declined") {
        const id = sha256(stringToHex(`NO_FILL_OR_REFUND:${placed.orderId}`));
        bindEntry(worlds, hubAlias("base", order.solver as Address), id, entry);
      }
      const { name } = placed;
      cases.push(
        ...placed.deposits,
        { name, route: "recover/v1", request },
        { name, route: "withdraw-and-fill/v1", request: { ...request, nonce: ID } },
        { name, route: "withdraw-and-refund/v1", request: { ...request, nonce: ID } },
      );
    }
  }
  return cases;
}

/** Returns statements of solvers and wallets, triggers, and withdraw requests. */
export async function signatureCases({ hub }: HubWorlds, chainId: string): Promise<Case[]> {
  const cases: Case[] = [];
  const domain = { chainId: EVM_CHAIN_IDS[chainId]!, verifyingContract: zeroAddress };
  for (let index = 0; index < 6; index += 1) {
    const orderId = hashOf(`declined ${index}`);
    const by = index === 5 ? stranger : user;
    const noFill = { solverChainId: chainId, solver: user.address, orderId };
    const signature = await by.signTypedData({
      domain: { ...domain, name: "RelayNoFillOrRefund", version: "1" },
      types: NO_FILL_TYPES,
      primaryType: "NoFillOrRefund",
      message: { chainId, solver: user.address, orderId },
    });
    const mapped = {
      depositor: index % 2 === 0 ? recipient : zeroAddress,
      id: orderId,
      nonce: `${7n ** BigInt(index * 5)}`,
    };
    const mapping = { ...mapped, walletChainId: chainId, wallet: user.address, signatureChainId: chainId };
    const mappedSignature = await by.signTypedData({
      domain: { ...domain, name: "RelayNonceMapping", version: "2" },
      types: NONCE_MAPPING_TYPES,
      primaryType: "NonceMapping",
      message: { ...mapped, chainId, wallet: user.address, nonce: BigInt(mapped.nonce) },
    });
    const name = `${chainId}: statement ${index}`;
    cases.push(
      { name, route: "signatures/no-fill-or-refund/v1", request: { ...noFill, signature } },
      { name, route: "signatures/nonce-mapping/v2", request: { ...mapping, signature: mappedSignature } },
    );
    const trigger = encodeTrigger(chainId, DEPOSITORY, index);
    if (by === user) hub.returns(HUB.manager, MANAGER_ABI, "triggers", trigger.request.orderId, [trigger.hash]);
    cases.push({
      name: `${chainId}: trigger ${index}`,
      route: "deposit-address-triggers/v1",
      request: trigger.request,
    });

    const nonce = hashOf(`withdraw request ${index}`);
    const amount = 70n ** BigInt(index + 1);
    const fields = {
      chainId,
      currency: index % 2 === 0 ? zeroAddress : token,
      amount: `${amount}`,
      receiver: recipient,
      nonce,
    };
    const spent = { ...fields, spenderChainId: index === 4 ? "relay" : chainId, spender: owner };
    const parts = { depository: DEPOSITORY, data: "0x" as Hex };
    const hash = hashWithdrawRequest({ ...spent, ...parts, amount });
    for (const at of [0n, 1n])
      hub.returns(HUB.allocator, ALLOCATOR_V3_ABI, "hashesToSign", hashOf(`${hash} ${at}`), [hash, at]);
    const { receiver, ...rest } = fields;
    const owned = { ...rest, ownerChainId: spent.spenderChainId, owner, recipient: receiver };
    const ownerSignature = await by.signMessage({
      message: { raw: hashOwnerOrder({ operation: "withdrawal", ...owned } as never) },
    });
    cases.push(
      {
        name: `${chainId}: hashes of withdraw request ${index}`,
        route: "withdraw-requests/v1",
        request: { ...spent, hashIndexes: index % 2 === 0 ? [0] : [1, 0] },
      },
      {
        name: `${chainId}: unknown hash of withdraw request ${index}`,
        route: "withdraw-requests/v1",
        request: { ...spent, hashIndexes: [2 + index] },
      },
      {
        name: `${chainId}: authorization ${index}`,
        route: "withdraw-request-authorization/v1",
        request: { ...spent, ownerSignature },
      },
    );
  }
  return cases;
}
