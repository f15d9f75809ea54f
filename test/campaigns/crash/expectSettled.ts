import { expect } from "chai";
import { type Address, zeroAddress } from "viem";

import { balanceOf, depositsOf, vaultedOf } from "./accounting.ts";
import { type CampaignOrder, KINDS } from "./orders.ts";
import { NATIVE, USDC } from "./svmPayment.ts";
import { type CrashCampaignResult, settlementsOf } from "./runCrashCampaign.ts";

/**
 * Checks that no crash changed a result: every deposit has exactly one fill or refund, all balances are exact to the
 * smallest unit, and webhooks reported every status change in order.
 */
export async function expectSettled(result: CrashCampaignResult): Promise<void> {
  for (const order of result.orders) {
    expect(result.statuses.get(order.requestId), `final status of ${order.kind}`).to.equal(KINDS[order.kind]);
    const deposits =
      order.svm === undefined
        ? await depositsOf(result.origin, order.orderId)
        : result.onSolana?.deposits.get(order.orderId);
    expect(deposits, `deposits of ${order.kind}`).to.deep.equal([order.deposited]);
    expect(settlementsOf(result, order.orderId), `settlements of ${order.kind}`).to.have.length(1);
    expect(result.reported.get(order.requestId), `webhooks of ${order.kind}`).to.deep.equal(
      result.written.get(order.requestId),
    );
    await expectReceived(result, order);
  }
  expectServiceAddsUp(result);
}

/** Checks the balances of the accounts that only this order uses. */
async function expectReceived(result: CrashCampaignResult, order: CampaignOrder): Promise<void> {
  const { kind, recipient, refundTo, inputCurrency, outputCurrency, gasless, svm } = order;
  const { origin, destination } = result;
  const isFilled = KINDS[kind] === "success";
  const delivered = isFilled ? order.expectedOutput : 0n;
  const inVault = await vaultedOf(destination, recipient);
  expect(inVault, `vault shares of ${kind}`).to.equal(kind === "call" ? delivered : 0n);
  expect(await balanceOf(destination, outputCurrency, recipient), `received by ${kind}`).to.equal(
    kind === "call" ? 0n : delivered,
  );
  const refunded = isFilled ? 0n : order.deposited;
  if (svm !== undefined) {
    const held = [refundTo, svm.payer].map((account) => result.onSolana?.balances.get(account));
    expect(held, `refunded to ${kind}, and left to its payer`).to.deep.equal([refunded, 0n]);
    return;
  }
  expect(await balanceOf(origin, inputCurrency as Address, refundTo as Address), `refunded to ${kind}`).to.equal(
    refunded,
  );
  if (gasless !== undefined) {
    expect(await balanceOf(origin, inputCurrency as Address, gasless.payer), `left to the payer of ${kind}`).to.equal(
      0n,
    );
  }
}

/**
 * Checks the balances of the service's own accounts: the depository keeps deposits, and the solver pays for fills,
 * refunds and gas.
 */
function expectServiceAddsUp(result: CrashCampaignResult): void {
  const { orders, before, after } = result;
  const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);
  const deposits = (currency: string): bigint =>
    sum(orders.filter(({ inputCurrency }) => inputCurrency === currency).map(({ deposited }) => deposited));
  const refunded = (currency: string): bigint =>
    sum(
      orders
        .filter(({ kind, inputCurrency }) => KINDS[kind] === "refund" && inputCurrency === currency)
        .map(({ deposited }) => deposited),
    );
  const filled = (currency: Address): bigint =>
    sum(
      orders
        .filter(({ kind, outputCurrency }) => KINDS[kind] === "success" && outputCurrency === currency)
        .map(({ expectedOutput }) => expectedOutput),
    );
  // The solver sends nothing before the first deposit.
  const gas = (transactions: CrashCampaignResult["onOrigin"]): bigint => sum(transactions.map(({ fee }) => fee));
  const { dollar } = result.origin.contracts;
  expect(after.origin).to.deep.equal({
    solverNative: before.origin.solverNative - refunded(zeroAddress) - gas(result.onOrigin),
    solverDollars: before.origin.solverDollars - refunded(dollar),
    depositoryNative: before.origin.depositoryNative + deposits(zeroAddress),
    depositoryDollars: before.origin.depositoryDollars + deposits(dollar),
  });
  expect(after.destination).to.deep.equal({
    solverNative: before.destination.solverNative - filled(zeroAddress) - gas(result.onDestination),
    solverDollars: before.destination.solverDollars - filled(result.destination.contracts.dollar),
    depositoryNative: before.destination.depositoryNative,
    depositoryDollars: before.destination.depositoryDollars,
  });
  const { onSolana } = result;
  if (onSolana === undefined) return;
  const costs = sum(onSolana.payments.map(({ cost }) => cost));
  expect(onSolana.after).to.deep.equal({
    solverNative: onSolana.before.solverNative - refunded(NATIVE) - costs,
    solverDollars: onSolana.before.solverDollars - refunded(USDC),
    vaultNative: onSolana.before.vaultNative + deposits(NATIVE),
    vaultDollars: onSolana.before.vaultDollars + deposits(USDC),
  });
}
