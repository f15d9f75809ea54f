import { expect } from "chai";
import { type Address, getAddress, maxUint256 } from "viem";

import type { Program } from "../../../../../packages/sdk/src/calls/index.ts";
import type { Call } from "../../../../../packages/protocol/src/common/call.ts";
import { PUBLIC_CONTRACTS } from "../../../../../packages/protocol/src/generations/routers.ts";
import { refusal } from "../../../../support/rejection.ts";
import { OTHER_TOKEN, PROXY, RECIPIENT, ROUTER, TOKEN } from "../accounts.ts";
import {
  approve,
  call,
  check,
  CONTRACTS,
  execute,
  EXECUTOR,
  found,
  POOL,
  programOf,
  PULLER,
  run,
  STRANGER,
  supply,
  sweep,
  VAULT,
  WRAPPED,
} from "./fixtures.ts";

const MULTICALL3 = "0xcA11bde05977b3631167028862bE2a173976CA11";
const market = "(address,address,address,address,uint256) market";
const MARKET = [TOKEN, OTHER_TOKEN, STRANGER, STRANGER, 1n];
const swapStruct = "(address,address,uint24,address,uint256,uint256,uint160)";

/** Calls that credit a given account or create debt for it. */
const POSITIONS: Record<string, (account: Address) => Call> = {
  "an Aave supply": (account) => supply(TOKEN, 100n, account),
  "an Aave deposit": (account) => call(POOL, "deposit(address, uint256, address, uint16)", [TOKEN, 100n, account, 0]),
  "an Aave repayment": (account) => call(POOL, "repay(address, uint256, uint256, address)", [TOKEN, 100n, 2n, account]),
  "a Compound supply": (account) => call(POOL, "supplyTo(address, address, uint256)", [account, TOKEN, 100n]),
  "a Compound supply of another account": (account) =>
    call(POOL, "supplyFrom(address, address, address, uint256)", [STRANGER, account, TOKEN, 100n]),
  "a Morpho supply": (account) =>
    call(POOL, `supply(${market}, uint256 a, uint256 s, address b, bytes d)`, [MARKET, 100n, 0n, account, "0x"]),
  "a Morpho collateral": (account) =>
    call(POOL, `supplyCollateral(${market}, uint256 a, address b, bytes d)`, [MARKET, 100n, account, "0x"]),
  "a Morpho repayment": (account) =>
    call(POOL, `repay(${market}, uint256 a, uint256 s, address b, bytes d)`, [MARKET, 100n, 0n, account, "0x"]),
  "a Morpho withdrawal": (account) =>
    call(POOL, `withdrawCollateral(${market}, uint256 a, address b, address r)`, [MARKET, 100n, account, RECIPIENT]),
};
/** No step in a program can borrow. */
const DEBTS: Record<string, (account: Address) => Call> = {
  "an Aave debt": (account) =>
    call(POOL, "borrow(address, uint256, uint256, uint16, address)", [OTHER_TOKEN, 1n, 2n, 0, account]),
  "a Morpho debt": (account) =>
    call(POOL, `borrow(${market}, uint256 a, uint256 s, address b, address r)`, [MARKET, 100n, 0n, account, RECIPIENT]),
};
const RECEIPTS: Record<string, (account: Address) => Call> = {
  "a vault deposit": (account) => call(VAULT, "deposit(uint256, address)", [100n, account]),
  "a vault mint": (account) => call(VAULT, "mint(uint256, address)", [100n, account]),
  "a typed proxy": (account) => execute(PROXY, { recipient: account }),
  "a typed proxy that repays": (account) => execute(PROXY, { recipient: account }, "repay"),
  "an NFT": (account) => call(POOL, "mint(address, uint256)", [account, 1n]),
  "an NFT that is sent on": (account) =>
    call(POOL, "safeTransferFrom(address, address, uint256)", [STRANGER, account, 1n]),
};
const MOVABLE: Record<string, (account: Address) => Call> = {
  "a Uniswap v2 swap": (account) =>
    call(POOL, "swapExactTokensForTokens(uint256, uint256, address[], address, uint256)", [
      100n,
      90n,
      [TOKEN, OTHER_TOKEN],
      account,
      maxUint256,
    ]),
  "a Uniswap v3 swap": (account) =>
    call(POOL, `exactInputSingle(${swapStruct} params)`, [[TOKEN, OTHER_TOKEN, 500, account, 100n, 90n, 0n]]),
  "a Curve exchange": (account) =>
    call(POOL, "exchange(int128, int128, uint256, uint256, address)", [0n, 1n, 100n, 90n, account]),
  "a withdrawal": (account) => call(POOL, "withdraw(address, uint256, address)", [OTHER_TOKEN, 1n, account]),
};

/** Calls that only work if an account allows the caller to use its tokens or position. */
const USES: Record<string, (account: Address) => Call> = {
  "a vault's redemption": (account) => call(VAULT, "redeem(uint256, address, address)", [1n, RECIPIENT, account]),
  "a vault's withdrawal": (account) => call(VAULT, "withdraw(uint256, address, address)", [1n, RECIPIENT, account]),
  "an asynchronous deposit": (account) =>
    call(VAULT, "requestDeposit(uint256, address, address)", [1n, RECIPIENT, account]),
  "an asynchronous redemption": (account) =>
    call(VAULT, "requestRedeem(uint256, address, address)", [1n, RECIPIENT, account]),
  "a Compound supply": (account) =>
    call(POOL, "supplyFrom(address, address, address, uint256)", [account, RECIPIENT, TOKEN, 1n]),
  "a Compound withdrawal": (account) =>
    call(POOL, "withdrawFrom(address, address, address, uint256)", [account, RECIPIENT, TOKEN, 1n]),
  "a Morpho withdrawal of collateral": POSITIONS["a Morpho withdrawal"]!,
  "a Morpho withdrawal": (account) =>
    call(POOL, `withdraw(${market}, uint256 a, uint256 s, address b, address r)`, [MARKET, 1n, 0n, account, RECIPIENT]),
  "an NFT": (account) => call(POOL, "safeTransferFrom(address, address, uint256)", [account, RECIPIENT, 1n]),
  "several NFTs": (account) =>
    call(POOL, "safeBatchTransferFrom(address, address, uint256[], uint256[], bytes)", [
      account,
      RECIPIENT,
      [1n],
      [1n],
      "0x",
    ]),
};

const contracts = { ...CONTRACTS, trusted: [POOL, VAULT] };
const around = (...calls: Call[]) =>
  check([...[POOL, VAULT, PROXY].map((spender) => approve(TOKEN, spender, 200n)), ...calls, sweep(TOKEN)], {
    contracts,
  });
const codesOf = (parameters: ReturnType<typeof check>): string[] =>
  found(parameters)
    .map(([code]) => code)
    .filter((code) => code.includes("PUBLIC_ACCOUNT"));

/** Pulled tokens, and tokens that only the steps receive. */
const tokens = [{ token: TOKEN }, { token: OTHER_TOKEN, minimumIn: 0n }];
const asProgram = (step: Call, change: Partial<Program> = {}) =>
  check([sweep(TOKEN, EXECUTOR), run(programOf(step, change))], { contracts });

describe("checkCalls: attacks on accounts that anyone can use", () => {
  for (const [name, make] of Object.entries({ ...POSITIONS, ...DEBTS })) {
    it(`${name} for the router, the executor or its puller: anyone can take the credit, and a stranger's debt blocks it`, () => {
      for (const account of [EXECUTOR, PULLER]) {
        expect(codesOf(around(make(account)))).to.deep.equal(["PUBLIC_ACCOUNT_CREDITED"]);
      }
      // A sweep cannot reliably claim the credit.
      const ofRouter = found(around(make(ROUTER), sweep(POOL), sweep(OTHER_TOKEN))).map(([code]) => code);
      expect(ofRouter.filter((code) => ["PUBLIC_ACCOUNT_CREDITED", "CREDITS_ROUTER"].includes(code))).to.have.length(1);
      expect(codesOf(around(make(RECIPIENT)))).to.deep.equal([]);
    });
  }

  const foreign = (parameters: ReturnType<typeof check>): string[] =>
    found(parameters)
      .map(([code]) => code)
      .filter((code) => code === "FOREIGN_ALLOWANCE");
  const inBatch = (inner: Call): Call =>
    call(MULTICALL3, "aggregate3((address, bool, bytes)[])", [[[inner.to, false, inner.data]]]);
  for (const [name, make] of Object.entries({ ...USES, ...DEBTS })) {
    it(`${name} of an account that allows the router to use it: anyone can use it through the router`, () => {
      expect(foreign(around(make(RECIPIENT)))).to.deep.equal(["FOREIGN_ALLOWANCE"]);
      expect(foreign(around(make(ROUTER)))).to.deep.equal([]);
      expect(foreign(around(inBatch(make(RECIPIENT))))).to.deep.equal(["FOREIGN_ALLOWANCE"]);
      expect(foreign(around(inBatch(make(MULTICALL3))))).to.deep.equal([]);
    });
  }

  for (const [name, make] of Object.entries(USES)) {
    it(`${name} in a step, of an account that allows the executor to use it: anyone can use it in a program`, () => {
      expect(foreign(asProgram(make(RECIPIENT)))).to.deep.equal(["FOREIGN_ALLOWANCE"]);
      expect(foreign(asProgram(make(EXECUTOR)))).to.deep.equal([]);
    });
  }

  it("an asynchronous deposit takes from its owner, so that only the router's own needs an approval", () => {
    const deposit = USES["an asynchronous deposit"]!;
    expect(found(check([deposit(RECIPIENT), sweep(TOKEN)]))).to.deep.equal([["FOREIGN_ALLOWANCE", 0]]);
    expect(found(check([deposit(ROUTER), sweep(TOKEN)]))).to.deep.equal([["APPROVAL_MISSING", 0]]);
  });

  for (const [name, make] of Object.entries({ ...RECEIPTS, ...MOVABLE })) {
    it(`${name} for the executor or its puller, outside a program: the first caller can take the credit`, () => {
      for (const account of [EXECUTOR, PULLER]) {
        expect(codesOf(around(make(account)))).to.deep.equal(["PUBLIC_ACCOUNT_CREDITED"]);
      }
      expect(codesOf(around(make(RECIPIENT)))).to.deep.equal([]);
    });
  }

  for (const [name, make] of Object.entries({ ...POSITIONS, ...RECEIPTS })) {
    it(`${name} in a step of a program, for the router, the executor or its puller: the credit is lost`, () => {
      for (const account of [ROUTER, EXECUTOR, PULLER]) {
        expect(codesOf(asProgram(make(account), { tokens }))).to.deep.equal(["STEP_CREDITS_PUBLIC_ACCOUNT"]);
      }
      expect(codesOf(asProgram(make(RECIPIENT), { tokens }))).to.deep.equal([]);
    });
  }

  for (const [name, make] of Object.entries(DEBTS)) {
    it(`${name} in a step of a program: rejected for every account`, () => {
      for (const account of [ROUTER, EXECUTOR, PULLER, RECIPIENT]) {
        const refused = refusal(() => asProgram(make(account), { tokens }));
        expect(refused).to.include({ code: "INVALID_INPUT", field: "steps[0].data" });
      }
    });
  }

  for (const [name, make] of Object.entries(MOVABLE)) {
    it(`${name} in a step: the executor receives the credit only if the program declares the received token`, () => {
      for (const account of [ROUTER, EXECUTOR, PULLER]) {
        expect(codesOf(asProgram(make(account)))).to.deep.equal(["STEP_CREDITS_PUBLIC_ACCOUNT"]);
      }
      expect(codesOf(asProgram(make(ROUTER), { tokens }))).to.deep.equal(["STEP_CREDITS_PUBLIC_ACCOUNT"]);
      expect(codesOf(asProgram(make(EXECUTOR), { tokens }))).to.deep.equal([]);
    });
  }

  it("a step that credits its caller loses the funds, unless the program declares the token", () => {
    const lost = [
      call(POOL, "supply(address, uint256)", [TOKEN, 100n]),
      call(WRAPPED, "deposit()"),
      call(POOL, "mint(uint256)", [1n]),
      call(POOL, "exchange(int128, int128, uint256, uint256)", [0n, 1n, 100n, 90n]),
    ];
    for (const step of lost) expect(codesOf(asProgram(step))).to.deep.equal(["STEP_CREDITS_PUBLIC_ACCOUNT"]);
    expect(codesOf(asProgram(lost[3]!, { tokens }))).to.deep.equal([]);
    expect(codesOf(asProgram(call(POOL, "unwrapWETH9(uint256)", [1n])))).to.deep.equal([]);
  });

  it("in a step, Uniswap's placeholder for its caller means the executor", () => {
    const swap = MOVABLE["a Uniswap v3 swap"]!("0x0000000000000000000000000000000000000001");
    expect(codesOf(asProgram(swap))).to.deep.equal(["STEP_CREDITS_PUBLIC_ACCOUNT"]);
  });

  it("calls inside Multicall3 and multicalls do not hide the account", () => {
    const hidden = [supply(TOKEN, 1n, EXECUTOR), call(VAULT, "deposit(uint256, address)", [1n, ROUTER])] as const;
    const wrapped = (inner: Call): Call =>
      call(MULTICALL3, "aggregate3((address, bool, bytes)[])", [[[inner.to, false, inner.data]]]);
    const late = call(POOL, "multicall(uint256, bytes[])", [
      maxUint256,
      [call(POOL, "sweepToken(address, uint256, address)", [OTHER_TOKEN, 90n, ROUTER]).data],
    ]);
    expect(codesOf(around(wrapped(hidden[0])))).to.deep.equal(["PUBLIC_ACCOUNT_CREDITED"]);
    for (const step of [...hidden.map(wrapped), late]) {
      expect(codesOf(asProgram(step))).to.deep.equal(["STEP_CREDITS_PUBLIC_ACCOUNT"]);
    }
  });

  it("funds are spent from the caller, not from another public account", () => {
    const redeem = (owner: Address) => call(VAULT, "redeem(uint256, address, address)", [1n, RECIPIENT, owner]);
    expect(codesOf(around(redeem(ROUTER)))).to.deep.equal([]);
    expect(codesOf(around(redeem(EXECUTOR)))).to.deep.equal(["PUBLIC_ACCOUNT_CREDITED"]);
    expect(codesOf(asProgram(redeem(EXECUTOR)))).to.deep.equal([]);
    expect(codesOf(asProgram(redeem(ROUTER)))).to.deep.equal(["STEP_CREDITS_PUBLIC_ACCOUNT"]);
  });

  it("funds swept to the puller remain there, and the first caller can take funds swept for a request to the executor", () => {
    expect(codesOf(around(sweep(TOKEN, PULLER)))).to.deep.equal(["PUBLIC_ACCOUNT_CREDITED"]);
    expect(codesOf(around(call(TOKEN, "transfer(address, uint256)", [PULLER, 1n])))).to.deep.equal([
      "PUBLIC_ACCOUNT_CREDITED",
    ]);
    for (const recipient of [EXECUTOR, PULLER]) {
      expect(codesOf({ ...around(), recipient })).to.deep.equal(["PUBLIC_ACCOUNT_CREDITED"]);
    }
  });

  it("every router and approval proxy of other versions is also public", () => {
    const all = (parameters: ReturnType<typeof check>): string[] => found(parameters).map(([code]) => code);
    for (const one of PUBLIC_CONTRACTS.keys()) {
      const account = getAddress(one);
      expect(all({ ...around(), recipient: account }), account).to.include("RECIPIENT_IS_ROUTER");
      expect(all(around(supply(TOKEN, 100n, account))), account).to.include("RECIPIENT_IS_ROUTER");
      expect(all(around(sweep(TOKEN, account))), account).to.include("RECIPIENT_IS_ROUTER");
      expect(all(asProgram(supply(TOKEN, 100n, account), { tokens })), account).to.deep.equal([
        "STEP_CREDITS_PUBLIC_ACCOUNT",
      ]);
      const refused = refusal(() => programOf({ ...supply(TOKEN, 1n), to: account }));
      expect(refused, account).to.include({ code: "INVALID_INPUT", field: "steps[0].target" });
    }
    const [router = ""] = PUBLIC_CONTRACTS.keys();
    expect(all(around(approve(TOKEN, getAddress(router), 1n)))).to.include("ANY_CALLER_APPROVED");
  });

  it("a transfer to the executor counts as a push for its program", () => {
    const push = call(TOKEN, "transfer(address, uint256)", [EXECUTOR, 100n]);
    expect(codesOf(check([push, run(programOf(supply(TOKEN, 1n)))]))).to.deep.equal([]);
  });

  it("the executor rejects a program that falls back to the router, the executor or its puller", () => {
    const fallingBackTo = (recipient: Address) =>
      programOf(supply(TOKEN, 1n), { policy: { kind: "fallBack", recipient, stepsGas: 1, reserveGas: 1 } });
    const encoded = fallingBackTo(VAULT);
    for (const account of [ROUTER, EXECUTOR, PULLER]) {
      // The encoder also rejects such a program, so the test replaces the account in the bytes.
      const replaced = encoded.replace(VAULT.slice(2).toLowerCase(), account.slice(2));
      expect(codesOf(check([sweep(TOKEN, EXECUTOR), run(replaced)]))).to.deep.equal(["STEP_CREDITS_PUBLIC_ACCOUNT"]);
      expect(refusal(() => fallingBackTo(account))).to.deep.equal({
        code: "INVALID_INPUT",
        field: "policy.recipient",
        value: JSON.stringify(account),
      });
    }
    expect(codesOf(check([sweep(TOKEN, EXECUTOR), run(encoded)]))).to.deep.equal([]);
  });
});
