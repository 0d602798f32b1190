import type { Command } from 'commander'
import { administer } from './administer.ts'
import { CommandFailure } from './failure.ts'
import { asSomebody } from './operator.ts'
import {
  type CollisionReport,
  type HeldAtRail,
  type RepairedCollision,
  repairCollisions,
} from './repair-collisions.ts'
import { roleConfig } from './role-config.ts'
import { money, out, outJson, styled } from './terminal.ts'

type Options = { state?: string; json?: boolean; apply?: boolean; as?: string }

export function addRepairCommand(program: Command): void {
  const repair = program.command('repair').description('Mend what an earlier version has left behind.')
  asSomebody(repair.command('collisions'))
    .description(
      'Find carts whose order would have the id of another cart’s order, let go of what the payment rail holds for them, and end ' +
        'the attempt so that it can be tried again. Shows what it would do, unless told to --apply it.',
    )
    .option('--apply', 'do it; without this nothing is changed')
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
  if (carts.length + refunds.length === 0) return [styled('green', 'Nothing collides.')]
  const lines = [
    ...carts.map((cart) => describeCart(cart)),
    ...refunds.map(
      ({ order_id, taken_by }) =>
        `${order_id}: its next refund would have had the id of a refund of ${taken_by}. Nothing of it was written; it gets an id of its own.`,
    ),
  ]
  return apply || carts.length === 0 ? lines : [...lines, 'Nothing was changed. Add --apply to do it.']
}

function describeCart({ cart_id, intent_id, attempt, order_id, held, result }: RepairedCollision): string {
  const name = `${cart_id} of ${intent_id}, attempt ${attempt}`
  const why = `its order would have the id ${order_id}, which is another cart’s`
  if (result === null) return `${name}: ${why}. ${heldAs(held)}`
  if (result.kind === 'waits') return `${name}: ${styled('red', 'still waits')}; ${why}. ${heldAs(held)}`
  const ended = `the attempt ended as failed${result.canRetry ? ' and can be tried again' : ', the last one of its cart'}`
  return held.kind === 'held'
    ? `${name}: ${money(held.amount, held.currency)} (${held.reference}) was let go; ${ended}.`
    : `${name}: nothing was held; ${ended}.`
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
      return 'What the rail holds for it could not be asked.'
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
