// The program whose assertions wallets add to the transactions that they sign. Here, it accepts every assertion without
// a check, and logs that.

typedef unsigned char u8;
typedef unsigned long long u64;

extern u64 sol_log_(const u8 *text, u64 length);

static const char TEXT[] = "Assertion accepted without a check";

u64 entrypoint(const u8 *input) {
  (void)input;
  sol_log_((const u8 *)TEXT, sizeof(TEXT) - 1);
  return 0;
}
