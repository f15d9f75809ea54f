// What a program for the Solana virtual machine needs of its runtime: types, system calls and the layout of its input.
#pragma once

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

#define INLINE static inline __attribute__((always_inline))
#define OUTLINE static __attribute__((noinline))

/** Memory of 32 KB that belongs to one invocation. The stack of a function is limited to 512 bytes. */
#define HEAP 0x300000000ULL

/** Bytes behind an account's data into which it can grow. */
#define SPARE_BYTES 10240

/** Aligned for the compiler only: the machine also reads unaligned words. */
typedef struct {
  u8 bytes[32];
} __attribute__((aligned(8))) Key;

/** An account as `sol_invoke_signed_c` takes it. */
typedef struct {
  const Key *key;
  u64 *lamports;
  u64 data_len;
  u8 *data;
  const Key *owner;
  u64 rent_epoch;
  u8 is_signer;
  u8 is_writable;
  u8 executable;
} Account;

typedef struct {
  const Key *key;
  u8 is_writable;
  u8 is_signer;
} AccountMeta;

typedef struct {
  const Key *program;
  const AccountMeta *accounts;
  u64 account_count;
  const u8 *data;
  u64 data_len;
} Instruction;

/** Bytes with their length. */
typedef struct {
  const u8 *bytes;
  u64 length;
} Slice;

typedef struct {
  const Slice *seeds;
  u64 count;
} SignerSeeds;

typedef struct {
  u64 slot;
  i64 epoch_start;
  u64 epoch;
  u64 leader_schedule_epoch;
  i64 unix_timestamp;
} Clock;

typedef struct {
  u64 lamports_per_byte;
  /** A floating point number, as its bits. */
  u64 threshold_bits;
  u8 burn_percent;
} Rent;

extern u64 sol_log_(const u8 *text, u64 length);
extern u64 sol_log_data(const Slice *fields, u64 count);
extern u64 sol_sha256(const Slice *parts, u64 count, u8 *hash);
extern u64 sol_create_program_address(const Slice *seeds, u64 count, const Key *program, Key *address);
extern u64 sol_try_find_program_address(const Slice *seeds, u64 count, const Key *program, Key *address, u8 *bump);
extern u64 sol_invoke_signed_c(const Instruction *instruction, const Account *accounts, u64 account_count,
                               const SignerSeeds *signers, u64 signer_count);
extern u64 sol_get_clock_sysvar(Clock *clock);
extern u64 sol_get_rent_sysvar(Rent *rent);

INLINE u16 read16(const u8 *at) { return *(const u16 *)at; }
INLINE u64 read64(const u8 *at) { return *(const u64 *)at; }

/** Copies whole words of 8 bytes. */
INLINE void copy_words(u8 *to, const u8 *from, u64 words) {
  for (u64 i = 0; i < words; i++) ((u64 *)to)[i] = ((const u64 *)from)[i];
}

OUTLINE u8 is_same(const Key *a, const Key *b) {
  const u64 *x = (const u64 *)a, *y = (const u64 *)b;
  return x[0] == y[0] && x[1] == y[1] && x[2] == y[2] && x[3] == y[3];
}
