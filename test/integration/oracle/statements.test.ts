import { expect } from "chai";
import { AbiCoder, keccak256 } from "ethers";
import { type Address, type Hex, zeroAddress, zeroHash } from "viem";

import { hubAlias } from "../../../packages/sdk/src/attestation.ts";
import { noFillEntry, nonceMappingEntry } from "../../../packages/protocol/src/attestation/genericMapping.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { Answers } from "../support/responses.ts";
import { CHAIN, ORACLE_SIGNER } from "../support/oracleNetwork.ts";
import { MANAGER, MANAGER_ABI, MAPPING } from "./support/hubContracts.ts";
import { fieldsOf, oracleSuite, owner as wallet, typedSigners } from "./support/oracleSuite.ts";

const NO_FILL = "signatures/no-fill-or-refund/v1";
const NONCE_MAPPING = "signatures/nonce-mapping/v2";
const TRIGGER = "deposit-address-triggers/v1";
const ORDER_ID: Hex = `0x${"ab".repeat(32)}`;
const { user, stranger } = localAccounts;
const hub = { genericMappingAddress: MAPPING, depositAddressManagerAddress: MANAGER };
const chain = { hubChainId: 7 };

describe("attestations of statements that the hub records", () => {
  let manager: Answers<typeof MANAGER_ABI>;
  const suite = oracleSuite({
    hasPeer: true,
    async prepare(network) {
      manager = await Answers.at(network, MANAGER, MANAGER_ABI, [{ functionName: "triggers", result: zeroHash }]);
      return { hub, chain };
    },
  });
  const { attested, expectRejected, expectFailed } = suite;

  const noFill = async (signer = user, chainId = 7) => ({
    solverChainId: CHAIN,
    solver: wallet,
    orderId: ORDER_ID,
    signature: await signer.signTypedData({
      domain: { name: "RelayNoFillOrRefund", version: "1", chainId, verifyingContract: zeroAddress },
      types: { NoFillOrRefund: fieldsOf("string chainId, address solver, bytes32 orderId") },
      primaryType: "NoFillOrRefund",
      message: { chainId: CHAIN, solver: wallet, orderId: ORDER_ID },
    }),
  });
  const mapped = { wallet, depositor: MAPPING, id: ORDER_ID };
  const nonceMapping = async (signer = user) => ({
    ...{ ...mapped, walletChainId: CHAIN, nonce: "12", signatureChainId: CHAIN },
    signature: await signer.signTypedData({
      domain: { name: "RelayNonceMapping", version: "2", chainId: 7, verifyingContract: zeroAddress },
      types: {
        NonceMapping: fieldsOf("string chainId, address wallet, address depositor, bytes32 id, uint256 nonce"),
      },
      primaryType: "NonceMapping",
      message: { ...mapped, chainId: CHAIN, nonce: 12n },
    }),
  });

  for (const [route, request, expected] of [
    [NO_FILL, noFill, () => noFillEntry(hubAlias(CHAIN, wallet), ORDER_ID)],
    [
      NONCE_MAPPING,
      nonceMapping,
      () => nonceMappingEntry({ user: hubAlias(CHAIN, wallet), nonce: "12", id: ORDER_ID, depositor: MAPPING }),
    ],
  ] as const) {
    it(`sign the mapping's entry for ${route}, as the peers do`, async () => {
      const body = { ...(await request()), requestPeerSignatures: true };
      const { signatures, ...entry } = (await attested(route, body)).genericMapping;
      expect(entry).to.deep.equal(expected());
      const domain = { name: "RelayGenericMapping", version: "1", chainId: 31_337, verifyingContract: MAPPING };
      const types = { SetEntry: fieldsOf("address user, bytes32 id, bytes data, bytes32 nonce") };
      const signers = [ORACLE_SIGNER, suite.peer.signer];
      expect(await typedSigners(domain, types, entry, signatures)).to.deep.equal(signers);
      const contract = { genericMappingChainId: "31337", genericMappingContract: MAPPING };
      expect(signatures.map(({ signature: _, ...rest }) => rest)).to.deep.equal(
        signers.map((oracleSigner) => ({ ...contract, oracleSigner })),
      );
    });
  }

  it("are rejected for a statement by another signer, for another chain, or with other content", async () => {
    for (const [route, body] of [
      [NO_FILL, await noFill(user, 8)],
      [NO_FILL, { ...(await noFill()), orderId: `0x${"cd".repeat(32)}` }],
      [NO_FILL, { ...(await noFill()), signature: "0x12" }],
      [NONCE_MAPPING, await nonceMapping(stranger)],
      [NONCE_MAPPING, { ...(await nonceMapping()), nonce: "13" }],
      [NONCE_MAPPING, { ...(await nonceMapping()), depositor: zeroAddress }],
    ] as const) {
      await expectRejected(route, body, "Invalid signature");
    }
    const elsewhere = { ...(await nonceMapping()), signatureChainId: "other" };
    await expectRejected(NONCE_MAPPING, elsewhere, "Chain other is not available");
  });

  it("fail if the configuration lacks the contract or the chain's number", async () => {
    for (const options of [{ chain }, { hub }]) {
      await using incomplete = await suite.start(options);
      await expectFailed(NO_FILL, await noFill(), incomplete);
    }
  });

  it("accept only statements from wallets on EVM chains", async () => {
    const tron = { vmType: "tron-vm", depository: "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb" } as const;
    await using onTron = await suite.start({ hub, chain: tron });
    const unsupported = "Unsupported signature chain";
    await expectRejected(NONCE_MAPPING, await nonceMapping(), unsupported, onTron);
    await expectRejected(NO_FILL, await noFill(), unsupported, onTron);
  });

  describe("about an order's trigger", () => {
    const body = {
      input: { vmType: "ethereum-vm", chainId: CHAIN, currency: zeroAddress, amount: "70" },
      derivationFields: {
        inputVmType: "ethereum-vm",
        outputVmType: "solana-vm",
        outputChainId: "solana",
        outputCurrency: `0x${"01".repeat(32)}`,
        outputRecipient: `0x${"02".repeat(32)}`,
        ...{ solver: MANAGER, pricingOracle: MANAGER, depositor: MANAGER, refundRecipient: MANAGER },
        priceImpactBps: "30",
      },
      ...{ orderId: ORDER_ID, nonce: "4", extraData: "0xabcd" },
      currencies: [{ chainId: CHAIN, currency: zeroAddress }],
      prices: [{ usdPrice: "100", usdPriceDecimals: 2, currencyDecimals: 6, expiration: "1790000000" }],
    };
    const triggerHash = keccak256(
      AbiCoder.defaultAbiCoder().encode(
        [
          "tuple(string vmType,string chainId,bytes currency,uint256 amount)",
          "tuple(string inputVmType,string outputVmType,string outputChainId,bytes outputCurrency," +
            "bytes outputRecipient,address solver,address pricingOracle,bytes depositor,bytes refundRecipient," +
            "uint256 priceImpactBps)",
          ...["bytes32", "uint256", "tuple(string chainId,bytes currency)[]"],
          "tuple(uint256 usdPrice,uint8 usdPriceDecimals,uint8 currencyDecimals,uint256 expiration)[]",
          "bytes",
        ],
        [body.input, body.derivationFields, ORDER_ID, "4", body.currencies, body.prices, "0xabcd"],
      ),
    ) as Hex;

    it("sign the trigger after the hub records it for the order", async () => {
      const unknown = "Trigger hash does not map to the provided order id";
      await expectRejected(TRIGGER, body, unknown);
      await manager.set({ functionName: "triggers", args: [triggerHash], result: ORDER_ID });
      const { trigger } = await attested(TRIGGER, { ...body, requestPeerSignatures: true });
      const { signatures, ...message } = trigger;
      const inputDepository = suite.contracts.depository.toLowerCase();
      expect(message).to.deep.equal({
        ...{ chainId: "31337", depositAddressManager: MANAGER, inputDepository, triggerHash },
      });
      const domain = { name: "Trigger", version: "1", chainId: 31_337, verifyingContract: zeroAddress };
      const types = {
        Trigger: fieldsOf("uint256 chainId, address depositAddressManager, bytes inputDepository, bytes32 triggerHash"),
      };
      const signers = await typedSigners(domain, types, message, signatures);
      expect(signers).to.deep.equal([ORACLE_SIGNER, suite.peer.signer]);
      for (const change of [{ nonce: "5" }, { extraData: "0x" }, { orderId: zeroHash }]) {
        await expectRejected(TRIGGER, { ...body, ...change }, unknown);
      }
    });

    it("are rejected if a setting is missing, and for invalid decimals", async () => {
      await using without = await suite.start();
      await expectRejected(TRIGGER, body, "Missing deposit address manager config", without);
      const depository = undefined as unknown as Address;
      await using bare = await suite.start({ hub, chain: { depository } });
      await expectRejected(TRIGGER, body, `Missing depository for input chain ${CHAIN}`, bare);
      const prices = [{ ...body.prices[0], usdPriceDecimals: 256 }];
      await expectRejected(TRIGGER, { ...body, prices }, "body/prices/0/usdPriceDecimals must be <= 255");
    });
  });
});
