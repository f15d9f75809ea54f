import type { CampaignItemTable, CampaignTable } from "./tables/campaignTables.ts";
import type {
  AnnouncementTable,
  DepositAddressTable,
  DepositTable,
  ScanTable,
  ScannedBlockTable,
} from "./tables/depositTables.ts";
import type { ClockTable } from "./tables/clockTable.ts";
import type { AppFeeClaimTable } from "./tables/appFeeClaimTable.ts";
import type { FastFillTable } from "./tables/fastFillTable.ts";
import type { FillHoldTable, HeldFillTable } from "./tables/fillHoldTables.ts";
import type { ExecutionTable, PermitTable } from "./tables/gaslessTables.ts";
import type { ApiKeyTable, SponsorPaymentTable, SponsorTable, UsageCountTable } from "./tables/keyTables.ts";
import type { MirrorTable, RecordTable, RecordTransactionTable } from "./tables/mirrorTables.ts";
import type { RecordFieldsTable, RevenueShareTable } from "./tables/recordTables.ts";
import type { NetworkSecretTable } from "./tables/networkSecretTable.ts";
import type { OrderTable, RequestIdTable, RequestTable, TransitionTable } from "./tables/requestTables.ts";
import type { RestrictionTable } from "./tables/restrictionTable.ts";
import type { RequestFaultsTable, ScenarioTable } from "./tables/scenarioTables.ts";
import type { AttemptTable, TransactionContentTable, TransactionTable } from "./tables/transactionTables.ts";
import type { WebhookEventTable, WebhookTable } from "./tables/webhookTables.ts";

export interface StoreSchema {
  api_keys: ApiKeyTable;
  webhooks: WebhookTable;
  webhook_events: WebhookEventTable;
  request_ids: RequestIdTable;
  requests: RequestTable;
  orders: OrderTable;
  transactions: TransactionTable;
  scans: ScanTable;
  transitions: TransitionTable;
  deposits: DepositTable;
  announcements: AnnouncementTable;
  scanned_blocks: ScannedBlockTable;
  attempts: AttemptTable;
  transaction_contents: TransactionContentTable;
  sponsors: SponsorTable;
  sponsor_payments: SponsorPaymentTable;
  scenarios: ScenarioTable;
  request_faults: RequestFaultsTable;
  deposit_addresses: DepositAddressTable;
  records: RecordTable;
  record_transactions: RecordTransactionTable;
  mirrors: MirrorTable;
  campaigns: CampaignTable;
  campaign_items: CampaignItemTable;
  restrictions: RestrictionTable;
  network_secrets: NetworkSecretTable;
  usage_counts: UsageCountTable;
  record_fields: RecordFieldsTable;
  revenue_shares: RevenueShareTable;
  permits: PermitTable;
  executions: ExecutionTable;
  fast_fills: FastFillTable;
  fill_holds: FillHoldTable;
  held_fills: HeldFillTable;
  app_fee_claims: AppFeeClaimTable;
  service_clock: ClockTable;
}
