// The depository of the Solana chain in a local network. It has the interface of the live program: instructions,
// accounts, addresses, events and error numbers. `migrate_domain_separator` is omitted, because a local chain has no
// account from before it.
//
// An account list is checked in the order of the live program, so that an instruction with one fault has the same error.
#define MAX_ACCOUNTS 32
#include "program.h"

// The first 8 bytes of SHA-256 of `global:<instruction>`, `account:<type>` and `event:<type>`.
#define INITIALIZE 0xed9b980d1f6dafafULL
#define SET_ALLOCATOR 0x11b6f9e3ea82805cULL
#define SET_OWNER 0xc560804d3478ca48ULL
#define DEPOSIT_NATIVE 0x061cd55fdf0d9e0dULL
#define DEPOSIT_TOKEN 0x13b4a327da609c0bULL
#define EXECUTE_TRANSFER 0x771fceebb8a07ee9ULL
#define DEPOSITORY_ACCOUNT 0x6bf553f3bd9c3580ULL
#define USED_REQUEST_ACCOUNT 0x6bb462964d6e8687ULL
#define DEPOSIT_EVENT 0x906b8e1f533df878ULL
#define TRANSFER_EXECUTED_EVENT 0x7c782c12b8b20a5cULL

static const KeyWords SYSTEM = KEY(0, 0, 0, 0);
/** TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA */
static const KeyWords TOKEN = KEY(0x93a165d7e1f6dd06, 0xac79ebce46e1cbd9, 0x91375b5fed85b41c, 0xa900ff7e85f58c3a);
/** TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb */
static const KeyWords TOKEN_2022 = KEY(0xde8f75eee1f6dd06, 0xdacd6ce4bc5d4218, 0x270db9834dfc1ab6, 0xfc8ba1d828f9bdfe);
/** ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL */
static const KeyWords ASSOCIATED = KEY(0xf189244e8f25978c, 0x830d8e1429103dbb, 0x8410ffda99135a0b, 0x59f8e9dbd87b8e04);
/** Sysvar1nstructions1111111111111111111111111 */
static const KeyWords INSTRUCTIONS = KEY(0x66d17b1817d5a706, 0xc0c2fd5504d4da35, 0xa57556218fc624c1, 0x000000085fcbbadb);
/** Ed25519SigVerify111111111111111111111111111 */
static const KeyWords ED25519 = KEY(0xbefb937cd6467d03, 0xff408d838f42f912, 0x648af42749747005, 0x000000804470cafc);
/** 7LZXYdDQcRTsXnL9EU2zGkninV3yJsqX43m4RMPbs68u, which alone can initialize the program. */
static const KeyWords DEPLOYER = KEY(0x9eed8a0e57ef285e, 0x73901a5c9fa8f8ce, 0xcac8e9f95dc08090, 0x2e2ba093ef762308);

#define NO_INSTRUCTION FAIL(101, "InstructionFallbackNotFound", "Fallback functions are not supported")
#define BAD_ARGUMENTS FAIL(102, "InstructionDidNotDeserialize", "The program could not deserialize the given instruction")
#define NOT_WRITABLE(account) FAIL_AT(account, 2000, "ConstraintMut", "A mut constraint was violated")
#define WRONG_SEEDS(account) FAIL_AT(account, 2006, "ConstraintSeeds", "A seeds constraint was violated")
#define NOT_ASSOCIATED(account) FAIL_AT(account, 2009, "ConstraintAssociated", "An associated constraint was violated")
#define WRONG_TOKEN_OWNER(account) FAIL_AT(account, 2015, "ConstraintTokenOwner", "A token owner constraint was violated")
#define MISSING_OPTION(account) FAIL_AT(account, 2020, "ConstraintAccountIsNone", "A required account for the constraint is None")
#define OTHER_TOKEN_PROGRAM(account) \
  FAIL_AT(account, 2023, "ConstraintAssociatedTokenTokenProgram", "An associated token account token program constraint was violated")
#define NO_DISCRIMINATOR(account) \
  FAIL_AT(account, 3001, "AccountDiscriminatorNotFound", "No discriminator was found on the account")
#define WRONG_DISCRIMINATOR(account) \
  FAIL_AT(account, 3002, "AccountDiscriminatorMismatch", "Account discriminator did not match what was expected")
#define BAD_ACCOUNT(account) FAIL_AT(account, 3003, "AccountDidNotDeserialize", "Failed to deserialize the account")
#define TOO_FEW_ACCOUNTS FAIL(3005, "AccountNotEnoughKeys", "Not enough account keys given to the instruction")
#define WRONG_OWNER(account) \
  FAIL_AT(account, 3007, "AccountOwnedByWrongProgram", "The given account is owned by a different program than expected")
#define WRONG_PROGRAM(account) FAIL_AT(account, 3008, "InvalidProgramId", "Program ID was not as expected")
#define NOT_SIGNER(account) FAIL_AT(account, 3010, "AccountNotSigner", "The given account did not sign")
#define NOT_INITIALIZED(account) \
  FAIL_AT(account, 3012, "AccountNotInitialized", "The program expected this account to be already initialized")

#define INVALID_MINT FAIL(6001, "InvalidMint", "Invalid mint")
#define UNAUTHORIZED FAIL(6003, "Unauthorized", "Unauthorized")
#define SIGNER_MISMATCH FAIL(6004, "AllocatorSignerMismatch", "Allocator signer mismatch")
#define MESSAGE_MISMATCH FAIL(6005, "MessageMismatch", "Message mismatch")
#define MALFORMED_SIGNATURE FAIL(6006, "MalformedEd25519Data", "Malformed Ed25519 data")
#define MISSING_SIGNATURE FAIL(6007, "MissingSignature", "Missing signature")
#define EXPIRED FAIL(6008, "SignatureExpired", "Signature expired")
#define INVALID_RECIPIENT FAIL(6009, "InvalidRecipient", "Invalid recipient")
#define INVALID_VAULT_ACCOUNT FAIL(6010, "InvalidVaultTokenAccount", "Invalid vault token account")
#define VAULT_TOO_LOW \
  FAIL(6011, "InsufficientVaultBalance", "Vault has insufficient balance to remain rent-exempt after transfer")
#define INVALID_DOMAIN FAIL(6012, "InvalidDomainSeparator", "Invalid domain separator")
#define INVALID_VAULT FAIL(6014, "InvalidVaultAddress", "Invalid vault address")

INLINE u8 is_token_program(const Key *key) { return is_same(key, &TOKEN.key) || is_same(key, &TOKEN_2022.key); }

// Checks of accounts.

#define REQUIRE_SIGNER(account, name) \
  if (!(account)->is_signer) return NOT_SIGNER(name)
#define REQUIRE_WRITABLE(account, name) \
  if (!(account)->is_writable) return NOT_WRITABLE(name)
#define REQUIRE_PROGRAM(account, id, name) \
  if (!is_same((account)->key, &(id).key)) return WRONG_PROGRAM(name)

/** State of the depository: discriminator, owner, allocator, bump of the vault, optional domain. */
#define STATE_OWNER 8
#define STATE_ALLOCATOR 40
#define STATE_VAULT_BUMP 72
#define STATE_HAS_DOMAIN 73
#define STATE_DOMAIN 74
#define STATE_BYTES 106

OUTLINE u64 find_depository(const Key *program, Key *address, u8 *bump) {
  Slice seeds[1] = {LITERAL("relay_depository")};
  return sol_try_find_program_address(seeds, 1, program, address, bump);
}

/** Checks the first account, which holds the depository's state. */
OUTLINE u64 check_depository(const Input *in) {
  const Account *account = &in->accounts[0];
  if (is_same(account->owner, &SYSTEM.key) && *account->lamports == 0) return NOT_INITIALIZED("relay_depository");
  if (!is_same(account->owner, in->program)) return WRONG_OWNER("relay_depository");
  if (account->data_len < 8) return NO_DISCRIMINATOR("relay_depository");
  if (read64(account->data) != DEPOSITORY_ACCOUNT) return WRONG_DISCRIMINATOR("relay_depository");
  if (account->data_len <= STATE_HAS_DOMAIN) return BAD_ACCOUNT("relay_depository");
  u8 has_domain = account->data[STATE_HAS_DOMAIN];
  if (has_domain > 1 || (has_domain && account->data_len < STATE_BYTES)) return BAD_ACCOUNT("relay_depository");
  Key expected;
  u8 bump;
  TRY(find_depository(in->program, &expected, &bump));
  return is_same(&expected, account->key) ? 0 : WRONG_SEEDS("relay_depository");
}

/** Checks the address of the vault against the bump in the state. */
OUTLINE u64 check_vault(const Input *in, const Account *vault) {
  Slice seeds[2] = {LITERAL("vault"), {in->accounts[0].data + STATE_VAULT_BUMP, 1}};
  Key expected;
  if (sol_create_program_address(seeds, 2, in->program, &expected)) return WRONG_SEEDS("vault");
  return is_same(&expected, vault->key) ? 0 : WRONG_SEEDS("vault");
}

/** Checks that a token program owns the account, and that it is not an account of another kind. */
#define MINT_BYTES 82
#define MINT_DECIMALS 44
#define MINT_IS_INITIALIZED 45
#define TOKEN_ACCOUNT_BYTES 165
#define TOKEN_ACCOUNT_STATE 108
#define MULTISIG_BYTES 355
/** Token-2022 writes the kind of an account behind the longest base state, then the extensions. */
#define KIND 165
#define EXTENSIONS 166
#define KIND_MINT 1
#define KIND_TOKEN_ACCOUNT 2

INLINE u8 has_kind(const Account *account, u64 base, u8 kind) {
  if (account->data_len == base) return 1;
  return account->data_len > KIND && account->data_len != MULTISIG_BYTES && account->data[KIND] == kind;
}

OUTLINE u64 check_mint(const Account *mint) {
  if (is_same(mint->owner, &SYSTEM.key) && *mint->lamports == 0) return NOT_INITIALIZED("mint");
  if (!is_token_program(mint->owner)) return WRONG_OWNER("mint");
  if (!has_kind(mint, MINT_BYTES, KIND_MINT) || !mint->data[MINT_IS_INITIALIZED]) return BAD_ACCOUNT("mint");
  return 0;
}

typedef struct {
  const Key *owner;
  const Key *mint;
  const Key *token_program;
} Holder;

OUTLINE u64 find_associated(const Holder *holder, Key *address) {
  Slice seeds[3] = {{holder->owner->bytes, 32}, {holder->token_program->bytes, 32}, {holder->mint->bytes, 32}};
  u8 bump;
  return sol_try_find_program_address(seeds, 3, &ASSOCIATED.key, address, &bump);
}

/** Checks that an account is the token account of its holder. The errors do not name which of the accounts it is. */
OUTLINE u64 check_token_account(const Account *account, const Holder *holder) {
  if (is_same(account->owner, &SYSTEM.key) && *account->lamports == 0) return NOT_INITIALIZED("token_account");
  if (!is_token_program(account->owner)) return WRONG_OWNER("token_account");
  if (!has_kind(account, TOKEN_ACCOUNT_BYTES, KIND_TOKEN_ACCOUNT) || !account->data[TOKEN_ACCOUNT_STATE]) {
    return BAD_ACCOUNT("token_account");
  }
  if (!is_same((const Key *)(account->data + 32), holder->owner)) return WRONG_TOKEN_OWNER("token_account");
  Key expected;
  TRY(find_associated(holder, &expected));
  if (!is_same(&expected, account->key)) return NOT_ASSOCIATED("token_account");
  if (!is_same(account->owner, holder->token_program)) return OTHER_TOKEN_PROGRAM("token_account");
  return 0;
}

// Calls of other programs. All accounts of the instruction are given, because the runtime selects by address.

OUTLINE u64 call_signed(const Instruction *instruction, const SignerSeeds *signer) {
  return sol_invoke_signed_c(instruction, INPUT->accounts, INPUT->count, signer, signer ? 1 : 0);
}

OUTLINE u64 send_native(const Account *from, const Account *to, u64 amount, const SignerSeeds *signer) {
  AccountMeta metas[2] = {{from->key, 1, 1}, {to->key, 1, 0}};
  u64 data[2];
  data[0] = 2 | amount << 32;
  data[1] = amount >> 32;
  Instruction instruction = {&SYSTEM.key, metas, 2, (const u8 *)data, 12};
  return call_signed(&instruction, signer);
}

/** Sizes an account that holds lamports before its creation, and gives it to the program. */
OUTLINE u64 take_account(const Account *account, u64 space, const SignerSeeds *signer) {
  AccountMeta metas[1] = {{account->key, 1, 1}};
  u64 data[5];
  data[0] = 8 | space << 32;
  data[1] = space >> 32;
  Instruction allocate = {&SYSTEM.key, metas, 1, (const u8 *)data, 12};
  TRY(call_signed(&allocate, signer));
  u32 *assign_data = (u32 *)data;
  assign_data[0] = 1;
  for (u64 i = 0; i < 8; i++) assign_data[i + 1] = ((const u32 *)INPUT->program)[i];
  Instruction assign = {&SYSTEM.key, metas, 1, (const u8 *)data, 36};
  return call_signed(&assign, signer);
}

/** Returns the balance that keeps an account of this size. */
OUTLINE u64 rent_of(u64 space, u64 *balance) {
  Rent rent;
  TRY(sol_get_rent_sysvar(&rent));
  u64 base = (128 + space) * rent.lamports_per_byte;
  // The threshold is 1.0 or 2.0.
  *balance = rent.threshold_bits == 0x4000000000000000ULL ? 2 * base : base;
  return 0;
}

/** Creates an account of this program. Anyone may have sent lamports to its address before. */
OUTLINE u64 create_account(const Account *payer, const Account *account, u64 space, const SignerSeeds *signer) {
  u64 balance;
  TRY(rent_of(space, &balance));
  u64 has = *account->lamports;
  if (has > 0) {
    if (has < balance) TRY(send_native(payer, account, balance - has, 0));
    return take_account(account, space, signer);
  }
  AccountMeta metas[2] = {{payer->key, 1, 1}, {account->key, 1, 1}};
  u32 data[13];
  data[0] = 0;
  data[1] = (u32)balance;
  data[2] = (u32)(balance >> 32);
  data[3] = (u32)space;
  data[4] = (u32)(space >> 32);
  for (u64 i = 0; i < 8; i++) data[i + 5] = ((const u32 *)INPUT->program)[i];
  Instruction instruction = {&SYSTEM.key, metas, 2, (const u8 *)data, 52};
  return call_signed(&instruction, signer);
}

typedef struct {
  const Account *from;
  const Account *to;
  const Account *authority;
  const Account *mint;
  const Key *token_program;
  u64 amount;
  const SignerSeeds *signer;
} TokenTransfer;

OUTLINE u64 send_token(const TokenTransfer *transfer) {
  AccountMeta metas[4] = {
      {transfer->from->key, 1, 0}, {transfer->mint->key, 0, 0}, {transfer->to->key, 1, 0}, {transfer->authority->key, 0, 1}};
  u64 data[2];
  data[0] = 12 | transfer->amount << 8;
  data[1] = transfer->amount >> 56 | (u64)transfer->mint->data[MINT_DECIMALS] << 8;
  Instruction instruction = {transfer->token_program, metas, 4, (const u8 *)data, 10};
  return call_signed(&instruction, transfer->signer);
}

// Events.

INLINE void emit(const u8 *start, const u8 *end) {
  Slice fields[1] = {{start, (u64)(end - start)}};
  sol_log_data(fields, 1);
}

INLINE u8 *put64(u8 *at, u64 value) {
  *(u64 *)at = value;
  return at + 8;
}

INLINE u8 *put_key(u8 *at, const Key *key) {
  copy_words(at, key->bytes, 4);
  return at + 32;
}

OUTLINE void emit_deposit(const Key *depositor, const Key *mint, u64 amount, const u8 *id) {
  u8 *at = put_key(put64(INPUT->buffer, DEPOSIT_EVENT), depositor);
  *at++ = mint ? 1 : 0;
  if (mint) at = put_key(at, mint);
  emit(INPUT->buffer, put_key(put64(at, amount), (const Key *)id));
}

// Instructions.

#define ARGUMENTS 8

OUTLINE u64 initialize(Input *in) {
  LOG("Instruction: Initialize");
  if (in->data_len < ARGUMENTS + 4) return BAD_ARGUMENTS;
  u64 name_bytes = *(const u32 *)(in->data + ARGUMENTS);
  if (in->data_len - ARGUMENTS - 4 < name_bytes) return BAD_ARGUMENTS;
  if (in->count < 5) return TOO_FEW_ACCOUNTS;
  const Account *state = &in->accounts[0], *vault = &in->accounts[1], *owner = &in->accounts[2];
  const Account *allocator = &in->accounts[3], *system = &in->accounts[4];
  REQUIRE_SIGNER(owner, "owner");
  REQUIRE_PROGRAM(system, SYSTEM, "system_program");
  Key expected;
  u8 bump[1];
  TRY(find_depository(in->program, &expected, bump));
  if (!is_same(&expected, state->key)) return WRONG_SEEDS("relay_depository");
  REQUIRE_WRITABLE(state, "relay_depository");
  REQUIRE_WRITABLE(owner, "owner");
  if (!is_same(owner->key, &DEPLOYER.key)) return UNAUTHORIZED;
  Slice seeds[2] = {LITERAL("relay_depository"), {bump, 1}};
  SignerSeeds signer = {seeds, 2};
  TRY(create_account(owner, state, STATE_BYTES, &signer));
  Slice vault_seeds[1] = {LITERAL("vault")};
  TRY(sol_try_find_program_address(vault_seeds, 1, in->program, &expected, bump));
  if (!is_same(&expected, vault->key)) return WRONG_SEEDS("vault");
  REQUIRE_WRITABLE(vault, "vault");
  u8 *at = put_key(put_key(put64(state->data, DEPOSITORY_ACCOUNT), owner->key), allocator->key);
  *at++ = bump[0];
  *at++ = 1;
  Slice domain[4] = {
      LITERAL("RelayDepository"), LITERAL("1"), {in->data + ARGUMENTS + 4, name_bytes}, {in->program->bytes, 32}};
  return sol_sha256(domain, 4, at);
}

/** Replaces the owner or the allocator of the state. */
OUTLINE u64 set_authority(Input *in, u64 field) {
  if (in->data_len < ARGUMENTS + 32) return BAD_ARGUMENTS;
  if (in->count < 2) return TOO_FEW_ACCOUNTS;
  const Account *state = &in->accounts[0], *owner = &in->accounts[1];
  TRY(check_depository(in));
  REQUIRE_SIGNER(owner, "owner");
  REQUIRE_WRITABLE(state, "relay_depository");
  if (!is_same(owner->key, (const Key *)(state->data + STATE_OWNER))) return UNAUTHORIZED;
  copy_words(state->data + field, in->data + ARGUMENTS, 4);
  return 0;
}

OUTLINE u64 deposit_native(Input *in) {
  LOG("Instruction: DepositNative");
  if (in->data_len < ARGUMENTS + 40) return BAD_ARGUMENTS;
  if (in->count < 5) return TOO_FEW_ACCOUNTS;
  const Account *sender = &in->accounts[1], *depositor = &in->accounts[2], *vault = &in->accounts[3];
  TRY(check_depository(in));
  REQUIRE_SIGNER(sender, "sender");
  REQUIRE_PROGRAM(&in->accounts[4], SYSTEM, "system_program");
  REQUIRE_WRITABLE(sender, "sender");
  TRY(check_vault(in, vault));
  REQUIRE_WRITABLE(vault, "vault");
  u64 amount = read64(in->data + ARGUMENTS);
  TRY(send_native(sender, vault, amount, 0));
  emit_deposit(depositor->key, 0, amount, in->data + ARGUMENTS + 8);
  return 0;
}

/** Returns the fee of a Token-2022 mint for a transfer, at most the amount. */
OUTLINE u64 transfer_fee_of(const Account *mint, u64 amount, u64 *fee) {
  *fee = 0;
  if (is_same(mint->owner, &TOKEN.key)) return 0;
  const u8 *end = mint->data + mint->data_len;
  for (const u8 *at = mint->data + EXTENSIONS; at + 4 <= end && read16(at) != 0; at += 4 + read16(at + 2)) {
    // Two authorities, the withheld amount, then an older and a newer fee: epoch, maximum, basis points.
    if (read16(at) != 1 || at + 4 + 108 > end) continue;
    Clock clock;
    TRY(sol_get_clock_sysvar(&clock));
    const u8 *older = at + 4 + 72, *newer = older + 18;
    const u8 *rate = clock.epoch >= read64(newer) ? newer : older;
    u64 bps = read16(rate + 16), most = read64(rate + 8);
    // Rounded up. The parts do not overflow, because the fee is at most 10,000 bps.
    u64 whole = amount / 10000 * bps + (amount % 10000 * bps + 9999) / 10000;
    *fee = whole < most ? whole : most;
    return 0;
  }
  return 0;
}

OUTLINE u64 create_associated(const Account *payer, const Account *account, const Account *owner, const Account *mint,
                              const Key *token_program) {
  AccountMeta metas[6] = {{payer->key, 1, 1}, {account->key, 1, 0}, {owner->key, 0, 0},
                          {mint->key, 0, 0},  {&SYSTEM.key, 0, 0},  {token_program, 0, 0}};
  u8 data[1] = {0};
  Instruction instruction = {&ASSOCIATED.key, metas, 6, data, 1};
  return call_signed(&instruction, 0);
}

OUTLINE u64 check_deposit_token(const Input *in) {
  const Account *sender = &in->accounts[1], *vault = &in->accounts[3], *mint = &in->accounts[4];
  const Account *source = &in->accounts[5], *target = &in->accounts[6], *token_program = &in->accounts[7];
  TRY(check_depository(in));
  REQUIRE_SIGNER(sender, "sender");
  TRY(check_mint(mint));
  if (!is_token_program(token_program->key)) return WRONG_PROGRAM("token_program");
  REQUIRE_PROGRAM(&in->accounts[8], ASSOCIATED, "associated_token_program");
  REQUIRE_PROGRAM(&in->accounts[9], SYSTEM, "system_program");
  REQUIRE_WRITABLE(sender, "sender");
  TRY(check_vault(in, vault));
  Holder holder = {sender->key, mint->key, token_program->key};
  TRY(check_token_account(source, &holder));
  REQUIRE_WRITABLE(source, "sender_token_account");
  REQUIRE_WRITABLE(target, "vault_token_account");
  return is_same(mint->owner, token_program->key) ? 0 : INVALID_MINT;
}

OUTLINE u64 deposit_token(Input *in) {
  LOG("Instruction: DepositToken");
  if (in->data_len < ARGUMENTS + 40) return BAD_ARGUMENTS;
  if (in->count < 10) return TOO_FEW_ACCOUNTS;
  TRY(check_deposit_token(in));
  const Account *sender = &in->accounts[1], *vault = &in->accounts[3], *mint = &in->accounts[4];
  const Account *target = &in->accounts[6];
  const Key *token_program = in->accounts[7].key;
  if (target->data_len == 0) TRY(create_associated(sender, target, vault, mint, token_program));
  Holder holder = {vault->key, mint->key, token_program};
  Key expected;
  TRY(find_associated(&holder, &expected));
  if (!is_same(&expected, target->key)) return INVALID_VAULT_ACCOUNT;
  u64 amount = read64(in->data + ARGUMENTS), fee;
  TRY(transfer_fee_of(mint, amount, &fee));
  TokenTransfer transfer = {&in->accounts[5], target, sender, mint, token_program, amount, 0};
  TRY(send_token(&transfer));
  emit_deposit(in->accounts[2].key, mint->key, amount - fee, in->data + ARGUMENTS + 8);
  return 0;
}

/** The request of a transfer: domain, recipient, optional token, amount, nonce, expiration and vault. */
typedef struct {
  const u8 *start;
  u64 length;
  const Key *domain;
  const Key *recipient;
  /** The mint; null for native currency. */
  const Key *token;
  u64 amount;
  i64 expiration;
  const Key *vault;
  Key hash;
} Request;

#define REQUEST_FLAG 64
#define NATIVE_REQUEST_BYTES (REQUEST_FLAG + 1 + 24 + 32)

OUTLINE u64 parse_request(const Input *in, Request *request) {
  const u8 *at = in->data + ARGUMENTS;
  u64 left = in->data_len - ARGUMENTS;
  if (left < NATIVE_REQUEST_BYTES) return BAD_ARGUMENTS;
  u8 has_token = at[REQUEST_FLAG];
  u64 length = NATIVE_REQUEST_BYTES + (has_token ? 32 : 0);
  if (has_token > 1 || left < length) return BAD_ARGUMENTS;
  const u8 *numbers = at + REQUEST_FLAG + 1 + (has_token ? 32 : 0);
  request->start = at;
  request->length = length;
  request->domain = (const Key *)at;
  request->recipient = (const Key *)(at + 32);
  request->token = has_token ? (const Key *)(at + REQUEST_FLAG + 1) : 0;
  request->amount = read64(numbers);
  request->expiration = (i64)read64(numbers + 16);
  request->vault = (const Key *)(numbers + 24);
  Slice parts[1] = {{at, length}};
  return sol_sha256(parts, 1, request->hash.bytes);
}

#define ED25519_BYTES 144
#define OWN_INSTRUCTION 0xffff

/** Checks that the instruction before this one verifies the allocator's signature of the request. */
OUTLINE u64 check_signature(const Account *sysvar, const Key *allocator, const Key *hash) {
  if (!is_same(sysvar->key, &INSTRUCTIONS.key)) return UNSUPPORTED_SYSVAR;
  u16 current = read16(sysvar->data + sysvar->data_len - 2);
  if (current == 0) return MALFORMED_SIGNATURE;
  if (current - 1 >= read16(sysvar->data)) return INVALID_ARGUMENT;
  const u8 *at = sysvar->data + read16(sysvar->data + 2 + 2 * (current - 1));
  u64 accounts = read16(at);
  at += 2 + 33 * accounts;
  if (!is_same((const Key *)at, &ED25519.key)) return MISSING_SIGNATURE;
  u64 length = read16(at + 32);
  const u8 *data = at + 34;
  if (accounts != 0 || length != ED25519_BYTES) return MALFORMED_SIGNATURE;
  u64 signature_at = read16(data + 2), key_at = read16(data + 6), message_at = read16(data + 10);
  u64 message_bytes = read16(data + 12);
  // The three parts must be in this instruction's own data.
  u8 is_own = read16(data + 4) == OWN_INSTRUCTION && read16(data + 8) == OWN_INSTRUCTION && read16(data + 14) == OWN_INSTRUCTION;
  if (data[0] != 1 || data[1] != 0 || !is_own || key_at != 16 || signature_at != 48) return MALFORMED_SIGNATURE;
  if (message_at + message_bytes > ED25519_BYTES) return MALFORMED_SIGNATURE;
  if (!is_same((const Key *)(data + key_at), allocator)) return SIGNER_MISMATCH;
  if (message_bytes != 32 || !is_same((const Key *)(data + message_at), hash)) return MESSAGE_MISMATCH;
  return 0;
}

/** An optional account is missing if the program itself is in its place. */
INLINE const Account *optional(const Input *in, u64 index) {
  return is_same(in->accounts[index].key, in->program) ? 0 : &in->accounts[index];
}

OUTLINE u64 check_optional_token_account(const Input *in, u64 index, const Key *owner) {
  const Account *account = optional(in, index), *mint = optional(in, 4);
  if (!account) return 0;
  if (!mint) return MISSING_OPTION("mint");
  Holder holder = {owner, mint->key, in->accounts[9].key};
  TRY(check_token_account(account, &holder));
  REQUIRE_WRITABLE(account, "token_account");
  return 0;
}

/** Checks the accounts, and creates the account that marks the request as used. */
OUTLINE u64 take_request(const Input *in, const Request *request) {
  const Account *executor = &in->accounts[1], *recipient = &in->accounts[2], *vault = &in->accounts[3];
  const Account *used = &in->accounts[7];
  TRY(check_depository(in));
  REQUIRE_SIGNER(executor, "executor");
  const Account *mint = optional(in, 4);
  if (mint) TRY(check_mint(mint));
  if (!is_token_program(in->accounts[9].key)) return WRONG_PROGRAM("token_program");
  REQUIRE_PROGRAM(&in->accounts[10], ASSOCIATED, "associated_token_program");
  REQUIRE_PROGRAM(&in->accounts[11], SYSTEM, "system_program");
  Key expected;
  u8 bump[1];
  Slice seeds[3] = {LITERAL("used_request"), {request->hash.bytes, 32}, {bump, 1}};
  TRY(sol_try_find_program_address(seeds, 2, in->program, &expected, bump));
  if (!is_same(&expected, used->key)) return WRONG_SEEDS("used_request");
  REQUIRE_WRITABLE(executor, "executor");
  REQUIRE_WRITABLE(used, "used_request");
  SignerSeeds signer = {seeds, 3};
  // Fails for a used request, because its account exists.
  TRY(create_account(executor, used, 9, &signer));
  REQUIRE_WRITABLE(recipient, "recipient");
  TRY(check_vault(in, vault));
  REQUIRE_WRITABLE(vault, "vault");
  TRY(check_optional_token_account(in, 5, recipient->key));
  return check_optional_token_account(in, 6, vault->key);
}

OUTLINE u64 check_request(const Input *in, const Request *request) {
  const u8 *state = in->accounts[0].data;
  Clock clock;
  TRY(sol_get_clock_sysvar(&clock));
  if (clock.unix_timestamp >= request->expiration) return EXPIRED;
  if (!is_same(in->accounts[3].key, request->vault)) return INVALID_VAULT;
  TRY(check_signature(&in->accounts[8], (const Key *)(state + STATE_ALLOCATOR), &request->hash));
  u8 has_domain = state[STATE_HAS_DOMAIN];
  return !has_domain || is_same((const Key *)(state + STATE_DOMAIN), request->domain) ? 0 : INVALID_DOMAIN;
}

OUTLINE u64 pay_native(const Input *in, const Request *request, const SignerSeeds *signer) {
  const Account *recipient = &in->accounts[2], *vault = &in->accounts[3];
  if (!is_same(recipient->key, request->recipient)) return INVALID_RECIPIENT;
  u64 kept;
  TRY(rent_of(0, &kept));
  u64 balance = *vault->lamports;
  if (request->amount > (balance > kept ? balance - kept : 0)) return VAULT_TOO_LOW;
  return send_native(vault, recipient, request->amount, signer);
}

OUTLINE u64 pay_token(const Input *in, const Request *request, const SignerSeeds *signer) {
  const Account *mint = optional(in, 4), *to = optional(in, 5), *from = optional(in, 6);
  if (!mint || !is_same(mint->key, request->token) || !from || !to) return INVALID_MINT;
  if (!is_same((const Key *)(to->data + 32), request->recipient)) return INVALID_RECIPIENT;
  const Key *token_program = in->accounts[9].key;
  if (!is_same(mint->owner, token_program)) return INVALID_MINT;
  TokenTransfer transfer = {from, to, &in->accounts[3], mint, token_program, request->amount, signer};
  return send_token(&transfer);
}

OUTLINE u64 execute_transfer(Input *in) {
  LOG("Instruction: ExecuteTransfer");
  Request request;
  TRY(parse_request(in, &request));
  if (in->count < 12) return TOO_FEW_ACCOUNTS;
  TRY(take_request(in, &request));
  TRY(check_request(in, &request));
  u8 *used = in->accounts[7].data;
  *(u64 *)used = USED_REQUEST_ACCOUNT;
  used[8] = 1;
  Slice seeds[2] = {LITERAL("vault"), {in->accounts[0].data + STATE_VAULT_BUMP, 1}};
  SignerSeeds signer = {seeds, 2};
  TRY(request.token ? pay_token(in, &request, &signer) : pay_native(in, &request, &signer));
  u8 *at = put64(in->buffer, TRANSFER_EXECUTED_EVENT);
  for (u64 i = 0; i < request.length; i++) at[i] = request.start[i];
  emit(in->buffer, put_key(put_key(at + request.length, in->accounts[1].key), in->accounts[7].key));
  return 0;
}

u64 entrypoint(u8 *input) {
  Input *in = INPUT;
  parse(in, input);
  if (in->count > MAX_ACCOUNTS) return INVALID_ARGUMENT;
  if (in->data_len < ARGUMENTS) return NO_INSTRUCTION;
  switch (read64(in->data)) {
    case DEPOSIT_NATIVE:
      return deposit_native(in);
    case DEPOSIT_TOKEN:
      return deposit_token(in);
    case EXECUTE_TRANSFER:
      return execute_transfer(in);
    case INITIALIZE:
      return initialize(in);
    case SET_ALLOCATOR:
      LOG("Instruction: SetAllocator");
      return set_authority(in, STATE_ALLOCATOR);
    case SET_OWNER:
      LOG("Instruction: SetOwner");
      return set_authority(in, STATE_OWNER);
    default:
      return NO_INSTRUCTION;
  }
}
