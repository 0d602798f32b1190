import { Command } from 'commander'
import { expect, test } from 'vitest'
import { CommandFailure } from '../failure.ts'
import { defineAccounts } from './accounts.ts'
import { nameOfAccount } from './name-of-account.ts'

test.each([
  ['Example Ltd', 'Example Ltd'],
  ['  Example Ltd\n', 'Example Ltd'],
  ['é', 'é'],
  ['شرکت نمونه‌ها', 'شرکت نمونه‌ها'],
  ['💳'.repeat(255), '💳'.repeat(255)],
])('a name that people can read is kept, without spaces around it: %j', (given, name) => {
  expect(nameOfAccount(given)).toBe(name)
})

test.each([
  ['create', 'a\u202eb'],
  ['rename', 'acct_x', 'a\u202eb'],
])('accounts %s refuses such a name before it asks any database', async (...args) => {
  const command = new Command('accounts')
  defineAccounts(command)
  await expect(command.parseAsync(args, { from: 'user' })).rejects.toThrow(/change the direction of writing/)
})

test.each([
  ['', /none that can be seen/],
  ['   ', /none that can be seen/],
  ['\u200b', /none that can be seen/],
  ['x'.repeat(5_000), /1 to 255 characters, and this one has 5000/],
  ['a\nb', /no line breaks/],
  ['a\tb', /no control characters/],
  ['\u001b[31mred', /no control characters/],
  ['a\u202eb', /change the direction of writing/],
  ['a\u2028b', /no line breaks/],
  ['a\ud800b', /no control characters/],
])('a name that shows another one than it is, or none, is refused: %j', (given, words) => {
  expect(() => nameOfAccount(given)).toThrow(CommandFailure)
  expect(() => nameOfAccount(given)).toThrow(words)
})
