/** Which card of whom. */
type RecordKey = { readonly accountId: string; readonly mode: string; readonly id: string }

/** How long a security code may live, and nobody stores it: card networks forbid that after the payment, and we do it at no time. */
const keptForMs = 15 * 60_000
const lookEveryMs = 30_000

/**
 * Security codes in memory that is overwritten once a code is used, or its time is over. A process that ends has lost them: where the
 * rail tells a code again it is asked, and everywhere else the card's owner is.
 */
export class SecurityCodes {
  readonly #codes = new Map<string, { readonly code: Buffer; readonly diesAtMs: number }>()
  readonly #nowMs: () => number
  #timer: NodeJS.Timeout | null = null

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
  }

  keep(place: RecordKey, code: string): void {
    this.forget(place)
    this.#codes.set(keyOf(place), { code: Buffer.from(code, 'utf8'), diesAtMs: this.#nowMs() + keptForMs })
    this.#timer ??= setInterval(() => this.#forgetOld(), lookEveryMs).unref()
  }

  /** The code, which stays until `forget`. */
  look(place: RecordKey): string | null {
    const kept = this.#codes.get(keyOf(place))
    return kept !== undefined && kept.diesAtMs > this.#nowMs() ? kept.code.toString('utf8') : null
  }

  forget(place: RecordKey): void {
    this.#codes.get(keyOf(place))?.code.fill(0)
    this.#codes.delete(keyOf(place))
    if (this.#codes.size === 0) this.#stop()
  }

  close(): void {
    for (const { code } of this.#codes.values()) code.fill(0)
    this.#codes.clear()
    this.#stop()
  }

  #forgetOld(): void {
    for (const [key, { code, diesAtMs }] of this.#codes) {
      if (diesAtMs > this.#nowMs()) continue
      code.fill(0)
      this.#codes.delete(key)
    }
    if (this.#codes.size === 0) this.#stop()
  }

  #stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }
}

function keyOf({ accountId, mode, id }: RecordKey): string {
  return `${accountId} ${mode} ${id}`
}
