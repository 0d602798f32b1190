import type { Command } from 'commander'
import { CommandFailure } from '../failure.ts'
import { administer } from '../operator/administer.ts'
import { asSomebody } from '../operator/operator.ts'
import {
  type CollisionReport,
  type HeldAtRail,
  type RepairedCollision,
  repairCollisions,
} from '../operator/repair-collisions.ts'
import { roleConfig } from '../role-config.ts'
import { money, out, outJson, styled } from '../terminal.ts'

type Options = { state?: string; json?: boolean; apply?: boolean; as?: string }

export function addRepairCommand(program: Command): void {
  const repair = program
    .command('repair')
    .description('Repair faults that an earlier version left in the database.')
  asSomebody(repair.command('collisions'))
    .description(
      'Find carts whose order would have the id of another cart’s order, release what is authorized for them at the payment rail, and ' +
        'end their attempt so that they can be retried. Without --apply, the command only shows what it would do.',
    )
    .option('--apply', 'make the changes; without this, nothing is changed')
    .option('--state <dir>', 'the state folder of a running `prokura up`')
    .option('--json', 'print one line of JSON')
    .action(collisions)
}

async function collisions({ state, json, apply = false, as }: Options): Promise<void> {
  const config = roleConfig(state)
  const report = await administer(
    config,
    ({ parts, operator }) => repairCollisions(parts, config, { apply, operator }),
    as,
  )
  if (json) outJson(toWire(report, apply))
  else for (const line of describe(report, apply)) out(line)
  const waiting = report.carts.filter(({ result }) => apply && result?.kind !== 'ended').length
  if (waiting > 0) throw new CommandFailure(`${waiting} carts are not repaired yet. Run this again.`)
}

function describe({ carts, refunds }: CollisionReport, apply: boolean): string[] {
  if (carts.length + refunds.length === 0) return [styled('green', 'There are no collisions.')]
  const lines = [
    ...carts.map((cart) => describeCart(cart)),
    ...refunds.map(
      ({ order_id, taken_by }) =>
        `${order_id}: its next refund would have had the id of a refund of ${taken_by}. That refund was never written, and its next try gets an id of its own.`,
    ),
  ]
  return apply || carts.length === 0
    ? lines
    : [...lines, 'Nothing was changed. Add --apply to make these changes.']
}

function describeCart({ cart_id, intent_id, attempt, order_id, held, result }: RepairedCollision): string {
  const name = `${cart_id} of ${intent_id}, attempt ${attempt}`
  const why = `its order would have the id ${order_id}, which is another cart’s`
  if (result === null) return `${name}: ${why}. ${heldAs(held)}`
  if (result.kind === 'waits') return `${name}: ${styled('red', 'still waits')}; ${why}. ${heldAs(held)}`
  const ended = `the attempt ended as failed${result.canRetry ? ' and the cart can be retried' : ', and its cart has no further attempt'}`
  return held.kind === 'held'
    ? `${name}: ${money(held.amount, held.currency)} (${held.reference}) was released; ${ended}.`
    : `${name}: the rail held nothing; ${ended}.`
}

function heldAs(held: HeldAtRail): string {
  switch (held.kind) {
    case 'held':
      return `The rail holds ${money(held.amount, held.currency)} for it (${held.reference}).`
    case 'released':
      return `The rail no longer holds what it held for it (${held.reference}).`
    case 'nothing':
      return 'The rail holds nothing for it.'
    case 'unknown':
      return 'The rail could not be asked what it holds for it.'
    default:
      return held satisfies never
  }
}

function toWire({ carts, refunds }: CollisionReport, applied: boolean): object {
  return {
    applied,
    carts: carts.map((cart) => ({
      account_id: cart.account_id,
      mode: cart.mode,
      purchase_intent_id: cart.intent_id,
      cart_id: cart.cart_id,
      attempt_number: cart.attempt,
      order_id: cart.order_id,
      taken_by: cart.taken_by,
      held_at_rail: cart.held,
      result: cart.result?.kind ?? null,
      can_retry: cart.result?.kind === 'ended' ? cart.result.canRetry : null,
    })),
    refunds,
  }
}
