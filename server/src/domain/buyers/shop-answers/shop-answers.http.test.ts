import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { newBuyer } from '../../../../test/harness/buyers.ts'
import { runAs } from '../../../platform/calls/run-as.ts'
import { answersMax, keepAnswers } from './keep-answers.ts'

let app: TestApp
let path: string
let profileId: string
beforeAll(async () => {
  app = await startTestApp()
  profileId = (await newBuyer(app)).profileId
  path = `/v1/profiles/${profileId}/shop_answers`
})
afterAll(() => app.stop())

const told = (host: string, name: string, value: string) => ({ host, name, label: name, value })

function keep(...answers: ReturnType<typeof told>[]): Promise<void> {
  const tenant = { accountId: app.account.accountId, mode: 'test' } as const
  return runAs(app.parts, { tenant, actor: { type: 'system', id: 'test' } }, (ctx) =>
    keepAnswers(ctx, { profileId, domain: 'shop.example' }, answers),
  )
}

const kept = async () =>
  (await app.get(path)).body.data.map(
    ({ host, name, value }: Record<string, string>) => `${host} ${name} ${value}`,
  )

test('an answer is kept for one host and name, the last one counts, and what is named is deleted alone', async () => {
  await keep(
    told('a.shop.example', 'phone', '1'),
    told('b.shop.example', 'phone', '2'),
    told('b.shop.example', 'bell', '3'),
  )
  await keep(told('a.shop.example', 'phone', '4'))
  expect(await kept()).toEqual(['a.shop.example phone 4', 'b.shop.example bell 3', 'b.shop.example phone 2'])
  const deleted = async (query: string) => (await app.request('DELETE', `${path}${query}`)).body
  expect(await deleted('?host=b.shop.example&name=bell')).toEqual({ deleted: 1 })
  expect(await deleted('?host=b.shop.example')).toEqual({ deleted: 1 })
  expect(await kept()).toEqual(['a.shop.example phone 4'])
  expect([await deleted(''), await kept()]).toEqual([{ deleted: 1 }, []])
})

test('an answer in another row, host or name does not open', async () => {
  await keep(told('a.shop.example', 'phone', 'a secret of Ada'))
  expect(JSON.stringify(await app.sql('select * from shop_answers'))).not.toContain('a secret of Ada')
  await app.sql(`update shop_answers set host = 'c.shop.example'`)
  expect((await app.get(path)).status).toBe(500)
  app.bugs.length = 0
  await app.request('DELETE', path)
})

test('a profile keeps so many answers, and replaces those that it has', async () => {
  await keep(...Array.from({ length: answersMax }, (_, at) => told('a.shop.example', `n${at}`, 'x')))
  await expect(keep(told('a.shop.example', 'more', 'x'))).rejects.toMatchObject({
    code: 'object_limit_reached',
  })
  await keep(told('a.shop.example', 'n7', 'y'))
  expect(await kept()).toContain('a.shop.example n7 y')
})
