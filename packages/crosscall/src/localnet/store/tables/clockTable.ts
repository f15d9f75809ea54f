export interface ClockTable {
  readonly id: number;
  /** From the system time. */
  readonly offset_ms: number;
}
