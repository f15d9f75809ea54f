import {
  encodeAbiParameters,
  type Hex,
  hexToBytes,
  numberToHex,
  parseAbiParameters,
  stringToHex,
  toHex,
  zeroHash,
} from "viem";

import { hashOwnerOrder, hubAlias, hubTokenId, withdrawalAddress } from "../../../../packages/sdk/src/attestation.ts";
import { localAccounts } from "../../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import {
  respondExchange,
  respondExplorer,
  LighterExchange,
  lighterWithdrawal,
  type Sent,
  type TransferInfo,
} from "../support/lighterShapes.ts";
import type { VmTypes } from "./derive.ts";
import { type Case, depositCase } from "./evmCases.ts";
import { type Family, settlementCases } from "./familyCases.ts";
import { buildPayload, type HubWorlds, setBalance, useBuilder } from "./hubCases.ts";
import { NOW } from "./world.ts";

const ID: Hex = `0x${"c1".repeat(32)}`;
const chainId = "lighter";
export const LIGHTER_HUB_CHAIN_ID = 3_586_256;
export const LIGHTER_DEPOSITORY = "460491";

export async function lighterFamily(vms: VmTypes, worlds: HubWorlds): Promise<Family> {
  const [alice, bob] = [1001, 462_196];
  const exchange = new LighterExchange();
  const listed: object[] = [];
  const happen = (info: TransferInfo, status: number): string => {
    const { hash, log } = exchange.add(info, { status });
    listed.unshift(log);
    return hash;
  };
  const send = (to: number | string, amount: bigint, memo: Hex, rest: Partial<Sent> = {}): string =>
    exchange.send({ to, amount, memo, from: alice, ...rest });
  const deposit = (name: string, ...sent: Parameters<typeof send>) =>
    depositCase(`lighter: ${name}`, chainId, send(...sent));
  const cases = [1n, 999n, 12_345_678n, 9_007_199_254_740_991n].flatMap((amount) => [
    deposit(`${amount} of the main market`, LIGHTER_DEPOSITORY, amount, ID),
    deposit(`${amount} of the spot market`, LIGHTER_DEPOSITORY, amount, ID, { route: 1 }),
    deposit(`${amount} of another asset without an id`, LIGHTER_DEPOSITORY, amount, stringToHex("tx"), {
      asset: 77,
      route: 1,
    }),
  ]);
  cases.push(
    deposit("failed", LIGHTER_DEPOSITORY, 5n, ID, { status: 0 }),
    deposit("waiting", LIGHTER_DEPOSITORY, 5n, ID, { status: 1 }),
    deposit("to others", bob, 5n, ID),
    depositCase("lighter: missing", chainId, "ab".repeat(40)),
  );
  const settle = await settlementCases({
    vms,
    chainId,
    currency: "0",
    recipient: `${bob}`,
    index: "0",
    deposit: (id, amount) => send(LIGHTER_DEPOSITORY, amount, id),
    pay: (orderId, amount) => send(bob, amount, orderId),
  });
  const [api, explorer] = [respondExchange(exchange.transactions), respondExplorer(() => listed)];
  return {
    cases: [...cases, ...settle, ...(await withdrawalCases(worlds, happen))],
    service(call) {
      const [path = "", method = ""] = call.split(" ");
      const request = { path, method, headers: { "user-agent": "" }, body: "" };
      const { status, body } = path.startsWith("/api/accounts/") ? explorer(request) : api(request);
      return { answer: body, ...(status === undefined ? {} : { status }) };
    },
  };
}

const { user, stranger } = localAccounts;
const [OWNER_CHAIN, RECIPIENT] = ["base", 462_196];
const encode = (index: number | string): Hex => toHex(BigInt(index), { size: 16 });

/** Asset, market and name of each currency. */
const CURRENCIES = [
  { currency: "0", asset: 3, route: 0 },
  { currency: "1", asset: 1, route: 1 },
  { currency: "3", asset: 3, route: 1 },
] as const;

/** State of the exchange, and expiration of the transfer in milliseconds. */
const STATES = {
  "not built": undefined,
  "not sent": undefined,
  waiting: [1, NOW * 1000],
  failed: [0, NOW * 1000 - 60_001],
  executed: [2, NOW * 1000],
  final: [3, NOW * 1000],
} as const;

/** Returns requests for withdrawals in each state, to all routes. */
async function withdrawalCases(
  worlds: HubWorlds,
  happen: (info: TransferInfo, status: number) => string,
): Promise<Case[]> {
  const depository = LIGHTER_DEPOSITORY;
  const owner = user.address.toLowerCase() as Hex;
  const alias = hubAlias(OWNER_CHAIN, owner);
  const hubChainId = BigInt(LIGHTER_HUB_CHAIN_ID);
  useBuilder(worlds, { chainId, hubChainId, depository }, encode(depository));
  const cases: Case[] = [];
  let count = 0;
  for (const { currency, asset, route } of CURRENCIES) {
    const tokenId = hubTokenId(chainId, encode(currency));
    setBalance(worlds, alias, tokenId, 10n ** 30n);
    for (const [state, sent] of Object.entries(STATES)) {
      count += 1;
      const amount = 11n ** BigInt((count % 12) + 1);
      const memo = count % 2 === 0 ? numberToHex(count, { size: 32 }) : zeroHash;
      const info = {
        FromAccountIndex: Number(depository),
        ApiKeyIndex: 4,
        ToAccountIndex: RECIPIENT,
        AssetIndex: asset,
        FromRouteType: route,
        ToRouteType: route,
        Amount: Number(amount),
        USDCFee: 3_000_000,
        Memo: [...hexToBytes(memo)],
        ExpiredAt: sent?.[1] ?? 0,
        Nonce: count,
      };
      const { payload } = lighterWithdrawal(info);
      const nonce = numberToHex(count, { size: 32 });
      const v2 = {
        ...{ nonce: count, fromRouteType: route, toRouteType: route, apiKeyIndex: 4 },
        ...{ usdcFee: 3_000_000, memo, assetIndex: asset },
      };
      const data = [0, BigInt(count), BigInt(route), BigInt(route), 4n, 3_000_000n, memo] as const;
      const requestV2 = {
        ...{ chainId: hubChainId, depository, currency: `${asset}`, amount, spender: alias },
        ...{ receiver: `${RECIPIENT}`, nonce },
        data: encodeAbiParameters(parseAbiParameters("uint8, uint64, uint64, uint64, uint64, uint64, bytes32"), data),
      };
      const requestV3 = {
        ...{ chainId, depository: encode(depository), currency: encode(currency), amount, nonce },
        ...{ spenderChainId: OWNER_CHAIN, spender: owner, receiver: encode(RECIPIENT) },
        data: encodeAbiParameters(parseAbiParameters("uint64, uint64, uint64"), [BigInt(count), 4n, 3_000_000n]),
      };
      if (state !== "not built") buildPayload(worlds, { requestV2, requestV3, payload });
      const transactionId = sent === undefined ? undefined : happen(info, sent[0]);
      const account = withdrawalAddress({
        ...{ chainId, depository: encode(depository), currency: encode(currency) },
        ...{ recipient: encode(RECIPIENT), ownerAlias: alias, nonce: BigInt(nonce) },
      });
      setBalance(worlds, account, tokenId, amount);
      const common = { chainId, currency, amount: `${amount}`, nonce };
      const fields = {
        ...common,
        ...{ ownerChainId: OWNER_CHAIN, owner, recipient: `${RECIPIENT}` },
        additionalData: { "lighter-vm": v2 },
      };
      const sign = async (change: object = {}, by = user) => {
        const order = { ...fields, ...change };
        const raw = hashOwnerOrder({ operation: "withdrawal", ...order });
        return { ...order, ownerSignature: await by.signMessage({ message: { raw } }) };
      };
      const owned = await sign();
      const byAllocator = {
        ...common,
        ...{ spenderChainId: OWNER_CHAIN, spender: owner, receiver: `${RECIPIENT}` },
        additionalData: { "lighter-vm": { nonce: `${count}`, apiKeyIndex: "4", usdcFee: "3000000" } },
      };
      const { spenderChainId: ownerChainId, spender, receiver, ...stated } = byAllocator;
      const raw = hashOwnerOrder({
        ...{ operation: "withdrawal", ...stated, ownerChainId, owner: spender, recipient: receiver },
      });
      const authorized = { ...byAllocator, ownerSignature: await user.signMessage({ message: { raw } }) };
      const addressed = {
        ...{ chainId, currency, withdrawer: owner, withdrawerChainId: OWNER_CHAIN },
        ...{ recipient: `${RECIPIENT}`, withdrawalNonce: nonce },
      };
      const name = `lighter: ${state} withdrawal of currency ${currency}`;
      for (const named of [{}, ...(transactionId === undefined ? [] : [{ transactionId }])]) {
        const withdrawal = { chainId, withdrawal: payload, withdrawalAddressRequest: addressed };
        cases.push(
          { name, route: "depository-withdrawals/v1", request: { ...withdrawal, ...named } },
          { name, route: "depository-withdrawals/v2", request: { ...owned, ...named } },
          { name, route: "depository-withdrawals/v3", request: { ...byAllocator, ...named } },
        );
      }
      if (state !== "executed") continue;
      const otherAsset = await sign({ additionalData: { "lighter-vm": { ...v2, assetIndex: 77 } } });
      const longMemo = await sign({ additionalData: { "lighter-vm": { ...v2, memo: `${memo}00` } } });
      for (const route of ["withdrawal-initiation/v2", "withdrawal-initiated/v2"]) {
        cases.push(
          { name, route, request: owned },
          { name: `${name} of another asset`, route, request: otherAsset },
          { name: `${name} with a long memo`, route, request: longMemo },
          { name: `${name} signed by another account`, route, request: await sign({}, stranger) },
        );
      }
      cases.push(
        { name, route: "withdraw-request-authorization/v1", request: authorized },
        { name, route: "withdraw-requests/v1", request: { ...byAllocator, hashIndexes: [0] } },
      );
    }
  }
  return cases;
}
