import { expect } from "chai";
import { parseEther } from "ethers";
import { type Address, maxUint256, zeroAddress } from "viem";

import { planCalls } from "../../../packages/sdk/src/calls/index.ts";
import { createFills } from "../../support/fills.ts";

describe("WrappedNativeProxy with the canonical wrapped native currency", () => {
  async function deploy() {
    const fills = await createFills();
    const proxy = await fills.ethers.deployContract("WrappedNativeProxy", [fills.wrappedNative]);
    const wrapped = await fills.wrappedNative.getAddress();
    return { ...fills, proxy, wrapped };
  }

  for (const amount of [1n, 123_456_789n, parseEther("5000")]) {
    it(`unwraps ${amount}`, async () => {
      const { ethers, router, user, proxy, wrapped, tokenCalls, fill, expectEmpty, deliverWrapped } = await deploy();
      await deliverWrapped(amount);
      const calls = await tokenCalls(wrapped, proxy, user, { minimumIn: amount, minimumOut: amount });
      const filled = fill(calls);
      await expect(filled).to.emit(proxy, "Executed").withArgs(router, user, amount, amount);
      await expect(filled).to.changeEtherBalance(ethers, user, amount);
      await expectEmpty(proxy, wrapped, wrapped);
    });

    it(`wraps ${amount}`, async () => {
      const { router, user, proxy, wrapped, wrappedNative, nativeCalls, fill, expectEmpty } = await deploy();
      const calls = await nativeCalls(proxy, user, { minimumIn: amount, minimumOut: amount });
      await expect(fill(calls, amount)).to.emit(proxy, "Executed").withArgs(router, user, amount, amount);
      expect(await wrappedNative.balanceOf(user)).to.equal(amount);
      await expectEmpty(proxy, wrapped, wrapped);
    });
  }

  it("reverts if less wrapped native currency arrives than minimumIn", async () => {
    const { user, proxy, wrapped, tokenCalls, fill, deliverWrapped } = await deploy();
    await deliverWrapped(99n);
    await expect(fill(await tokenCalls(wrapped, proxy, user, { minimumIn: 100n })))
      .to.be.revertedWithCustomError(proxy, "InsufficientInput")
      .withArgs(99n, 100n);
  });

  it("reverts if less native currency arrives than minimumIn", async () => {
    const { router, user, proxy, nativeCalls, fill } = await deploy();
    await expect(fill(await nativeCalls(proxy, user, { minimumIn: 100n }), 99n))
      .to.be.revertedWithCustomError(router, "CallFailed")
      .withArgs();
  });

  it("reverts if no native currency arrives but the planned calls require it, and is skipped otherwise", async () => {
    const { router, user, proxy, callTo, nativeCalls, fill } = await deploy();
    const [execution] = await nativeCalls(proxy, user);
    const { txs } = planCalls({
      router: (await router.getAddress()) as Address,
      destinationCurrency: zeroAddress,
      recipient: user.address as Address,
      tradeType: "EXACT_INPUT",
      amount: 1n,
      actions: [
        {
          kind: "proxy",
          functionName: "executeNative",
          proxy: (await proxy.getAddress()) as Address,
          recipient: user.address as Address,
          deadline: maxUint256,
        },
      ],
    });
    await expect(fill([execution!], 0n)).not.to.emit(proxy, "Executed");
    const calls = txs.map(({ to, data }) => callTo(to, data));
    await expect(fill(calls, 0n)).to.be.revertedWithCustomError(router, "CallFailed");
    await expect(fill(calls, 1n)).to.emit(proxy, "Executed");
  });

  it("reverts if the recipient rejects native currency", async () => {
    const { ethers, proxy, wrapped, tokenCalls, fill, deliverWrapped } = await deploy();
    const refuser = await ethers.deployContract("NativeRefuser");
    await deliverWrapped(5n);
    await expect(fill(await tokenCalls(wrapped, proxy, refuser)))
      .to.be.revertedWithCustomError(proxy, "NativeTransferFailed")
      .withArgs(refuser, 5n, refuser.interface.encodeErrorResult("Refused", [5n]));
  });

  it("does not touch native currency that was forced into the proxy", async () => {
    const { ethers, networkHelpers, user, proxy, wrapped, tokenCalls, nativeCalls, fill, deliverWrapped } =
      await deploy();
    await networkHelpers.setBalance(await proxy.getAddress(), 7n);
    await deliverWrapped(5n);
    await expect(fill(await tokenCalls(wrapped, proxy, user))).to.changeEtherBalances(ethers, [user, proxy], [5n, 0n]);
    await expect(fill(await nativeCalls(proxy, user), 3n)).to.changeEtherBalance(ethers, proxy, 0n);
  });
});
