import { stripVTControlCharacters, styleText } from 'node:util'
import { expect, test, vi } from 'vitest'
import { plain, plainly, table } from './terminal.ts'

const esc = '\u001b'

test.each([
  ['a color', `${esc}[31mred${esc}[39m`, '[31mred[39m'],
  ['a title of the window', `${esc}]0;owned\u0007mug`, ']0;ownedmug'],
  ['a command in one character', '\u009b2Jmug', '2Jmug'],
  ['a line of its own', 'mug\n  at most $1.00', 'mug   at most $1.00'],
  ['a return to the beginning of the line', 'mug\rfree', 'mug free'],
  ['a separator of lines', 'mug\u2028free\u2029!', 'mug free !'],
  ['another direction', 'mug \u202egnp.exe\u2066', 'mug gnp.exe'],
  ['invisible tags', `mug${String.fromCodePoint(0xe0049, 0xe0047)}`, 'mug'],
  ['an invisible space', 'm\u200bug\ufeff', 'mug'],
  ['half a character', 'mug\ud83d', 'mug\ufffd'],
  ['letters that are joined', 'می\u200cخواهم', 'می\u200cخواهم'],
  ['a picture of several parts', '👩\u200d🚀 Señor Ångström', '👩\u200d🚀 Señor Ångström'],
])('%s in the text of a stranger is not obeyed', (_, text, shown) => {
  expect(plain(text)).toBe(shown)
})

test('texts are found at any depth, and nothing else is changed', () => {
  expect(plainly({ a: [`x${esc}`, 1, null, { [`b${esc}`]: 'y\nz' }], c: true })).toEqual({
    a: ['x', 1, null, { b: 'y z' }],
    c: true,
  })
})

/** What a terminal receives; with colors where it takes them. */
async function printed(print: (terminal: typeof import('./terminal.ts')) => void, hasColors: boolean) {
  vi.resetModules()
  vi.stubEnv('FORCE_COLOR', hasColors ? '1' : '0')
  if (hasColors) vi.stubEnv('NO_COLOR', undefined)
  const written: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0)
  try {
    print(await import('./terminal.ts'))
  } finally {
    vi.restoreAllMocks()
    vi.unstubAllEnvs()
  }
  return written.join('')
}

test.each([true, false])(
  'our own styles and line breaks stay, and those of others are not obeyed (colors: %s)',
  async (hasColors) => {
    const line = await printed(
      ({ out, styled }) => out(`${styled('red', 'late')}\n${esc}[8mhidden${esc}[32mpaid`),
      hasColors,
    )
    expect(line).toBe(
      `${hasColors ? styleText('red', 'late', { validateStream: false }) : 'late'}\n[8mhidden[32mpaid\n`,
    )
  },
)

test('columns are as wide with colors as without', async () => {
  const show = (hasColors: boolean) =>
    printed(({ out, table, styled }) => {
      for (const row of table(
        ['NAME', 'N'],
        [
          ['Kettle', '1'],
          [styled('red', 'Pot'), '2'],
        ],
      ))
        out(row)
    }, hasColors)
  expect(stripVTControlCharacters(await show(true))).toBe(await show(false))
})

test('a cell of a table is one line', () => {
  expect(table(['NAME'], [['a\nb']])[1]).toBe('a b')
})
