import { expect, it } from 'vitest'
import { readyUntilTold } from './ready-until-told.ts'

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'])(
  'a %s that comes in the moment in which it says ready stops it',
  async (signal) => {
    let isHeard = false
    await readyUntilTold(() => {
      isHeard = process.emit(signal as NodeJS.Signals)
    })
    expect(isHeard).toBe(true)
  },
)
