// The exchange of the Solana chain in a local network: pools of two tokens, whose balances keep their product. One
// instruction swaps along a route of pools. Errors have the numbers of the live aggregator.
#define MAX_ACCOUNTS 64
#include "program.h"

// The first 8 bytes of SHA-256 of `global:route` and `account:Pool`.
#define ROUTE 0x2aade37a97cb17e5ULL
#define POOL_ACCOUNT 0xbc6db111046d9af1ULL

/** TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA */
static const KeyWords TOKEN = KEY(0x93a165d7e1f6dd06, 0xac79ebce46e1cbd9, 0x91375b5fed85b41c, 0xa900ff7e85f58c3a);

#define NO_INSTRUCTION FAIL(101, "InstructionFallbackNotFound", "Fallback functions are not supported")
#define BAD_ARGUMENTS FAIL(102, "InstructionDidNotDeserialize", "The program could not deserialize the given instruction")
#define WRONG_SEEDS(account) FAIL_AT(account, 2006, "ConstraintSeeds", "A seeds constraint was violated")
#define WRONG_OWNER(account) \
  FAIL_AT(account, 3007, "AccountOwnedByWrongProgram", "The given account is owned by a different program than expected")
#define WRONG_PROGRAM(account) FAIL_AT(account, 3008, "InvalidProgramId", "Program ID was not as expected")
#define NOT_SIGNER(account) FAIL_AT(account, 3010, "AccountNotSigner", "The given account did not sign")
#define EMPTY_ROUTE FAIL(6000, "EmptyRoute", "Empty route")
#define BELOW_MINIMUM FAIL(6001, "SlippageToleranceExceeded", "Slippage tolerance exceeded")
#define INVALID_CALCULATION FAIL(6002, "InvalidCalculation", "Invalid calculation")
#define TOO_FEW_ACCOUNTS FAIL(6008, "NotEnoughAccountKeys", "Not enough account keys")
#define INVALID_ROUTE FAIL(6010, "InvalidRoutePlan", "Invalid route plan")

/** A pool: discriminator, its two vaults, the fee in basis points, the count of further accounts, and their addresses. */
#define POOL_VAULTS 8
#define POOL_FEE 72
#define POOL_OTHERS 80
#define POOL_BYTES 88

/** Of the instruction: selector, amount, minimum of the output, count of pools. */
#define DATA_BYTES 25

// Accounts of the instruction, which those of the pools follow.
#define USER 0
#define SOURCE 1
#define TARGET 2
#define AUTHORITY 3
#define TOKEN_PROGRAM 4
#define POOLS 5

/** Position of the balance in a token account. */
#define BALANCE 64

/** Returns `a * b / c`, rounded down. The result must be below 2^64. */
OUTLINE u64 mul_div(u64 a, u64 b, u64 c) {
  u64 a0 = (u32)a, a1 = a >> 32, b0 = (u32)b, b1 = b >> 32;
  u64 middle = a1 * b0 + (a0 * b0 >> 32);
  u64 other = a0 * b1 + (u32)middle;
  u64 low = a * b, rest = a1 * b1 + (middle >> 32) + (other >> 32), result = 0;
  for (u64 i = 64; i-- > 0;) {
    u64 carry = rest >> 63;
    rest = rest << 1 | (low >> i & 1);
    result <<= 1;
    if (carry || rest >= c) {
      rest -= c;
      result |= 1;
    }
  }
  return result;
}

/** Returns the part of an amount that remains after a fee, which is rounded up. */
INLINE u64 after_fee(u64 amount, u64 fee_bps) {
  return amount - amount / 10000 * fee_bps - (amount % 10000 * fee_bps + 9999) / 10000;
}

OUTLINE u64 send_token(const Account *from, const Account *to, u64 amount, u64 authority, const SignerSeeds *signer) {
  AccountMeta metas[3] = {{from->key, 1, 0}, {to->key, 1, 0}, {INPUT->accounts[authority].key, 0, 1}};
  u64 data[2];
  data[0] = 3 | amount << 8;
  data[1] = amount >> 56;
  Instruction instruction = {&TOKEN.key, metas, 3, (const u8 *)data, 9};
  return sol_invoke_signed_c(&instruction, INPUT->accounts, INPUT->count, signer, signer ? 1 : 0);
}

/** Checks a pool, which is at a position of the list of accounts, and its accounts, which follow it. */
OUTLINE u64 check_pool(const Input *in, u64 at) {
  if (at + 3 > in->count) return TOO_FEW_ACCOUNTS;
  const Account *pool = &in->accounts[at];
  if (!is_same(pool->owner, in->program)) return WRONG_OWNER("pool");
  if (pool->data_len < POOL_BYTES || read64(pool->data) != POOL_ACCOUNT) return INVALID_ROUTE;
  const Key *first = (const Key *)(pool->data + POOL_VAULTS), *second = first + 1;
  const Key *from = in->accounts[at + 1].key, *to = in->accounts[at + 2].key;
  u8 is_forward = is_same(from, first) && is_same(to, second);
  if (!is_forward && !(is_same(from, second) && is_same(to, first))) return INVALID_ROUTE;
  u64 others = read64(pool->data + POOL_OTHERS);
  if (at + 3 + others > in->count) return TOO_FEW_ACCOUNTS;
  const Key *wanted = (const Key *)(pool->data + POOL_BYTES);
  for (u64 i = 0; i < others; i++) {
    if (!is_same(in->accounts[at + 3 + i].key, wanted + i)) return INVALID_ROUTE;
  }
  return 0;
}

OUTLINE u64 route(Input *in) {
  LOG("Instruction: Route");
  if (in->data_len < DATA_BYTES) return BAD_ARGUMENTS;
  if (in->count < POOLS) return TOO_FEW_ACCOUNTS;
  if (!in->accounts[USER].is_signer) return NOT_SIGNER("user");
  if (!is_same(in->accounts[TOKEN_PROGRAM].key, &TOKEN.key)) return WRONG_PROGRAM("token_program");
  Key expected;
  u8 bump[1];
  Slice own[1] = {LITERAL("authority")};
  TRY(sol_try_find_program_address(own, 1, in->program, &expected, bump));
  if (!is_same(&expected, in->accounts[AUTHORITY].key)) return WRONG_SEEDS("authority");
  Slice seeds[2] = {LITERAL("authority"), {bump, 1}};
  SignerSeeds signer = {seeds, 2};
  u64 amount = read64(in->data + 8), minimum = read64(in->data + 16), pools = in->data[24];
  if (pools == 0) return EMPTY_ROUTE;
  const Account *from = &in->accounts[SOURCE];
  u64 at = POOLS;
  for (u64 i = 0; i < pools; i++) {
    TRY(check_pool(in, at));
    const Account *taking = &in->accounts[at + 1], *giving = &in->accounts[at + 2];
    const u8 *pool = in->accounts[at].data;
    u64 reserve = read64(taking->data + BALANCE), net = after_fee(amount, read64(pool + POOL_FEE));
    if (reserve + net < net || reserve + net == 0) return INVALID_CALCULATION;
    u64 out = mul_div(net, read64(giving->data + BALANCE), reserve + net);
    TRY(i == 0 ? send_token(from, taking, amount, USER, 0) : send_token(from, taking, amount, AUTHORITY, &signer));
    amount = out;
    from = giving;
    at += 3 + read64(pool + POOL_OTHERS);
  }
  if (amount < minimum) return BELOW_MINIMUM;
  return send_token(from, &in->accounts[TARGET], amount, AUTHORITY, &signer);
}

u64 entrypoint(u8 *input) {
  Input *in = INPUT;
  parse(in, input);
  if (in->count > MAX_ACCOUNTS) return INVALID_ARGUMENT;
  if (in->data_len < 8 || read64(in->data) != ROUTE) return NO_INSTRUCTION;
  return route(in);
}
