/** At which point of a purchase a picture was taken. */
export const evidenceStages = [
  'product',
  'cart',
  'address',
  'payment',
  'review',
  'after_submit',
  'confirmation',
] as const

/** A larger picture is not kept. */
export const pictureBytesMax = 1_048_576
/** Of one attempt of a cart; further pictures are not kept. */
export const picturesPerAttempt = 40

/**
 * A picture of a page that something is bought on. Whoever takes it masks what was typed, the frames of payment and all long numbers
 * before it is taken.
 */
export type PageEvidence = {
  readonly stage: (typeof evidenceStages)[number]
  readonly at: Date
  readonly urlHost: string
  /** PNG. */
  readonly picture: Uint8Array
  /** The total that the page shows, as the page writes it. */
  readonly totalText: string | null
  /** All hosts that were contacted so far. */
  readonly hosts: readonly string[]
}
