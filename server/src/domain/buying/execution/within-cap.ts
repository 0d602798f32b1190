/** The last look before money moves: decisions, the database and the rail each refuse it by themselves as well. */
export function assertWithinCap(cart: { max_allowed_amount: bigint }, amount: bigint): void {
  if (amount > cart.max_allowed_amount) throw new Error('a charge above the cap was about to be made')
}
