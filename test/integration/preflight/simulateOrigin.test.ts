import { expect } from "chai";
import { type Abi, type Address, encodeFunctionData, getAddress, type Hex, zeroAddress } from "viem";
import { deployContract, waitForTransactionReceipt, writeContract } from "viem/actions";

import { createServiceClient, getQuote } from "../../../packages/sdk/src/index.ts";
import type { QuoteRequest, Step } from "../../../packages/protocol/src/index.ts";
import { readArtifact } from "../../../packages/crosscall/src/artifacts.ts";
import { openFork } from "../../../packages/crosscall/src/replay/fork/openFork.ts";
import { simulateOrigin } from "../../../packages/crosscall/src/replay/preflight/simulateOrigin.ts";
import { useNetwork } from "../../support/useNetwork.ts";

import { userWallet } from "../support/parties.ts";

const STRANGER = getAddress("0x00000000000000000000000000000000000c0de5");

describe("a quote's steps on a fork of the origin chain", () => {
  const network = useNetwork();
  const user = () => network.accounts.user.address;
  let nft: { readonly address: Address; readonly abi: Abi };
  let items: { readonly address: Address; readonly abi: Abi };

  async function deploy(name: string, mint: string, ...args: readonly unknown[]) {
    const wallet = userWallet(network, network.chains[0]);
    const { abi, bytecode } = readArtifact(name);
    const hash = await deployContract(wallet, { abi, bytecode });
    const { contractAddress } = await waitForTransactionReceipt(wallet, { hash });
    const address = contractAddress!;
    const minted = await writeContract(wallet, { address, abi, functionName: mint, args });
    await waitForTransactionReceipt(wallet, { hash: minted });
    return { address, abi };
  }

  before(async () => {
    nft = await deploy("mocks/PlainErc721", "safeMint", user(), 7n, "0x");
    items = await deploy("mocks/PlainErc1155", "mint", user(), 3n, 10n, "0x");
  });

  /** Returns the findings for a quote with an additional call by the user. */
  async function findingsWith(to: Address, data: Hex, value = "0", trust = network.trust): Promise<readonly string[]> {
    const [{ id, rpcUrl }] = network.chains;
    const request: QuoteRequest = {
      user: user(),
      originChainId: id,
      destinationChainId: network.chains[1].id,
      originCurrency: zeroAddress,
      destinationCurrency: zeroAddress,
      tradeType: "EXACT_INPUT",
      amount: "1000000000000000000",
    };
    const quote = await getQuote(createServiceClient({ baseUrl: network.url, limits: false }), request);
    const step: Step = {
      id: "swap",
      kind: "transaction",
      items: [{ status: "incomplete", data: { from: user(), to, data, value, chainId: id } }],
    };
    const fork = await openFork({ rpcUrl });
    try {
      const steps = [...(quote.steps ?? []), step];
      const { findings } = await simulateOrigin(fork, { request, quote: { ...quote, steps }, trust, limits: {} });
      return findings.map(({ code, reason }) => `${code} ${reason}`);
    } finally {
      await fork.close();
    }
  }
  const call = ({ abi }: { readonly abi: Abi }, functionName: string, ...args: readonly unknown[]): Hex =>
    encodeFunctionData({ abi, functionName, args });

  it("report an NFT that another account can transfer", async () => {
    expect(await findingsWith(nft.address, call(nft, "approve", STRANGER, 7n))).to.deep.equal([
      `ALLOWANCE_LEFT ${STRANGER} can still take NFT 7 of ${nft.address} afterwards`,
    ]);
  });

  it("report an operator approved for all NFTs or all items", async () => {
    for (const token of [nft, items]) {
      expect(await findingsWith(token.address, call(token, "setApprovalForAll", STRANGER, true))).to.deep.equal([
        `ALLOWANCE_LEFT ${STRANGER} can still take all of ${token.address} afterwards`,
      ]);
    }
  });

  it("report NFTs and items that the user sends", async () => {
    expect(await findingsWith(nft.address, call(nft, "transferFrom", user(), STRANGER, 7n))).to.deep.equal([
      `OTHER_FUNDS_LEFT 1 of ${nft.address} leave the user; the request allows 0`,
    ]);
    const moved = call(items, "safeTransferFrom", user(), STRANGER, 3n, 4n, "0x");
    expect(await findingsWith(items.address, moved)).to.deep.equal([
      `OTHER_FUNDS_LEFT 4 of id 3 of ${items.address} leave the user`,
    ]);
  });

  it("report a payment to an account that is not pinned", async () => {
    const paid = await findingsWith(STRANGER, "0x", "5");
    expect(paid.map((text) => text.split(" ")[0])).to.deep.equal(["INPUT_EXCEEDED", "STRANGER_PAID"]);
    const [{ id }] = network.chains;
    const trust = { ...network.trust, [id]: { ...network.trust[id]!, payees: [STRANGER] } };
    const known = await findingsWith(STRANGER, "0x", "5", trust);
    expect(known.map((text) => text.split(" ")[0])).to.deep.equal(["INPUT_EXCEEDED"]);
  });

  it("report nothing for a call that changes nothing", async () => {
    expect(await findingsWith(nft.address, call(nft, "ownerOf", 7n))).to.deep.equal([]);
  });
});
