export interface NetworkSecretTable {
  /** True: there is only one row. */
  readonly is_current: boolean;
  readonly secret: string;
}
