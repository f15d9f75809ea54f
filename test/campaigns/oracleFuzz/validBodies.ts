import { encodeFunctionData, type Hex, zeroAddress, zeroHash } from "viem";

import { depositoryAbi } from "../../../packages/protocol/src/abi/depository.generated.ts";
import { encodeEvmWithdrawal } from "../../../packages/sdk/src/attestation.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import type { Oracle } from "../../../packages/oracle/src/startOracle.ts";
import { CHAIN, type OracleNetwork } from "../../integration/support/oracleNetwork.ts";
import { depositFor, simpleOrder } from "../../integration/support/orders.ts";

const { user, solver } = localAccounts;
const owner = user.address.toLowerCase();
const NONCE = `0x${"0e".repeat(32)}`;
const SIGNATURE: Hex = `0x${"1".repeat(128)}1b`;

/** A well-formed body for each route; those of deposits and fills are honest too. */
export async function validBodies(network: OracleNetwork, oracle: Oracle): Promise<Record<string, object>> {
  const { order, orderSignature, transactionId, onchainId, orderId } = await depositFor(
    network,
    oracle,
    simpleOrder(network, 1n),
  );
  const plain = await network.send({
    to: network.contracts.depository,
    data: encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args: [user.address, zeroHash] }),
    value: 5n,
  });
  const fill = await network.send({
    to: order.output.payments[0]!.recipient as Hex,
    value: 900n,
    data: orderId,
    account: solver,
  });
  const deposit = { chainId: CHAIN, transactionId: plain };
  const inputs = [{ transactionId, onchainId, inputIndex: 0 }];
  const settlement = { order, orderSignature, inputs };
  const owned = {
    ...{ chainId: CHAIN, currency: zeroAddress, amount: "40", ownerChainId: CHAIN, owner },
    ...{ recipient: owner, nonce: NONCE, ownerSignature: SIGNATURE },
    ...{ depositChainId: CHAIN, depositTransactionId: transactionId, depositOnchainId: onchainId },
    additionalData: { "hyperliquid-vm": { currencyHyperliquidSymbol: "X", currentTime: 1 } },
  };
  const recovering = { ...owned, recoverMode: true, order, orderSignature };
  const request = {
    ...{ chainId: CHAIN, currency: zeroAddress, amount: "40", spenderChainId: CHAIN, spender: owner },
    ...{ receiver: owner, nonce: NONCE },
  };
  const address = {
    ...{ chainId: CHAIN, currency: zeroAddress, withdrawer: owner, withdrawerChainId: CHAIN },
    ...{ recipient: owner, withdrawalNonce: NONCE },
  };
  const initiated = { settlementChainId: "relay", expectedAmount: "40", ...address };
  const calls = [{ to: user.address, data: "0x", value: 5n, allowFailure: false } as const];
  const withdrawal = encodeEvmWithdrawal({ calls, nonce: 7n, expiration: 1n });
  const executed = { chainId: CHAIN, transactionId, onchainId, order, orderSignature, nonce: NONCE };
  return {
    "depository-deposits/v1": deposit,
    "solver-fills/v1": { ...settlement, fill: { transactionId: fill } },
    "solver-refunds/v1": { ...settlement, refunds: [{ transactionId: fill, inputIndex: 0, refundIndex: 0 }] },
    "depository-withdrawals/v1": { chainId: CHAIN, withdrawal, withdrawalAddressRequest: address },
    "depository-withdrawals/v2": { ...owned, transactionId },
    "depository-withdrawals/v3": { ...request, transactionId },
    "withdrawal-initiation/v1": { ...initiated, signature: SIGNATURE },
    "withdrawal-initiation/v2": recovering,
    "withdrawal-initiated/v1": initiated,
    "withdrawal-initiated/v2": owned,
    "withdraw-requests/v1": { ...request, hashIndexes: [0] },
    "withdraw-request-authorization/v1": { ...request, ownerSignature: SIGNATURE },
    "withdraw-and-fill/v1": executed,
    "withdraw-and-refund/v1": executed,
    "transfer/v1": { ...owned, nonce: "9" },
    "recover/v1": { chainId: CHAIN, transactionId, onchainId, order, orderSignature },
    "deposit-address-triggers/v1": {
      input: { vmType: "ethereum-vm", chainId: CHAIN, currency: zeroAddress, amount: "70" },
      derivationFields: {
        ...{ inputVmType: "ethereum-vm", outputVmType: "ethereum-vm", outputChainId: CHAIN },
        ...{ outputCurrency: zeroAddress, outputRecipient: owner, solver: owner, pricingOracle: owner },
        ...{ depositor: owner, refundRecipient: owner, priceImpactBps: "30" },
      },
      ...{ orderId, nonce: "4", extraData: "0xabcd" },
      currencies: [{ chainId: CHAIN, currency: zeroAddress }],
      prices: [{ usdPrice: "100", usdPriceDecimals: 2, currencyDecimals: 6, expiration: "1790000000" }],
    },
    "signatures/no-fill-or-refund/v1": { solverChainId: CHAIN, solver: owner, orderId, signature: SIGNATURE },
    "signatures/nonce-mapping/v2": {
      ...{ walletChainId: CHAIN, wallet: owner, nonce: "7", id: orderId, depositor: owner },
      ...{ signatureChainId: CHAIN, signature: SIGNATURE },
    },
  };
}
