import { stopAtSignIn } from '../../src/domain/buying/execution/offer/sign-in.ts'
import type { TestApp } from './app.ts'
import { type Buyer, newBuyer } from './buyers.ts'
import { runningPurchase } from './hand-worker.ts'
import { onHeldCart } from './on-held-cart.ts'

type Wall = { buyer?: Buyer; host?: string | null; code?: { session: string } | null }

/** A purchase whose one cart waits at the sign-in of `tea.example`, or of another host, or for the code that it has sent. */
export async function purchaseAtWall(
  app: TestApp,
  { buyer, host = 'tea.example', code = null }: Wall = {},
): Promise<{ id: string; cart: string }> {
  const running = await runningPurchase(app, buyer ?? (await newBuyer(app)))
  await onHeldCart(app, running, (state) =>
    stopAtSignIn(state, { kind: 'sign_in', isRefused: false, message: null, host, code }),
  )
  return { id: running.id, cart: running.carts[0] ?? '' }
}
