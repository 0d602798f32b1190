import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { buildElements } from '../../../elements/build.ts'

const loaderFolder = join(import.meta.dirname, '../../../elements/loader')
const built = await buildElements()

test('what pages load is small', () => {
  const { loader, loaderModule, frame } = built
  expect(gzipSync(loader).length).toBeLessThanOrEqual(8_000)
  expect(gzipSync(loaderModule).length).toBeLessThanOrEqual(8_000)
  expect(gzipSync(frame.js).length + gzipSync(frame.css).length).toBeLessThanOrEqual(50_000)
})

test('a page has English in its code, and seven other languages in files of their own', () => {
  for (const name of ['frame', 'ceremony', 'approval'] as const) {
    const { js, more } = built[name]
    const code = Buffer.from(js).toString('utf8')
    const languages = Object.keys(more).map((file) => /^[a-z]+-([a-z]{2})-[A-Z0-9]{8}\.js$/.exec(file)?.[1])
    expect([...new Set(languages)].toSorted()).toEqual(['de', 'es', 'fr', 'it', 'ja', 'nl', 'pt'])
    for (const [file, bytes] of Object.entries(more)) {
      expect(code).toContain(`import("./${file}")`)
      expect(gzipSync(bytes).length).toBeLessThanOrEqual(4_000)
    }
    expect(code).not.toMatch(/[\u3040-\u30ff]/)
  }
})

test('the loader has no code of others, and the pages none but what draws, seals and asks for passkeys', () => {
  const packages = built.sources.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [])
  expect([...new Set(packages)].toSorted()).toEqual([
    '@hpke/common',
    '@hpke/core',
    '@hpke/dhkem-x25519',
    '@simplewebauthn/browser',
    'preact',
  ])
  for (const name of ['preact', 'HPKE-v1']) expect(Buffer.from(built.loader).includes(name)).toBe(false)
})

test('the module for React brings neither React nor the loader, and says that it is for browsers', () => {
  const text = Buffer.from(built.reactModule).toString('utf8')
  expect(text).toMatch(/^["']use client["']/)
  const imported = [...text.matchAll(/from\s?["']([^"']+)["']/g)].map(([, name]) => name)
  expect(imported.toSorted()).toEqual(['@prokura/elements', 'react'])
  expect(gzipSync(built.reactModule).length).toBeLessThanOrEqual(2_000)
})

test('the module is imported where there is no window', async () => {
  const text = Buffer.from(built.loaderModule).toString('base64')
  const { Prokura } = await import(`data:text/javascript;base64,${text}`)
  expect(new Prokura('pr_pk_test_1', { url: 'https://elements.example' })).toBeInstanceOf(Prokura)
})

test('the script knows where it was loaded from', () => {
  class HTMLScriptElement {
    src = 'https://elements.example/assets/hash/prokura.js'
  }
  const page = {
    document: { currentScript: new HTMLScriptElement() },
    HTMLScriptElement,
    URL,
    Map,
    TypeError,
  }
  runInNewContext(Buffer.from(built.loader).toString('utf8'), page)
  expect(() => runInNewContext(`new Prokura('pr_pk_test_1')`, page)).not.toThrow()
})

test('the README lists what the types name', () => {
  const types = readFileSync(join(loaderFolder, 'src/prokura.ts'), 'utf8')
  const readme = readFileSync(join(loaderFolder, 'README.md'), 'utf8')
  const named = [...types.matchAll(/^ {2}\| '([^']+)'/gm)].map(([, name = '']) => name)
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter((name) => !readme.includes(`\`${name}\``))).toEqual([])
})

test('frames use logical directions alone, and load nothing by their styles', () => {
  const css = Buffer.from(built.frame.css).toString('utf8')
  expect(css).not.toMatch(
    /(?:margin|padding|border|inset)-(?:left|right)|[{;](?:left|right|float):|text-align:(?:left|right)/,
  )
  expect(css).not.toMatch(/url\(|@import/)
})

test('what is paid, to whom, and what a person agrees to stand in no font that a page has named', () => {
  const css = Buffer.from(built.frame.css).toString('utf8')
  const own = /([^{}]*)\{font-family:system-ui[^}]*\}/.exec(css)?.[1]?.split(',') ?? []
  expect(own.toSorted()).toEqual(['.asking', '.cap', '.consent', '.purchase'])
})
