// What the programs of the local network share: addresses, errors and the parsed input. A program defines MAX_ACCOUNTS
// before it includes this file.
#pragma once
#include "sbf.h"

#define KEY(a, b, c, d) {.words = {a, b, c, d}}
typedef union {
  u64 words[4];
  Key key;
} KeyWords;

// Errors of the runtime.
#define RUNTIME_ERROR(number) ((u64)(number) << 32)
#define INVALID_ARGUMENT RUNTIME_ERROR(2)
#define INVALID_INSTRUCTION_DATA RUNTIME_ERROR(3)
#define UNSUPPORTED_SYSVAR RUNTIME_ERROR(17)

#define LOG(text) sol_log_((const u8 *)(text), sizeof(text) - 1)
#define REPORT(text, number) (LOG(text), (u64)(number))
#define TEXT_OF(number) #number
/** Logs an error as clients of the framework expect it, and returns its number. */
#define FAIL(number, name, message) \
  REPORT("AnchorError occurred. Error Code: " name ". Error Number: " TEXT_OF(number) ". Error Message: " message ".", number)
#define FAIL_AT(account, number, name, message)                                                                   \
  REPORT("AnchorError caused by account: " account ". Error Code: " name ". Error Number: " TEXT_OF(number) \
         ". Error Message: " message ".", number)
#define TRY(call)            \
  do {                       \
    u64 error_ = (call);     \
    if (error_) return error_; \
  } while (0)

/** The parsed input, and buffers that are too large for the stack. */
typedef struct {
  Account accounts[MAX_ACCOUNTS];
  u64 count;
  const u8 *data;
  u64 data_len;
  const Key *program;
  u8 buffer[512];
} Input;

#define INPUT ((Input *)HEAP)

#define LITERAL(text) {(const u8 *)(text), sizeof(text) - 1}

// Parsing.

/** Reads the runtime's input: the accounts, the instruction's data and the program's address. */
OUTLINE void parse(Input *in, u8 *at) {
  in->count = read64(at);
  at += 8;
  for (u64 i = 0; i < in->count; i++) {
    u8 marker = at[0];
    Account *account = &in->accounts[i < MAX_ACCOUNTS ? i : MAX_ACCOUNTS - 1];
    if (marker != 0xff) {
      *account = in->accounts[marker < MAX_ACCOUNTS ? marker : MAX_ACCOUNTS - 1];
      at += 8;
      continue;
    }
    account->is_signer = at[1];
    account->is_writable = at[2];
    account->executable = at[3];
    account->key = (const Key *)(at + 8);
    account->owner = (const Key *)(at + 40);
    account->lamports = (u64 *)(at + 72);
    account->data_len = read64(at + 80);
    account->data = at + 88;
    at += 88 + account->data_len + SPARE_BYTES;
    at = (u8 *)(((u64)at + 7) & ~7ULL);
    account->rent_epoch = read64(at);
    at += 8;
  }
  in->data_len = read64(at);
  in->data = at + 8;
  in->program = (const Key *)(in->data + in->data_len);
}
