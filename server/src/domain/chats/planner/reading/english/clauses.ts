import type { ClausePattern } from '../clause-pattern.ts'

const word = (words: string) => new RegExp(`\\b(?:${words})\\b`)

const asksWhen = word(
  'when|where|wheres|whens|how (?:much )?long(?:er)?|any (?:idea|news|word|sign|updates?|clue)|still|yet|wait|waiting|waited|should have|shouldve|should be|supposed to|meant to|was due|is due|due|expect(?:ed|ing)?|hasnt|havent|isnt|didnt|never|nowhere|no sign|whats (?:happening|going on|up with|the latest|the story|taking)|what is (?:happening|going on|taking)|what happened (?:to|with)|how far|has|have|is|will|did|are|was|late|overdue|taking (?:ages|forever|so long|long)|check(?:ing)?(?: up)? (?:on|in)|chasing|chase',
)
const moves = word(
  'wait(?:ing)? for|(?:to|been|still) wait(?:ing)?|taking (?:so|this|that|too) long|taking (?:ages|forever)|arriv\\w*|com(?:e|es|ing)|came|here|turn(?:s|ed|ing)? up|show(?:s|ed|n|ing)? up|sent(?: out)?|ship\\w*|dispatch\\w*|deliver\\w*|posted|left|leave|landed|land|reach\\w*|on (?:its|the|their) way|in the (?:post|mail)|out for|in transit|get(?:ting)? (?:it|them|here|my)|receiv\\w*|packed|the van|depot|warehouse|customs|couriers?|drivers?|postman|mailman|doorstep',
)
const goods = word(
  'parcels?|packages?|orders?|delivery|deliveries|shipment|stuff|things|purchases?|box|goods|item|items|package',
)
const seeks = word(
  'find|show|looking for|search|recommend|suggest|cheap\\w*|cancel\\w*|refund\\w*|return\\w*|address|card|why|how come|which|help|compare|need|want|please send|money back|send (?:it|them) back|do you|take|like|again',
)
const goesWrong = word(
  'fail\\w*|declin\\w*|reject\\w*|refus\\w*|den(?:y|ied)|block\\w*|errors?|bounc\\w*|stuck|held|on hold|not (?:been )?(?:work|gone|go|going|accepted|processed)|(?:didnt|doesnt|wont|hasnt|isnt|wasnt|didn t) (?:it |my |the |that |this |order |payment |card |purchase )*(?:work|working|worked|go|gone|going|been|accepted|processed|complete|completed|happen|happened|take|charged|let)|stop(?:ped)?|wrong|unsuccessful|cancel(?:l)?ed|problem|trouble|issue|hiccup|not through|falling through|fell through|fall through|turned down|knocked back|messed up|crash(?:ed)?',
)
const asksWhy = word(
  'why|how come|what (?:happened|went|has gone|is|was|caused|made)|whats|what did|for what reason|reason|explain|how is it|how did|tell me what',
)
const again = word(
  'again|once more|one more (?:time|go|try|shot|attempt)|another (?:go|try|shot|attempt|time|whirl|crack|stab|bash)|second (?:time|attempt|try|go)|retry|redo|re-?try|re-?run|re-?submit|re-?process|re-?attempt|have another|next try',
)
const tries = word(
  'try|trying|give|run|do|put|push|process|attempt|attempting|submit|order|place|go|have|start|send|make|take|retry|redo|charge|pay|lets|one|another|through',
)
const noLonger = word(
  'any ?more|any longer|no longer|after all|changed (?:my|our) minds?|by mistake|by accident|accident\\w*|mistake\\w*|instead|in time|too late|elsewhere|somewhere else',
)
const refuses = word(
  '(?:dont|do not|doesnt|no longer|didnt|did not) (?:really |actually |even )?(?:want|need|require|mean)|changed (?:my|our) minds?|stop|halt|kill|pull|bin|scrap|drop|kill off|call off|void|nix|ditch|withdraw|undo|back out',
)
const faulty = word(
  'broken|broke|faulty|defective|damaged|cracked|scratched|dented|torn|ripped|smashed|leaks|leaking|(?:too|far too|way too) (?:small|big|tight|large|loose|short|long|heavy|wide|narrow)|(?:doesnt|dont|didnt|does not|do not|did not) (?:even )?(?:fit|work|match|turn on|switch on|charge)|wrong (?:size|color|colour|one|item|thing|model|product|shoes)|not what i (?:ordered|wanted|expected)|missing|stopped working|dead on arrival|rubbish|falling apart|fell apart|in bits|in pieces|pinch|itchy|hate (?:it|them)|dont like (?:it|them)|not happy with',
)
const givesBack = word(
  'return\\w*|refund\\w*|(?:send|sending|sent|take|taking|give|giving|bring|ship|post|mail|go|goes|going|hand|get) (?:it |them |this |that |these |those |the \\w+ |my \\w+ )?back|money back|replac\\w*|exchang\\w*|swap\\w*|reimburse\\w*|compensat\\w*',
)

/** What is asked after a purchase, by any of its words. */
const afterwards: readonly ClausePattern[] = [
  {
    tags: ['why'],
    after: 'purchase',
    all: [
      /^(?:but |and |ok |so |oh |hm+ |wait )*(?:why|how come|how so|for what reason)(?: is that| is this| though| so| not| was that| now| exactly| please| then)*$/,
    ],
  },
  {
    tags: ['cancel'],
    after: 'purchase',
    all: [
      word(
        'i (?:ordered|bought|got|picked|chose|clicked|put|selected|went for|accidentally|must have)|ive (?:ordered|bought|got|picked|chosen|clicked|put|selected|accidentally|made)',
      ),
      word('wrong|by mistake|by accident|accident\\w*|twice|too many|mistake|double'),
    ],
    none: [givesBack, word('arrived|came|turned up|fit')],
  },
  {
    tags: ['return'],
    after: 'purchase',
    all: [givesBack],
    none: [word('policy|why|card|address|when|do i|can i even')],
    names: true,
  },
  { tags: ['return'], after: 'purchase', all: [faulty], none: [word('card|payment|link|find|show|looking')] },
  {
    tags: ['cancel'],
    after: 'purchase',
    all: [
      refuses,
      word(
        'it|them|that|this|order\\w*|purchase|anymore|any ?more|any longer|thing|one|the \\w+|my \\w+|payment|delivery',
      ),
    ],
    none: [word('more options|show|cheaper|why|address|card|limit')],
    names: true,
  },
  {
    tags: ['cancel'],
    after: 'purchase',
    all: [noLonger, word('dont|do not|no longer|not|isnt|wont|stop|ordered|bought|cancel')],
    none: [seeks],
    names: true,
  },
  {
    tags: ['why'],
    after: 'purchase',
    all: [asksWhy, goesWrong],
    none: [word('happened to|happened with|taking|where')],
  },
  {
    tags: ['why'],
    after: 'purchase',
    all: [word('why|how come'), word('order|payment|purchase|it|that|this|my')],
    none: [word('expensive|pricey|dear|would|should|cheap|late|long')],
  },
  {
    tags: ['retry'],
    after: 'purchase',
    all: [again, tries],
    none: [word('show|find|cancel|why|see|look|thanks|want to (?:see|look)|tell')],
  },
  {
    tags: ['why'],
    after: 'purchase',
    all: [
      word(
        'fail\\w*|declin\\w*|reject\\w*|refus\\w*|block\\w*|bounc\\w*|errors?|turned down|knocked back|not go through|didnt go through',
      ),
      word('it|order|payment|card|purchase|got|was|been|that|this|my'),
    ],
    none: [again, word('cancel|if|in case|address|use|change|new card')],
  },
  { tags: ['follow'], after: 'purchase', all: [asksWhen, moves], none: [seeks], names: true },
  { tags: ['follow'], after: 'purchase', all: [asksWhen, goods], none: [seeks], names: true },
  {
    tags: ['follow'],
    after: 'purchase',
    all: [word('track|tracking|status|progress|eta|whereabouts|update|updates|latest|news')],
    none: [seeks],
    names: true,
  },
]

const early = word(
  'sooner|soonest|earliest|earlier|quick(?:er|est|ly)|fast(?:er|est)|first|arriv\\w*|deliver\\w*|ship\\w*|get (?:here|to me)|gets (?:here|to me)|be here|reach\\w*|here (?:by|before|first|in time)|in time|by (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|the weekend|christmas)|before (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|the weekend|christmas)|longest to (?:arrive|come|get)',
)
const loved = word(
  'ratings?|rated|rates?|reviews?|reveiws|stars?|scores?|happier|happiest|people (?:say|think|like|love|prefer)|customers|buyers|liked|loved|popular|best|most (?:liked|loved|popular|recommended)|recommended|feedback|opinions?|well thought of|favou?rite|better quality',
)
const costs = word(
  'price|prices|priced|pricewise|cost|costs|costing|cheap(?:er|est)|expensive|pricier|priciest|dearer|dearest|affordable|money|value|difference|pay',
)
const ordering = word(
  'sort|order|rank|arrange|put|list|start|starting|show|at the top|on top|first|line (?:them|em|these|those)|from|by|ascending|descending|organi[sz]e',
)

/** "It's been ten days." */
const longAgo: ClausePattern = {
  tags: ['follow'],
  after: 'purchase',
  all: [
    word('been|ago|since|already|now|for|says?|said|promised|supposed'),
    word(
      '(?:d+|two|three|four|five|six|seven|ten|several|a few|many|a couple of|a|over a) (?:days?|weeks?|hours?|months?|fortnight)|ages|forever|(?:mon|tues|wednes|thurs|fri|satur|sun)day|yesterday|last week',
    ),
  ],
  none: [seeks, word('fits?|want|one|for my|for the')],
}

/** "It got rejected" asks why. */
const failing: ClausePattern = {
  tags: ['why'],
  after: 'purchase',
  all: [
    word(
      'failw*|declinw*|rejectw*|refusw*|blockw*|bouncw*|errors?|turned down|knocked back|not go through|didnt go through',
    ),
    word('it|order|payment|card|purchase|got|was|been|that|this|my'),
  ],
  none: [again, word('cancel|if|in case|address|use|change|new card')],
}

/** What is asked about things that were shown. */
const ofShown: readonly ClausePattern[] = [
  {
    tags: ['sorting', 'delivery'],
    after: 'shown',
    all: [
      word('ones|anything|any|something|those|only|stuff'),
      early,
      word('that|can|which|arrivw*|here|by|before|get|gets|deliverw*|quickw*|fastw*'),
    ],
    none: [word('buy|order|the one|ill|cheaper|first one|which')],
  },
  {
    tags: ['compare', 'delivery'],
    after: 'shown',
    all: [word('which|who|whos|what order|how (?:fast|quick|quickly|soon)|when'), early],
    none: [word('order|buy|cheaper|place|pick')],
  },
  {
    tags: ['compare', 'rating'],
    after: 'shown',
    all: [word('which|who|whose|whos|what do|whats|how'), loved],
    none: [word('price|cheap\\w*|value|show|open')],
  },
  {
    tags: ['compare', 'price'],
    after: 'shown',
    all: [
      word('which|whats|what is|how|is|are|compare|next to each other|side by side|against each other'),
      costs,
      word(
        'than|of (?:these|those|them|the two|the three)|which|difference|between|compare|each other|side by side',
      ),
    ],
    none: [word('than that|than this|than these|than those|anything|something|any')],
  },
  {
    tags: ['sorting', 'rating'],
    after: 'shown',
    all: [
      word('sort|order|rank|arrange|put|list|first|at the top|line|up|organi[sz]e|show|start'),
      loved,
      word('first|by|at the top|on top|up|in order|score|order'),
    ],
    none: [word('ill|buy|the one|cheap\\w*|price')],
  },
  {
    tags: ['sorting', 'delivery'],
    after: 'shown',
    all: [
      ordering,
      word('fast\\w*|quick\\w*|soon\\w*|delivery|arriv\\w*|shipping'),
      word('first|by|at the top|on top|in order|order'),
    ],
    none: [word('which|buy|the one|ill')],
  },
]

const whoever = word(
  'human|humans|person|people|someone|somebody|staff|managers?|support|team|customer services?|advis[eo]rs?|representative|rep|agents?|operator|employee|supervisor|boss|helpline|hotline|anyone',
)
const cardWords = word(
  'cards?|visa|mastercard|amex|paypal|apple pay|google pay|(?:bank|business|work|joint|other|savings|current) account|account|payment method|credit|debit|klarna|bank details|payment details|cash|bitcoin|crypto',
)
const changes = word(
  'use|change|changing|switch|swap|update|updating|add|replace|remove|delete|charge|put|pay|paying|bill|save|enter|new|different|expired|another|other|instead|take|accept|off|give you|got a|lost|stolen|blocked',
)
const homes = word(
  'address|postcode|zip|mums?|moms?|parents|sisters?|brothers?|grans?|grandmas?|nans?|neighbou?rs?|work|office|house|flat|apartment|place|home|school|street|road|lane|avenue|door|dorm|hotel|location|workplace|desk|reception|wifes?|husbands?|sons?|daughters?|friends?|girlfriends?|boyfriends?|locker|shop|somewhere else',
)

/** What an agent may not do, and what is no shopping. */
const refused: readonly ClausePattern[] = [
  {
    tags: ['address'],
    all: [
      word(
        'deliver|delivered|send|sent|ship|shipped|post|posted|drop|leave|bring|redirect|forward|go|goes|come|address',
      ),
      word('it|them|this|that|everything|orders?|parcels?|packages?|stuff|things|deliveries|one|delivered'),
      word('(?:to|at|with|round to|over to) (?:my|our|the|her|his|a|their|\\d+)'),
      homes,
    ],
    none: [word('back|find|buy|show|looking|need|want a|return')],
  },
  {
    tags: ['address'],
    all: [
      word('moved|moving|new|change|changed|different|wrong|update|correct|fix|old'),
      word('address|house|flat|place|home|postcode|street'),
      word('i|ive|im|we|weve|were|my|our|the|delivery|shipping'),
    ],
    none: [
      word('find|buy|need|looking|plant|warming|gift|book|present|number plate|sign|for (?:my|our|the) new'),
    ],
  },
  {
    tags: ['person'],
    all: [
      word(
        'speak|talk|chat|call|ring|phone|contact|reach|get hold of|put me through|connect|transfer|hear from|message',
      ),
      whoever,
    ],
    none: [word('toy|game|show|find')],
  },
  {
    tags: ['limit'],
    all: [
      word(
        'raise|increase|up|lower|reduce|change|bump|double|remove|lift|higher|more|set|adjust|drop|put|get rid|extend|cut',
      ),
      word('limits?|ceiling|allowance|spending cap|spend cap|spending limit'),
    ],
    none: [word('switch|speed|find|show|search|euros?|for a|under')],
  },
  {
    tags: ['card'],
    all: [cardWords, changes],
    none: [
      word(
        'birthday|sd|memory|gift|greetings?|playing|business cards?|graphics|sim|holders?|readers?|christmas|trading|pokemon|games?|thank|post|wallet|why|fail\\w*|declin\\w*|money|again|retry|sorted|works|works now',
      ),
    ],
  },
  {
    tags: ['chat'],
    all: [
      word(
        'who(?:s| is| are)? ?(?:won|going to|gonna|is|was|will win|wrote|sings|invented)|whats the (?:weather|capital|score|news|time|date|temperature|exchange)|whats \\d+|tell me a (?:joke|story|secret|riddle)|sing|dance|rain|snow|sunny|forecast|temperature outside|football|match last night|election|are you (?:married|single|happy|sad|hungry|in love|religious)|do you (?:love|sleep|dream|eat|believe|have feelings|have kids|have a (?:girlfriend|boyfriend|wife|family))|meaning of life|book (?:me )?a (?:table|flight|hotel|taxi|cab|doctor|haircut|train)|order me a (?:taxi|cab|uber)|write (?:me )?(?:a|an|my)|translate|homework|essay|how do (?:i|you) (?:cook|bake|fix|make|get to|lose|tie|boil|spell|say)|how (?:far|old|tall|high|deep|big) (?:is|are) (?:it to|the (?:moon|sun|earth|eiffel|queen|king)|you)',
      ),
    ],
    none: [word('coat|boots|jacket|gear|shoes|shirt|umbrella|ball|looking|need|globe|toy|find|book for')],
  },
]

const pleased = word(
  'fab|fabulous|great|lovely|perfect|fine|ideal|good|brilliant|wonderful|nice|awesome|amazing|super|superb|grand|splendid|spot on|marvell?ous|excellent|ok|okay|right|correct|cool|sweet|smashing|ace|dandy|alright|all right|for me|the one|a deal|the ticket|exactly|it',
)

/** Manners as whole clauses. */
const manners: readonly ClausePattern[] = [
  {
    tags: ['yes'],
    after: 'whether',
    all: [
      /^(?:oh |yes |yeah |yep |ok |okay |well |um |ooh |and |no )*(?:thats?|that|its?|this|sounds?|works|suits|looks?|would be|all|happy|im happy|i am happy|fine|seems)\b/,
      word(
        'would be|sounds?|works?|is|thats|its|suits|does|will do|ll do|looks?|all|happy|fine|do|seems|just',
      ),
      pleased,
    ],
    none: [
      word(
        'not|but|too|isnt|no|wrong|more|other|dont|cant|instead|if|expensive|show|what|which|how|cheaper|than',
      ),
      /\d/,
    ],
  },
  {
    tags: [],
    all: [
      word(
        '(?:dont|do not|hate|sorry|not|never) (?:want |mean |wish |like |wanna )*to (?:be|bother|trouble|sound|seem|come across|rush|nag|pester|annoy|disturb|waste|keep asking|interrupt|moan|complain)',
      ),
    ],
  },
  {
    tags: ['no'],
    all: [
      /^(?:oh |ok |okay |so |actually |well |hmm |no |right |erm? |um |please |just |you know what )*(?:scrap|scratch|forget|bin|ignore|lose|ditch|skip|cancel|drop|never ?mind|stuff) (?:about )?(?:that|this|it|those|these|them|all that|all of that|(?:about )?the \\w+)(?: one| idea| bit| please| then| actually| lot)*$/,
    ],
    after: 'nothing',
  },
  {
    tags: ['help'],
    all: [
      word('how (?:does|do|would|can|is|am)|what|explain|walk me through|show me how|teach me'),
      word('(?:all )?(?:this|it|that|everything|thing|you|app|site|chat|bot|service|shopping here|ordering)'),
      word(
        'works?|do i use|use this|use you|use it|can you do|(?:it )?you do|can i ask|able to do|can (?:this thing|this|it|you|the bot|this bot|this app|this chat|that thing) (?:do|help)|supposed to (?:do|work|use)|are you|this place',
      ),
    ],
    none: [word('kettle|with my|for my|card|review|fit|arriv\\w*|cost|order')],
  },
  {
    tags: ['help'],
    all: [
      word(
        '(?:who|what) (?:am i|is this|are you|im i)|are you (?:a |an )?(?:real|bot|robot|human|person|computer|machine|ai|actual)|is this (?:a |an )?(?:bot|robot|human|person|computer|machine|ai|real)',
      ),
    ],
    none: [word('made|for|cost|price|the')],
  },
  {
    tags: ['thank'],
    all: [
      word(
        'thanks?|thank|thx|ta|cheers|appreciated?|grateful|you (?:are|re)|youre|youve been|you have been|been|you were|that was|that is|thats',
      ),
      word(
        'help|helped|helpful|kind|star|legend|great|wonderful|amazing|lifesaver|life saver|brilliant|sweet|best|angel|patient|patience|time|all|everything|lovely|good of you|nice of you|very much',
      ),
    ],
    none: [
      word('no|not|best (?:one|price)|show|want|need|look|expensive|buy|order|but|can you|could you|one'),
    ],
  },
]

export const clauses: readonly ClausePattern[] = [
  ...afterwards,
  failing,
  longAgo,
  ...ofShown,
  ...refused,
  ...manners,
]
