/** The answer to a challenge as it was sent: sent again, it is the same payment. */
export type SentPayment = {
  readonly headers: Readonly<Record<string, string>>
  /** Instead of the body of the request, where the payment is in it. */
  readonly body: Buffer | null
  readonly expiresAt: Date
}

const kept = 1_000

/**
 * What this process has paid with, by the key of the order. A payment that was made under a challenge of its own can be repeated only from
 * here; where the process ends, the rail alone says what became of it.
 */
export class Payments {
  readonly #sent = new Map<string, SentPayment>()

  note(key: string, payment: SentPayment, now: Date): void {
    for (const [other, { expiresAt }] of this.#sent) if (expiresAt <= now) this.#sent.delete(other)
    const [oldest] = this.#sent.keys()
    if (this.#sent.size >= kept && oldest !== undefined) this.#sent.delete(oldest)
    this.#sent.set(key, payment)
  }

  find(key: string, now: Date): SentPayment | null {
    const payment = this.#sent.get(key)
    return payment && payment.expiresAt > now ? payment : null
  }
}
