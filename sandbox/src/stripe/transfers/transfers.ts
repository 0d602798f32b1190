import type { Stripe } from 'stripe'
import type { Fact, Memory, Reversal, Transfer } from '../memory.ts'
import { noSuch, StripeError } from '../stripe-error.ts'
import { type Asked, newId, type Operations, page, type Shown, seconds } from '../work.ts'
import { reversalsOf, transferNamed } from './transfer.ts'

const transfers = '/v1/transfers'

export const transferOperations: Operations = [
  {
    method: 'POST',
    path: transfers,
    operation: 'create_transfer',
    work(asked) {
      const { form, nowMs, memory } = asked
      const value: Transfer = {
        id: newId('tr'),
        amount: form.requiredNumber('amount'),
        currency: form.required('currency'),
        destination: form.required('destination'),
        source_transaction: form.text('source_transaction'),
        transfer_group: form.text('transfer_group'),
        description: form.text('description'),
        metadata: form.group('metadata'),
        created_ms: nowMs,
      }
      if (value.amount < 1)
        throw new StripeError(400, { param: 'amount', message: 'Invalid positive integer' })
      return {
        body: renderTransfer(value, asked),
        facts: [
          { kind: 'transfer', value },
          ...moved(memory, value.destination, value.amount),
          entryOf(asked, value, 'transfer'),
        ],
      }
    },
  },
  {
    method: 'GET',
    path: transfers,
    operation: 'list_transfers',
    work(asked) {
      const { form, memory } = asked
      const [destination, group] = [form.text('destination'), form.text('transfer_group')]
      const automatic = [...memory.intents.keys()].map((id) => transferNamed(memory, `tr_${id.slice(3)}`))
      const all = [...automatic.filter((one) => one !== null), ...memory.transfers.values()].filter(
        (one) =>
          (destination === null || one.destination === destination) &&
          (group === null || one.transfer_group === group),
      )
      return { body: page(asked, all, (one) => renderTransfer(one, asked)) }
    },
  },
  {
    method: 'GET',
    path: `${transfers}/:id`,
    operation: 'read_transfer',
    work: (asked) => ({ body: renderTransfer(knownTransfer(asked, asked.call.params.id ?? ''), asked) }),
  },
  {
    method: 'POST',
    path: `${transfers}/:id/reversals`,
    operation: 'reverse_transfer',
    work(asked) {
      const { form, call } = asked
      form.text('description')
      const metadata = form.group('metadata')
      const id = call.params.id ?? ''
      const { reversal, facts } = reversed(asked, {
        id,
        amount: form.number('amount'),
        refund: null,
        metadata,
      })
      return { body: renderReversal(reversal), facts }
    },
  },
  {
    method: 'GET',
    path: `${transfers}/:id/reversals`,
    operation: 'list_reversals',
    work(asked) {
      const { id } = knownTransfer(asked, asked.call.params.id ?? '')
      return { body: page(asked, reversalsOf(asked.memory, id), renderReversal) }
    },
  },
]

type Wanted = Pick<Reversal, 'refund' | 'metadata'> & { readonly id: string; readonly amount: number | null }

/** Takes a part of a transfer back, or what is left of it. */
export function reversed(asked: Asked, { id, amount: wanted, ...why }: Wanted) {
  const { memory, nowMs } = asked
  const transfer = knownTransfer(asked, id)
  const left = transfer.amount - sumOf(reversalsOf(memory, id))
  const amount = wanted ?? left
  if (left === 0)
    throw new StripeError(400, {
      code: 'transfer_already_reversed',
      message: 'The transfer is fully reversed',
    })
  if (amount < 1 || amount > left)
    throw new StripeError(400, { param: 'amount', message: 'More than what was not reversed' })
  if (amount > (memory.available.get(transfer.destination) ?? amount))
    throw new StripeError(400, {
      code: 'balance_insufficient',
      message: 'The account that was paid does not have so much left',
    })
  const value: Reversal = {
    id: newId('trr'),
    transfer: id,
    amount,
    currency: transfer.currency,
    ...why,
    created_ms: nowMs,
  }
  const facts: Fact[] = [
    { kind: 'reversal', value },
    ...moved(memory, transfer.destination, -amount),
    entryOf(asked, { ...transfer, amount }, 'reverse_transfer'),
  ]
  return { reversal: value, facts }
}

/** Only of accounts whose money was counted. */
function moved({ available }: Memory, account: string, amount: number): Fact[] {
  const before = available.get(account)
  return before === undefined ? [] : [{ kind: 'available', account, amount: before + amount }]
}

function knownTransfer({ memory }: Asked, id: string): Transfer {
  const transfer = transferNamed(memory, id)
  if (transfer === null) throw noSuch('transfer', 'id', 404)
  return transfer
}

function sumOf(reversals: readonly Reversal[]): number {
  return reversals.reduce((sum, { amount }) => sum + amount, 0)
}

export function renderTransfer(transfer: Transfer, { memory, account }: Shown): Stripe.Transfer {
  const { id, amount, currency, destination, created_ms } = transfer
  const all = reversalsOf(memory, id)
  const back = sumOf(all)
  return {
    id,
    object: 'transfer',
    amount,
    amount_reversed: back,
    balance_transaction: `txn_${id.slice(3)}`,
    created: seconds(created_ms),
    currency,
    description: transfer.description,
    destination,
    livemode: account.isLive,
    metadata: transfer.metadata,
    reversals: {
      object: 'list',
      data: all.toReversed().slice(0, 10).map(renderReversal),
      has_more: all.length > 10,
      url: `${transfers}/${id}/reversals`,
    },
    reversed: back === amount,
    source_transaction: transfer.source_transaction,
    transfer_group: transfer.transfer_group,
  }
}

function renderReversal({
  id,
  transfer,
  amount,
  currency,
  metadata,
  refund,
  created_ms,
}: Reversal): Stripe.TransferReversal {
  return {
    id,
    object: 'transfer_reversal',
    amount,
    balance_transaction: `txn_${id.slice(4)}`,
    created: seconds(created_ms),
    currency,
    destination_payment_refund: null,
    metadata,
    source_refund: refund,
    transfer,
  }
}

function entryOf({ call }: Asked, { id, amount, currency }: Transfer, operation: string): Fact {
  const key = call.header('idempotency-key') ?? null
  const at = new Date().toISOString()
  return {
    kind: 'entry',
    value: {
      at,
      operation,
      key,
      payment_intent: null,
      reference: id,
      amount,
      currency,
      result: 'succeeded',
    },
  }
}
