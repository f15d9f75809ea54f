import type { RequestRow } from "../../store/requests/requests.ts";

type Status = RequestRow["status"];

export const STATUSES_V1 = ["failure", "fallback", "pending", "received", "success"] as const;

/** `GET /requests` has one more than `GET /intents/status`. */
export const LISTED_STATUSES_V1 = [...STATUSES_V1, "depositing"] as const;

/** v2 has no `submitted`. */
export function toStatusV2(status: Status): Exclude<Status, "submitted"> {
  return status === "submitted" ? "pending" : status;
}

/** It is not published which v3 status a `received` request has; here its deposit is confirmed. */
export function toStatusV1(status: Status): (typeof STATUSES_V1)[number] {
  switch (status) {
    case "waiting":
    case "depositing":
      return "pending";
    case "pending":
    case "submitted":
      return "received";
    case "refund":
      return "fallback";
    case "success":
    case "failure":
      return status;
  }
}

export function toListedStatusV1(status: Status): (typeof LISTED_STATUSES_V1)[number] {
  return status === "depositing" ? status : toStatusV1(status);
}
