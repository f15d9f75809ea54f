import { expect } from "chai";
import fc from "fast-check";
import { type Hex, maxUint256, numberToHex, parseAbi, toFunctionSelector } from "viem";

import {
  checkCalls,
  type DecodedCall,
  decodeCalls,
  encodeProgram,
  formatCalls,
  pushAndExecute,
} from "../../../../../packages/sdk/src/calls/index.ts";
import { type Call, parseCallData } from "../../../../../packages/protocol/src/common/call.ts";
import { OTHER_TOKEN, PROXY, RECIPIENT, ROUTER, TOKEN } from "../accounts.ts";
import {
  approve,
  call,
  type Command,
  CONTRACTS,
  executeCommands,
  EXECUTOR,
  NATIVE,
  OWN_BALANCE,
  packCommands,
  POOL,
  PULLER,
  STRANGER,
  supply,
  SWAP_ROUTER,
  swapCommand,
  sweep,
  sweepCommand,
} from "../check/fixtures.ts";

const program = encodeProgram(
  {
    recipient: RECIPIENT,
    tokens: [{ token: TOKEN }, { token: "native" }],
    steps: [{ target: POOL, data: "0x12345678" }],
  },
  { executor: EXECUTOR, livePuller: PULLER, router: ROUTER },
);
const approval = approve(TOKEN, PROXY, 5n);

function decodeOne(tx: Call, abis: Parameters<typeof decodeCalls>[1] = {}): DecodedCall {
  return decodeCalls([tx], abis)[0]!;
}

/** Returns the family, signature and arguments. */
function factsOf(tx: Call): unknown[] {
  const decoded = decodeOne(tx);
  return decoded.kind === "function" ? [decoded.family, decoded.signature, decoded.args.map(({ value }) => value)] : [];
}

describe("decodeCalls", () => {
  it("decodes a known function with its arguments, and the tokens of its amounts", () => {
    expect(decodeOne(approval)).to.deep.equal({
      kind: "function",
      to: TOKEN,
      value: "0",
      data: approval.data,
      isByRouter: true,
      mayFail: false,
      family: "ERC-20",
      name: "approve",
      signature: "approve(address,uint256)",
      args: [
        { name: "spender", type: "address", value: PROXY },
        { name: "amount", type: "uint256", value: 5n },
      ],
      amounts: { amount: TOKEN },
      tail: "0x",
      calls: [],
      program: undefined,
    });
  });

  it("decodes calls to the supported protocols", () => {
    expect(factsOf(supply(TOKEN, 5n))).to.deep.equal([
      "Aave v3",
      "supply(address,uint256,address,uint16)",
      [TOKEN, 5n, RECIPIENT, 0],
    ]);
    expect(factsOf(call(PROXY, "execute(address, uint256, uint256, uint256)", [RECIPIENT, 1n, 2n, 3n]))[0]).to.equal(
      "destination proxy",
    );
    expect(factsOf(sweep(TOKEN))[0]).to.equal("router v3");
    expect(factsOf(call(ROUTER, "cleanupNative(uint256, address)", [0n, RECIPIENT]))[0]).to.equal("router v2");
    expect(factsOf(call(POOL, "deposit()"))[0]).to.equal("wrapped native");
    expect(factsOf(call(POOL, "deposit(uint256, address)", [1n, RECIPIENT]))[0]).to.equal("ERC-4626");
    expect(factsOf(call(POOL, "supplyTo(address, address, uint256)", [RECIPIENT, TOKEN, 1n]))[0]).to.equal(
      "Compound v3",
    );
    expect(factsOf(call(POOL, "execute(bytes, bytes[], uint256)", ["0x00", [], 1n]))[0]).to.equal("universal router");
    expect(factsOf(call(POOL, "approve(address, address, uint160, uint48)", [TOKEN, POOL, 1n, 1]))[0]).to.equal(
      "Permit2",
    );
    expect(factsOf(call(POOL, "safeMint(address)", [RECIPIENT]))[0]).to.equal("NFT");
    expect(factsOf(call(POOL, "submit(address)", [RECIPIENT]))[0]).to.equal("Lido");
    expect(factsOf(call(POOL, "exchange(uint256, uint256, uint256, uint256)", [0n, 1n, 2n, 3n]))[0]).to.equal("Curve");
  });

  it("decodes the calls inside ViaCalls and multicalls, with their callers", () => {
    const inside = (outer: Call): unknown[] => {
      const decoded = decodeOne(outer);
      return decoded.kind === "function"
        ? decoded.calls.map((each) => [each.to, each.value, each.isByRouter, each.kind === "function" && each.name])
        : [];
    };
    const { data } = approval;
    expect(inside(call(ROUTER, "cleanupNativeViaCall(uint256, address, bytes)", [0n, TOKEN, data]))).to.deep.equal([
      [TOKEN, "all", true, "approve"],
    ]);
    expect(
      inside(
        call(ROUTER, "cleanupErc20sViaCall(address[], address[], bytes[], uint256[])", [[TOKEN], [POOL], [data], [0n]]),
      ),
    ).to.deep.equal([[POOL, "0", true, "approve"]]);
    expect(
      inside(
        call(ROUTER, "multicall((address, bool, uint256, bytes)[], address, address, bytes)", [
          [[TOKEN, false, 7n, data]],
          NATIVE,
          NATIVE,
          "0x",
        ]),
      ),
    ).to.deep.equal([[TOKEN, "7", true, "approve"]]);
    expect(inside(call(STRANGER, "aggregate3((address, bool, bytes)[])", [[[TOKEN, false, data]]]))).to.deep.equal([
      [TOKEN, "0", false, "approve"],
    ]);
    expect(inside(call(POOL, "multicall(bytes[])", [[data, data]]))).to.deep.equal([
      [POOL, "0", true, "approve"],
      [POOL, "0", true, "approve"],
    ]);
  });

  it("decodes the functions of approval proxies 3.0 and 3.2, and the calls inside", () => {
    const calls = "(address target, bool allowFailure, uint256 value, bytes callData)[]";
    const runs = `${calls}, address refundTo, address nftRecipient, bytes metadata`;
    const made = [[TOKEN, false, 0n, approval.data]];
    const rest = [made, RECIPIENT, RECIPIENT, "0x"];
    const signature = "uint8 v, bytes32 r, bytes32 s";
    const word = `0x${"00".repeat(32)}`;
    const signed = [27, word, word];
    const permitOf = (more: string) =>
      `(address token, address owner, uint256 value, ${more}uint256 deadline, ${signature})[]`;
    const authorization = `(address from, uint256 value, uint256 validAfter, uint256 validBefore, ${signature})[]`;
    const batch = "((address token, uint256 amount)[] permitted, uint256 nonce, uint256 deadline)";
    const forms: readonly (readonly [selector: Hex | undefined, signature: string, args: readonly unknown[]])[] = [
      [
        "0xbd4967a9",
        `permitTransferAndMulticall(${permitOf("")}, ${runs})`,
        [[[TOKEN, RECIPIENT, 1n, 2n, ...signed]], ...rest],
      ],
      [
        undefined,
        `permitTransferAndMulticall(${permitOf("uint256 nonce, ")}, ${runs})`,
        [[[TOKEN, RECIPIENT, 1n, 3n, 2n, ...signed]], ...rest],
      ],
      [
        "0x0a2b8f36",
        `permit2TransferAndMulticall(address user, ${batch} permit, ${runs}, bytes permitSignature)`,
        [RECIPIENT, [[[TOKEN, 1n]], 2n, 3n], ...rest, "0x12"],
      ],
      [
        "0x745599f3",
        `permit3009TransferAndMulticall(${authorization}, address[] tokens, ${runs}, bytes[] multicallSignatures)`,
        [[[RECIPIENT, 1n, 0n, 2n, ...signed]], [TOKEN], ...rest, ["0x12"]],
      ],
      [
        undefined,
        `permit3009TransferAndMulticall(${authorization}, address[] tokens, ${runs})`,
        [[[RECIPIENT, 1n, 0n, 2n, ...signed]], [TOKEN], ...rest],
      ],
      [undefined, `transferAndMulticall(address[] tokens, uint256[] amounts, ${runs})`, [[TOKEN], [1n], ...rest]],
    ];
    for (const [selector, form, args] of forms) {
      const tx = call(POOL, form, args);
      if (selector !== undefined) expect(tx.data.slice(0, 10), form).to.equal(selector);
      const decoded = decodeOne(tx);
      expect(decoded, form).to.deep.include({ kind: "function", family: "approval proxy" });
      const { calls: inner } = decoded as { readonly calls?: readonly DecodedCall[] };
      expect(
        inner?.map(({ to, data, isByRouter }) => [to, data, isByRouter]),
        form,
      ).to.deep.equal([[TOKEN, approval.data, false]]);
    }
  });

  it("decodes commands and actions of the universal router as calls of the router to itself", () => {
    const swap = swapCommand({ payerIsUser: false, amountIn: OWN_BALANCE });
    const withPrices: Command = [0x00, `${swap[1]}, uint256[]`, [...swap[2], [7n]]];
    const v4Swap: Command = [
      0x06,
      "((address, address, uint24, int24, address), bool, uint128, uint128, bytes)",
      [[[TOKEN, OTHER_TOKEN, 500, 10, NATIVE], true, 100n, 90n, "0x"]],
    ];
    const commands: readonly Command[] = [
      swap,
      withPrices,
      [0x80 | 0x0e, "address, address, uint256", [RECIPIENT, TOKEN, 9n]],
      [0x10, "bytes, bytes[]", packCommands([v4Swap, [0x0c, "address, uint256", [TOKEN, 100n]]])],
      [0x21, "bytes, bytes[]", packCommands([sweepCommand(TOKEN)])],
      [0x12, "uint256", [5n]],
      [0x3f, "uint256", [5n]],
      [0x04, "uint256", [5n]],
    ];
    const outlineOf = (each: DecodedCall): unknown =>
      each.kind === "function"
        ? [each.name, each.mayFail, each.args.length, each.amounts, ...each.calls.map(outlineOf)]
        : [each.kind, each.data.slice(0, 10), "expected" in each && each.expected];
    const outer = decodeOne(executeCommands(commands));
    const inner = outer.kind === "function" ? outer.calls : [];
    const traded = { amountIn: TOKEN.toLowerCase(), amountOutMinimum: OTHER_TOKEN.toLowerCase() };
    expect(inner.map(outlineOf)).to.deep.equal([
      ["V3_SWAP_EXACT_IN", false, 5, traded],
      ["V3_SWAP_EXACT_IN", false, 6, traded],
      ["BALANCE_CHECK_ERC20", true, 3, { minBalance: TOKEN }],
      [
        "V4_SWAP",
        false,
        2,
        {},
        ["SWAP_EXACT_IN_SINGLE", false, 1, {}],
        ["SETTLE_ALL", false, 2, { amountMaximum: TOKEN }],
      ],
      ["EXECUTE_SUB_PLAN", false, 2, {}, ["SWEEP", false, 3, { amountMinimum: TOKEN }]],
      ["V3_POSITION_MANAGER_CALL", false, 1, {}],
      ["unknown", "0x0000003f", undefined],
      ["unknown", toFunctionSelector("SWEEP(address,address,uint256)"), undefined],
    ]);
    expect(inner.every(({ to, isByRouter }) => to === SWAP_ROUTER && isByRouter)).to.equal(true);
    // Extra inputs and commands do not pair up, and the router rejects them.
    const uneven = decodeOne(call(POOL, "execute(bytes, bytes[])", ["0x0404", packCommands([sweepCommand(TOKEN)])[1]]));
    expect(uneven.kind === "function" && uneven.calls).to.have.length(1);
  });

  it("decodes the call behind 0x's AllowanceHolder and 1inch's permit", () => {
    const settle = call(STRANGER, "execute((address, address, uint256), bytes[], bytes32)", [
      [RECIPIENT, TOKEN, 9n],
      [call(POOL, "BASIC(address, uint256, address, uint256, bytes)", [TOKEN, 1n, POOL, 0n, "0x"]).data],
      numberToHex(0, { size: 32 }),
    ]);
    const exec = decodeOne(
      call(POOL, "exec(address, address, uint256, address, bytes)", [STRANGER, TOKEN, 5n, STRANGER, settle.data]),
    );
    const [settler] = exec.kind === "function" ? exec.calls : [];
    expect(
      settler?.kind === "function" && [settler.to, settler.name, settler.calls.map(({ kind }) => kind)],
    ).to.deep.equal([STRANGER, "execute", ["function"]]);
    const wrapped = decodeOne(call(POOL, "permitAndCall(bytes, bytes)", ["0x12", approval.data]));
    expect(wrapped.kind === "function" && wrapped.calls.map(({ data }) => data)).to.deep.equal([approval.data]);
  });

  it("decodes programs", () => {
    const execution = pushAndExecute({ router: ROUTER, executor: EXECUTOR, program }).at(-1);
    const outer = decodeOne(execution!);
    const inner = outer.kind === "function" ? outer.calls[0] : undefined;
    expect(inner?.kind === "function" && inner.program?.steps.map(({ target }) => target)).to.deep.equal([POOL]);
  });

  it("prefers the caller's ABIs, and still decodes inner calls", () => {
    const abis = [parseAbi(["function approve(address who, uint256 howMuch)", "function fly(string)"])];
    const decoded = decodeOne(approval, { abis });
    expect(decoded.kind === "function" && [decoded.family, decoded.args.map(({ name }) => name)]).to.deep.equal([
      undefined,
      ["who", "howMuch"],
    ]);
    const own = decodeOne(call(POOL, "fly(string)", ["high"]), { abis });
    expect(own.kind === "function" && own.args).to.deep.equal([{ name: "", type: "string", value: "high" }]);
  });

  it("returns data that cannot be decoded as bytes", () => {
    const word = "11".repeat(32);
    expect(decodeOne({ to: POOL, data: `0x12345678${word}22`, value: "1" })).to.deep.include({
      kind: "unknown",
      selector: "0x12345678",
      words: [`0x${word}`, "0x22"],
      expected: undefined,
    });
    expect(decodeOne({ to: POOL, data: "0x095ea7b3", value: "1" })).to.deep.include({
      kind: "unknown",
      words: [],
      expected: "approve(address,uint256)",
    });
    expect(decodeOne({ to: POOL, data: "0x12", value: "1" })).to.deep.include({ kind: "unknown", selector: "0x12" });
    expect(decodeOne({ to: POOL, data: "0x", value: "1" }).kind).to.equal("empty");
    expect(decodeOne({ to: POOL, data: "0x1", value: "1" }).kind).to.equal("malformed");
    // A regular expression that backtracks would overflow the stack.
    const data: Hex = `0x${"ab".repeat(8_000_000)}`;
    expect(decodeOne({ to: POOL, data, value: "0" }).kind).to.equal("unknown");
    expect(decodeOne({ to: POOL, data: `${data}c`, value: "0" }).kind).to.equal("malformed");
    expect(parseCallData(data, "data")).to.equal(data);
  });

  it("keeps bytes after the arguments", () => {
    const tailed = decodeOne({ ...approval, data: `${approval.data}0102` });
    expect(tailed.kind === "function" && tailed.tail).to.equal("0x0102");
  });

  it("limits the number of nested calls", () => {
    const nest = (data: Hex): Hex =>
      call(POOL, "multicall(bytes[])", [Array.from({ length: 20 }, () => data)]).data as Hex;
    const bomb = [0, 1, 2].reduce<Hex>(nest, "0x12345678");
    const count = (decoded: DecodedCall): number =>
      decoded.kind === "function" ? decoded.calls.reduce((sum, each) => sum + 1 + count(each), 0) : 0;
    expect(count(decodeOne({ to: POOL, data: bomb, value: "0" }))).to.equal(2_000);
    const shaft = Array.from({ length: 12 }).reduce<Hex>(
      (data) => call(POOL, "multicall(bytes[])", [[data]]).data as Hex,
      "0x12345678",
    );
    expect(count(decodeOne({ to: POOL, data: shaft, value: "0" }))).to.equal(8);
  });

  it("never throws, and neither do the functions that read its result", () => {
    const selectors = [
      "multicall((address,bool,uint256,bytes)[],address,address,bytes)",
      "cleanupErc20s(address[],address[],uint256[],bytes)",
      "cleanupErc20sViaCall(address[],address[],bytes[],uint256[])",
      "cleanupNativeViaCall(uint256,address,bytes)",
      "execute()",
      "pullAndExecute(address)",
      "multicall(bytes[])",
      "approve(address,uint256)",
      "exactInput((bytes,address,uint256,uint256))",
      "swapExactTokensForTokens(uint256,uint256,address[],address,uint256)",
    ].map((signature) => toFunctionSelector(`function ${signature}`));
    const word = fc.oneof(
      fc.nat(0x200).map((number) => number.toString(16).padStart(64, "0")),
      fc.constant("f".repeat(64)),
      fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString("hex")),
    );
    const data = fc.oneof(
      fc.tuple(fc.constantFrom(...selectors), fc.array(word, { maxLength: 24 })).map((parts) => parts.flat().join("")),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => `0x${Buffer.from(bytes).toString("hex")}`),
      fc.string(),
    );
    const tx = fc.record({
      to: fc.oneof(fc.constantFrom<string>(ROUTER, TOKEN, EXECUTOR, PULLER), fc.string()),
      data,
      value: fc.oneof(fc.constantFrom("0", "5", maxUint256.toString(), "all"), fc.string()),
    });
    fc.assert(
      fc.property(fc.array(tx, { maxLength: 4 }), (txs) => {
        expect(decodeCalls(txs)).to.have.length(txs.length);
        expect(formatCalls(decodeCalls(txs))).to.be.a("string");
        expect(
          checkCalls({
            tradeType: "EXACT_INPUT",
            amount: "1",
            destinationCurrency: OTHER_TOKEN,
            txs,
            contracts: CONTRACTS,
          }),
        ).to.be.an("array");
      }),
      { numRuns: 1_000, seed: 1 },
    );
  });
});
