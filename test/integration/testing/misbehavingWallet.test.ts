import { expect } from "chai";
import { BrowserProvider } from "ethers";
import {
  type Address,
  createWalletClient,
  custom,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  numberToHex,
  parseEther,
  recoverTypedDataAddress,
  size,
  zeroAddress,
} from "viem";
import { getBlockNumber, getTransaction, getTransactionCount, readContract, sendTransaction } from "viem/actions";

import type { LocalnetChain } from "../../../packages/crosscall/src/localnet/index.ts";
import { type MisbehavingWallet, misbehavingWallet } from "../../../packages/crosscall/src/testing/index.ts";
import { ACCOUNT_FACTORY_ADDRESS } from "../../../packages/crosscall/src/testing/misbehaving/contractAccount.ts";
import type {
  RejectionForm,
  MisbehavingWalletKind,
  MisbehavingWalletOptions,
} from "../../../packages/crosscall/src/testing/misbehaving/walletOptions.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { failureOf } from "../support/failureOf.ts";
import { dollarsOf, reader } from "../support/parties.ts";

const RECIPIENT: Address = "0x00000000000000000000000000000000000c0de5";
const DATA = {
  domain: { name: "Test", chainId: 31_337 },
  types: { Text: [{ name: "text", type: "string" }] },
  primaryType: "Text",
  message: { text: "hello" },
} as const;

describe("a misbehaving wallet", () => {
  const network = useNetwork();
  let chain: LocalnetChain;
  let wallet: MisbehavingWallet;

  before(() => {
    [chain] = network.chains;
  });
  afterEach(() => wallet.close());

  const open = async (kind: MisbehavingWalletKind, options: Partial<MisbehavingWalletOptions> = {}): Promise<void> => {
    wallet = await misbehavingWallet(kind, { account: network.accounts.user, rpcUrl: chain.rpcUrl, ...options });
    if (wallet.address !== network.accounts.user.address) await chain.fund(wallet.address, zeroAddress, 100n);
  };
  const ask = (method: string, ...params: unknown[]): Promise<unknown> => wallet.request({ method, params });
  /** Pays one wei. */
  const pay = (change: Readonly<Record<string, unknown>> = {}): Promise<unknown> =>
    ask("eth_sendTransaction", { from: wallet.address, to: RECIPIENT, value: "0x1", ...change });
  const paid = (): Promise<bigint> => reader(chain).getBalance({ address: RECIPIENT });
  /** Returns the amount that the recipient receives while the callback runs. */
  const payments = async (work: () => Promise<unknown>): Promise<bigint> => {
    const before = await paid();
    await work();
    return (await paid()) - before;
  };
  const isOnChain = async (hash: unknown): Promise<boolean> => (await ask("eth_getTransactionReceipt", hash)) !== null;
  const count = () => getTransactionCount(reader(chain), { address: network.accounts.user.address });
  const sign = (): Promise<unknown> => ask("eth_signTypedData_v4", wallet.address, JSON.stringify(DATA));
  const bundle = { version: "2.0.0", id: "0x01", from: RECIPIENT, calls: [{ to: RECIPIENT, value: "0x1" }] };
  const sendBundle = (): Promise<unknown> => ask("wallet_sendCalls", { ...bundle, chainId: numberToHex(chain.id) });

  /** Checks that the payment is not made until it is released, and is not made under the returned hash. */
  async function paysUnderAnotherHash(): Promise<void> {
    let hash: unknown;
    expect(await payments(async () => (hash = await pay()))).to.equal(0n);
    expect([size(hash as Hex), await isOnChain(hash)]).to.deep.equal([32, false]);
    let released: readonly Hex[] = [];
    expect(await payments(async () => (released = await wallet.release()))).to.equal(1n);
    expect([released.length, await isOnChain(released[0]), await isOnChain(hash)]).to.deep.equal([1, true, false]);
    expect(wallet.sent).to.deep.equal(released);
  }

  const kinds: Readonly<Record<MisbehavingWalletKind, () => Promise<void>>> = {
    async honest() {
      await open("honest");
      const nonce = await count();
      expect(
        await payments(async () => expect(await isOnChain(await pay({ nonce: numberToHex(nonce) }))).to.equal(true)),
      ).to.equal(1n);
      expect(wallet.prompts.map(({ method }) => method)).to.deep.equal(["eth_sendTransaction"]);
      expect(await failureOf(ask("wallet_getCapabilities"))).to.include({ code: 4_200 });
      expect(await recoverTypedDataAddress({ ...DATA, signature: (await sign()) as Hex })).to.equal(wallet.address);
    },
    async ownNonce() {
      await open("ownNonce");
      const nonce = await count();
      const hash = await pay({ nonce: numberToHex(nonce + 7) });
      expect((await getTransaction(reader(chain), { hash: hash as Hex })).nonce).to.equal(nonce);
    },
    async privateMempool() {
      await open("privateMempool");
      const nonce = await count();
      const hashes = [await pay(), await pay()];
      expect([await isOnChain(hashes[0]), await ask("eth_getTransactionByHash", hashes[0])]).to.deep.equal([
        false,
        null,
      ]);
      expect(await count()).to.equal(nonce);
      expect(await wallet.release()).to.deep.equal(hashes);
      expect(await Promise.all(hashes.map(isOnChain))).to.deep.equal([true, true]);
    },
    async userOperation() {
      await open("userOperation");
      expect(wallet.address).to.not.equal(network.accounts.user.address);
      await paysUnderAnotherHash();
      expect(await payments(async () => [await pay(), await pay(), await wallet.release()])).to.equal(2n);
    },
    async multisig() {
      await open("multisig");
      await paysUnderAnotherHash();
      expect(await pay()).to.not.equal(await pay());
    },
    async neverAnswers() {
      await open("neverAnswers", { methods: ["eth_sendTransaction", "wallet_getCapabilities"] });
      const waiting = Promise.allSettled([pay(), ask("wallet_getCapabilities")]);
      await ask("eth_blockNumber");
      await wallet.close();
      const codes = (await waiting).map((each) =>
        each.status === "rejected" ? (each.reason as { code: number }).code : 0,
      );
      expect([codes, wallet.sent]).to.deep.equal([[4_900, 4_900], []]);
      await open("neverAnswers", { sends: true });
      const nonce = await count();
      const hung = failureOf(pay());
      while ((await count()) === nonce) await ask("eth_blockNumber");
      await wallet.close();
      expect(await hung).to.include({ code: 4_900 });
    },
    async answersNull() {
      await open("answersNull");
      expect(await payments(async () => expect(await pay()).to.equal(null))).to.equal(1n);
    },
    async sendsNothing() {
      await open("sendsNothing");
      expect(await payments(async () => expect(await pay()).to.equal(undefined))).to.equal(0n);
      expect(wallet.prompts.length).to.equal(1);
    },
    async answersGarbage() {
      await open("answersGarbage", { answer: { ok: true } });
      expect(await payments(async () => expect(await pay()).to.deep.equal({ ok: true }))).to.equal(1n);
    },
    async repeatsHash() {
      await open("repeatsHash");
      const answers = [await pay(), await pay(), await pay()];
      const [first, second] = wallet.sent;
      expect(answers).to.deep.equal([first, first, second]);
    },
    async losesHash() {
      await open("losesHash");
      expect(await payments(async () => expect(await failureOf(pay())).to.include({ code: 4_900 }))).to.equal(1n);
    },
    async rejects() {
      const codes: Readonly<Record<RejectionForm, unknown>> = {
        code4001: 4_001,
        code5000: 5_000,
        code5002: 5_002,
        actionRejected: "ACTION_REJECTED",
        nested: -32_603,
        object: 4_001,
        message: undefined,
        string: undefined,
        hardware: undefined,
      };
      for (const [rejection, code] of Object.entries(codes)) {
        await open("rejects", { rejection: rejection as RejectionForm });
        for (const failure of [await failureOf(pay()), await failureOf(sign())]) {
          expect([rejection, (failure as { code?: unknown }).code]).to.deep.equal([rejection, code]);
        }
        expect(wallet.sent).to.deep.equal([]);
      }
    },
    async slowChainSwitch() {
      await open("slowChainSwitch", { reads: 2 });
      expect(await ask("eth_chainId")).to.equal("0x1");
      await ask("wallet_switchEthereumChain", { chainId: numberToHex(chain.id) });
      const read = async () => Number(await ask("eth_chainId"));
      expect([await read(), await read(), await read()]).to.deep.equal([1, 1, chain.id]);
    },
    async unknownChain() {
      await open("unknownChain");
      const chainId = numberToHex(chain.id);
      const changes: unknown[] = [];
      wallet.on("chainChanged", (changed) => changes.push(changed));
      expect(await failureOf(ask("wallet_switchEthereumChain", { chainId }))).to.include({ code: 4_902 });
      await ask("wallet_addEthereumChain", { chainId, chainName: "Local", rpcUrls: [chain.rpcUrl] });
      await ask("wallet_switchEthereumChain", { chainId });
      expect([await ask("eth_chainId"), changes]).to.deep.equal([chainId, [chainId, chainId]]);
    },
    async lowersApproval() {
      await open("lowersApproval", { cap: 5n });
      const { dollar, depository } = chain.contracts;
      const approve = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [depository, 60n] });
      await pay({ to: dollar, value: "0x0", data: approve });
      const args = [wallet.address, depository] as const;
      expect(
        await readContract(reader(chain), { address: dollar, abi: erc20Abi, functionName: "allowance", args }),
      ).to.equal(5n);
    },
    async speedsUp() {
      await open("speedsUp");
      await paysUnderAnotherHash();
    },
    async cancels() {
      await open("cancels");
      const nonce = await count();
      let hash: unknown;
      expect(await payments(async () => [(hash = await pay()), await wallet.release()])).to.equal(0n);
      expect([await isOnChain(hash), await count()]).to.deep.equal([false, nonce + 1]);
    },
    async legacySignatures() {
      await open("legacySignatures");
      expect(await sign()).to.match(/^0x[0-9a-f]{128}0[01]$/u);
    },
    async compactSignatures() {
      await open("compactSignatures");
      expect(size((await sign()) as Hex)).to.equal(64);
    },
    async bundles() {
      await open("bundles");
      expect(await ask("wallet_getCapabilities", wallet.address)).to.deep.equal({
        [numberToHex(chain.id)]: { atomic: { status: "supported" } },
      });
      expect(await payments(sendBundle)).to.equal(1n);
      expect(await ask("wallet_getCallsStatus", "0x01")).to.include({ status: 200 });
      expect(wallet.sent).to.have.length(1);
      expect(await failureOf(sendBundle())).to.include({ code: 5_720 });
    },
    async refusesBundles() {
      for (const [hasCode, code] of [
        [true, 4_200],
        [false, undefined],
      ] as const) {
        await open("refusesBundles", { hasCode });
        expect(Object.keys((await ask("wallet_getCapabilities", wallet.address)) as object)).to.have.length(1);
        expect(((await failureOf(sendBundle())) as { code?: number }).code).to.equal(code);
      }
    },
    async bundlePending() {
      await open("bundlePending");
      expect(await payments(sendBundle)).to.equal(0n);
      expect(await ask("wallet_getCallsStatus", "0x01")).to.include({ status: 100 });
      expect(await failureOf(sendBundle())).to.include({ code: 5_720 });
      expect(await payments(() => wallet.release())).to.equal(1n);
      expect(await ask("wallet_getCallsStatus", "0x01")).to.include({ status: 200 });
    },
    async bundleForgotten() {
      await open("bundleForgotten");
      expect(await payments(sendBundle)).to.equal(1n);
      expect(await failureOf(ask("wallet_getCallsStatus", "0x01"))).to.include({ code: 5_730 });
    },
  };

  for (const [kind, test] of Object.entries(kinds)) it(kind, test);

  it("releases payments after enough blocks", async () => {
    await open("multisig", { releaseAfterBlocks: 2 });
    await pay();
    await chain.mine({ blocks: 1 });
    expect(await payments(() => ask("eth_chainId"))).to.equal(0n);
    await chain.mine({ blocks: 1 });
    expect(await payments(() => ask("eth_chainId"))).to.equal(1n);
  });

  it("tries to release every payment before it throws the node's error", async () => {
    await open("privateMempool");
    const nonce = numberToHex(await count());
    const [first, , third] = [
      await pay({ nonce }),
      await pay({ nonce, value: "0x2" }),
      await pay({ nonce: numberToHex(Number(nonce) + 1) }),
    ];
    await failureOf(wallet.release());
    expect(wallet.sent).to.deep.equal([first, third]);
  });

  it("executes the previous request on release", async () => {
    for (const kind of ["privateMempool", "neverAnswers"] as const) {
      await open(kind, { sends: true });
      const asked = Promise.allSettled([pay()]);
      await wallet.release();
      expect(await Promise.all(wallet.sent.map(isOnChain))).to.deep.equal([true]);
      await wallet.close();
      await asked;
    }
  });

  it("works with viem and ethers", async () => {
    await open("honest");
    const before = await getBlockNumber(reader(chain), { cacheTime: 0 });
    const client = createWalletClient({ account: wallet.address, transport: custom(wallet) });
    await sendTransaction(client, { chain: null, to: RECIPIENT, value: 1n });
    const provider = new BrowserProvider(wallet);
    const signer = await provider.getSigner();
    await signer.sendTransaction({ to: RECIPIENT, value: parseEther("0.1") });
    const signature = await signer.signTypedData(DATA.domain, { Text: [...DATA.types.Text] }, DATA.message);
    provider.destroy();
    expect(await recoverTypedDataAddress({ ...DATA, signature: signature as Hex })).to.equal(wallet.address);
    expect(Number(await getBlockNumber(reader(chain), { cacheTime: 0 }))).to.equal(Number(before) + 2);
  });

  it("returns a node's error with its code", async () => {
    await open("honest");
    const transfer = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [RECIPIENT, 10n ** 30n] });
    const failure = await failureOf(pay({ to: chain.contracts.dollar, value: "0x0", data: transfer }));
    expect(failure).to.include({ code: 3 });
    expect(await dollarsOf(chain, RECIPIENT)).to.equal(0n);
  });

  it("uses the account factory of local chains", () => {
    expect(chain.contracts.accountFactory).to.equal(ACCOUNT_FACTORY_ADDRESS);
  });
});
