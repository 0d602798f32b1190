import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createFaults, noFaults } from './faults.ts'

const off = { enabled: true, crashAt: null, pauseAt: null, pauseFile: null }

test('the process dies at the n-th passing of its point and nowhere else', async () => {
  let deaths = 0
  const faults = createFaults({ ...off, crashAt: 'capture.before:2' }, () => void deaths++)
  await faults.at('capture.before')
  await faults.at('capture.after')
  expect(deaths).toBe(0)
  await faults.at('capture.before')
  expect(deaths).toBe(1)
})

test('dying is a kill: nothing after the point runs, not even an exit handler', async () => {
  const script = `
    import { createFaults } from ${JSON.stringify(new URL('./faults.ts', import.meta.url).href)}
    process.on('exit', () => console.log('exit handler'))
    const faults = createFaults({ enabled: true, crashAt: 'place.after', pauseAt: null, pauseFile: null })
    await faults.at('place.before')
    console.log('before')
    await faults.at('place.after')
    console.log('after')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script])
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  const signal = await new Promise((resolve) => child.on('close', (_, name) => resolve(name)))
  expect(signal).toBe('SIGKILL')
  expect(output).toBe('before\n')
})

test('a paused point holds one passer until it is resumed', async () => {
  const faults = createFaults(off)
  const pause = faults.pause('relay.read')
  let passed = false
  const passing = faults.at('relay.read').then(() => {
    passed = true
  })
  await pause.reached
  await faults.at('relay.read')
  expect(passed).toBe(false)
  pause.resume()
  await passing
})

test('a pause between processes ends when its file exists', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'prokura-faults-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const pauseFile = join(folder, 'go')
  const faults = createFaults({ ...off, pauseAt: 'deliver.before', pauseFile })
  let passed = false
  const passing = faults.at('deliver.before').then(() => {
    passed = true
  })
  await faults.at('deliver.after')
  expect(passed).toBe(false)
  writeFileSync(pauseFile, '')
  await passing
})

test('a file that was written later kills who was there before it, at its points alone, and a typing error is told', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'prokura-faults-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const crashFile = join(folder, 'points')
  const arm = (text: string, secondsFromNow: number) => {
    writeFileSync(crashFile, text)
    const at = new Date(Date.now() + secondsFromNow * 1000)
    utimesSync(crashFile, at, at)
  }
  let deaths = 0
  const faults = createFaults({ ...off, crashFile }, () => void deaths++)
  await faults.at('page.typed')
  arm('page.typing\npage.typed\n', -60)
  await faults.at('page.typed')
  expect(deaths).toBe(0)
  arm('page.typing\npage.typed\n', 60)
  await faults.at('page.clicked')
  expect(deaths).toBe(0)
  await faults.at('page.typed')
  expect(deaths).toBe(1)
  arm(`page.typed ${process.pid + 1}`, 60)
  await faults.at('page.typed')
  expect(deaths).toBe(1)
  arm(`page.typed ${process.pid}`, -60)
  await faults.at('page.typed')
  expect(deaths).toBe(2)
  arm('page.tipped', 60)
  await expect(faults.at('page.typed')).rejects.toThrow('no crash point page.tipped')
})

test('faults that are off hold nothing up, and an unknown point is refused', async () => {
  const disabled = createFaults({ ...off, enabled: false, crashAt: 'capture.before' })
  await disabled.at('capture.before')
  expect(() => disabled.pause('capture.before')).toThrow('faults are off')
  expect(() => noFaults.pause('capture.before')).toThrow('faults are off')
  expect(() => createFaults({ ...off, crashAt: 'nowhere' })).toThrow('no crash point nowhere')
})
