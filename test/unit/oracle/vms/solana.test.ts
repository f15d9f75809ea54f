import { base58 } from "@scure/base";
import { expect } from "chai";
import { hexToBytes, stringToBytes } from "viem";

import {
  readDepositInstruction,
  readMemo,
  readNativeTransfer,
  readTokenTransfer,
} from "../../../../packages/oracle/src/vms/solana/transfers.ts";
import {
  associatedTokenAccount,
  programAddress,
  vaultOf,
} from "../../../../packages/protocol/src/vms/solanaPrograms.ts";

const SYSTEM = "11111111111111111111111111111111";
const TOKEN = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const TOKEN_2022 = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb";
const MEMO = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";
const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const DEPOSITORY = "99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2";
const ID = "c1".repeat(32);

const instruction = (program: string, data: string, accounts: readonly string[] = ["a", "b", "c", "d", "e"]) => ({
  program,
  accounts,
  data: base58.encode(hexToBytes(`0x${data}`)),
});

describe("the Solana codec", () => {
  it("derives the addresses that programs own", () => {
    // The first address comes from the chain's documentation. The others were computed with a curve library.
    expect(programAddress([stringToBytes("helloWorld")], SYSTEM)).to.equal(
      "46GZzzetjCURsdFPb7rcnspbEMnCBXe9kpjrsZAkKb6X",
    );
    const vault = "7uTT8Xi5RWXzy7h9XL244GRgEycDYDhLjr3ZyNdXi8pZ";
    expect(vaultOf(DEPOSITORY)).to.equal(vault);
    expect(associatedTokenAccount(vault, USDC, TOKEN)).to.equal("4nvJ5zWdVspxJiNZzB127U6amPH98SFFkBx2JZrAduia");
    expect(associatedTokenAccount(vault, USDC, TOKEN_2022)).to.equal("4AmLcSFQdwvBr5x6y9f37ESpTmGkp9D9dzuzAFajBobw");
  });

  it("reads deposits", () => {
    const native = `0d9e0ddf5fd51c060100000000000080${ID}`;
    const deposit = { depositor: "c", amount: 2n ** 63n + 1n, id: `0x${ID}` };
    expect(readDepositInstruction(instruction(DEPOSITORY, native))).to.deep.equal({ ...deposit, mint: undefined });
    const token = `0b9c60da27a3b4130100000000000080${ID}`;
    expect(readDepositInstruction(instruction(DEPOSITORY, token))).to.deep.equal({ ...deposit, mint: "e" });
    expect(readDepositInstruction(instruction(DEPOSITORY, `${token}00`))).to.deep.equal({ ...deposit, mint: "e" });
    for (const [data, accounts] of [
      [token.slice(0, -2), undefined],
      [`00${token.slice(2)}`, undefined],
      [token, ["a", "b", "c", "d"]],
      [native, ["a", "b"]],
    ] as const) {
      expect(readDepositInstruction(instruction(DEPOSITORY, data, accounts))).to.equal(undefined);
    }
  });

  it("reads native currency transfers", () => {
    const data = "02000000" + "0900000000000000";
    expect(readNativeTransfer(instruction(SYSTEM, data))).to.deep.equal({ from: "a", to: "b", amount: 9n });
    for (const other of [
      instruction(TOKEN, data),
      instruction(SYSTEM, data.slice(0, -2)),
      instruction(SYSTEM, `0b${data.slice(2)}`),
      instruction(SYSTEM, data, ["a"]),
    ]) {
      expect(readNativeTransfer(other)).to.equal(undefined);
    }
  });

  it("reads token transfers with and without the token's address", () => {
    const amount = "0900000000000000";
    const plain = { from: "c", to: "b", amount: 9n };
    expect(readTokenTransfer(instruction(TOKEN, `03${amount}`))).to.deep.equal(plain);
    expect(readTokenTransfer(instruction(TOKEN_2022, `0c${amount}06`))).to.deep.equal({ ...plain, from: "d", to: "c" });
    for (const other of [
      instruction(SYSTEM, `03${amount}`),
      instruction(TOKEN, `04${amount}`),
      instruction(TOKEN, `03${amount.slice(2)}`),
      instruction(TOKEN, `0c${amount}06`, ["a", "b", "c"]),
    ]) {
      expect(readTokenTransfer(other)).to.equal(undefined);
    }
  });

  it("reads memos up to the length of a transaction", () => {
    const noteOf = (text: string, program = MEMO) =>
      readMemo({ program, accounts: [], data: base58.encode(stringToBytes(text)) });
    expect(noteOf("0xab – fills")).to.equal("0xab – fills");
    expect(noteOf("0xab", SYSTEM)).to.equal(undefined);
    expect(noteOf("a".repeat(1232))).to.have.length(1232);
    expect(noteOf("a".repeat(1600))).to.equal("");
  });
});
