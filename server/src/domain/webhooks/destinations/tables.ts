/** The tables that this slice alone reads and writes. Others are given fragments and functions. */
export const tables = [
  'deliveries',
  'delivery_attempts',
  'destination_hosts',
  'destination_secrets',
  'destination_subscriptions',
  'destinations',
  'due_deliveries',
  'webhook_destinations',
] as const
