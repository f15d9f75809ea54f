import { expect } from "chai";
import {
  type Address,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  maxUint256,
  parseAbi,
  parseSignature,
} from "viem";
import { sendTransaction, waitForTransactionReceipt, writeContract } from "viem/actions";

import { PERMIT2_ADDRESS } from "../../../packages/protocol/src/chains/serviceAddresses.ts";
import type { Quote } from "../../../packages/protocol/src/complete.ts";
import { describeChain } from "../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import type { LocalnetChain } from "../../../packages/crosscall/src/localnet/index.ts";
import { until } from "../../support/until.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { reader, userWallet } from "../support/parties.ts";
import { onNode, requestIdOf, watchToEnd } from "../support/requests.ts";
import { recordOf } from "../support/serviceCalls.ts";
import {
  fundPermits,
  outrun,
  PERMIT_KINDS,
  type PermitKind,
  permitRequest,
  permitStepOf,
  postPermit,
  PREFERRED_FEES,
  quotePermit,
  rivalCall,
  signPermit,
} from "./support.ts";

const CANCELLATION_ABI = parseAbi([
  "function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
  "function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
  "function invalidateUnorderedNonces(uint256 word, uint256 mask)",
]);

const CANCELLATION_TYPES = {
  CancelAuthorization: [
    { name: "authorizer", type: "address" },
    { name: "nonce", type: "bytes32" },
  ],
};

describe("permits under attack", () => {
  const network = useNetwork();
  let origin: LocalnetChain;
  let user: Address;

  before(async () => {
    [origin] = network.chains;
    user = network.accounts.user.address;
    await fundPermits(network);
    await approve(origin.contracts.tether, PERMIT2_ADDRESS, maxUint256);
  });

  async function approve(token: string, spender: string, amount: bigint): Promise<void> {
    const wallet = userWallet(network, origin);
    const hash = await writeContract(wallet, {
      address: token as Address,
      abi: erc20Abi,
      functionName: "approve",
      args: [spender as Address, amount],
    });
    await waitForTransactionReceipt(wallet, { hash });
  }

  /** Approves the spender of an EIP-2612 permit with a transaction. */
  const approveProxy = (quote: Quote, amount: bigint): Promise<void> =>
    approve(quote.details.currencyIn.currency.address, String(permitStepOf(quote).message.spender), amount);

  /** Returns the balances of the user and the solver in a quote's input currency. */
  async function holdingsOf({ details }: Quote): Promise<readonly [user: bigint, solver: bigint]> {
    const token = { address: details.currencyIn.currency.address as Address, abi: erc20Abi };
    const read = (account: Address) =>
      reader(origin).readContract({ ...token, functionName: "balanceOf", args: [account] });
    return [await read(user), await read(network.solver)];
  }

  const amountOf = ({ details }: Quote): bigint => BigInt(details.currencyIn.amount);
  const strangerWallet = () =>
    createWalletClient({
      account: network.accounts.stranger,
      chain: describeChain(origin.id, origin.rpcUrl),
      transport: http(origin.rpcUrl),
    });

  async function takeSigned(kind: PermitKind, change: Parameters<typeof quotePermit>[2] = {}) {
    const quote = await quotePermit(network, kind, change);
    const step = permitStepOf(quote);
    return { quote, body: step.body, signature: await signPermit(network, step) };
  }

  /** Cancels a quote's permit on its chain, as the user. */
  async function cancel(quote: Quote, fees: object = {}): Promise<Hex> {
    const { domain, primaryType, message, types } = permitStepOf(quote);
    const wallet = userWallet(network, origin);
    const call = { address: domain.verifyingContract as Address, abi: CANCELLATION_ABI, ...fees } as const;
    if (primaryType === "TransferWithAuthorization") {
      const nonce = message.nonce as Hex;
      const signed = { domain, types: CANCELLATION_TYPES, primaryType: "CancelAuthorization" } as const;
      const { r, s, yParity } = parseSignature(
        await network.accounts.user.signTypedData({ ...signed, message: { authorizer: user, nonce } }),
      );
      return writeContract(wallet, {
        ...call,
        functionName: "cancelAuthorization",
        args: [user, nonce, yParity + 27, r, s],
      });
    }
    if (primaryType === "Permit") {
      const nothing = { ...message, value: 0n };
      const { r, s, yParity } = parseSignature(
        await network.accounts.user.signTypedData({ domain, types, primaryType, message: nothing }),
      );
      const args = [
        user,
        message.spender as Address,
        0n,
        BigInt(String(message.deadline)),
        yParity + 27,
        r,
        s,
      ] as const;
      return writeContract(wallet, { ...call, functionName: "permit", args });
    }
    const nonce = BigInt(String(message.nonce));
    return writeContract(wallet, {
      ...call,
      functionName: "invalidateUnorderedNonces",
      args: [nonce >> 8n, 1n << (nonce & 255n)],
    });
  }

  for (const kind of PERMIT_KINDS) {
    it(`pay for one of two equal requests: ${kind}`, async () => {
      // The service quotes both requests in the same second, so the EIP-2612 messages are equal.
      const amount = (BigInt(permitRequest(network, kind).amount) / 2n).toString();
      const [first, second] = await until(async () => {
        const quotes = await Promise.all([
          quotePermit(network, kind, { amount }),
          quotePermit(network, kind, { amount }),
        ]);
        const [one, other] = quotes.map((quote) => permitStepOf(quote).message);
        return one?.deadline === other?.deadline && one?.validBefore === other?.validBefore && quotes;
      });
      // If the allowance is sufficient, the deposit does not use an EIP-2612 permit.
      if (kind === "eip2612") await approveProxy(first, maxUint256);
      const step = permitStepOf(first);
      const signature = await signPermit(network, step);
      const [held, solver] = await holdingsOf(first);
      expect((await postPermit(network, step.body, signature)).status).to.equal(200);
      expect((await watchToEnd(network, requestIdOf(first))).status).to.equal("success");
      for (const text of [signature, `0x${signature.slice(2).toUpperCase()}`]) {
        for (const { body } of [step, permitStepOf(second)]) {
          expect((await postPermit(network, body, text)).status).to.equal(400);
        }
      }
      if (kind === "eip2612") await approveProxy(first, 0n);
      expect((await recordOf(network, requestIdOf(second))).status).to.equal("waiting");
      expect(await holdingsOf(first)).to.deep.equal([held - amountOf(first), solver]);
    });

    it(`pay once when another account copies the service's transaction: ${kind}`, async () => {
      const { quote, body, signature } = await takeSigned(kind);
      const [held, solver] = await holdingsOf(quote);
      await outrun(
        network,
        () => postPermit(network, body, signature),
        async () => {
          const [pending] = (await onNode(origin, "eth_pendingTransactions")) as readonly { to: Address; input: Hex }[];
          const { to, input } = pending ?? expect.fail("nothing is pending");
          await sendTransaction(strangerWallet(), { to, data: input, ...PREFERRED_FEES });
        },
      );
      expect((await watchToEnd(network, requestIdOf(quote))).status).to.equal("success");
      expect(await holdingsOf(quote)).to.deep.equal([held - amountOf(quote), solver]);
    });

    it(`are rejected after the user cancels them: ${kind}`, async () => {
      const { quote, body, signature } = await takeSigned(kind);
      const held = await holdingsOf(quote);
      await waitForTransactionReceipt(userWallet(network, origin), { hash: await cancel(quote) });
      expect((await postPermit(network, body, signature)).status).to.equal(400);
      expect((await recordOf(network, requestIdOf(quote))).status).to.equal("waiting");
      expect(await holdingsOf(quote)).to.deep.equal(held);
    });

    it(`make the request fail without a payment if the user cancels them before the payment: ${kind}`, async () => {
      const { quote, body, signature } = await takeSigned(kind);
      const held = await holdingsOf(quote);
      await outrun(
        network,
        () => postPermit(network, body, signature),
        () => cancel(quote, PREFERRED_FEES),
      );
      expect(await watchToEnd(network, requestIdOf(quote))).to.include({
        status: "failure",
        failReason: "INVALID_NONCE",
      });
      expect(await holdingsOf(quote)).to.deep.equal(held);
      expect((await postPermit(network, body, signature)).status).to.equal(400);
    });
  }

  // The following tests change the chain's time.
  for (const kind of PERMIT_KINDS) {
    it(`make the request fail without a payment if they expire before they are mined: ${kind}`, async () => {
      const { quote, body, signature } = await takeSigned(kind, { permitExpiry: 60 });
      const held = await holdingsOf(quote);
      const { deadline, validBefore } = permitStepOf(quote).message;
      const expired = Number(deadline ?? validBefore) + 1;
      await onNode(origin, "evm_setAutomine", false);
      expect((await postPermit(network, body, signature)).status).to.equal(200);
      await until(async () => ((await onNode(origin, "eth_pendingTransactions")) as readonly unknown[]).length > 0);
      await onNode(origin, "evm_setNextBlockTimestamp", expired);
      await onNode(origin, "evm_mine");
      await onNode(origin, "evm_setAutomine", true);
      network.clock.set(expired * 1_000);
      expect(await watchToEnd(network, requestIdOf(quote))).to.include({
        status: "failure",
        failReason: "SIGNATURE_EXPIRED",
      });
      expect(await holdingsOf(quote)).to.deep.equal(held);
    });
  }

  // Runs last, because it spends all funds.
  it("refund an authorization that another account sends after the failure", async () => {
    const { quote, body, signature } = await takeSigned("eip3009");
    const { dollar } = origin.contracts;
    const [all, solver] = await holdingsOf(quote);
    const transfer = encodeFunctionData({
      abi: erc20Abi,
      functionName: "transfer",
      args: [network.accounts.stranger.address, all],
    });
    await outrun(
      network,
      () => postPermit(network, body, signature),
      () => sendTransaction(userWallet(network, origin), { to: dollar, data: transfer, ...PREFERRED_FEES }),
    );
    expect((await watchToEnd(network, requestIdOf(quote))).failReason).to.equal("GASLESS_PERMIT_BALANCE_TOO_LOW");
    await origin.fund(user, "USDC", amountOf(quote));

    await sendTransaction(strangerWallet(), { ...rivalCall(quote, signature), ...PREFERRED_FEES });
    await until(async () => (await holdingsOf(quote))[1] > solver);
    const record = await until(async () => {
      const found = await recordOf(network, requestIdOf(quote));
      return found.status === "refund" && found;
    });
    expect(record.data.failReason).to.equal("GASLESS_PERMIT_BALANCE_TOO_LOW");
    expect(await holdingsOf(quote)).to.deep.equal([amountOf(quote), solver]);
  });
});
