/** A larger answer is no result: what is left of the purchase is that it was made. */
export const resultBytesMax = 1_048_576

/** What a merchant answered to a paid request, as it came. It is data of a stranger. */
export type ReceivedResult = {
  readonly bytes: Uint8Array
  /** As the merchant named it. */
  readonly contentType: string | null
  /** What proves the payment, as the merchant wrote it. */
  readonly receipt: string | null
}
