/** The key of the payment partner's id: at the root of v2 records, and in `data.externalMetadata` of v3 ones. */
export const PARTNER_ID_KEY = "moonpayId";
