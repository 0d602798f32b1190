import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, 'in-page')

test('no two parts of the script for pages declare the same name: they share one closure', () => {
  const names = readdirSync(folder).flatMap((file) =>
    [
      ...readFileSync(join(folder, file), 'utf8').matchAll(
        /^(?:export )?(?:async )?(?:const|let|function\*?) (\w+)/gmu,
      ),
    ].map(([, name]) => name),
  )
  expect(names.length).toBeGreaterThan(50)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})
