import {
  adjust,
  advice,
  buy,
  cancel,
  compare,
  extreme,
  follow,
  giveBack,
  greet,
  help,
  it,
  money,
  no,
  noWish,
  optioned,
  place,
  refine,
  refuse,
  retry,
  type Spoken,
  search,
  show,
  thank,
  type Utterances,
  unclear,
  why,
  words,
  yes,
} from '../utterance.ts'

const shown = [
  'ソニー ワイヤレスイヤホン WF-C510 ブラック',
  'アンカー Soundcore ワイヤレスイヤホン ブルー',
  'JBL Tune ワイヤレスヘッドホン ホワイト',
]
const list: Spoken = { shown }
const subject: Spoken = { shown, hasSubject: true }
const whether: Spoken = { shown, hasSubject: true, asked: 'whether' }
const bought: Spoken = { hasPurchase: true }

export const ja: Utterances = {
  search: [
    { says: '折りたたみ傘を探しています', means: [search('折りたたみ傘')] },
    { says: 'ヨガマットってありますか？', means: [search('ヨガマット')] },
    { says: '母の誕生日プレゼントに急須が欲しいんだけど', means: [search('急須')] },
  ],
  capped: [
    {
      says: '5000円以下のワイヤレスマウス',
      means: [search('ワイヤレスマウス', { max: money(5000, 'JPY') })],
    },
    {
      says: 'オフィスチェアで2万円までのものを探して',
      means: [search('オフィスチェア', { max: money(20_000, 'JPY') })],
    },
    {
      says: '炊飯器、8,000円から15,000円くらいで',
      means: [search('炊飯器', { min: money(8000, 'JPY'), max: money(15_000, 'JPY') })],
    },
    {
      says: '一番安い電子レンジを探して。予算は￥12,800',
      means: [search('電子レンジ', { sort: 'price', max: money(12_800, 'JPY') })],
    },
  ],
  options: [
    {
      says: '黒の革の財布ありますか',
      means: [search('財布', { options: { color: 'black', material: 'leather' } })],
    },
    {
      says: '白いスニーカー、25.5cm',
      means: [search('スニーカー', { options: { color: 'white', size: '25.5 cm' } })],
      or: [
        [search('スニーカー', { options: { color: 'white', size: '25.5cm' } })],
        [search('スニーカー', { options: { color: 'white', size: '25.5' } })],
      ],
    },
    {
      says: '綿のTシャツ、Lサイズで青がいいです',
      means: [search('Tシャツ', { options: { material: 'cotton', size: 'L', color: 'blue' } })],
    },
    {
      says: '緑もある？',
      spoken: list,
      means: [refine({ options: { color: 'green' } })],
      or: [[adjust({ options: { color: 'green' } })]],
    },
  ],
  refine: [
    { says: '他にもありますか？', spoken: list, means: [refine({ more: true })] },
    { says: '1万円以下でお願いします', spoken: list, means: [refine({ max: money(10_000, 'JPY') })] },
    {
      says: '評価が高い順に並べて',
      spoken: list,
      means: [refine({ sort: 'rating' })],
      or: [[compare('rating')]],
    },
    {
      says: 'denkiya.exampleのものだけ見せて',
      spoken: list,
      means: [refine({ merchant: 'denkiya.example' })],
    },
  ],
  quantity: [
    { says: 'ワイングラスが6個必要です', means: [search('ワイングラス', { quantity: 6 })] },
    {
      says: '白いバスタオルを2枚探して',
      means: [search('バスタオル', { quantity: 2, options: { color: 'white' } })],
    },
    { says: 'やっぱり三つにして', spoken: whether, means: [adjust({ quantity: 3 })] },
    {
      says: 'テニスボール12個、3000円以内で',
      means: [search('テニスボール', { quantity: 12, max: money(3000, 'JPY') })],
    },
  ],
  reference: [
    {
      says: '2つ目の、赤で',
      spoken: list,
      means: [show(place(2), { color: 'red' })],
      or: [[adjust({ which: place(2), options: { color: 'red' } })]],
    },
    { says: 'アンカーのをもっと詳しく', spoken: list, means: [show(words('アンカー'))] },
    { says: '最後のやつってどんな感じ？', spoken: list, means: [show(place(-1))] },
    {
      says: '青いのを見せてください',
      spoken: list,
      means: [show(optioned, { color: 'blue' })],
      or: [[refine({ options: { color: 'blue' } })]],
    },
  ],
  compare: [
    {
      says: 'この中でどれが一番安いですか',
      spoken: list,
      means: [compare('price')],
      or: [[show(extreme('cheapest'))]],
    },
    {
      says: '評価がいいのはどれ？',
      spoken: list,
      means: [compare('rating')],
      or: [[show(extreme('best_rated'))]],
    },
    {
      says: '一番早く届くのはどれですか',
      spoken: list,
      means: [compare('delivery')],
      or: [[show(extreme('fastest'))]],
    },
  ],
  buy: [
    {
      says: '3000円以下の赤い傘を買って',
      means: [buy({ query: '傘', options: { color: 'red' }, max: money(3000, 'JPY') })],
    },
    { says: '単三電池を3パック注文してください', means: [buy({ query: '単三電池', quantity: 3 })] },
    {
      says: 'kurashi.exampleでトースターを注文して',
      means: [buy({ query: 'トースター', merchant: 'kurashi.example' })],
    },
    { says: '二番目のにします', spoken: list, means: [buy({ which: place(2) })] },
    { says: 'じゃあそれ買います', spoken: subject, means: [buy({ which: it })] },
    {
      says: '一番安いのを黒で注文して',
      spoken: list,
      means: [buy({ which: extreme('cheapest'), options: { color: 'black' } })],
    },
  ],
  change: [
    {
      says: 'いや、やっぱり緑のほうで',
      spoken: whether,
      means: [adjust({ options: { color: 'green' } })],
      or: [
        [adjust({ which: optioned, options: { color: 'green' } })],
        [show(optioned, { color: 'green' })],
        [buy({ which: optioned, options: { color: 'green' } })],
      ],
    },
    {
      says: 'すみません、やっぱりMサイズに変更してください',
      spoken: whether,
      means: [adjust({ options: { size: 'M' } })],
    },
    { says: 'ごめん間違えた、1個でいい', spoken: whether, means: [adjust({ quantity: 1 })] },
    { says: 'イヤホンはもういいや、スピーカー見せて', spoken: list, means: [search('スピーカー')] },
  ],
  two: [
    { says: 'テントと寝袋を探してます', means: [search('テント'), search('寝袋')] },
    {
      says: '3000円以下のケトルを探して、一番安いのを買って',
      means: [search('ケトル', { max: money(3000, 'JPY') }), buy({ which: extreme('cheapest') })],
    },
    { says: 'ありがとう！それで私の荷物は今どこ？', spoken: bought, means: [thank, follow], or: [[follow]] },
    {
      says: '注文をキャンセルして、もっと安いのを探して',
      spoken: { shown, hasPurchase: true },
      means: [cancel, refine({ cheaper: true })],
    },
  ],
  answer: [
    { says: 'Mで', spoken: { asked: 'size', hasSubject: true }, means: [adjust({ options: { size: 'M' } })] },
    {
      says: '黒でお願いします',
      spoken: { asked: 'color', hasSubject: true },
      means: [adjust({ options: { color: 'black' } })],
    },
    {
      says: '二つでいいです',
      spoken: { asked: 'quantity', hasSubject: true },
      means: [adjust({ quantity: 2 })],
    },
    {
      says: 'できれば木製がいいな',
      spoken: { asked: 'material', hasSubject: true },
      means: [adjust({ options: { material: 'wood' } })],
    },
  ],
  after: [
    { says: '荷物いつ届きますか', spoken: bought, means: [follow] },
    { says: '注文を取り消したいのですが', spoken: bought, means: [cancel] },
    { says: 'サイズが合わなかったので返品したいです', spoken: bought, means: [giveBack] },
    { says: 'なんで失敗したの？', spoken: bought, means: [why] },
    { says: 'もう一回やってみて', spoken: bought, means: [retry] },
  ],
  refusal: [
    { says: '届け先の住所を変えたい', means: [refuse('address')] },
    { says: '上限を5万円に上げて', means: [refuse('limit')] },
    { says: '人間のオペレーターにつないでください', means: [refuse('person')] },
    { says: 'クレジットカードを別のに変更してほしい', means: [refuse('card')] },
  ],
  not_buying: [
    { says: '買わないで', spoken: whether, means: [no], or: [[cancel]] },
    { says: 'それ昨日もう買っちゃった', spoken: subject, means: [unclear], or: noWish },
    { says: '買ったほうがいいと思う？', spoken: subject, means: [show(it)], or: advice },
    { says: 'まだ注文しません、見てるだけです', spoken: list, means: [no], or: [[unclear], [help]] },
  ],
  yes_no: [
    { says: 'うん', spoken: whether, means: [yes] },
    { says: 'はい、お願いします', spoken: whether, means: [yes] },
    { says: 'いや、いいです', spoken: whether, means: [no] },
  ],
  small_talk: [
    { says: 'おはようございます', means: [greet] },
    { says: '何ができるの？', means: [help] },
    { says: 'めっちゃ助かった、ありがと！', spoken: subject, means: [thank] },
  ],
  slang: [
    {
      says: '5千円以内でイケてるスニーカーない？',
      means: [search('スニーカー', { max: money(5000, 'JPY') })],
      or: [[search('イケてるスニーカー', { max: money(5000, 'JPY') })]],
    },
    { says: 'たっか！もうちょい安いのないの', spoken: list, means: [refine({ cheaper: true })] },
    { says: '最初のやつポチって', spoken: list, means: [buy({ which: place(1) })] },
  ],
  typos: [
    { says: 'そうじ気を探しています', means: [search('そうじ気')] },
    { says: '２ばんめのみせて', spoken: list, means: [show(place(2))] },
    { says: 'ちゅうもんしたにもつどこ', spoken: bought, means: [follow] },
  ],
  letters: [
    {
      says: 'ﾌﾞﾙｰﾄｩｰｽｽﾋﾟｰｶｰ　８０００円まで',
      means: [search('ブルートゥーススピーカー', { max: money(8000, 'JPY') })],
    },
    { says: 'くろいかさがほしい', means: [search('かさ', { options: { color: 'black' } })] },
    { says: '弐つ目を見せて', spoken: list, means: [show(place(2))] },
  ],
  polite: [
    {
      says: 'お忙しいところ恐れ入りますが、鋳物のフライパンを六千円以内で探していただけないでしょうか。どうぞよろしくお願いいたします。',
      means: [search('鋳物のフライパン', { max: money(6000, 'JPY') })],
      or: [
        [search('フライパン', { max: money(6000, 'JPY'), options: { material: 'cast iron' } })],
        [search('鋳物 フライパン', { max: money(6000, 'JPY') })],
      ],
    },
    {
      says: '恐縮ですが、先日注文いたしました商品がいつ頃到着するか教えていただけますでしょうか',
      spoken: bought,
      means: [follow],
    },
    {
      says: '差し支えなければ、茶色のものを二点お願いできますでしょうか',
      spoken: whether,
      means: [adjust({ options: { color: 'brown' }, quantity: 2 })],
      or: [
        [adjust({ options: { color: 'brown' } }), adjust({ quantity: 2 })],
        [adjust({ which: optioned, options: { color: 'brown' }, quantity: 2 })],
        [buy({ which: optioned, options: { color: 'brown' }, quantity: 2 })],
      ],
    },
  ],
  dictation: [
    {
      says: 'えっと白いデスクライトが欲しくて四千円以下で早く届くやつ',
      means: [
        search('デスクライト', { options: { color: 'white' }, max: money(4000, 'JPY'), sort: 'delivery' }),
      ],
    },
    {
      says: '三つ目を見せてそれから一番評価が高いのはどれか教えて',
      spoken: list,
      means: [show(place(3)), compare('rating')],
      or: [[show(place(3)), show(extreme('best_rated'))]],
    },
    {
      says: 'じゃあ青いやつを注文しといて',
      spoken: list,
      means: [buy({ which: optioned, options: { color: 'blue' } })],
    },
  ],
  currency: [
    {
      says: '100ドル以下のスマートウォッチ',
      means: [search('スマートウォッチ', { max: money(10_000, 'USD') })],
    },
    {
      says: '腕時計で300ユーロまでのものはありますか',
      means: [search('腕時計', { max: money(30_000, 'EUR') })],
    },
  ],
}
