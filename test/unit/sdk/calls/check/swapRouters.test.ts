import { expect } from "chai";
import fc from "fast-check";
import { type Address, maxUint256, numberToHex, zeroAddress } from "viem";

import { checkCalls } from "../../../../../packages/sdk/src/calls/index.ts";
import { MULTICALL3 } from "../../../../../packages/sdk/src/calls/check/rule.ts";
import type { CallFacts } from "../../../../../packages/sdk/src/calls/check/parameters.ts";
import type { Call } from "../../../../../packages/protocol/src/common/call.ts";
import { OTHER_TOKEN, RECIPIENT, ROUTER, TOKEN } from "../accounts.ts";
import {
  approve,
  BOUGHT,
  buyCommand,
  call,
  CALLER,
  check,
  type Command,
  CONTRACTS,
  executeCommands,
  EXECUTOR,
  found,
  MAX_UINT160,
  NATIVE,
  OWN_BALANCE,
  packCommands,
  permit,
  PERMIT2,
  permit2Approve,
  POOL,
  programOf,
  run,
  SELF,
  STRANGER,
  supply,
  swap01,
  swap02,
  SWAP_ROUTER,
  swapCommand,
  sweep,
  sweepCommand,
  sweepNative,
  VAULT,
  WRAPPED,
} from "./fixtures.ts";

type Place = readonly [code: string, index: number | undefined];

const contracts = { ...CONTRACTS, trusted: [POOL, SWAP_ROUTER] };
const findings = (txs: readonly Call[], facts?: CallFacts): Place[] =>
  found(check(txs, { contracts, ...(facts === undefined ? {} : { facts }) }));
const ready = [approve(TOKEN, PERMIT2, 100n), permit2Approve(TOKEN, SWAP_ROUTER, 100n)] as const;
const push = call(TOKEN, "transfer(address, uint256)", [SWAP_ROUTER, 100n]);
const pay: readonly Call[] = [approve(TOKEN, SWAP_ROUTER, 100n)];
/** Ends the allowance, and sweeps what a swap can leave. */
const end = [approve(TOKEN, SWAP_ROUTER, 0n), sweep(TOKEN)] as const;
const codes = (txs: readonly Call[]): string[] => findings(txs).map(([code]) => code);
const BYTES32 = numberToHex(1n, { size: 32 });
const SIGNATURE = [27, BYTES32, BYTES32];
const RANDOM = `0x${"c0ffee42".repeat(8)}`;

const details = (amount: bigint) => [TOKEN, amount, 0, 0];
const lockdown = call(PERMIT2, "lockdown((address, address)[])", [[[TOKEN, SWAP_ROUTER]]]);
const take = (from: Address): Call =>
  call(PERMIT2, "transferFrom(address, address, uint160, address)", [from, RECIPIENT, 100n, TOKEN]);
const takeMany = (from: Address): Call =>
  call(PERMIT2, "transferFrom((address, address, uint160, address)[])", [[[from, RECIPIENT, 100n, TOKEN]]]);

const BALANCER_V3_VAULT = "0xbA1333333333a1BA1108E8412f11850A5C319bA9";
const balancerV3 = call(
  SWAP_ROUTER,
  "swapSingleTokenExactIn(address, address, address, uint256, uint256, uint256, bool, bytes)",
  [POOL, TOKEN, OTHER_TOKEN, 100n, 90n, maxUint256, false, "0x"],
);

const swapSlipstream = (recipient: Address): Call =>
  call(SWAP_ROUTER, "exactInputSingle((address, address, int24, address, uint256, uint256, uint256, uint160))", [
    [TOKEN, OTHER_TOKEN, 100, recipient, maxUint256, 100n, 90n, 0n],
  ]);
const swapAlgebra = (recipient: Address): Call =>
  call(SWAP_ROUTER, "exactInputSingle((address, address, address, uint256, uint256, uint256, uint160))", [
    [TOKEN, OTHER_TOKEN, recipient, maxUint256, 100n, 90n, 0n],
  ]);
const swapAerodrome = (recipient: Address): Call =>
  call(
    SWAP_ROUTER,
    "swapExactTokensForTokens(uint256, uint256, (address, address, bool, address)[], address, uint256)",
    [100n, 90n, [[TOKEN, OTHER_TOKEN, false, POOL]], recipient, maxUint256],
  );

const addLiquidity = call(SWAP_ROUTER, "addLiquidityUnbalanced(address, uint256[], uint256, bool, bytes)", [
  POOL,
  [100n, 0n],
  90n,
  false,
  "0x",
]);
const modifyLiquidities = call(SWAP_ROUTER, "modifyLiquidities(bytes, uint256)", ["0x", maxUint256]);

describe("checkCalls: allowances in Permit2", () => {
  const CASES: Record<string, [readonly Call[], readonly Place[], CallFacts?]> = {
    "no allowance of the token": [
      [permit2Approve(TOKEN, SWAP_ROUTER, 100n), executeCommands([swapCommand()])],
      [["PERMIT2_APPROVAL_MISSING", 1]],
    ],
    "no allowance in Permit2": [
      [approve(TOKEN, PERMIT2, 100n), executeCommands([swapCommand()])],
      [["PERMIT2_APPROVAL_MISSING", 1]],
    ],
    "too small an allowance of the token": [
      [approve(TOKEN, PERMIT2, 99n), ready[1], executeCommands([swapCommand()])],
      [["APPROVAL_TOO_SMALL", 2]],
    ],
    "an allowance of another spender in Permit2": [
      [ready[0], permit2Approve(TOKEN, STRANGER, 100n), executeCommands([swapCommand()])],
      [["PERMIT2_APPROVAL_MISSING", 2]],
    ],
    "an approval of another account": [
      [approve(TOKEN, STRANGER, 100n), executeCommands([swapCommand()])],
      [
        ["ALLOWANCE_LEFT", 0],
        ["PERMIT2_APPROVAL_MISSING", 1],
      ],
    ],
    "approvals after the use": [
      [executeCommands([swapCommand()]), ready[0], permit2Approve(TOKEN, SWAP_ROUTER, 0n)],
      [
        ["PERMIT2_APPROVAL_MISSING", 0],
        ["APPROVAL_AFTER_USE", 1],
        ["ALLOWANCE_LEFT", 1],
      ],
    ],
    "what is left, with an end": [
      [ready[0], permit2Approve(TOKEN, SWAP_ROUTER, 101n, 2_000_000_000), executeCommands([swapCommand()])],
      [["ALLOWANCE_LEFT", 1]],
    ],
    "what is left, until the end of the block": [
      [ready[0], permit2Approve(TOKEN, SWAP_ROUTER, MAX_UINT160), executeCommands([swapCommand()])],
      [],
    ],
    "what a maximum can leave of the token's allowance": [
      [...ready, executeCommands([buyCommand()]), sweep(TOKEN)],
      [["ALLOWANCE_LEFT", 0]],
    ],
    "what a maximum can leave, with an end": [
      [
        ready[0],
        permit2Approve(TOKEN, SWAP_ROUTER, 100n, 2_000_000_000),
        executeCommands([buyCommand()]),
        approve(TOKEN, PERMIT2, 0n),
        sweep(TOKEN),
      ],
      [["ALLOWANCE_LEFT", 1]],
    ],
    "a maximum, and an end of both allowances": [
      [...ready, executeCommands([buyCommand()]), lockdown, approve(TOKEN, PERMIT2, 0n), sweep(TOKEN)],
      [],
    ],
    "an unlimited allowance, which uses do not decrease": [
      [ready[0], permit2Approve(TOKEN, SWAP_ROUTER, MAX_UINT160, 2 ** 48 - 1), executeCommands([swapCommand()])],
      [["ALLOWANCE_LEFT", 1]],
    ],
    "an unlimited allowance that is locked down": [
      [
        ready[0],
        permit2Approve(TOKEN, SWAP_ROUTER, MAX_UINT160, 2 ** 48 - 1),
        executeCommands([swapCommand()]),
        lockdown,
      ],
      [],
    ],
    "an allowance that is locked down too early": [
      [...ready, lockdown, executeCommands([swapCommand()])],
      [["PERMIT2_APPROVAL_MISSING", 3]],
    ],
    "allowances on the chain": [
      [executeCommands([swapCommand()])],
      [],
      {
        timestamp: 10n,
        allowances: [{ token: TOKEN, spender: PERMIT2, amount: 100n }],
        permit2Allowances: [{ token: TOKEN, spender: SWAP_ROUTER, amount: 100n, expiration: 10n }],
      },
    ],
    "an expired allowance on the chain": [
      [executeCommands([swapCommand()])],
      [["PERMIT2_APPROVAL_EXPIRED", 0]],
      {
        timestamp: 11n,
        allowances: [{ token: TOKEN, spender: PERMIT2, amount: 100n }],
        permit2Allowances: [{ token: TOKEN, spender: SWAP_ROUTER, amount: 100n, expiration: 10n }],
      },
    ],
    "an end before this version, without a block time": [
      [ready[0], permit2Approve(TOKEN, SWAP_ROUTER, 100n, 1_700_000_000), executeCommands([swapCommand()])],
      [["PERMIT2_APPROVAL_EXPIRED", 1]],
    ],
    "an approval for the block of the fill": [[...ready, executeCommands([swapCommand()])], [], { timestamp: 10n }],
    "the router's own transfer": [[ready[0], permit2Approve(TOKEN, ROUTER, 100n), take(ROUTER)], []],
    "the router's own transfer without an allowance": [[ready[0], take(ROUTER)], [["PERMIT2_APPROVAL_MISSING", 1]]],
    "several of the router's own transfers": [
      [ready[0], permit2Approve(TOKEN, ROUTER, 99n), takeMany(ROUTER)],
      [["PERMIT2_APPROVAL_TOO_SMALL", 2]],
    ],
    "a transfer from another account": [
      [take(STRANGER), supply(TOKEN, 100n)],
      [
        ["FOREIGN_ALLOWANCE", 0],
        ["APPROVAL_MISSING", 1],
      ],
    ],
    "several transfers from another account": [
      [takeMany(STRANGER), supply(TOKEN, 100n)],
      [
        ["FOREIGN_ALLOWANCE", 0],
        ["APPROVAL_MISSING", 1],
      ],
    ],
    "an account that makes arbitrary calls": [
      [
        ...ready,
        permit2Approve(TOKEN, EXECUTOR, 5n),
        permit2Approve(TOKEN, EXECUTOR, 0n),
        executeCommands([swapCommand()]),
      ],
      [["ANY_CALLER_APPROVED", 2]],
    ],
    "a command that transfers the caller's token": [
      [
        ...ready,
        executeCommands([
          [0x02, "address, address, uint160", [TOKEN, SELF, 60n]],
          [0x0d, "(address, address, uint160, address)[]", [[[ROUTER, SWAP_ROUTER, 40n, TOKEN]]]],
          swapCommand({ payerIsUser: false, amountIn: OWN_BALANCE }),
        ]),
      ],
      [],
    ],
    "a Balancer v3 router, which also takes through Permit2": [
      [approve(TOKEN, SWAP_ROUTER, 100n), balancerV3, approve(TOKEN, SWAP_ROUTER, 0n), sweep(OTHER_TOKEN)],
      [["PERMIT2_APPROVAL_MISSING", 1]],
    ],
    "a prepaid Balancer v3 router, which takes nothing": [
      [call(TOKEN, "transfer(address, uint256)", [BALANCER_V3_VAULT, 100n]), balancerV3, sweep(OTHER_TOKEN)],
      [],
    ],
    "a Balancer v3 router after a transfer to another account": [
      [call(TOKEN, "transfer(address, uint256)", [VAULT, 10n]), balancerV3, sweep(OTHER_TOKEN)],
      [
        ["PERMIT2_APPROVAL_MISSING", 1],
        ["MORE_THAN_DELIVERED", 1],
      ],
    ],
    "a Balancer v3 router after a sweep to the user": [
      [sweep(TOKEN, RECIPIENT, 10n), balancerV3, sweep(OTHER_TOKEN)],
      [
        ["PERMIT2_APPROVAL_MISSING", 1],
        ["MORE_THAN_DELIVERED", 1],
      ],
    ],
    "1inch's flag for Permit2": [
      [
        approve(TOKEN, SWAP_ROUTER, 100n),
        call(SWAP_ROUTER, "unoswapTo(uint256, uint256, uint256, uint256, uint256)", [
          BigInt(RECIPIENT),
          BigInt(TOKEN),
          100n,
          90n,
          (1n << 250n) | BigInt(POOL),
        ]),
        approve(TOKEN, SWAP_ROUTER, 0n),
      ],
      [["PERMIT2_APPROVAL_MISSING", 1]],
    ],
    "1inch's other flag for Permit2": [
      [approve(TOKEN, SWAP_ROUTER, 100n), oneInch(RECIPIENT, undefined, 4n), approve(TOKEN, SWAP_ROUTER, 0n)],
      [["PERMIT2_APPROVAL_MISSING", 1]],
    ],
    "1inch's other flag for Permit2, with both approvals": [[...ready, oneInch(RECIPIENT, undefined, 4n)], []],
    "a position manager of Uniswap v4": [
      [approve(TOKEN, SWAP_ROUTER, 100n), modifyLiquidities, ...end],
      [["PERMIT2_APPROVAL_MISSING", 1]],
    ],
    "a position manager of Uniswap v4, with both approvals": [[...ready, modifyLiquidities, sweep(TOKEN)], []],
    "a deposit in a Balancer v3 pool": [
      [approve(TOKEN, SWAP_ROUTER, 100n), addLiquidity, ...end, sweep(POOL)],
      [["PERMIT2_APPROVAL_MISSING", 1]],
    ],
    "a deposit in a Balancer v3 pool, with both approvals": [[...ready, addLiquidity, sweep(POOL)], []],
  };
  for (const [name, [txs, expected, facts]] of Object.entries(CASES)) {
    it(name, () => {
      expect(findings(txs, facts)).to.deep.equal(expected);
    });
  }

  it("reports that an unlimited allowance remains after its use", () => {
    const unlimited = permit2Approve(TOKEN, SWAP_ROUTER, MAX_UINT160, 2 ** 48 - 1);
    const [finding] = checkCalls(check([ready[0], unlimited, executeCommands([swapCommand()])], { contracts }));
    expect(finding?.reason).to.include("any amount").and.include("forever");
  });

  it("reports that a maximum leaves up to the whole allowance", () => {
    const reasons = checkCalls(check([...ready, executeCommands([buyCommand({ maximum: 60n })]), sweep(TOKEN)])).map(
      ({ code, reason }) => (code === "ALLOWANCE_LEFT" ? reason : ""),
    );
    expect(reasons.join("")).to.equal(`${PERMIT2} can take up to 100 of ${TOKEN} afterwards`);
  });

  it("names a direct approval that is never used", () => {
    const [finding] = checkCalls(check([...pay, executeCommands([swapCommand()]), approve(TOKEN, SWAP_ROUTER, 0n)]));
    expect(finding?.reason).to.include(`${SWAP_ROUTER} takes 100 of`).and.include("its direct approval in txs[0]");
  });

  it("behaves like Permit2 for random approvals, lockdowns and transfers", () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("approve" as const), amount: fc.constantFrom(0n, 1n, 5n, 9n, MAX_UINT160) }),
      fc.record({ kind: fc.constant("lockdown" as const), amount: fc.constant(0n) }),
      fc.record({ kind: fc.constant("take" as const), amount: fc.bigInt(1n, 9n) }),
    );
    const expirations = fc.constantFrom(0, 9, 10, 11);
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), expirations, (steps, expiration) => {
        // Permit2's own state: the packed allowance, and the block time 10.
        let allowed = 0n;
        let end = 0;
        const expected: Place[] = [];
        let approvedAt = 0;
        const txs = steps.map(({ kind, amount }, place): Call => {
          const index = place + 1;
          if (kind === "approve") {
            allowed = amount;
            end = expiration === 0 ? 10 : expiration;
            approvedAt = index;
            return permit2Approve(TOKEN, SWAP_ROUTER, amount, expiration);
          }
          if (kind === "lockdown") {
            allowed = 0n;
            return lockdown;
          }
          if (allowed === 0n) expected.push(["PERMIT2_APPROVAL_MISSING", index]);
          else if (allowed < amount) expected.push(["PERMIT2_APPROVAL_TOO_SMALL", index]);
          if (allowed > 0n && end < 10) expected.push(["PERMIT2_APPROVAL_EXPIRED", approvedAt]);
          if (allowed !== MAX_UINT160) allowed = allowed > amount ? allowed - amount : 0n;
          return executeCommands([swapCommand({ amountIn: amount })]);
        });
        if (allowed > 0n && expiration >= 10)
          expected.push(["ALLOWANCE_LEFT", steps.findLastIndex(({ kind }) => kind !== "take") + 1]);
        const seen = findings([approve(TOKEN, PERMIT2, maxUint256), ...txs, approve(TOKEN, PERMIT2, 0n)], {
          timestamp: 10n,
        }).filter(([code]) => /^PERMIT2|ALLOWANCE_LEFT/u.test(code));
        const sort = (places: readonly Place[]): string[] => places.map(String).toSorted();
        expect(sort(seen)).to.deep.equal(sort(expected));
      }),
      { seed: 1 },
    );
  });
});

const mayFail = ([code, ...rest]: Command): Command => [code | 0x80, ...rest];
const unwrap = (recipient: Address): Command => [0x0c, "address, uint256", [recipient, 90n]];
const v4 = (...actions: readonly Command[]): Command => [0x10, "bytes, bytes[]", packCommands(actions)];
const key = [TOKEN, OTHER_TOKEN, 500, 10, zeroAddress];
const POOL_KEY = "(address, address, uint24, int24, address)";
const swapV4: Command = [0x06, `(${POOL_KEY}, bool, uint128, uint128, bytes)`, [[key, true, 100n, 90n, "0x"]]];
const pricedV4: Command = [
  0x06,
  `(${POOL_KEY}, bool, uint128, uint128, uint256, bytes)`,
  [[key, true, 100n, 90n, 1n, "0x"]],
];
const settleAll: Command = [0x0c, "address, uint256", [TOKEN, 100n]];
const takeTo = (recipient: Address): Command => [0x0e, "address, address, uint256", [OTHER_TOKEN, recipient, 0n]];
const multicall = (...inner: readonly Call[]): Call =>
  call(SWAP_ROUTER, "multicall(bytes[])", [inner.map(({ data }) => data)]);
const LEFT: Place = ["LEFT_IN_SWAP_ROUTER", 1];
const own = { payerIsUser: false, amountIn: OWN_BALANCE } as const;

describe("checkCalls: what public routers do with tokens", () => {
  const CASES: Record<string, [readonly Call[], readonly Place[]]> = {
    // Recipients by generation.
    "the first router's zero address means itself": [[...pay, swap01(NATIVE)], [LEFT]],
    "the first router does not replace 1": [[...pay, swap01(CALLER)], [["RECIPIENT_IS_ZERO", 1]]],
    "the first router does not replace 2": [[...pay, swap01(SELF)], [["RECIPIENT_IS_ZERO", 1]]],
    "the first router's own address": [[...pay, swap01(SWAP_ROUTER)], [LEFT]],
    "the second router's zero address is not replaced": [[...pay, swap02(NATIVE)], [["RECIPIENT_IS_ZERO", 1]]],
    "the second router's 1 means its caller": [[...pay, swap02(CALLER)], [["CREDITS_ROUTER", 1]]],
    "the second router's 1, then a sweep": [[...pay, swap02(CALLER), sweep(OTHER_TOKEN)], []],
    "the second router's 2 means itself": [[...pay, swap02(SELF)], [LEFT]],
    "the second router's v2 swap to itself": [
      [
        ...pay,
        call(SWAP_ROUTER, "swapExactTokensForTokens(uint256, uint256, address[], address)", [
          100n,
          90n,
          [TOKEN, OTHER_TOKEN],
          SELF,
        ]),
      ],
      [LEFT],
    ],
    "the first router's v2 swap has literal recipients": [
      [
        ...pay,
        call(SWAP_ROUTER, "swapExactTokensForTokens(uint256, uint256, address[], address, uint256)", [
          100n,
          90n,
          [TOKEN, OTHER_TOKEN],
          SELF,
          maxUint256,
        ]),
      ],
      [["RECIPIENT_IS_ZERO", 1]],
    ],
    "a sweep of the router in the same call": [
      [
        ...pay,
        multicall(
          swap02(SELF),
          call(SWAP_ROUTER, "sweepToken(address, uint256, address)", [OTHER_TOKEN, 90n, RECIPIENT]),
        ),
      ],
      [],
    ],
    "a sweep of the router in the next call": [
      [...pay, swap02(SELF), call(SWAP_ROUTER, "sweepToken(address, uint256, address)", [OTHER_TOKEN, 90n, RECIPIENT])],
      [],
    ],
    "a sweep of another token": [
      [
        ...pay,
        multicall(swap02(SELF), call(SWAP_ROUTER, "sweepToken(address, uint256, address)", [WRAPPED, 90n, RECIPIENT])),
      ],
      [LEFT],
    ],
    "a swap of the second router's own balance": [[push, swap02(RECIPIENT, 0n)], []],
    "tokens sent to a router that takes the caller's": [
      [push, ...ready, executeCommands([swapCommand()])],
      [
        ["LEFT_IN_SWAP_ROUTER", 0],
        ["MORE_THAN_DELIVERED", 3],
      ],
    ],
    "a step of a program": [[sweep(TOKEN, EXECUTOR), run(programOf(swap02(SELF)))], [LEFT]],
    // Commands of the universal router.
    "a command to the router itself": [[push, executeCommands([swapCommand({ recipient: SELF, ...own })])], [LEFT]],
    "a command to the router's address": [
      [push, executeCommands([swapCommand({ recipient: SWAP_ROUTER, ...own })])],
      [LEFT],
    ],
    "a command to its caller": [
      [push, executeCommands([swapCommand({ recipient: CALLER, ...own })])],
      [["CREDITS_ROUTER", 1]],
    ],
    "two commands that use the router's balance": [
      [
        push,
        executeCommands([
          swapCommand({ recipient: SELF, ...own }),
          swapCommand({ tokens: [OTHER_TOKEN, WRAPPED], ...own }),
        ]),
      ],
      [],
    ],
    "a sweep command": [
      [push, executeCommands([swapCommand({ recipient: SELF, ...own }), sweepCommand(OTHER_TOKEN, RECIPIENT, 90n)])],
      [],
    ],
    "a portion, which leaves the rest": [
      [
        push,
        executeCommands([
          swapCommand({ recipient: SELF, ...own }),
          [0x06, "address, address, uint256", [OTHER_TOKEN, RECIPIENT, 50n]],
        ]),
      ],
      [LEFT],
    ],
    "a portion, then a sweep": [
      [
        push,
        executeCommands([
          swapCommand({ recipient: SELF, ...own }),
          [0x06, "address, address, uint256", [OTHER_TOKEN, RECIPIENT, 50n]],
          sweepCommand(OTHER_TOKEN, RECIPIENT, 90n),
        ]),
      ],
      [],
    ],
    "an unwrap command": [
      [push, executeCommands([swapCommand({ recipient: SELF, tokens: [TOKEN, WRAPPED], ...own }), unwrap(RECIPIENT)])],
      [],
    ],
    "an unwrap command to the router itself": [
      [push, executeCommands([swapCommand({ recipient: SELF, tokens: [TOKEN, WRAPPED], ...own }), unwrap(SELF)])],
      [LEFT],
    ],
    "less used than sent": [
      [push, executeCommands([swapCommand({ payerIsUser: false, amountIn: 99n })])],
      [["LEFT_IN_SWAP_ROUTER", 0]],
    ],
    "a plan in the plan": [
      [
        push,
        executeCommands([
          [0x21, "bytes, bytes[]", packCommands([swapCommand({ recipient: SELF, ...own })])],
          sweepCommand(OTHER_TOKEN, RECIPIENT, 90n),
        ]),
      ],
      [],
    ],
    "an unknown command, which can use everything": [
      [push, executeCommands([swapCommand({ recipient: SELF, ...own }), [0x3f, "uint256", [1n]]])],
      [],
    ],
    "a v4 swap": [[...ready, executeCommands([v4(swapV4, settleAll, takeTo(RECIPIENT))])], []],
    "a v4 swap with a minimum price": [[...ready, executeCommands([v4(pricedV4, settleAll, takeTo(RECIPIENT))])], []],
    "a v4 swap that settles less than is delivered": [
      [...ready, executeCommands([v4([0x06, swapV4[1], [[key, true, 99n, 90n, "0x"]]], settleAll, takeTo(RECIPIENT))])],
      [
        ["LEFTOVER_TOKEN", undefined],
        ["ALLOWANCE_LEFT", 0],
      ],
    ],
    "a v4 swap to the router itself": [
      [...ready, executeCommands([v4(swapV4, settleAll, takeTo(SELF))])],
      [["LEFT_IN_SWAP_ROUTER", 2]],
    ],
    "a v4 swap to its caller": [
      [...ready, executeCommands([v4(swapV4, settleAll, [0x0f, "address, uint256", [OTHER_TOKEN, 90n]])])],
      [["CREDITS_ROUTER", 2]],
    ],
    "a v4 swap that pays from the router": [
      [push, executeCommands([v4(swapV4, [0x0b, "address, uint256, bool", [TOKEN, 0n, false]], takeTo(RECIPIENT))])],
      [],
    ],
    "a v4 swap without the caller's approval": [
      [...pay, executeCommands([v4(swapV4, settleAll, takeTo(RECIPIENT))]), approve(TOKEN, SWAP_ROUTER, 0n)],
      [["PERMIT2_APPROVAL_MISSING", 1]],
    ],
    "a minimum of zero in a command": [
      [push, executeCommands([swapCommand({ minimumOut: 0n, ...own })])],
      [["MINIMUM_OUT_MISSING", 1]],
    ],
    "a minimum in a later plan of the plan": [
      [
        push,
        executeCommands([
          swapCommand({ recipient: SELF, minimumOut: 0n, ...own }),
          [0x21, "bytes, bytes[]", packCommands([sweepCommand(OTHER_TOKEN, RECIPIENT, 90n)])],
        ]),
      ],
      [],
    ],
    "a minimum in a later command": [
      [
        push,
        executeCommands([
          swapCommand({ recipient: SELF, minimumOut: 0n, ...own }),
          sweepCommand(OTHER_TOKEN, RECIPIENT, 90n),
        ]),
      ],
      [],
    ],
    // Other routers.
    "Slipstream's zero address means the router": [[...pay, swapSlipstream(NATIVE)], [LEFT]],
    "Slipstream's recipient": [[...pay, swapSlipstream(RECIPIENT)], []],
    "Algebra's zero address means the router": [[...pay, swapAlgebra(NATIVE)], [LEFT]],
    "Algebra's caller": [[...pay, swapAlgebra(ROUTER)], [["CREDITS_ROUTER", 1]]],
    "a v2 router's exact output of native currency to the zero address": [
      [
        ...pay,
        call(SWAP_ROUTER, "swapTokensForExactETH(uint256, uint256, address[], address, uint256)", [
          90n,
          100n,
          [TOKEN, WRAPPED],
          NATIVE,
          maxUint256,
        ]),
        ...end,
      ],
      [["RECIPIENT_IS_ZERO", 1]],
    ],
    "Aerodrome's recipient": [[...pay, swapAerodrome(RECIPIENT)], []],
    "Aerodrome's caller": [[...pay, swapAerodrome(ROUTER)], [["CREDITS_ROUTER", 1]]],
    "Aerodrome's zero address": [[...pay, swapAerodrome(NATIVE)], [["RECIPIENT_IS_ZERO", 1]]],
    "1inch's zero address means its caller": [[...pay, oneInch(NATIVE)], [["CREDITS_ROUTER", 1]]],
    "1inch's recipient": [[...pay, oneInch(RECIPIENT)], []],
    "1inch's own address": [[...pay, oneInch(SWAP_ROUTER)], [LEFT]],
    "Curve's router as the receiver": [[...pay, curve(SWAP_ROUTER)], [LEFT]],
    "1inch without approval": [[oneInch(RECIPIENT)], [["APPROVAL_MISSING", 0]]],
    "1inch's packed recipient": [
      [
        ...pay,
        call(SWAP_ROUTER, "unoswapTo(uint256, uint256, uint256, uint256, uint256)", [
          0n,
          BigInt(TOKEN),
          100n,
          90n,
          BigInt(POOL),
        ]),
      ],
      [["CREDITS_ROUTER", 1]],
    ],
    "0x's recipient": [[...pay, zeroX(RECIPIENT), ...end], []],
    "0x to the router": [[...pay, zeroX(ROUTER), ...end], [["CREDITS_ROUTER", 1]]],
    "0x without a token to buy": [[...pay, zeroX(NATIVE, NATIVE), ...end], []],
    "0x without an end of its allowance": [[...pay, zeroX(RECIPIENT), sweep(TOKEN)], [["ALLOWANCE_LEFT", 0]]],
    "0x's Settler approved instead of AllowanceHolder": [
      [approve(TOKEN, STRANGER, 100n), zeroX(RECIPIENT), approve(TOKEN, STRANGER, 0n)],
      [
        ["LEFTOVER_TOKEN", undefined],
        ["APPROVAL_MISSING", 1],
      ],
    ],
    "Curve's router, whose receiver is its caller by default": [[...pay, curve()], [["CREDITS_ROUTER", 1]]],
    "Curve's router with a receiver": [[...pay, curve(RECIPIENT)], []],
    "Curve's router, then a sweep": [[...pay, curve(), sweep(OTHER_TOKEN)], []],
    "Balancer's vault": [[...pay, balancer(ROUTER, RECIPIENT)], []],
    "Balancer's vault to its caller": [[...pay, balancer(ROUTER, ROUTER)], [["CREDITS_ROUTER", 1]]],
    "Balancer's vault without approval": [[balancer(ROUTER, RECIPIENT)], [["APPROVAL_MISSING", 0]]],
    "a batch of Balancer's vault": [
      [
        ...pay,
        balancerBatch([
          [0, 1, 60n],
          [0, 1, 40n],
        ]),
      ],
      [],
    ],
    "a batch of Balancer's vault with a limit above its amount": [
      [...pay, balancerBatch([[0, 1, 60n]], [100n, -90n, 0n])],
      [
        ["LEFTOVER_TOKEN", undefined],
        ["ALLOWANCE_LEFT", 0],
      ],
    ],
    "a batch of Balancer's vault with an approval of its amount": [
      [approve(TOKEN, SWAP_ROUTER, 60n), balancerBatch([[0, 1, 60n]], [61n, -90n, 0n]), sweep(TOKEN)],
      [],
    ],
    "a batch of Balancer's vault with too small an approval": [
      [
        approve(TOKEN, SWAP_ROUTER, 60n),
        balancerBatch([
          [0, 1, 60n],
          [0, 1, 40n],
        ]),
      ],
      [["APPROVAL_MISSING", 1]],
    ],
    "a batch of Balancer's vault over another token": [
      [
        ...pay,
        balancerBatch(
          [
            [0, 2, 100n],
            [2, 1, 50n],
          ],
          [100n, -40n, 0n],
        ),
      ],
      [],
    ],
    "a batch of Balancer's vault for a fixed output": [
      [...pay, balancerBatch([[0, 1, 90n]], [100n, -90n, 0n], 1), approve(TOKEN, SWAP_ROUTER, 0n), sweep(TOKEN)],
      [],
    ],
    "Balancer's vault for a fixed output": [
      [...pay, balancer(ROUTER, RECIPIENT, 1), approve(TOKEN, SWAP_ROUTER, 0n), sweep(TOKEN)],
      [],
    ],
  };
  for (const [name, [txs, expected]] of Object.entries(CASES)) {
    it(name, () => {
      expect(findings(txs)).to.deep.equal(expected);
    });
  }

  it("native currency that no command uses stays in the universal router", () => {
    const wrap = (amount: bigint): Command => [0x0b, "address, uint256", [SELF, amount]];
    const swap = swapCommand({ tokens: [WRAPPED, OTHER_TOKEN], ...own });
    const nativeCodes = (...commands: readonly Command[]): string[] =>
      found(check([executeCommands(commands, "100")], { destinationCurrency: NATIVE, contracts })).map(
        ([code]) => code,
      );
    expect(nativeCodes(wrap(OWN_BALANCE), swap)).to.deep.equal([]);
    expect(nativeCodes(wrap(100n), swap)).to.deep.equal([]);
    expect(nativeCodes(wrap(99n), swap)).to.deep.equal(["LEFT_IN_SWAP_ROUTER"]);
    expect(nativeCodes(wrap(99n), swap, sweepCommand(NATIVE))).to.deep.equal([]);
    expect(nativeCodes(wrap(100n))).to.deep.equal(["LEFT_IN_SWAP_ROUTER"]);
    // The commands use wrapped native currency and another token.
    const buy = buyCommand({ tokens: [WRAPPED, OTHER_TOKEN], payerIsUser: false });
    expect(nativeCodes(wrap(100n), buy)).to.deep.equal(["LEFT_IN_SWAP_ROUTER"]);
    expect(nativeCodes(wrap(100n), buy, unwrap(RECIPIENT))).to.deep.equal([]);
    expect(nativeCodes(wrap(100n), sweepCommand(OTHER_TOKEN), buy)).to.deep.equal(["LEFT_IN_SWAP_ROUTER"]);
    const swapPart = swapCommand({ tokens: [WRAPPED, OTHER_TOKEN], payerIsUser: false, amountIn: 99n });
    expect(nativeCodes(wrap(100n), swapPart)).to.deep.equal(["LEFT_IN_SWAP_ROUTER"]);
  });

  it("funds of the router that the calls do not send count only if all transfers are known", () => {
    const use = executeCommands([swapCommand({ payerIsUser: false })]);
    const isEmpty = (...txs: readonly Call[]): boolean => codes([...txs, use]).includes("SWAP_ROUTER_EMPTY");
    const before: Record<string, readonly [Call, boolean]> = {
      "an approval of the router": [approve(TOKEN, SWAP_ROUTER, 100n), true],
      "a deposit elsewhere": [supply(TOKEN, 100n), true],
      "a transfer to the router": [push, false],
      "a transfer by another function": [
        call(TOKEN, "transferFrom(address, address, uint256)", [ROUTER, SWAP_ROUTER, 100n]),
        false,
      ],
      "an output that goes to the router": [
        call(VAULT, "redeem(uint256, address, address)", [9n, SWAP_ROUTER, ROUTER]),
        false,
      ],
      "an unknown call": [{ to: STRANGER, data: "0x12345678", value: "0" }, false],
      "a call of others": [
        call(MULTICALL3, "aggregate3((address, bool, bytes)[])", [[[TOKEN, false, push.data]]]),
        false,
      ],
    };
    for (const [name, [tx, expected]] of Object.entries(before)) expect(isEmpty(tx), name).to.equal(expected);
    // The second router's amount 0 means its balance.
    expect(codes([supply(TOKEN, 1n), swap02(RECIPIENT, 0n)])).to.include("SWAP_ROUTER_EMPTY");
    const live = { contracts, tradeType: "EXACT_INPUT" } as const;
    const ownSwaps = [
      swap02(RECIPIENT, 0n),
      call(SWAP_ROUTER, "swapExactTokensForTokens(uint256, uint256, address[], address)", [
        0n,
        90n,
        [TOKEN, OTHER_TOKEN],
        RECIPIENT,
      ]),
    ];
    for (const swap of ownSwaps) expect(found(check([sweep(TOKEN, SWAP_ROUTER), swap], live))).to.deep.equal([]);
    const pull = call(SWAP_ROUTER, "pull(address, uint256)", [TOKEN, 100n]);
    expect(codes([...pay, multicall(pull, swap02(RECIPIENT, 0n))])).to.deep.equal([]);
  });

  it("an output of another protocol stays in the router", () => {
    const redeem = call(VAULT, "redeem(uint256, address, address)", [9n, SWAP_ROUTER, ROUTER]);
    const other = executeCommands([[0x0e, "address, address, uint256", [RECIPIENT, TOKEN, 9n]]]);
    expect(findings([...pay, swap02(RECIPIENT), redeem, other])).to.deep.equal([["LEFT_IN_SWAP_ROUTER", 2]]);
    expect(findings([...pay, swap02(RECIPIENT), redeem, executeCommands([sweepCommand(TOKEN)])])).to.deep.equal([]);
  });

  it("a contract with its own multicall or permits is not a swap router", () => {
    const [send, batch] = [
      call(TOKEN, "transfer(address, uint256)", [SWAP_ROUTER, 100n]),
      multicall(supply(TOKEN, 1n)),
    ];
    expect(codes([multicall(selfPermit("selfPermitIfNecessary")), send, batch])).not.to.include("LEFT_IN_SWAP_ROUTER");
  });

  it("commands of forks with other parameters are unknown", () => {
    // Velodrome's router has another flag.
    const fork: Command = [0x00, "address, uint256, uint256, bytes, bool, bool", [SELF, 1n, 0n, "0x1234", true, false]];
    expect(findings([push, executeCommands([fork])])).to.deep.equal([]);
  });

  it("Balancer's Vault cannot take from another account", () => {
    expect(codes([...pay, balancer(STRANGER, RECIPIENT)])).to.include("FOREIGN_ALLOWANCE");
  });

  it("native currency pays for v4 swaps without Permit2", () => {
    const [poolKey, ...values] = [[NATIVE, OTHER_TOKEN, 500, 10, NATIVE], true, 100n, 90n, "0x"];
    const swap: Command = [swapV4[0], swapV4[1], [[poolKey, ...values]]];
    for (const settle of [
      [0x0c, "address, uint256", [NATIVE, 100n]],
      [0x0b, "address, uint256, bool", [NATIVE, 0n, true]],
    ] as const satisfies readonly Command[]) {
      const tx = executeCommands([v4(swap, settle, takeTo(RECIPIENT))], "100");
      expect(found(check([tx], { destinationCurrency: NATIVE, contracts }))).to.deep.equal([]);
    }
    for (const [settle, isLeft] of [
      [[0x0c, "address, uint256", [NATIVE, 150n]], true],
      [[0x0b, "address, uint256, bool", [NATIVE, 0n, true]], true],
      [[0x0b, "address, uint256, bool", [NATIVE, 100n, true]], true],
      [[0x0b, "address, uint256, bool", [NATIVE, 150n, true]], false],
      [[0x0b, "address, uint256, bool", [NATIVE, 100n, false]], true],
    ] as const satisfies readonly (readonly [Command, boolean])[]) {
      const plan = check([executeCommands([v4(swap, settle, takeTo(RECIPIENT))], "150")], {
        amount: "150",
        destinationCurrency: NATIVE,
        contracts,
      });
      expect(found(plan)).to.deep.equal(isLeft ? [["LEFT_IN_SWAP_ROUTER", 0]] : []);
    }
  });

  it("reports one finding for all commands of a router without code, or of one that is called too late", () => {
    const plan = executeCommands([swapCommand({ payerIsUser: false }), sweepCommand(TOKEN), sweepCommand(OTHER_TOKEN)]);
    const facts = { accounts: [{ address: SWAP_ROUTER, hasCode: false }] };
    expect(findings([push, plan], facts)).to.deep.equal([["TARGET_WITHOUT_CODE", 1]]);
    const late = [sweepNative(), push, plan, ...pay];
    const count = found(check(late, { contracts: CONTRACTS, amount: "101" })).filter(
      ([code]) => code === "UNTRUSTED_AFTER_SELF_CALL",
    );
    expect(count).to.deep.equal([["UNTRUSTED_AFTER_SELF_CALL", 2]]);
  });

  it("what a command does not use, or uses only if it succeeds, stays in the router", () => {
    const input = (...commands: readonly Command[]): string[] =>
      found(check([sweep(TOKEN, SWAP_ROUTER), executeCommands(commands)], { contracts, tradeType: "EXACT_INPUT" })).map(
        ([code]) => code,
      );
    const output = (...commands: readonly Command[]): string[] =>
      codes([sweep(TOKEN, SWAP_ROUTER), executeCommands(commands)]);
    const settle: Command = [0x0b, "address, uint256, bool", [TOKEN, 0n, false]];
    const swapOutV4: Command = [0x08, swapV4[1], [[key, true, 50n, 100n, "0x"]]];
    const fixed = swapCommand({ payerIsUser: false });
    const buy = buyCommand({ payerIsUser: false });
    const swapOwn = swapCommand(own);
    const moved: Command = [0x02, "address, address, uint160", [TOKEN, SELF, 100n]];
    const optional = mayFail([0x21, "bytes, bytes[]", packCommands([moved, swapOwn])]);
    for (const [seen, isLeft] of [
      [input(buy), true],
      [input(buy, sweepCommand(TOKEN)), false],
      [input(fixed), true],
      [input(fixed, sweepCommand(TOKEN)), false],
      [input(swapOwn), false],
      [input(v4(swapV4, settle, takeTo(RECIPIENT))), true],
      [input(v4(swapOutV4, settle, takeTo(RECIPIENT))), true],
      [input(v4(swapOutV4, settle, takeTo(RECIPIENT)), sweepCommand(TOKEN)), false],
      [input(mayFail(swapOwn)), true],
      [input(mayFail(swapOwn), sweepCommand(TOKEN)), false],
      [input(swapOwn, mayFail(sweepCommand(TOKEN))), false],
      // The delivered amount is known.
      [output(fixed), false],
      [output(buy), true],
      [output(v4(swapV4, settle, takeTo(RECIPIENT))), false],
      [output(v4(swapOutV4, settle, takeTo(RECIPIENT))), true],
    ] as const) {
      expect(seen).to.deep.equal(isLeft ? ["LEFT_IN_SWAP_ROUTER"] : []);
    }
    // If the plan fails, it also undoes its transfer to the swap router, and the token stays on the router.
    expect(codes([...ready, executeCommands([optional])])).to.deep.equal(["LEFTOVER_TOKEN"]);
    expect(codes([push, executeCommands([optional])])).to.include("LEFT_IN_SWAP_ROUTER");
  });

  it("terminates with hundreds of tokens, each of which can be wrapped native currency", () => {
    const tokens = Array.from({ length: 500 }, (_, place) => numberToHex(2n ** 80n + BigInt(place), { size: 20 }));
    const commands = tokens.map((token) =>
      swapCommand({ recipient: SELF, tokens: [token, POOL], payerIsUser: false, amountIn: 1n }),
    );
    const wrap: Command = [0x0b, "address, uint256", [SELF, OWN_BALANCE]];
    const seen = found(
      check([executeCommands([wrap, ...commands], "100")], { destinationCurrency: NATIVE, contracts }),
    );
    expect(new Set(seen.map(([code]) => code))).to.deep.equal(new Set(["LEFT_IN_SWAP_ROUTER", "SWAP_ROUTER_EMPTY"]));
  });

  it("reports a finding if random commands can leave a token in the router, or use a token that it does not hold", () => {
    const tokens = [OTHER_TOKEN, WRAPPED, VAULT] as const;
    const step = fc.record({
      kind: fc.constantFrom<StepKind>("swap", "fixedSwap", "buy", "transfer", "sweep", "portion", "check"),
      from: fc.constantFrom(TOKEN, ...tokens),
      to: fc.constantFrom(...tokens, POOL),
      amount: fc.constantFrom(40n, 60n, 100n),
      isNested: fc.boolean(),
      isOptional: fc.constantFrom(false, false, true),
    });
    const first = { kind: "swap", to: OTHER_TOKEN, amount: 100n, isNested: false, isOptional: false } as const;
    const start = fc.constantFrom<readonly Step[]>([], [{ ...first, from: TOKEN }]);
    fc.assert(
      fc.property(start, fc.array(step, { maxLength: 5 }), (before, more) => {
        const steps = [...before, ...more];
        const { ends, isEmpty } = runSteps(steps);
        const seen = codes([push, executeCommands(steps.map(commandOf))]);
        const isLeft = ends.some((balances) => [...balances.values()].some((amount) => amount > 0n));
        const isCertain = steps.every(({ isOptional }) => !isOptional);
        if (isLeft) expect(seen).to.include("LEFT_IN_SWAP_ROUTER");
        if (!isLeft && isCertain && ends.length > 0) expect(seen).not.to.include("LEFT_IN_SWAP_ROUTER");
        if (isCertain && (ends.length > 0 || isEmpty)) expect(seen.includes("SWAP_ROUTER_EMPTY")).to.equal(isEmpty);
      }),
      { seed: 1, numRuns: 400 },
    );
  });
});

type StepKind = "swap" | "fixedSwap" | "buy" | "transfer" | "sweep" | "portion" | "check";

/** Command that uses the universal router's own balance. What goes to POOL leaves the router. */
interface Step {
  readonly kind: StepKind;
  readonly from: Address;
  readonly to: Address;
  readonly amount: bigint;
  readonly isNested: boolean;
  readonly isOptional: boolean;
}

function commandOf({ kind, from, to, amount, isNested, isOptional }: Step): Command {
  const parts = { recipient: to === POOL ? RECIPIENT : SELF, tokens: [from, to], payerIsUser: false } as const;
  const command = ((): Command => {
    switch (kind) {
      case "swap":
        return swapCommand({ ...parts, amountIn: OWN_BALANCE });
      case "fixedSwap":
        return swapCommand({ ...parts, amountIn: amount });
      case "buy":
        return buyCommand({ ...parts, maximum: amount });
      case "transfer":
        return [0x05, "address, address, uint256", [from, RECIPIENT, amount]];
      case "sweep":
        return sweepCommand(from);
      case "portion":
        return [0x06, "address, address, uint256", [from, RECIPIENT, 50n]];
      case "check":
        return [0x0e, "address, address, uint256", [RECIPIENT, from, 90n]];
    }
  })();
  const outer: Command = isNested ? [0x21, "bytes, bytes[]", packCommands([command])] : command;
  return isOptional ? mayFail(outer) : outer;
}

type Balances = ReadonlyMap<Address, bigint>;

/**
 * Runs commands with all prices, after a transfer of 100. Returns the router's balances of the runs that succeed, and
 * whether all runs end at a command that uses a token of which the router holds nothing.
 */
function runSteps(steps: readonly Step[]): { ends: readonly Balances[]; isEmpty: boolean } {
  let runs: readonly Balances[] = [new Map([[TOKEN, 100n]])];
  for (const each of steps) {
    const next = runs.flatMap((balances) => runStep(each, balances));
    const isUsed = !["sweep", "portion", "check"].includes(each.kind);
    if (next.length === 0)
      return { ends: [], isEmpty: isUsed && runs.every((run) => (run.get(each.from) ?? 0n) === 0n) };
    runs = next;
  }
  return { ends: runs, isEmpty: false };
}

/** Returns the balances after each outcome of a command; none if it always fails and must succeed. */
function runStep({ kind, from, to, amount, isOptional }: Step, balances: Balances): Balances[] {
  const held = balances.get(from) ?? 0n;
  const after = (spent: bigint, gained = 0n): Balances[] => {
    if (spent > held) return [];
    const changed = new Map(balances).set(from, held - spent);
    return [to === POOL || gained === 0n ? changed : changed.set(to, (changed.get(to) ?? 0n) + gained)];
  };
  // Pools reject swaps of nothing.
  const swapped = (spent: bigint): Balances[] =>
    spent === 0n ? [] : [100n, 1000n].flatMap((gained) => after(spent, gained));
  const outcomes = ((): Balances[] => {
    switch (kind) {
      case "swap":
        return swapped(held);
      case "fixedSwap":
        return swapped(amount);
      case "buy":
        return [1n, amount].flatMap((spent) => after(spent, BOUGHT));
      case "transfer":
        return after(amount);
      case "sweep":
        return after(held);
      case "portion":
        return after((held * 50n) / 10_000n);
      case "check":
        return after(0n);
    }
  })();
  return isOptional ? [...outcomes, balances] : outcomes;
}

/** @param v5Permit permit of version 5; version 6 has none */
function oneInch(recipient: Address, v5Permit?: string, flags = 0n): Call {
  const permits = v5Permit === undefined ? [] : [v5Permit];
  return call(
    SWAP_ROUTER,
    `swap(address, (address, address, address, address, uint256, uint256, uint256) desc, ${permits.map(() => "bytes, ").join("")}bytes)`,
    [POOL, [TOKEN, OTHER_TOKEN, POOL, recipient, 100n, 90n, flags], ...permits, "0x"],
  );
}

function zeroX(recipient: Address, buyToken: Address = OTHER_TOKEN): Call {
  const settle = call(STRANGER, "execute((address, address, uint256), bytes[], bytes32)", [
    [recipient, buyToken, 90n],
    [
      call(STRANGER, "TRANSFER_FROM(address, ((address, uint256), uint256, uint256), bytes)", [
        STRANGER,
        [[TOKEN, 100n], 0n, maxUint256],
        "0x",
      ]).data,
    ],
    BYTES32,
  ]);
  return call(SWAP_ROUTER, "exec(address, address, uint256, address, bytes)", [
    STRANGER,
    TOKEN,
    100n,
    STRANGER,
    settle.data,
  ]);
}

function curve(receiver?: Address): Call {
  const route = [TOKEN, POOL, OTHER_TOKEN, ...Array.from({ length: 8 }, () => zeroAddress)];
  const parameters = Array.from({ length: 5 }, () => [0n, 0n, 0n, 0n, 0n]);
  const pools = Array.from({ length: 5 }, () => zeroAddress);
  const start = "exchange(address[11], uint256[5][5], uint256, uint256";
  return receiver === undefined
    ? call(SWAP_ROUTER, `${start})`, [route, parameters, 100n, 90n])
    : call(SWAP_ROUTER, `${start}, address[5], address)`, [route, parameters, 100n, 90n, pools, receiver]);
}

function balancer(sender: Address, recipient: Address, kind = 0): Call {
  return call(
    SWAP_ROUTER,
    "swap((bytes32, uint8, address, address, uint256, bytes), (address, bool, address, bool), uint256, uint256)",
    [
      [BYTES32, kind, TOKEN, OTHER_TOKEN, kind === 0 ? 100n : 90n, "0x"],
      [sender, false, recipient, false],
      kind === 0 ? 90n : 100n,
      maxUint256,
    ],
  );
}

/** Returns a batch of steps between TOKEN, OTHER_TOKEN and WRAPPED, by their indexes. */
function balancerBatch(
  steps: readonly (readonly [from: number, to: number, amount: bigint])[],
  limits = [100n, -90n, 0n],
  kind = 0,
): Call {
  return call(
    SWAP_ROUTER,
    "batchSwap(uint8, (bytes32, uint256, uint256, uint256, bytes)[], address[], (address, bool, address, bool), int256[], uint256)",
    [
      kind,
      steps.map(([from, to, amount]) => [BYTES32, from, to, amount, "0x"]),
      [TOKEN, OTHER_TOKEN, WRAPPED],
      [ROUTER, false, RECIPIENT, false],
      limits,
      maxUint256,
    ],
  );
}

const AUTHORIZATION = "address, address, uint256, uint256, uint256, bytes32, uint8, bytes32, bytes32";
const authorize = (name: string, to: Address): Call =>
  call(TOKEN, `${name}(${AUTHORIZATION})`, [RECIPIENT, to, 100n, 0n, maxUint256, BYTES32, ...SIGNATURE]);
const selfPermit = (name: string): Call =>
  call(SWAP_ROUTER, `${name}(address, uint256, uint256, uint8, bytes32, bytes32)`, [TOKEN, 1n, 2n, ...SIGNATURE]);
const permitOne: Command = [
  0x0a,
  "((address, uint160, uint48, uint48), address, uint256), bytes",
  [[details(100n), SWAP_ROUTER, maxUint256], "0x12"],
];

/** Calls of an approval proxy, and none of them. */
const CALLS = "(address, bool, uint256, bytes)[], address, address, bytes";
const NO_CALLS = [[], RECIPIENT, RECIPIENT, "0x"];
const permit2Multicall = (signature: string): Call =>
  call(STRANGER, `permit2TransferAndMulticall(address, ((address, uint256)[], uint256, uint256), ${CALLS}, bytes)`, [
    RECIPIENT,
    [[[TOKEN, 1n]], 1n, maxUint256],
    ...NO_CALLS,
    signature,
  ]);
const PERMIT_TYPES = "uint256, uint8, bytes32, bytes32";
const supplyWithPermit = call(POOL, `supplyWithPermit(address, uint256, address, uint16, ${PERMIT_TYPES})`, [
  TOKEN,
  100n,
  RECIPIENT,
  0,
  maxUint256,
  ...SIGNATURE,
]);
const repayWithPermit = call(POOL, `repayWithPermit(address, uint256, uint256, address, ${PERMIT_TYPES})`, [
  TOKEN,
  100n,
  2n,
  RECIPIENT,
  maxUint256,
  ...SIGNATURE,
]);

/** Calls that use a signature, and whether anyone can submit it first. */
const SIGNED: Record<string, readonly [Call, isRunnable: boolean]> = {
  "EIP-2612's permit": [permit(RECIPIENT), true],
  "a permit with a packed signature": [
    call(TOKEN, "permit(address, address, uint256, uint256, bytes)", [RECIPIENT, VAULT, 1n, 2n, "0x12"]),
    true,
  ],
  "DAI's permit": [
    call(TOKEN, "permit(address, address, uint256, uint256, bool, uint8, bytes32, bytes32)", [
      RECIPIENT,
      VAULT,
      0n,
      2n,
      true,
      ...SIGNATURE,
    ]),
    true,
  ],
  "an NFT's permit": [
    call(VAULT, "permit(address, uint256, uint256, uint8, bytes32, bytes32)", [POOL, 1n, 2n, ...SIGNATURE]),
    true,
  ],
  transferWithAuthorization: [authorize("transferWithAuthorization", VAULT), true],
  "receiveWithAuthorization, which only the payee can call": [authorize("receiveWithAuthorization", VAULT), false],
  "Permit2's permit": [
    call(PERMIT2, "permit(address, ((address, uint160, uint48, uint48), address, uint256), bytes)", [
      RECIPIENT,
      [details(100n), VAULT, maxUint256],
      "0x12",
    ]),
    true,
  ],
  "Permit2's permit of several tokens": [
    call(PERMIT2, "permit(address, ((address, uint160, uint48, uint48)[], address, uint256), bytes)", [
      RECIPIENT,
      [[details(100n)], VAULT, maxUint256],
      "0x12",
    ]),
    true,
  ],
  delegateBySig: [
    call(VAULT, "delegateBySig(address, uint256, uint256, uint8, bytes32, bytes32)", [RECIPIENT, 0n, 1n, ...SIGNATURE]),
    true,
  ],
  castVoteBySig: [call(VAULT, "castVoteBySig(uint256, uint8, uint8, bytes32, bytes32)", [1n, 1, ...SIGNATURE]), true],
  "Compound's allowBySig": [
    call(VAULT, "allowBySig(address, address, bool, uint256, uint256, uint8, bytes32, bytes32)", [
      RECIPIENT,
      POOL,
      true,
      0n,
      1n,
      ...SIGNATURE,
    ]),
    true,
  ],
  "Morpho's setAuthorizationWithSig": [
    call(VAULT, "setAuthorizationWithSig((address, address, bool, uint256, uint256), (uint8, bytes32, bytes32))", [
      [RECIPIENT, POOL, true, 0n, 1n],
      SIGNATURE,
    ]),
    true,
  ],
  cancelAuthorization: [
    call(TOKEN, "cancelAuthorization(address, bytes32, uint8, bytes32, bytes32)", [RECIPIENT, BYTES32, ...SIGNATURE]),
    true,
  ],
  "a meta-transaction": [
    call(VAULT, "executeMetaTransaction(address, bytes, bytes32, bytes32, uint8)", [
      RECIPIENT,
      "0x12",
      BYTES32,
      BYTES32,
      27,
    ]),
    true,
  ],
  "a forwarder's execute": [
    call(VAULT, "execute((address, address, uint256, uint256, uint256, bytes), bytes)", [
      [RECIPIENT, POOL, 0n, 1n, 0n, "0x"],
      "0x12",
    ]),
    true,
  ],
  "a later forwarder's execute": [
    call(VAULT, "execute((address, address, uint256, uint256, uint48, bytes, bytes))", [
      [RECIPIENT, POOL, 0n, 1n, 1, "0x", "0x12"],
    ]),
    true,
  ],
  "Safe's execTransaction": [
    call(VAULT, "execTransaction(address, uint256, bytes, uint8, uint256, uint256, uint256, address, address, bytes)", [
      POOL,
      0n,
      "0x",
      0,
      0n,
      0n,
      0n,
      RECIPIENT,
      RECIPIENT,
      "0x12",
    ]),
    true,
  ],
  "CCTP's receiveMessage": [call(VAULT, "receiveMessage(bytes, bytes)", ["0x12", "0x34"]), true],
  "Wormhole's completeTransfer": [call(VAULT, "completeTransfer(bytes)", ["0x12"]), true],
  "a Merkle claim": [call(VAULT, "claim(uint256, address, uint256, bytes32[])", [1n, RECIPIENT, 1n, [BYTES32]]), true],
  selfPermit: [selfPermit("selfPermit"), true],
  "selfPermitAllowed in a multicall": [multicall(selfPermit("selfPermitAllowed")), true],
  "selfPermitIfNecessary, which needs no permit afterwards": [selfPermit("selfPermitIfNecessary"), false],
  "the universal router's permit": [executeCommands([permitOne]), true],
  "the universal router's permit, which may fail": [executeCommands([mayFail(permitOne)]), false],
  "a permit in a plan that may fail": [
    executeCommands([mayFail([0x21, "bytes, bytes[]", packCommands([permitOne])])]),
    false,
  ],
  "a permit in a call that must succeed": [
    call(MULTICALL3, "aggregate3((address, bool, bytes)[])", [[[TOKEN, false, permit(RECIPIENT).data]]]),
    true,
  ],
  "a permit in a call that may fail": [
    call(MULTICALL3, "aggregate3((address, bool, bytes)[])", [[[TOKEN, true, permit(RECIPIENT).data]]]),
    false,
  ],
  "a permit in a multicall of the router": [
    call(ROUTER, "multicall((address, bool, uint256, bytes)[], address, address, bytes)", [
      [[TOKEN, false, 0n, permit(RECIPIENT).data]],
      RECIPIENT,
      RECIPIENT,
      "0x",
    ]),
    true,
  ],
  "a step of a program": [run(programOf({ ...permit(RECIPIENT), to: VAULT })), true],
  "a step of a program with a fallback": [
    run(
      programOf(
        { ...permit(RECIPIENT), to: VAULT },
        { policy: { kind: "fallBack", recipient: RECIPIENT, stepsGas: 1, reserveGas: 1 } },
      ),
    ),
    false,
  ],
  executeSigned: [
    call(SWAP_ROUTER, "executeSigned(bytes, bytes[], bytes32, bytes32, bool, bytes32, bytes, uint256)", [
      ...packCommands([sweepCommand(TOKEN)]),
      BYTES32,
      BYTES32,
      true,
      BYTES32,
      "0x12",
      maxUint256,
    ]),
    true,
  ],
  "a permit of a position in the universal router": [executeCommands([[0x11, "uint256", [1n]]]), true],
  "the approval proxy's permit2TransferAndMulticall": [permit2Multicall("0x12"), true],
  "the approval proxy's permit2TransferAndMulticall without a signature": [permit2Multicall("0x"), false],
  "the approval proxy's permit3009TransferAndMulticall": [
    call(
      STRANGER,
      `permit3009TransferAndMulticall((address, uint256, uint256, uint256, uint8, bytes32, bytes32)[], address[], ${CALLS}, bytes[])`,
      [[[RECIPIENT, 1n, 0n, maxUint256, ...SIGNATURE]], [TOKEN], ...NO_CALLS, ["0x12"]],
    ),
    true,
  ],
  "version 3.0 of permit3009TransferAndMulticall": [
    call(
      STRANGER,
      `permit3009TransferAndMulticall((address, uint256, uint256, uint256, uint8, bytes32, bytes32)[], address[], ${CALLS})`,
      [[[RECIPIENT, 1n, 0n, maxUint256, ...SIGNATURE]], [TOKEN], ...NO_CALLS],
    ),
    true,
  ],
  "permitTransferAndMulticall, which needs no permit afterwards": [
    call(
      STRANGER,
      `permitTransferAndMulticall((address, address, uint256, uint256, uint8, bytes32, bytes32)[], ${CALLS})`,
      [[[TOKEN, ROUTER, 1n, maxUint256, ...SIGNATURE]], ...NO_CALLS],
    ),
    false,
  ],
  "1inch v5 with a permit": [oneInch(RECIPIENT, "0x12"), true],
  "1inch v5 without a permit": [oneInch(RECIPIENT, "0x"), false],
  "1inch's permitAndCall, which tries the permit": [
    call(SWAP_ROUTER, "permitAndCall(bytes, bytes)", ["0x12", oneInch(RECIPIENT).data]),
    false,
  ],
  "Aave's supplyWithPermit, which tries the permit": [supplyWithPermit, false],
  "another function": [supply(TOKEN, 1n), false],
  "an unknown function with v, r and s": [
    call(STRANGER, "mintSigned(address, uint8, bytes32, bytes32)", [RECIPIENT, 28, RANDOM, RANDOM]),
    true,
  ],
  "an unknown function with numbers": [
    call(STRANGER, "lockFor(address, uint256, uint256, uint256)", [RECIPIENT, 28n, 5n, 6n]),
    false,
  ],
  "an unknown function with the bytes of a signature": [
    call(STRANGER, "mintSigned(address, bytes)", [RECIPIENT, `${RANDOM}${RANDOM.slice(2)}1c`]),
    true,
  ],
  "an unknown function with other bytes": [
    call(STRANGER, "mintSigned(address, bytes)", [RECIPIENT, `${RANDOM}${RANDOM.slice(2)}02`]),
    false,
  ],
  "a user operation": [
    call(STRANGER, "handleOps((address, uint256, bytes, bytes, bytes32, uint256, bytes32, bytes, bytes)[], address)", [
      [[RECIPIENT, 0n, "0x", "0x12", RANDOM, 0n, RANDOM, "0x", `${RANDOM}${RANDOM.slice(2)}1b`]],
      RECIPIENT,
    ]),
    true,
  ],
  "a message of Hyperlane": [call(STRANGER, "process(bytes, bytes)", ["0x12", "0x34"]), true],
  "a proof of Merkl": [
    call(STRANGER, "claim(address[], address[], uint256[], bytes32[][])", [[RECIPIENT], [TOKEN], [1n], [[RANDOM]]]),
    true,
  ],
  "a permit in an older batch": [
    call(MULTICALL3, "aggregate((address, bytes)[])", [[[TOKEN, permit(RECIPIENT).data]]]),
    true,
  ],
  "a permit in an older batch that must succeed": [
    call(MULTICALL3, "tryAggregate(bool, (address, bytes)[])", [true, [[TOKEN, permit(RECIPIENT).data]]]),
    true,
  ],
  "a permit in an older batch that may fail": [
    call(MULTICALL3, "tryAggregate(bool, (address, bytes)[])", [false, [[TOKEN, permit(RECIPIENT).data]]]),
    false,
  ],
};

describe("checkCalls: signatures that anyone can submit first", () => {
  for (const [name, [tx, isRunnable]] of Object.entries(SIGNED)) {
    it(`${name}: ${isRunnable ? "a warning" : "none"}`, () => {
      expect(codes([tx]).filter((code) => code === "SIGNATURE_FRONT_RUNNABLE")).to.have.length(isRunnable ? 1 : 0);
    });
  }

  it("reports a warning if and only if no call around a permit may fail", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 5 }), (allowed) => {
        const inner = allowed.reduce<Call>(
          (each, mayFailHere) =>
            call(MULTICALL3, "aggregate3((address, bool, bytes)[])", [[[each.to, mayFailHere, each.data]]]),
          permit(RECIPIENT),
        );
        expect(codes([inner]).includes("SIGNATURE_FRONT_RUNNABLE")).to.equal(!allowed.includes(true));
      }),
      { seed: 1 },
    );
  });

  it("rejects random commands if and only if one that must succeed needs the router's signature", () => {
    const step = fc.record({ isPermit: fc.boolean(), mayFailHere: fc.boolean(), isNested: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 5 }), fc.boolean(), (steps, isNestOptional) => {
        const commands = steps.map(({ isPermit, mayFailHere, isNested }): Command => {
          const command = isPermit ? permitOne : sweepCommand(TOKEN);
          const inner = mayFailHere ? mayFail(command) : command;
          const nested: Command = [0x21, "bytes, bytes[]", packCommands([inner])];
          return isNested ? (isNestOptional ? mayFail(nested) : nested) : inner;
        });
        const expected = steps.some(
          ({ isPermit, mayFailHere, isNested }) => isPermit && !mayFailHere && !(isNested && isNestOptional),
        );
        expect(codes([executeCommands(commands)]).includes("ROUTER_CANNOT_SIGN")).to.equal(expected);
      }),
      { seed: 1 },
    );
  });

  it("Aave's functions with permits take the approved token", () => {
    expect(findings([supplyWithPermit])).to.deep.equal([["APPROVAL_MISSING", 0]]);
    expect(findings([approve(TOKEN, POOL, 100n), supplyWithPermit])).to.deep.equal([]);
    expect(
      findings([approve(TOKEN, POOL, 100n), repayWithPermit, approve(TOKEN, POOL, 0n), sweep(TOKEN)]),
    ).to.deep.equal([]);
  });

  it("rejects what only the router's signature allows, and payments that anyone can take through the router", () => {
    expect(codes([selfPermit("selfPermit")])).to.include("ROUTER_CANNOT_SIGN");
    expect(codes([executeCommands([permitOne])])).to.include("ROUTER_CANNOT_SIGN");
    expect(codes([executeCommands([mayFail(permitOne)])])).not.to.include("ROUTER_CANNOT_SIGN");
    expect(codes([permit(RECIPIENT)])).not.to.include("ROUTER_CANNOT_SIGN");
    for (const name of ["transferWithAuthorization", "receiveWithAuthorization"]) {
      expect(codes([authorize(name, ROUTER)])).to.include("FOREIGN_ALLOWANCE");
      expect(codes([authorize(name, EXECUTOR)])).to.include("FOREIGN_ALLOWANCE");
      expect(codes([authorize(name, VAULT)])).not.to.include("FOREIGN_ALLOWANCE");
    }
    const rights: Record<string, (account: Address) => Call> = {
      "a manager in Compound": (account) =>
        call(POOL, "allowBySig(address, address, bool, uint256, uint256, uint8, bytes32, bytes32)", [
          RECIPIENT,
          account,
          true,
          0n,
          maxUint256,
          ...SIGNATURE,
        ]),
      "an authorization in Morpho": (account) =>
        call(POOL, "setAuthorizationWithSig((address, address, bool, uint256, uint256), (uint8, bytes32, bytes32))", [
          [RECIPIENT, account, true, 0n, maxUint256],
          SIGNATURE,
        ]),
      "a delegation in Aave": (account) =>
        call(POOL, "delegationWithSig(address, address, uint256, uint256, uint8, bytes32, bytes32)", [
          RECIPIENT,
          account,
          100n,
          maxUint256,
          ...SIGNATURE,
        ]),
      "a permit": (account) => permit(RECIPIENT, account),
    };
    for (const [name, give] of Object.entries(rights)) {
      for (const account of [ROUTER, EXECUTOR]) {
        expect(codes([give(account)]), name).to.include("FOREIGN_ALLOWANCE");
      }
      expect(codes([give(VAULT)]), name).not.to.include("FOREIGN_ALLOWANCE");
    }
    expect(codes([permit(RECIPIENT, ROUTER)])).to.include("FOREIGN_ALLOWANCE");
  });
});

describe("checkCalls: calls that may fail", () => {
  const inMulticall = (inner: Call, mayFailHere: boolean): Call =>
    call(ROUTER, "multicall((address, bool, uint256, bytes)[], address, address, bytes)", [
      [[inner.to, mayFailHere, 0n, inner.data]],
      RECIPIENT,
      RECIPIENT,
      "0x",
    ]);
  const spends: Record<string, readonly [readonly Call[], Call]> = {
    "a vault's deposit": [[approve(TOKEN, POOL, 100n)], call(POOL, "deposit(uint256, address)", [100n, RECIPIENT])],
    "a transfer": [[], call(TOKEN, "transfer(address, uint256)", [RECIPIENT, 100n])],
    "an unknown function": [[approve(TOKEN, POOL, 100n)], { to: POOL, data: "0x12345678", value: "0" }],
    "a sweep": [[], sweep(TOKEN)],
  };
  for (const [name, [before, spend]] of Object.entries(spends)) {
    it(`${name} leaves the delivered token on the router unless it must succeed, or a later call sweeps it`, () => {
      const left = (...txs: readonly Call[]): readonly string[] =>
        codes([...before, ...txs]).filter((code) => code === "LEFTOVER_TOKEN");
      expect(left(inMulticall(spend, true))).to.deep.equal(["LEFTOVER_TOKEN"]);
      expect(left(inMulticall(spend, false))).to.deep.equal([]);
      expect(left(inMulticall(spend, true), sweep(TOKEN))).to.deep.equal([]);
    });
  }
});

describe("checkCalls: functions without a recipient", () => {
  const NAMES = [
    "stake(uint256)",
    "deposit(uint256)",
    "enter(uint256)",
    "supply(uint256)",
    "lock(uint256)",
    "increase_amount(uint256)",
    "repayBorrow(uint256)",
    "enterStaking(uint256)",
    "contribute(uint256)",
    "redeem(uint256)",
  ];
  for (const name of NAMES) {
    it(`${name} has a note`, () => {
      expect(findings([approve(TOKEN, POOL, 100n), call(POOL, name, [100n])])).to.deep.equal([["CREDITS_CALLER", 1]]);
    });
  }

  it("an asynchronous vault's request is rejected if the router is its controller", () => {
    const request = (controller: Address) => [
      approve(TOKEN, POOL, 100n),
      call(POOL, "requestDeposit(uint256, address, address)", [100n, controller, ROUTER]),
    ];
    expect(findings(request(ROUTER))).to.deep.equal([["PUBLIC_ACCOUNT_CREDITED", 1]]);
    expect(findings(request(RECIPIENT))).to.deep.equal([]);
  });

  it("a voting escrow has a note, and so have rewards", () => {
    const lock = call(POOL, "createLock(uint256, uint256)", [100n, 1n]);
    expect(findings([approve(TOKEN, POOL, 100n), lock])).to.deep.equal([["CREDITS_CALLER", 1]]);
    for (const name of ["getReward()", "claim()", "exit()"]) {
      expect(codes([call(POOL, name, [])])).to.include("CREDITS_CALLER");
    }
  });

  it("an unknown function that is paid gets a note if its data contains no user and no later call uses its output", () => {
    const paid = [approve(TOKEN, POOL, 100n), call(POOL, "zap(address, uint256)", [TOKEN, 100n])];
    const [note] = checkCalls(check(paid, { contracts }));
    expect(note?.reason).to.equal(
      `the data of ${POOL} names neither the user nor the recipient, so it can credit the router`,
    );
    expect(findings(paid)).to.deep.equal([["CREDITS_CALLER", 1]]);
    expect(findings([paid[0], call(POOL, "zap(address, uint256)", [RECIPIENT, 100n])] as Call[])).to.deep.equal([]);
    expect(codes([call(POOL, "zap(address, uint256)", [TOKEN, 100n])])).not.to.include("CREDITS_CALLER");
    expect(findings([...paid, sweep(OTHER_TOKEN)])).to.deep.equal([]);
    expect(findings([...paid, approve(OTHER_TOKEN, STRANGER, 1n), approve(OTHER_TOKEN, STRANGER, 0n)])).to.deep.equal(
      [],
    );
    expect(codes([call(POOL, "zap(uint256)", [1n], "5")])).to.include("CREDITS_CALLER");
  });

  it("a pool's deposit and a step of a program get a note", () => {
    const farm = call(POOL, "deposit(uint256, uint256)", [1n, 100n]);
    expect(findings([approve(TOKEN, POOL, 100n), farm])).to.deep.equal([["CREDITS_CALLER", 1]]);
    expect(findings([sweep(TOKEN, EXECUTOR), run(programOf(farm))])).to.deep.equal([["CREDITS_CALLER", 1]]);
  });

  it("Compound v2 mints its own token for the approved amount", () => {
    const mint = [approve(TOKEN, POOL, 100n), call(POOL, "mint(uint256)", [100n])];
    expect(findings(mint)).to.deep.equal([["CREDITS_ROUTER", 1]]);
    expect(findings([...mint, sweep(POOL)])).to.deep.equal([]);
    const large = { amount: "1000000", contracts } as const;
    const unlimited = [
      approve(TOKEN, POOL, maxUint256),
      call(POOL, "mint(uint256)", [1_000_000n]),
      approve(TOKEN, POOL, 0n),
    ];
    expect(found(check([...unlimited, sweep(POOL)], large))).to.deep.equal([]);
  });

  it("has no note for random amounts if the target's token is swept, or if there is a recipient", () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 2n ** 90n), fc.constantFrom(...NAMES), fc.boolean(), (amount, name, isSwept) => {
        const txs = [approve(TOKEN, POOL, amount), call(POOL, name, [amount]), ...(isSwept ? [sweep(POOL)] : [])];
        const plan = check(txs, { amount: String(amount), contracts });
        expect(found(plan)).to.deep.equal(isSwept ? [] : [["CREDITS_CALLER", 1]]);
        const to = call(POOL, "deposit(uint256, address)", [amount, RECIPIENT]);
        expect(found(check([approve(TOKEN, POOL, amount), to], { amount: String(amount), contracts }))).to.deep.equal(
          [],
        );
      }),
      { seed: 1, numRuns: 30 },
    );
  });
});
