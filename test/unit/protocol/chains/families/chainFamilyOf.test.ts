import { expect } from "chai";

import { EXCHANGE_CHAIN_ID, SVM_CHAIN_ID } from "../../../../../packages/protocol/src/chains/chainIds.ts";
import { chainFamilyOf } from "../../../../../packages/protocol/src/chains/families/chainFamilyOf.ts";
import { serviceTrust } from "../../../../../packages/sdk/src/verify/trust.ts";
import { refusal } from "../../../../support/rejection.ts";

const EVM_ADDRESS = "0xF0AE622e463fa757Cf72243569E18Be7Df1996cd";
const EVM_NATIVE = `0x${"0".repeat(40)}`;
const SVM_NATIVE = "1".repeat(32);
const SVM_WRAPPED = "So11111111111111111111111111111111111111112";
const SVM_USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

const evm = chainFamilyOf(8453);
const svm = chainFamilyOf(SVM_CHAIN_ID);
const exchange = chainFamilyOf(EXCHANGE_CHAIN_ID);

describe("chainFamilyOf", () => {
  it("returns the three families, and whether each supports calls", () => {
    const facts = [evm, svm, exchange].map(({ name, takesCalls, nativeCurrencies }) => [
      name,
      takesCalls,
      nativeCurrencies,
    ]);
    expect(facts).to.deep.equal([
      ["evm", true, [EVM_NATIVE]],
      ["svm", false, [SVM_NATIVE]],
      ["lvm", false, ["0", "3"]],
    ]);
  });

  it("returns EVM for every chain with pinned addresses", () => {
    const families = Object.keys(serviceTrust).map((id) => [id, chainFamilyOf(Number(id)).name] as const);
    expect(families.filter(([, name]) => name === "unknown")).to.deep.equal([]);
    // Only EVM chains have routers.
    const withRouter = Object.entries(serviceTrust).filter(([, { routers = [] }]) => routers.length > 0);
    const isEvm = withRouter.every(([id]) => chainFamilyOf(Number(id)).name === "evm");
    expect([isEvm, withRouter.length > 80]).to.deep.equal([true, true]);
  });

  it("returns the family of documented chains, and does not assume EVM for an unknown id", () => {
    const named = { 8_253_038: "bvm", 1_337: "hypevm", 9_286_185: "svm", 9_286_186: "svm", 728_126_428: "tvm" };
    for (const [id, name] of Object.entries(named))
      expect([id, chainFamilyOf(Number(id)).name]).to.deep.equal([id, name]);
    const unknown = chainFamilyOf(4_242_424_242);
    expect([unknown.name, unknown.takesCalls, unknown.nativeCurrencies]).to.deep.equal(["unknown", true, []]);
    expect(unknown.parseAccount("EQ-any_form", "a")).to.equal("EQ-any_form");
    expect(unknown.isSame(EVM_ADDRESS, EVM_ADDRESS.toLowerCase())).to.equal(true);
    expect(refusal(() => unknown.parseAccount("", "a"))).to.include({ code: "INVALID_INPUT", field: "a" });
  });

  it("prefers the vmType in the chain list, and returns `unknown` for an unknown vmType", () => {
    const chains = [
      { id: 4_242_424_242, vmType: "tonvm" },
      { id: 8453, vmType: "svm" },
      { id: 5, vmType: "newvm" },
      { id: 6, vmType: null },
    ];
    expect([4_242_424_242, 8453, 5, 6, 10].map((id) => chainFamilyOf(id, chains).name)).to.deep.equal([
      "tonvm",
      "svm",
      "unknown",
      "unknown",
      "evm",
    ]);
  });

  it("returns native currencies that the family itself can parse", () => {
    for (const { nativeCurrencies, parseCurrency } of [evm, svm, exchange]) {
      expect(nativeCurrencies.map((currency) => parseCurrency(currency, "c"))).to.deep.equal(nativeCurrencies);
    }
  });

  it("compares EVM addresses case-insensitively, and all others exactly", () => {
    expect(evm.isSame(EVM_ADDRESS, EVM_ADDRESS.toLowerCase())).to.equal(true);
    expect(svm.isSame(SVM_USDC, SVM_USDC)).to.equal(true);
    expect(svm.isSame(SVM_USDC, SVM_USDC.toLowerCase())).to.equal(false);
    expect([exchange.isSame("3", "3"), exchange.isSame("3", "03")]).to.deep.equal([true, false]);
  });

  it("returns decimals if the family determines them", () => {
    expect([EVM_NATIVE, EVM_ADDRESS].map(evm.decimalsOf)).to.deep.equal([18, undefined]);
    expect([SVM_NATIVE, SVM_WRAPPED, SVM_USDC, SVM_USDC.toLowerCase()].map(svm.decimalsOf)).to.deep.equal([
      9,
      9,
      6,
      undefined,
    ]);
    expect(exchange.decimalsOf("3")).to.equal(undefined);
  });

  it("checksums EVM accounts, and keeps the letter case of SVM accounts and the exchange's account indexes", () => {
    expect(evm.parseAccount(EVM_ADDRESS.toLowerCase(), "a")).to.equal(EVM_ADDRESS);
    expect(svm.parseAccount(SVM_USDC, "a")).to.equal(SVM_USDC);
    expect(exchange.parseAccount("9007199254740991", "a")).to.equal("9007199254740991");
  });

  const refused: [string, (value: unknown, field: string) => string, unknown[]][] = [
    ["EVM accounts", evm.parseAccount, ["0x12", SVM_USDC, "3", 3, null]],
    [
      "EVM currencies",
      evm.parseCurrency,
      ["ETH", `0x${"eE".repeat(20)}`.replaceAll("eE", "Ee"), `0x${"e".repeat(40)}`],
    ],
    ["SVM accounts", svm.parseAccount, [EVM_ADDRESS, SVM_USDC.slice(3), `${SVM_USDC}1`, "0OIl", "", 7, undefined]],
    ["SVM currencies", svm.parseCurrency, [EVM_NATIVE, "1".repeat(31), "1".repeat(33)]],
    ["exchange accounts", exchange.parseAccount, [EVM_ADDRESS, "-1", "01", "1.0", "9007199254740992", 3, ""]],
    ["exchange currencies", exchange.parseCurrency, ["USDC", EVM_NATIVE, 0]],
  ];
  for (const [name, parse, values] of refused) {
    it(`rejects an invalid ${name}`, () => {
      for (const value of values) {
        expect(refusal(() => parse(value, "here"))).to.deep.include({ code: "INVALID_INPUT", field: "here" });
      }
    });
  }
});
