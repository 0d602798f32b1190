import { expect, test } from 'vitest'
import { chooseOption, countryNamed, type WantedOption } from './choose-option.ts'
import { option } from './snapshot.testing.ts'

const rows: readonly [what: string, options: string[], wanted: WantedOption, value: string | null][] = [
  ['a country by code', ['DE=Alemania', 'US=Estados Unidos'], { country: { code: 'US' } }, 'US'],
  [
    'a country by name in any language',
    ['1=Deutschland', '2=Vereinigte Staaten'],
    { country: { code: 'US' } },
    '2',
  ],
  [
    'a country with its code',
    ['=Choose', 'a=Germany (DE)', 'b=United States (US)'],
    { country: { code: 'US' } },
    'b',
  ],
  ['a country by another name', ['1=USA', '2=UK'], { country: { code: 'GB' } }, '2'],
  ['one country whose name begins another', ['1=Niger', '2=Nigeria'], { country: { code: 'NE' } }, '1'],
  ['a Japanese name', ['1=日本', '2=アメリカ合衆国'], { country: { code: 'JP' } }, '1'],
  ['a country that is not there', ['DE=Germany', 'AT=Austria'], { country: { code: 'US' } }, null],
  ['a code that is no country', ['DE=Germany'], { country: { code: '??' } }, null],
  ['a state by code', ['CA=California', 'NY=New York'], { state: { code: 'CA', country: 'US' } }, 'CA'],
  ['a state by its name', ['12=California', '13=New York'], { state: { code: 'CA', country: 'US' } }, '12'],
  ['a state that is given by name', ['CA=CA', 'NY=NY'], { state: { name: 'new york', country: 'US' } }, 'NY'],
  [
    'a state with its country',
    ['US-CA=Calif.', 'US-NY=N.Y.'],
    { state: { code: 'CA', country: 'US' } },
    'US-CA',
  ],
  ['a province', ['x=Québec', 'y=Ontario'], { state: { code: 'QC', country: 'CA' } }, 'x'],
  ['one of two Virginias', ['1=Virginia', '2=West Virginia'], { state: { code: 'WV', country: 'US' } }, '2'],
  ['an unknown state', ['1=Virginia'], { state: { name: 'Kärnten', country: 'AT' } }, null],
  ['a month by number', ['1=1', '2=2', '12=12'], { month: 2 }, '2'],
  ['a month with a zero', ['01=01', '02=02'], { month: 2 }, '02'],
  ['a month by name', ['a=01 - January', 'b=02 - February'], { month: 2 }, 'b'],
  ['a German month', ['a=Januar', 'b=März'], { month: 3 }, 'b'],
  ['a Japanese month', ['a=1月', 'b=11月'], { month: 1 }, 'a'],
  ['a year', ['2027=2027', '2028=2028'], { year: 2028 }, '2028'],
  ['a short year', ['27=27', '28=28'], { year: 2028 }, '28'],
  ['nothing', ['1=1'], {}, null],
]

test.each(rows)('%s', (_, texts, wanted, value) => {
  const options = texts.map((text) => {
    const [first = '', ...rest] = text.split('=')
    return option(rest.join('='), first)
  })
  expect(chooseOption({ options }, wanted)).toBe(value)
})

test('what is disabled is not chosen', () => {
  const options = [option('Germany', 'DE', { isDisabled: true })]
  expect(chooseOption({ options }, { country: { code: 'DE' } })).toBeNull()
})

test.each([
  ['United Kingdom', 'en', 'GB'],
  ['Vereinigtes Königreich', 'de', 'GB'],
  ['Royaume-Uni', 'fr', 'GB'],
  ['Germany', 'en', 'DE'],
  ['Deutschland', 'de', 'DE'],
  ['France', 'en', 'FR'],
  ['Serbia', 'en', 'RS'],
  ['Vietnam', 'en', 'VN'],
  ['Russia', 'en', 'RU'],
  ['Leeds', 'en', null],
])('%s, read in %s, is the country %s', (text, language, code) => {
  expect(countryNamed(text, language)).toBe(code)
})
