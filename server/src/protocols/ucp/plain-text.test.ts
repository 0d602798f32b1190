import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { computingMs } from '../../../test/gate/pace.ts'
import { plainDescription, plainLine } from './plain-text.ts'

describe('a text of a stranger becomes plain text', () => {
  test.each([
    ['Trail boot', 'Trail boot'],
    ['  two \n lines\tand more ', 'two lines and more'],
    ['<b>Bold</b> and <i class="x">more</i>', 'Bold and more'],
    ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
    ['a<script>alert("x")</script>b', 'ab'],
    ['a<SCRIPT SRC=//evil.example/x.js></SCRIPT >b', 'ab'],
    ['a<style>body{}</style>b<svg><script>1</script></svg>c', 'abc'],
    ['a<!-- unseen -->b', 'ab'],
    ['a<!-- never ends', 'a'],
    ['a<script>never ends', 'a'],
    ['<img src=x onerror=alert(1)>x', 'x'],
    ['<img src=x onerror=alert(1)//', ''],
    ['&lt;script&gt;alert(1)&lt;/script&gt;x', 'x'],
    ['&amp;lt;script&amp;gt;alert(1)&amp;lt;/script&amp;gt;x', 'x'],
    ['&#60;b&#62;x&#x3c;/b&#x3e;', 'x'],
    ['<<b>script>alert(1)<</b>/script>', ''],
    ['![see](https://evil.example/?q=secret) [this](javascript:alert(1))', 'see this'],
    ['[a[b](https://evil.example)](https://evil.example)', '[ab] (https://evil.example)'],
    ['&#91;this&#93;(https://evil.example)', 'this'],
    ['Tom &amp; Jerry &quot;quoted&quot; &unknown; &nbsp;', 'Tom & Jerry "quoted" &unknown;'],
    ['\u202eecirp\u202c', 'ecirp'],
    ['a\u200bb\ufeffc\u00add', 'abcd'],
    ['x\u{e0049}\u{e0067}\u{e006e}', 'x'],
    ['<\u200bscript>alert(1)</\u200bscript>x', 'x'],
    ['<[s](x)cript>x', 'script>x'],
    ['nul\u0000 bell\u0007', 'nul bell'],
    ['lone \ud800 half', 'lone \ufffd half'],
    ['👩\u200d🚀 and می\u200cخواهم', '👩\u200d🚀 and می\u200cخواهم'],
  ])('%j is %j', (said, plain) => {
    expect(plainLine(said, 255)).toBe(plain)
  })

  test('nothing that is left can begin a tag or an address of a link, however often it was escaped or hidden', () => {
    const parts = [
      '<',
      '>',
      '&lt;',
      '&#60;',
      '&amp;lt;',
      'script',
      '/',
      '!--',
      '-->',
      'b',
      ' ',
      '&#x3c',
      ';',
      '\u200b',
      '&#x200b;',
      '[',
      '](',
      ')',
    ]
    const text = fc
      .array(fc.constantFrom(...parts), { minLength: 1, maxLength: 14 })
      .map((some) => some.join(''))
    fc.assert(
      fc.property(text, (said) => {
        expect(plainLine(said, 255)).not.toMatch(/<[a-z/!?]|\]\(/i)
      }),
      { numRuns: 20_000 },
    )
  })

  test('what is too long is cut, and never within a character', () => {
    expect(plainLine('abc', 2)).toBe('ab')
    expect(plainLine('a👩', 2)).toBe('a')
    expect(plainLine('x'.repeat(1_000_000), 255)).toHaveLength(255)
  })

  test.each([
    ['<', 200_000],
    ['<!--', 100_000],
    ['<script', 60_000],
    ['</script', 60_000],
    ['&lt;', 100_000],
    ['[a](', 100_000],
    ['**_*', 100_000],
    ['<script></script', 60_000],
  ])('a megabyte of %j costs no time', (part, times) => {
    const tookMs = computingMs(() => {
      plainDescription({ html: part.repeat(times) }, 4_000)
      plainDescription({ markdown: part.repeat(times) }, 4_000)
    })
    expect(tookMs).toBeLessThan(100)
  })
})

describe('a description', () => {
  test('keeps its lines, in whatever form it comes', () => {
    expect(plainDescription({ plain: 'one\r\n\r\n\r\n\r\ntwo' }, 255)).toBe('one\n\ntwo')
    expect(plainDescription({ html: '<p>one</p><ul><li>two<li>three</ul>four<br>five' }, 255)).toBe(
      'one\n\ntwo\nthree\nfour\nfive',
    )
    expect(
      plainDescription(
        {
          markdown:
            '# Title\n\n- **bold** and _thin_\n- [a link](https://x.example) ![image](https://y.example)\n',
        },
        255,
      ),
    ).toBe('Title\n\nbold and thin\na link image')
  })

  test('is the plain form where there is one, and empty where there is none', () => {
    expect(plainDescription({ plain: 'plain', html: '<b>html</b>', markdown: '**md**' }, 255)).toBe('plain')
    expect(plainDescription({ plain: ' ', html: '<b>html</b>' }, 255)).toBe('html')
    expect(plainDescription({ plain: 7, html: {}, markdown: null }, 255)).toBe('')
  })

  test('has no address behind a link', () => {
    expect(plainDescription({ markdown: '[Click](javascript:alert(1)) here' }, 255)).toBe('Click here')
    expect(plainDescription({ plain: 'See [1].\n[1]: https://evil.example' }, 255)).toBe('See [1].')
    expect(plainDescription({ markdown: '<a href="javascript:alert(1)">x</a>' }, 255)).toBe('x')
  })
})
