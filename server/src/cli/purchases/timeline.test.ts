import { expect, test } from 'vitest'
import type { PurchaseIntent } from '../../domain/buying/intents/intent.ts'
import type { ProductApi } from './product-api.ts'
import { type Printer, Timeline } from './timeline.ts'

const begun = {
  id: 'pi_1',
  status: 'approved',
  sequence: 1,
} as PurchaseIntent // as much of it as is looked at

async function nothingElse(): Promise<never> {
  throw new Error('nothing is changed by watching')
}

type Moment = Partial<PurchaseIntent> & { pictures: number }

/** A service that shows one moment after the other, a few entries a page, and writes down how it was asked to wait. */
function service(moments: readonly [Moment, ...Moment[]]) {
  let at = 0
  const waits: string[] = []
  const now = () => moments[at] ?? moments[0]
  const pageOf = <T>(all: T[], size: number) => ({ data: all.slice(0, size), has_more: all.length > size })
  const api: ProductApi = {
    mode: 'test',
    post: nothingElse,
    remove: nothingElse,
    stream: nothingElse,
    download: nothingElse,
    command: (words) => words,
    async get(path) {
      const { pathname, searchParams } = new URL(path, 'http://api.test')
      if (pathname.endsWith('/events')) {
        const after = Number(searchParams.get('after'))
        const count = (now().sequence ?? 1) - after
        return pageOf(
          Array.from({ length: count }, (_, index) => ({
            type: 'event',
            sequence: after + index + 1,
            created_at: '',
          })),
          2,
        )
      }
      if (pathname.endsWith('/evidence')) {
        const all = Array.from({ length: now().pictures }, (_, index) => ({ id: `evd_${index + 1}` }))
        return pageOf(all.slice(Number(searchParams.get('offset'))), 2)
      }
      waits.push(searchParams.get('wait_seconds') ?? '')
      at += 1
      return { ...begun, ...now() }
    },
  }
  return { api, waits }
}

function printed() {
  const lines: (string | number)[] = []
  const printer: Printer = {
    asked: () => undefined,
    ended: () => undefined,
    event: ({ sequence }) => lines.push(sequence),
    picture: ({ id }) => lines.push(id),
  }
  return { lines, printer }
}

test('each event and each picture is shown once and in order, however many there are at a time, to the last', async () => {
  const { api, waits } = service([
    { sequence: 1, pictures: 0 },
    { sequence: 1, pictures: 1 },
    { sequence: 6, pictures: 6 },
    { sequence: 7, pictures: 7, status: 'succeeded' },
  ])
  const { lines, printer } = printed()
  const ended = await new Timeline(api, printer, true).follow(begun)
  expect(ended.status).toBe('succeeded')
  const pictures = ['evd_2', 'evd_3', 'evd_4', 'evd_5', 'evd_6']
  expect(lines).toEqual([1, 'evd_1', 2, 3, 4, 5, 6, ...pictures, 7, 'evd_7'])
  expect(new Set(waits)).toEqual(new Set(['1']))
})

test('without watching nobody asks for pictures, and the service waits as long as it can', async () => {
  const { api, waits } = service([
    { sequence: 2, pictures: 3 },
    { sequence: 4, pictures: 3, status: 'failed' },
  ])
  const { lines, printer } = printed()
  expect((await new Timeline(api, printer, false).follow(begun)).status).toBe('failed')
  expect(lines).toEqual([1, 2, 3, 4])
  expect(waits).toEqual(['25'])
})

test('where a person is needed it stops, and goes on from there', async () => {
  const { api } = service([
    { sequence: 3, pictures: 0 },
    { sequence: 4, pictures: 0, status: 'awaiting_approval' },
    { sequence: 6, pictures: 0, status: 'succeeded' },
  ])
  const { lines, printer } = printed()
  const timeline = new Timeline(api, printer, false)
  const waiting = await timeline.follow(begun)
  expect(waiting.status).toBe('awaiting_approval')
  expect((await timeline.follow({ ...waiting, status: 'approved' })).status).toBe('succeeded')
  expect(lines).toEqual([1, 2, 3, 4, 5, 6])
})
