import type { ClausePattern } from '../clause-pattern.ts'
import { manners, refused } from './refused-clauses.ts'
import { word } from './whole-word.ts'

const asksWhere = word(
  'wo|wohin|wann|wie (?:lange?|weit)|warte[nt]?|wart|noch (?:immer |gar )?(?:nicht|nix|nichts|kein|keine|keinen)|immer ?noch|schon|endlich|längst|eigentlich|sollte|müsste|hätte|bis wann|gibts?|gibt es|was ist|was macht|was wurde|ist|sind|wurde|kam|weißt du|wissen sie|neues|neuigkeiten',
)
const moves = word(
  'bleibt|bleiben|steckt|stecken|kommt|kommen|kam|gekommen|angekommen|ankommt|ankommen|ankunft|da|hier|eintrifft|eintreffen|eingetroffen|trifft|geliefert|liefert|lieferung|zugestellt|zustellung|verschickt|verschickst|versendet|versandt|abgeschickt|losgeschickt|rausgeschickt|raus|rausgegangen|unterwegs|auf dem weg|bei mir|beim zoll|im lager|im depot|eingepackt|verpackt|post|paketdienst|zusteller|postbote|bote|dhl|hermes|dpd|gls|ups|briefkasten|kriegen?|krieg ich|kriege ich|bekommen?|bekomm ich|bekomme ich|erhalten|rechnen|abholen|durch|durchgegangen|aufgetaucht',
)
const goods = word(
  'pakete?s?|päckchen|bestellung|bestellungen|bestellte[ns]?|lieferung|sendung|ware|waren|zeug|sachen|kram|einkauf|einkäufe|auftrag|teil|ding|das|es|die|meine?[nm]?|zahlung|kauf',
)
const seeks = word(
  'such\\p{L}*|find\\p{L}*|zeig\\p{L}*|brauch\\p{L}*|benötig\\p{L}*|möchte|will|wollen|hätte gern\\p{L}*|empf\\p{L}+|günstig\\p{L}*|billig\\p{L}*|stornier\\p{L}*|storno|zurück\\p{L}*|adresse|karte|warum|wieso|weshalb|welche[rsnm]?|vergleich\\p{L}*|nochmal|nochmals|kauf(?:e|en)?|bestell(?:e|en)?|nehm\\p{L}*|gibt es bei|gibts bei|wer|kostet|kosten',
)
const bought = word(
  '(?:was|welche\\p{L}*|alles|alle|liste|übersicht|aufstellung|verlauf|überblick|zusammenfassung|zeig\\p{L}*|was ich|wieviel|wie viel)',
)
const buying = word(
  'gekauft|bestellt|eingekauft|geordert|bestellungen|einkäufe|käufe|bestellverlauf|geshoppt|erworben',
)
const goesWrong = word(
  'schief\\p{L}*|fehl\\p{L}*|abgelehnt|ablehnung|gescheitert|scheitert\\p{L}*|abgebrochen|abbruch|nicht (?:\\p{L}+ )?(?:geklappt|klappt|funktioniert|ging|geht|gegangen|durch\\p{L}*|akzeptiert|angenommen|genehmigt|ausgeführt|bezahlt|bestellt|möglich)|klappt\\p{L}*|geklappt|funktioniert\\p{L}*|verweigert|geplatzt|gesperrt|blockiert|hängt|hängen|stecken|steckt|problem\\p{L}*|fehler\\p{L}*|los|passiert|gestoppt|storniert|gehakt|hakt|hakts|klemmt|klemmts|gekracht|gelegen|lag|liegt|lags|liegts|daneben|nix|nichts geworden|nichts geworden',
)
const asksWhy = word(
  'warum|wieso|weshalb|weswegen|woran|wodurch|was (?:ist|war|ging|lief|hat|wurde|läuft|geht|genau)|wie (?:kommt|kam|kann|konnte)|grund|gründe|ursache|erklär\\p{L}*|wo (?:lag|liegt|war|hat|hakt|hakts|klemmt|ist)|was stimmt',
)
const again = word(
  'nochmals?|noch ?mal|noch einmal|noch ein(?:en)? (?:mal|versuch|anlauf)|erneut\\p{L}*|wieder|neu|von vorne?|von neuem|zweite[nrs]? (?:versuch|anlauf|mal|chance)|abermals|weiteren (?:versuch|anlauf)|weiterer (?:versuch|anlauf)|wiederhol\\p{L}*|neuen (?:versuch|anlauf)|neuer (?:versuch|anlauf)|jetzt müsste es (?:gehen|klappen)|einmal mehr|neustart\\p{L}*|ein letztes mal',
)
const tries = word(
  'versuch\\p{L}*|probier\\p{L}*|start\\p{L}*|mach\\p{L}*|kauf\\p{L}*|bestell\\p{L}*|zahl\\p{L}*|bezahl\\p{L}*|abschick\\p{L}*|schick\\p{L}*|ausführ\\p{L}*|führ\\p{L}*|anlauf|durchlaufen|auslös\\p{L}*|lös\\p{L}*|anstoß\\p{L}*|stoß\\p{L}*|wiederhol\\p{L}*|geh\\p{L}*|los|ran|buch\\p{L}*|abbuch\\p{L}*|setz\\p{L}*|tu|leg los|neustart\\p{L}*',
)
const givesBack = word(
  'zurück(?:geben|gebe|gib|schicken|senden|gehen|geht|bringen|nehmen|nehmt|nimmt|haben|bekommen|kriegen|erstatte\\p{L}*|zu\\p{L}+|gegeben|geschickt)?|retour\\p{L}*|rückgabe|rücksend\\p{L}*|rückversand|umtausch\\p{L}*|umzutauschen|umgetauscht|tausch\\p{L}*|erstatt\\p{L}*|rückerstatt\\p{L}*|reklam\\p{L}*|geld (?:zurück|wieder\\p{L}*)|wieder ?(?:haben|loswerden)|loswerden|austausch\\p{L}*|ersatz',
)
const faulty = word(
  'kaputt\\p{L}*|defekt\\p{L}*|beschädigt\\p{L}*|zerbrochen|gebrochen|zerkratzt|verkratzt|kratzer|gerissen|zerrissen|undicht|verbeult|riss|delle|falsche?[nrs]?|verkehrte?[nrs]?|nicht das (?:was|richtige)|mangelhaft|schrott|müll|(?:zu|viel zu|leider zu) (?:klein|groß|eng|weit|kurz|lang|schwer|breit|schmal|laut|hell|dunkel)|pass(?:t|en) (?:\\p{L}+ )*nicht|funktionier(?:t|en) (?:\\p{L}+ )*nicht|geht (?:\\p{L}+ )*nicht (?:an|mehr|auf)|gefällt (?:\\p{L}+ )*nicht|gefallen (?:\\p{L}+ )*nicht|drückt|drücken|kratzt|stinkt|nicht wie (?:beschrieben|abgebildet)|auseinandergefallen|fehlt ein teil|fehlen teile|nicht zufrieden|unzufrieden|enttäuscht',
)
const withdraws = word(
  'stornier\\p{L}*|storno|abbestell\\p{L}*|abbrech\\p{L}*|abgebrochen werden|brich|cancel\\p{L}*|widerruf\\p{L}*|rückgängig|annullier\\p{L}*|stopp(?:en|e|t)?|stop|anhalten|aufhalten|halt (?:die|den|das)|zurückzieh\\p{L}*|zieh\\p{L}* .*zurück|zurücktret\\p{L}*|abblas\\p{L}*|streich(?:e|en)?|lösch(?:e|en)?|ungeschehen|aus dem (?:kauf|auftrag)|raus aus|nicht (?:mehr )?(?:liefern|verschicken|losschicken|abschicken|ausliefern|versenden)',
)
const noMore = word(
  '(?:will|möchte|brauch|brauche|brauchen|wollen|benötige) (?:\\p{L}+ )*(?:nicht|nich|kein\\p{L}*)(?: mehr)?|nicht mehr|doch nicht|anders überlegt|umentschieden|aus versehen|versehentlich|verklickt|vertan|vertippt|irrtum|irrtümlich|versehen|fehlkauf|falsch bestellt|woanders|doppelt bestellt|zweimal bestellt|schon eine[nms]?|hat sich erledigt|erledigt|überflüssig|hinfällig',
)

/** What is asked after a purchase, by any of its words. */
const afterwards: readonly ClausePattern[] = [
  {
    tags: ['return'],
    after: 'purchase',
    all: [givesBack],
    none: [
      word(
        'warum|wieso|karte|adresse|wie lange|kann man|zurückzieh\\p{L}*|zurücktret\\p{L}*|von der bestellung|vom kauf|nicht zurück\\p{L}*|suche?n?',
      ),
    ],
    names: true,
  },
  {
    tags: ['return'],
    after: 'purchase',
    all: [faulty],
    none: [
      word('karte|zahlung|bezahlung|link|such\\p{L}*|zeig\\p{L}*|warum|wieso|brauch\\p{L}*|adresse|bestellt'),
    ],
  },
  {
    tags: ['cancel'],
    after: 'purchase',
    all: [withdraws],
    none: [
      word(
        'nicht (?:stornier\\p{L}*|abbrech\\p{L}*)|warum|wieso|weshalb|adresse|karte|limit|zahlung|hat|suche?n?',
      ),
    ],
    names: true,
  },
  {
    tags: ['cancel'],
    after: 'purchase',
    all: [noMore, word('bestell\\p{L}*|kauf|gekauft|auftrag|es|das|ihn|den|die|sie|paket|lieferung|sendung')],
    none: [
      word(
        'angekommen|gekommen|warum|wieso|was|geht|funktioniert|such\\p{L}*|zeig\\p{L}*|find\\p{L}*|brauche? ich noch|stattdessen|teuer|adresse|karte|zurück\\p{L}*|wann|wo',
      ),
    ],
  },
  {
    tags: ['why'],
    after: 'purchase',
    all: [asksWhy, goesWrong],
    none: [
      word(
        'wo (?:bleibt|steckt)|paket|lieferung|lieferzeit|teuer|was kann|kommt an|gekauft|unterschied\\p{L}*',
      ),
    ],
  },
  {
    tags: ['why'],
    after: 'purchase',
    all: [
      word('warum|wieso|weshalb|weswegen'),
      word('zahlung|bezahlung|kauf|bestellung|geld|karte|das|es|nicht|nich'),
    ],
    none: [word('teuer|sollte|soll|würde|billig\\p{L}*|so lange|lange|adresse')],
  },
  {
    tags: ['retry'],
    after: 'purchase',
    all: [again, tries],
    none: [
      word(
        'such\\p{L}*|zeig\\p{L}*|find\\p{L}*|warum|wieso|stornier\\p{L}*|zurück\\p{L}*|seh\\p{L}*|danke|weniger|nicht wieder|nie wieder|bestellt hab\\p{L}*|was hab\\p{L}*|adresse|ein neu\\p{L}+|eine neu\\p{L}+|einen neu\\p{L}+ (?!versuch|anlauf)\\p{L}+|brauch\\p{L}*',
      ),
    ],
  },
  {
    tags: ['follow'],
    after: 'purchase',
    all: [
      word('warte[nt]?|gewartet|vermisse?n?'),
      word('pakete?s?|päckchen|bestellung|lieferung|sendung|ware|zeug|sachen|kram|post|darauf|drauf'),
    ],
    none: [seeks],
    names: true,
  },
  {
    tags: ['follow'],
    after: 'purchase',
    all: [
      word('wo|wohin|wann'),
      word('pakete?s?|päckchen|bestellung|lieferung|sendung|ware|zeug|sachen|kram|bestellte[ns]?'),
    ],
    none: [seeks],
    names: true,
  },
  {
    tags: ['follow'],
    after: 'purchase',
    all: [bought, buying],
    none: [word('such\\p{L}*|find\\p{L}*|stornier\\p{L}*|zurück\\p{L}*|wenn|hätte|andere|warum|wieso')],
  },
  { tags: ['follow'], after: 'purchase', all: [asksWhere, moves, goods], none: [seeks], names: true },
  {
    tags: ['follow'],
    after: 'purchase',
    all: [
      word(
        'status|stand|tracking\\p{L}*|track\\p{L}*|verfolg\\p{L}*|sendungs\\p{L}+|paketnummer|lieferstatus|bestellstatus|auf dem laufenden|update|zwischenstand|verbleib|lieferdatum|liefertermin|ankunft\\p{L}*',
      ),
    ],
    none: [seeks],
    names: true,
  },
]

const early = word(
  'zuerst|schnell\\p{L}*|schneller|am (?:schnellsten|ehesten|frühesten|frühsten|zeitigsten)|früher|früh\\p{L}*|eher|als erste[srn]?|lieferzeit\\p{L}*|liefer\\p{L}*|geliefert|versand\\p{L}*|kommt .*an|ankommt|ankommen|da (?:ist|sein|wäre)|bei mir|hier|wart\\p{L}*|bis (?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|morgen|übermorgen|zum wochenende|weihnachten)|vor (?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|dem wochenende|weihnachten)|pünktlich|rechtzeitig|noch (?:diese woche|heute|morgen)',
)
const loved = word(
  'bewert\\p{L}*|rezension\\p{L}*|stern\\p{L}*|kunden\\p{L}*|käufer\\p{L}*|nutzer\\p{L}*|leute|andere|beliebt\\p{L}*|empf\\p{L}+|weiterempf\\p{L}+|zufrieden\\p{L}*|meinung\\p{L}*|erfahrung\\p{L}*|feedback|noten?|qualität\\p{L}*|besser|beste[nrs]?|testsieger|am besten|gelobt|lob|taugt am meisten|schneide\\p{L}* .*ab',
)
const costs = word(
  'preis\\p{L}*|kost\\p{L}+|billig\\p{L}*|günstig\\p{L}*|teuer|teure\\p{L}*|preiswert\\p{L}*|geld|unterschied\\p{L}*|hinlegen|zahl\\p{L}*',
)
const which = word(
  'welche[rsnm]?|wer|wem|was (?:ist|von|kommt|davon)|wo (?:ist|sind|liegt|liegen|muss)|bei (?:welche[mrn]|wem)|wie (?:unterscheiden|schneiden|sind|sieht|sehen|viel)|sortier\\p{L}*|vergleich\\p{L}*',
)

/** What is asked about things that were shown. */
const ofShown: readonly ClausePattern[] = [
  {
    tags: ['cheaper'],
    after: 'shown',
    all: [
      word(
        'spreng\\p{L}*|übersteig\\p{L}*|überschreit\\p{L}*|über|außerhalb|zu hoch|zu viel|zu teuer|nicht drin|zu happig|weh|leer',
      ),
      word('budget|rahmen|geldbeutel|kasse|konto|preis\\p{L}*|finanzen|möglichkeiten|portemonnaie|geld'),
    ],
    none: [
      word(
        'erhöh\\p{L}*|limit|nehm\\p{L}*|bestell\\p{L}*|kauf\\p{L}*|vergleich\\p{L}*|sortier\\p{L}*|welche\\p{L}*|euro|eur|ohne|in',
      ),
    ],
  },
  {
    tags: ['sorting', 'rating'],
    after: 'shown',
    all: [
      word(
        'sortier\\p{L}*|ordne\\p{L}*|anordn\\p{L}*|reihe|reihenfolge|liste\\p{L}*|oben|zuerst|anfang|vorne',
      ),
      word('bewert\\p{L}*|best\\p{L}+|beliebt\\p{L}*|stern\\p{L}*|rezension\\p{L}*|qualität'),
    ],
    none: [
      word(
        'vergleich\\p{L}*|kauf\\p{L}*|bestell\\p{L}*|nehm\\p{L}*|günstig\\p{L}*|billig\\p{L}*|preis\\p{L}*',
      ),
    ],
  },
  {
    tags: ['sorting', 'delivery'],
    after: 'shown',
    all: [
      word(
        'sortier\\p{L}*|ordne\\p{L}*|anordn\\p{L}*|reihe|reihenfolge|liste\\p{L}*|oben|zuerst|anfang|vorne',
      ),
      word('liefer\\p{L}*|schnell\\p{L}*|versand\\p{L}*|ankunft'),
    ],
    none: [word('vergleich\\p{L}*|kauf\\p{L}*|bestell\\p{L}*|nehm\\p{L}*|welche[rsn]?|wer')],
  },
  {
    tags: ['sorting', 'price'],
    after: 'shown',
    all: [
      word('sortier\\p{L}*|ordne\\p{L}*|anordn\\p{L}*|reihenfolge'),
      word('preis\\p{L}*|billig\\p{L}*|günstig\\p{L}*|kosten'),
    ],
    none: [
      word('vergleich\\p{L}*|kauf\\p{L}*|bestell\\p{L}*|nehm\\p{L}*|teuerste\\p{L}*|absteigend|teuer\\p{L}*'),
    ],
  },
  {
    tags: ['compare', 'rating'],
    after: 'shown',
    all: [
      word(
        'welche[rsnm]?|wer|wem|was (?:sagen|meinen|ist|halten|kommt)|wie (?:schneiden|sind|zufrieden|kommen)|worüber|womit|bei (?:welche[mrn]|wem)',
      ),
      loved,
    ],
    none: [
      word(
        'liefer\\p{L}*|schnell\\p{L}*|ankomm\\p{L}*|frühesten|da sein|preis\\p{L}*|billig\\p{L}*|günstig\\p{L}*|teur\\p{L}*|zeig\\p{L}*|bestell\\p{L}*|kauf(?:e|en)?|nehm\\p{L}*|haben sie|habt ihr|hast du',
      ),
    ],
  },
  {
    tags: ['compare', 'delivery'],
    after: 'shown',
    all: [
      word('davon|von denen|von den|einer|eine|eins|was|welche\\p{L}*|wer'),
      word('komm\\p{L}*|lieferbar|geliefert|da|hier|liefer\\p{L}*|schaff\\p{L}*'),
      word(
        '(?:bis|vor) (?:zum |dem |zu )?(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|morgen|übermorgen|wochenende|weihnachten|ostern|geburtstag)|noch (?:diese woche|heute|morgen)|rechtzeitig|pünktlich',
      ),
    ],
    none: [word('bestell\\p{L}*|kauf\\p{L}*|nehm\\p{L}*|paket|bestellung|such\\p{L}*|brauch\\p{L}*')],
  },
  {
    tags: ['compare', 'delivery'],
    after: 'shown',
    all: [which, early],
    none: [
      word(
        'bestell\\p{L}*|kauf\\p{L}*|nehm\\p{L}*|billig\\p{L}*|günstig\\p{L}*|preis\\p{L}*|sortier\\p{L}*|paket|bestellung',
      ),
    ],
  },
  {
    tags: ['compare', 'price'],
    after: 'shown',
    all: [
      word(
        'welche[rsnm]?|wer|was (?:ist|kommt|davon|von)|wie (?:unterscheiden|sind|viel unterschied)|bei (?:welche[mrn]|wem)|wo (?:ist|sind|liegt|liegen|zahl\\p{L}*|komm\\p{L}*|muss)|unterschied\\p{L}*|gegenüber\\p{L}*|nebeneinander',
      ),
      costs,
      word(
        'am|als|unterschied\\p{L}*|davon|von (?:denen|den|beiden)|oder|teurer|billiger|günstiger|preislich|gegenüber\\p{L}*|nebeneinander|weniger|mehr|unterscheiden|wenigsten|meisten',
      ),
    ],
    none: [
      word(
        'bestell\\p{L}*|kauf\\p{L}*|nehm\\p{L}*|als (?:die|das|der|diese\\p{L}*)|was günstigere?s?|etwas|zeig\\p{L}*|gibt es|gibts|hast|habt|haben',
      ),
    ],
  },
]

export const clauses: readonly ClausePattern[] = [...afterwards, ...ofShown, ...refused, ...manners]
