import { defaultRetention } from '../retention/retention.ts'

const days = { type: 'integer', min: 1, max: 3_650 } as const

/** How long things are kept, in days. */
export const retentionSettings = {
  PROKURA_KEEP_IDEMPOTENCY_DAYS: {
    kind: days,
    default: String(defaultRetention.idempotencyDays),
    description: 'Days after which an idempotency key is deleted, with its answer.',
  },
  PROKURA_KEEP_DELIVERIES_DAYS: {
    kind: days,
    default: String(defaultRetention.deliveriesDays),
    description:
      'Days after which a delivery that has ended is deleted, with its attempts. It cannot be redelivered after that.',
  },
  PROKURA_KEEP_FINISHED_WORK_DAYS: {
    kind: days,
    default: String(defaultRetention.finishedWorkDays),
    description:
      'Days after which the records of finished work are deleted: the faults of an import, checks that a later one replaced, ' +
      'rotated signing secrets.',
  },
  PROKURA_KEEP_ATTRIBUTION_DAYS: {
    kind: days,
    default: String(defaultRetention.attributionDays),
    description:
      'Days after which it is forgotten what a search has shown. Impressions and sales do not count for it after that.',
  },
  PROKURA_KEEP_RESULT_DAYS: {
    kind: { type: 'integer', min: 1, max: 30 },
    default: String(defaultRetention.resultDays),
    description:
      'Days after which the result of a paid request is deleted. It cannot be read after that, nor after 30 days.',
  },
  PROKURA_KEEP_EVIDENCE_DAYS: {
    kind: { type: 'integer', min: 1, max: 30 },
    default: String(defaultRetention.evidenceDays),
    description:
      'Days after which a picture of a page that a cart was bought on is deleted. It cannot be read after that, nor after 30 days.',
  },
  PROKURA_KEEP_CHAT_DAYS: {
    kind: days,
    default: String(defaultRetention.chatDays),
    description: 'Days after its last message when a chat is deleted, with everything that was said in it.',
  },
  PROKURA_KEEP_MESSAGE_DAYS: {
    kind: { type: 'integer', min: 7, max: 3650 },
    default: String(defaultRetention.messageDays),
    description:
      'Days after which the id of a message about an order at a merchant elsewhere is forgotten. A message itself is taken for three days, ' +
      'and kept for one day where its order is not there yet. Reports of the payment rail are kept as long.',
  },
} as const
