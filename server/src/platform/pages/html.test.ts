import fc from 'fast-check'
import { expect, test } from 'vitest'
import { html } from './html.ts'

test('text that is put into markup stays text, in content and in attributes', () => {
  const hostile = `"><script>alert('1')</script>&amp;`
  const { text } = html`<p title="${hostile}">${hostile}</p>`
  expect(text).not.toMatch(/<script|"">/)
  expect(text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))).toBe(
    `<p title="${hostile}">${hostile}</p>`,
  )
})

test('no text adds a tag, an attribute or an entity', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (given) => {
      const { text } = html`<p title="${given}">${[given, null, html`<b>${given}</b>`]}</p>`
      const rest = text.replaceAll(/&#(38|60|62|34|39);/g, '')
      expect([...rest.matchAll(/[<>]/g)].length).toBe(8)
      expect([...rest.matchAll(/"/g)].length).toBe(2)
      expect(rest).not.toContain('&')
    }),
  )
})
