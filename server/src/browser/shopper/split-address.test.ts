import { expect, test } from 'vitest'
import { splitName, splitStreet } from './split-address.ts'

test.each([
  ['Rosenweg 12', 'Rosenweg', '12'],
  ['Rosenweg 12a', 'Rosenweg', '12a'],
  ['Straße des 17. Juni 135', 'Straße des 17. Juni', '135'],
  ['Am Hof 3-5', 'Am Hof', '3-5'],
  ['12 Analytical Way', 'Analytical Way', '12'],
  ['12, rue de la Paix', 'rue de la Paix', '12'],
  ['221B Baker Street', 'Baker Street', '221B'],
  ['Calle Mayor, 8', 'Calle Mayor', '8'],
  ['The Old Mill', 'The Old Mill', ''],
  ['', '', ''],
])('the number of the house is taken from %s', (line, street, number) => {
  expect(splitStreet(line)).toEqual({ street, number })
})

test.each([
  ['Ada Lovelace', 'Ada', 'Lovelace'],
  ['Ada King Lovelace', 'Ada King', 'Lovelace'],
  ['Ada', 'Ada', 'Ada'],
])('%s has a first name and a last one', (name, first, last) => {
  expect(splitName(name)).toEqual({ first, last })
})
