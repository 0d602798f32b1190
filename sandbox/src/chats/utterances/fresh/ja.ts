import {
  adjust,
  buy,
  cancel,
  compare,
  type FreshSaid,
  follow,
  help,
  it,
  money,
  no,
  optioned,
  place,
  refine,
  refuse,
  retry,
  type Spoken,
  search,
  show,
  thank,
  unclear,
  why,
  words,
} from '../../utterance.ts'

const shown = ['無印良品 リュックサック 黒', '吉田カバン タンカー 紺', 'アネロ リュック ベージュ']
const list: Spoken = { shown }
const whether: Spoken = { shown, hasSubject: true, asked: 'whether' }
const bought: Spoken = { hasPurchase: true }

export const ja: readonly FreshSaid[] = [
  {
    kind: 'search',
    says: '加湿器のおすすめある？',
    means: [search('加湿器')],
    or: [[search('加湿器', { sort: 'rating' })]],
  },
  {
    kind: 'search',
    says: '砂糖なしのココアが飲みたいな',
    means: [search('ココア', { without: ['砂糖'] })],
  },
  {
    kind: 'capped',
    says: '予算1万5千円で扇風機ないですか',
    means: [search('扇風機', { max: money(15_000, 'JPY') })],
  },
  {
    kind: 'options',
    says: 'ウールのマフラーでグレーのやつ',
    means: [search('マフラー', { options: { material: 'wool', color: 'gray' } })],
  },
  { kind: 'refine', says: 'もっと見せて', spoken: list, means: [refine({ more: true })] },
  {
    kind: 'quantity',
    says: '座布団を五枚お願いしたいのですが',
    means: [search('座布団', { quantity: 5 })],
    or: [[buy({ query: '座布団', quantity: 5 })]],
  },
  {
    kind: 'reference',
    says: '無印のリュックって何色？',
    spoken: list,
    means: [show(words('無印のリュック'))],
    or: [[show(words('無印 リュック'))], [show(words('無印'))], [show(words('リュック'))]],
  },
  {
    kind: 'compare',
    says: 'レビューで比較するとどう？',
    spoken: list,
    means: [compare('rating')],
  },
  {
    kind: 'buy',
    says: '三番目のを一つ購入したいです',
    spoken: list,
    means: [buy({ which: place(3), quantity: 1 })],
    or: [[buy({ which: place(3) })]],
  },
  {
    kind: 'buy',
    says: 'トイレットペーパー2個買っといて',
    means: [buy({ query: 'トイレットペーパー', quantity: 2 })],
  },
  {
    kind: 'change',
    says: 'あ、待って、ベージュじゃなくて黒がいい',
    spoken: whether,
    means: [adjust({ options: { color: 'black' } })],
    or: [[adjust({ which: optioned, options: { color: 'black' } })], [show(optioned, { color: 'black' })]],
  },
  {
    kind: 'two',
    says: 'なぜだめだったのか教えて、それからもう一度試して',
    spoken: bought,
    means: [why, retry],
  },
  {
    kind: 'answer',
    says: '大きいほうで',
    spoken: { asked: 'size', hasSubject: true },
    means: [adjust({ options: { size: 'large' } })],
  },
  { kind: 'after', says: '頼んだやつまだ来ないんだけど', spoken: bought, means: [follow] },
  { kind: 'refusal', says: '今日の天気は？', means: [refuse()], or: [[unclear]] },
  {
    kind: 'not_buying',
    says: '買うかどうか迷ってる',
    spoken: list,
    means: [unclear],
    or: [[no], [help], [show(it)], [compare('rating')]],
  },
  {
    kind: 'slang',
    says: 'もっと安くならんの',
    spoken: list,
    means: [refine({ cheaper: true })],
  },
  {
    kind: 'typos',
    says: 'ワイヤレイスイヤホン　白　６千円いない',
    means: [search('ワイヤレイスイヤホン', { options: { color: 'white' }, max: money(6000, 'JPY') })],
  },
  {
    kind: 'polite',
    says: '誠に申し訳ございませんが、先ほどの注文を取り消していただくことは可能でしょうか',
    spoken: bought,
    means: [cancel],
  },
  { kind: 'small_talk', says: 'どうも、助かりました', means: [thank] },
]
