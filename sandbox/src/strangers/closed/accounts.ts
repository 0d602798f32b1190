import { randomInt } from 'node:crypto'
import type { Desk } from '../shop/desk.ts'
import { entryOf } from '../shop/memory.ts'

export type Account = { email: string; password: string; isAskedForCode: boolean }

/** Customers that the shop has had for years. Their passwords are in the guide, so they protect nothing. */
const accounts: readonly Account[] = [
  { email: 'ada@example.com', password: 'correct-horse-7', isAskedForCode: false },
  { email: 'grace@example.com', password: 'battery-staple-9', isAskedForCode: true },
]

const codeMs = 600_000

export function accountOf(email: string, password: string): Account | undefined {
  return accounts.find((account) => account.email === email && account.password === password)
}

/** The newest code counts. Who runs the sandbox reads the mail. */
export function mailCode({ memory }: Desk, { email }: Account): void {
  const code = String(randomInt(0, 1_000_000)).padStart(6, '0')
  memory.commit({ kind: 'note', name: `code:${email}`, value: code })
  memory.commit({ kind: 'note', name: `code_at:${email}`, value: String(Date.now()) })
  memory.commit({ kind: 'entry', entry: { ...entryOf('mail', 'code sent', {}), email } })
}

/** A code opens once. */
export function checkCode({ memory }: Desk, email: string, typed: string): 'right' | 'wrong' | 'expired' {
  const code = memory.notes.get(`code:${email}`) ?? ''
  const age = Date.now() - Number(memory.notes.get(`code_at:${email}`) ?? 0)
  if (code === '' || age > codeMs) return 'expired'
  if (typed !== code) return 'wrong'
  memory.commit({ kind: 'note', name: `code:${email}`, value: '' })
  return 'right'
}
