import { readFileSync } from 'node:fs'
import {
  type PaymentHost,
  PaymentHostsFault,
  readPaymentHosts,
  shippedPaymentHosts,
  withPaymentHosts,
} from '../../browser/guard/payment-hosts.ts'
import type { Config } from '../../platform/config/config.ts'
import { FileTrouble, withFileWords } from '../../platform/files/file-trouble.ts'
import { CommandFailure } from '../failure.ts'

/** The hosts that an operator names, checked beside those that come along. Throws in words. */
export function addedPaymentHosts({ browser: { paymentHostsFile: file } }: Config): readonly PaymentHost[] {
  if (file === null) return []
  const { hosts, faults } = readPaymentHosts(
    parsed(
      file,
      withFileWords(file, () => readFileSync(file, 'utf8')),
    ),
  )
  if (faults.length > 0) throw refusal(file, faults)
  try {
    withPaymentHosts(shippedPaymentHosts, hosts)
  } catch (error) {
    throw error instanceof PaymentHostsFault ? refusal(file, [error.message]) : error
  }
  return hosts
}

/** What is wrong with them; null: nothing. */
export function paymentHostsTrouble(config: Config): string | null {
  try {
    addedPaymentHosts(config)
    return null
  } catch (error) {
    if (error instanceof CommandFailure || error instanceof FileTrouble) return error.message
    throw error
  }
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refusal(file, ['it is not JSON'])
  }
}

/** Enough of them to correct the file, and no more than a person reads. */
const faultsMax = 10

function refusal(file: string, faults: readonly string[]): CommandFailure {
  const more = faults.length > faultsMax ? `; and ${faults.length - faultsMax} more` : ''
  return new CommandFailure(
    `PROKURA_PAYMENT_HOSTS names ${file}, which cannot be used: ${faults.slice(0, faultsMax).join('; ')}${more}.`,
  )
}
