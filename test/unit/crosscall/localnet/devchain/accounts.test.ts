import { expect } from "chai";
import { bytesToHex } from "viem";
import { mnemonicToAccount } from "viem/accounts";

import { NODE_KEYS } from "../../../../../packages/crosscall/src/localnet/devchain/accounts.ts";

it("the accounts of a local chain are those of the mnemonic that every local node uses", () => {
  const mnemonic = "test test test test test test test test test test test junk";
  const derived = NODE_KEYS.map(
    (_, addressIndex) => mnemonicToAccount(mnemonic, { addressIndex }).getHdKey().privateKey,
  );
  expect(NODE_KEYS).to.deep.equal(derived.map((key) => bytesToHex(key ?? new Uint8Array())));
});
