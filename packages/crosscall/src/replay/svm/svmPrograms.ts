import { sha256, stringToBytes } from "viem";

import { SVM_CHAIN_ID } from "@crosscall/protocol/chains/chainIds";
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from "@crosscall/protocol/vms";
import { serviceTrust } from "@crosscall/sdk/verify";
import {
  ASSOCIATED_TOKEN_ERRORS,
  DEPOSITORY_ERRORS,
  type ErrorTable,
  SYSTEM_ERRORS,
  TOKEN_2022_ERRORS,
  TOKEN_ERRORS,
} from "./programErrors.ts";

/**
 * How an argument is encoded. Integers are little-endian. `lamports` and `amount` are `u64`; `amount` counts the smallest
 * unit of the instruction's token. `seed` and `string` have their length before them, in 8 and 4 bytes.
 */
export type FieldType =
  | "u8"
  | "u32"
  | "u64"
  | "i64"
  | "lamports"
  | "amount"
  | "key"
  | "optionalKey"
  | "bytes32"
  | "seed"
  | "string"
  | "text";

/** Instruction with the start of its data in hex, its arguments, and the names of its accounts. */
export interface KnownInstruction {
  readonly name: string;
  readonly start: string;
  readonly fields: readonly (readonly [name: string, type: FieldType])[];
  readonly accounts: readonly string[];
}

export interface KnownProgram {
  readonly name: string;
  readonly instructions: readonly KnownInstruction[];
  readonly errors: ErrorTable;
}

/** Name, then arguments as `name:type`, then accounts. */
type Row = readonly [name: string, fields: string, accounts: string];

function toInstruction([name, fields, accounts]: Row, start: string): KnownInstruction {
  return {
    name,
    start,
    fields: wordsOf(fields).map((field) => field.split(":") as [string, FieldType]),
    accounts: wordsOf(accounts),
  };
}

function wordsOf(text: string): string[] {
  return text === "" ? [] : text.split(" ");
}

/** Converts rows to instructions whose data starts with their number, counted from `first`, in `bytes` bytes. */
function numbered(bytes: 1 | 4, rows: readonly Row[], first = 0): KnownInstruction[] {
  return rows.map((row, index) =>
    toInstruction(row, (first + index).toString(16).padStart(2, "0") + "00".repeat(bytes - 1)),
  );
}

const SYSTEM: readonly Row[] = [
  ["createAccount", "lamports:lamports space:u64 owner:key", "payer newAccount"],
  ["assign", "owner:key", "account"],
  ["transfer", "lamports:lamports", "source destination"],
  ["createAccountWithSeed", "base:key seed:seed lamports:lamports space:u64 owner:key", "payer newAccount base"],
  ["advanceNonceAccount", "", "nonceAccount recentBlockhashes authority"],
  ["withdrawNonceAccount", "lamports:lamports", "nonceAccount destination recentBlockhashes rent authority"],
  ["initializeNonceAccount", "authority:key", "nonceAccount recentBlockhashes rent"],
  ["authorizeNonceAccount", "authority:key", "nonceAccount authority"],
  ["allocate", "space:u64", "account"],
  ["allocateWithSeed", "base:key seed:seed space:u64 owner:key", "account base"],
  ["assignWithSeed", "base:key seed:seed owner:key", "account base"],
  ["transferWithSeed", "lamports:lamports seed:seed owner:key", "source base destination"],
  ["upgradeNonceAccount", "", "nonceAccount"],
];

const TOKEN: readonly Row[] = [
  ["initializeMint", "decimals:u8 mintAuthority:key", "mint rent"],
  ["initializeAccount", "", "tokenAccount mint owner rent"],
  ["initializeMultisig", "signatures:u8", "multisig rent"],
  ["transfer", "amount:amount", "source destination authority"],
  ["approve", "amount:amount", "source delegate owner"],
  ["revoke", "", "source owner"],
  ["setAuthority", "kind:u8 authority:optionalKey", "account currentAuthority"],
  ["mintTo", "amount:amount", "mint destination authority"],
  ["burn", "amount:amount", "source mint authority"],
  ["closeAccount", "", "tokenAccount destination owner"],
  ["freezeAccount", "", "tokenAccount mint authority"],
  ["thawAccount", "", "tokenAccount mint authority"],
  ["transferChecked", "amount:amount decimals:u8", "source mint destination authority"],
  ["approveChecked", "amount:amount decimals:u8", "source mint delegate owner"],
  ["mintToChecked", "amount:amount decimals:u8", "mint destination authority"],
  ["burnChecked", "amount:amount decimals:u8", "source mint authority"],
  ["initializeAccount2", "owner:key", "tokenAccount mint rent"],
  ["syncNative", "", "tokenAccount"],
  ["initializeAccount3", "owner:key", "tokenAccount mint"],
  ["initializeMultisig2", "signatures:u8", "multisig"],
  ["initializeMint2", "decimals:u8 mintAuthority:key", "mint"],
  ["getAccountDataSize", "", "mint"],
  ["initializeImmutableOwner", "", "tokenAccount"],
  ["amountToUiAmount", "amount:amount", "mint"],
  ["uiAmountToAmount", "uiAmount:text", "mint"],
];

/** Extensions of Token-2022. */
const TOKEN_EXTENSIONS: readonly Row[] = [
  ["initializeMintCloseAuthority", "", "mint"],
  ["transferFee", "", "mint"],
  ["confidentialTransfer", "", ""],
  ["defaultAccountState", "", "mint"],
  ["reallocate", "", "tokenAccount payer systemProgram owner"],
  ["memoTransfer", "", "tokenAccount owner"],
  ["createNativeMint", "", "payer mint systemProgram"],
  ["initializeNonTransferableMint", "", "mint"],
  ["interestBearingMint", "", "mint"],
  ["cpiGuard", "", "tokenAccount owner"],
  ["initializePermanentDelegate", "", "mint"],
  ["transferHook", "", "mint"],
  ["confidentialTransferFee", "", "mint"],
  ["withdrawExcessLamports", "", "source destination authority"],
  ["metadataPointer", "", "mint"],
  ["groupPointer", "", "mint"],
  ["groupMemberPointer", "", "mint"],
  ["confidentialMintBurn", "", "mint"],
  ["scaledUiAmount", "", "mint"],
  ["pausable", "", "mint"],
];

const TRANSFER_WITH_FEE: Row = [
  "transferCheckedWithFee",
  "amount:amount decimals:u8 fee:amount",
  "source mint destination authority",
];

const CREATE_ACCOUNTS = "payer tokenAccount owner mint systemProgram tokenProgram";

const ASSOCIATED_TOKEN: readonly Row[] = [
  ["create", "", CREATE_ACCOUNTS],
  ["createIdempotent", "", CREATE_ACCOUNTS],
  ["recoverNested", "", "nestedAccount nestedMint destination ownerAccount ownerMint wallet tokenProgram"],
];

const COMPUTE_BUDGET: readonly Row[] = [
  ["requestHeapFrame", "bytes:u32", ""],
  ["setComputeUnitLimit", "units:u32", ""],
  ["setComputeUnitPrice", "microLamports:u64", ""],
  ["setLoadedAccountsDataSizeLimit", "bytes:u32", ""],
];

/** Accounts of the depository's instructions; the data starts with a hash of the name. */
const DEPOSITORY: readonly Row[] = [
  ["initialize", "chainId:string", "depository vault owner allocator systemProgram"],
  ["set_allocator", "allocator:key", "depository owner"],
  ["set_owner", "owner:key", "depository owner"],
  ["migrate_domain_separator", "chainId:string", "depository owner systemProgram"],
  ["deposit_native", "amount:lamports id:bytes32", "depository sender depositor vault systemProgram"],
  [
    "deposit_token",
    "amount:amount id:bytes32",
    "depository sender depositor vault mint senderTokenAccount vaultTokenAccount tokenProgram associatedTokenProgram systemProgram",
  ],
  [
    "execute_transfer",
    "domain:bytes32 recipient:key token:optionalKey amount:amount nonce:u64 expiration:i64 vault:key",
    "depository executor recipient vault mint recipientTokenAccount vaultTokenAccount usedRequest instructionsSysvar tokenProgram associatedTokenProgram systemProgram",
  ],
];

function toDepository(): KnownProgram {
  const instructions = DEPOSITORY.map((row) =>
    toInstruction(row, sha256(stringToBytes(`global:${row[0]}`)).slice(2, 18)),
  );
  return { name: "Depository", instructions, errors: DEPOSITORY_ERRORS };
}

const MEMO: KnownProgram = { name: "Memo", instructions: [toInstruction(["memo", "text:text", ""], "")], errors: {} };

const named = (name: string): KnownProgram => ({ name, instructions: [], errors: {} });

const PROGRAMS: ReadonlyMap<string, KnownProgram> = new Map([
  [SYSTEM_PROGRAM, { name: "System", instructions: numbered(4, SYSTEM), errors: SYSTEM_ERRORS }],
  [TOKEN_PROGRAM, { name: "Token", instructions: numbered(1, TOKEN), errors: TOKEN_ERRORS }],
  [
    TOKEN_2022_PROGRAM,
    {
      name: "Token-2022",
      instructions: [toInstruction(TRANSFER_WITH_FEE, "1a01"), ...numbered(1, [...TOKEN, ...TOKEN_EXTENSIONS])],
      errors: { ...TOKEN_ERRORS, ...TOKEN_2022_ERRORS },
    },
  ],
  [
    ASSOCIATED_TOKEN_PROGRAM,
    {
      name: "Associated Token",
      // Empty data creates an account.
      instructions: [...numbered(1, ASSOCIATED_TOKEN), toInstruction(["create", "", CREATE_ACCOUNTS], "")],
      errors: ASSOCIATED_TOKEN_ERRORS,
    },
  ],
  [COMPUTE_BUDGET_PROGRAM, { name: "Compute Budget", instructions: numbered(1, COMPUTE_BUDGET, 1), errors: {} }],
  [MEMO_PROGRAM, MEMO],
  ["Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo", MEMO],
  ["AddressLookupTab1e1111111111111111111111111", named("Address Lookup Table")],
  ["Ed25519SigVerify111111111111111111111111111", named("Ed25519 signatures")],
  ["KeccakSecp256k11111111111111111111111111111", named("Secp256k1 signatures")],
  ["Secp256r1SigVerify1111111111111111111111111", named("Secp256r1 signatures")],
  ["JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4", named("Jupiter")],
  ...(serviceTrust[SVM_CHAIN_ID]?.depositories ?? []).map((address) => [address, toDepository()] as const),
]);

export function findProgram(address: string): KnownProgram | undefined {
  return PROGRAMS.get(address);
}
