import type { ClausePattern } from '../clause-pattern.ts'
import { word } from './whole-word.ts'

const homes = word(
  'adresse|anschrift|hause|zuhause|arbeit|büro|firma|mutter|mama|eltern|oma|opa|schwester|bruder|nachbar\\p{L}*|freund\\p{L}*|tochter|sohn|straße|\\p{L}*(?:straße|weg|gasse|platz|allee|str)|wohnung|packstation|filiale|kiosk|kita|schule|hotel|ferienhaus|arbeitsplatz|woanders\\p{L}*',
)

/** What an agent may not do, and what is no shopping. */
export const refused: readonly ClausePattern[] = [
  {
    tags: ['address'],
    all: [
      word(
        'liefer\\p{L}*|geliefert|schick\\p{L}*|send\\p{L}*|bring\\p{L}*|zustell\\p{L}*|geh\\p{L}*|kommt|hinterleg\\p{L}*|umleit\\p{L}*|leite|abgeben|abgegeben|lass\\p{L}*',
      ),
      word('an|zu|zur|zum|nach|in|ins|bei|beim|in die|woanders\\p{L}*'),
      homes,
    ],
    none: [
      word(
        'zurück\\p{L}*|such\\p{L}*|find\\p{L}*|zeig\\p{L}*|brauch\\p{L}*|kauf\\p{L}*|wo|wann|geschenk|suche',
      ),
    ],
  },
  {
    tags: ['address'],
    all: [
      word(
        'umgezogen|umzieh\\p{L}*|zieh\\p{L}* um|zieht um|neu\\p{L}*|änder\\p{L}*|geändert|ander\\p{L}*|falsch\\p{L}*|stimmt nicht|aktualisier\\p{L}*|korrigier\\p{L}*|hinterleg\\p{L}*|alte|trag\\p{L}*|speicher\\p{L}*|lösch\\p{L}*',
      ),
      word(
        'adresse|lieferadresse|rechnungsadresse|anschrift|hausnummer|postleitzahl|plz|wohnort|wohnung|straße|umgezogen|zieh\\p{L}* um',
      ),
      word('ich|wir|mein\\p{L}*|unser\\p{L}*|die|der|eine?|bitte|für'),
    ],
    none: [
      word(
        'such\\p{L}*|find\\p{L}*|kauf\\p{L}*|brauch\\p{L}*|benötig\\p{L}*|geschenk|für die neue|für unsere neue|für meine neue|umzugs\\p{L}+',
      ),
    ],
  },
  {
    tags: ['person'],
    all: [
      word(
        'sprech\\p{L}*|red\\p{L}*|sprich|telefonier\\p{L}*|anruf\\p{L}*|ruf\\p{L}*|verbind\\p{L}*|durchstell\\p{L}*|stell\\p{L}* .*durch|kontakt\\p{L}*|erreich\\p{L}*|weiterleit\\p{L}*|leite|geb\\p{L}*|hol\\p{L}*|chatten|schreiben|ans telefon|ans rohr|übergeben|will|möchte|brauch\\p{L}*',
      ),
      word(
        'mensch\\p{L}*|mitarbeiter\\p{L}*|person|personen|jemand\\p{L}*|kundenservice|kundendienst|kundenbetreuung|kundenberat\\p{L}*|support|service|berater\\p{L}*|ansprechpartner\\p{L}*|hotline|chef\\p{L}*|vorgesetzte\\p{L}*|sachbearbeiter\\p{L}*|wem|echte[nmrs]?|kollege\\p{L}*|verantwortliche\\p{L}*|leitung|team|verkäufer\\p{L}*|filialleit\\p{L}*',
      ),
    ],
    none: [
      word(
        'such\\p{L}*|geschenk\\p{L}*|find\\p{L}*|zeig\\p{L}*|für (?:meinen|meine|den|die) (?:chef\\p{L}*|kolleg\\p{L}*)|kauf\\p{L}*|bestell\\p{L}*|spiel\\p{L}*|team ?\\p{L}*trikot|für',
      ),
    ],
  },
  {
    tags: ['limit'],
    all: [
      word(
        '\\p{L}*limit\\p{L}*|ausgabengrenze|budgetgrenze|höchstbetrag|obergrenze|kreditrahmen|verfügungsrahmen|\\p{L}*budget',
      ),
      word(
        'erhöh\\p{L}*|hoch|höher|rauf|anheb\\p{L}*|heb|hebe|setz\\p{L}*|stell\\p{L}*|änder\\p{L}*|ander\\p{L}*|senk\\p{L}*|runter|niedriger|reduzier\\p{L}*|aufheb\\p{L}*|entfern\\p{L}*|weg|verdoppel\\p{L}*|verdopple|anpass\\p{L}*|pass|mehr|schraub\\p{L}*|lockern|lösch\\p{L}*|begrenz\\p{L}*|ausgeben dürfen',
      ),
    ],
    none: [
      word(
        'such\\p{L}*|find\\p{L}*|zeig\\p{L}*|mein budget (?:ist|liegt|beträgt)|für ein\\p{L}*|brauch\\p{L}*',
      ),
    ],
  },
  {
    tags: ['card'],
    all: [
      word(
        '\\p{L}*karten?|visa|mastercard|amex|paypal|klarna|apple ?pay|google ?pay|bankverbindung|konto|kontodaten|zahlungs\\p{L}+|zahlungsmittel|bezahlmethode|bezahlart|lastschrift|rechnung|iban|kreditkartennummer|raten|ratenzahlung|überweisung|überweisen|vorkasse|nachnahme|bitcoin|bar|barzahlung|twint|bankeinzug',
      ),
      word(
        'änder\\p{L}*|ander\\p{L}*|wechs\\p{L}*|neu\\p{L}*|hinterleg\\p{L}*|hinzufüg\\p{L}*|füg\\p{L}*|eintrag\\p{L}*|trag\\p{L}*|speicher\\p{L}*|lösch\\p{L}*|entfern\\p{L}*|abgelaufen|gesperrt|verloren|gestohlen|geklaut|nutz\\p{L}*|benutz\\p{L}*|nimm|nehm\\p{L}*|zahl\\p{L}*|bezahl\\p{L}*|belast\\p{L}*|abbuch\\p{L}*|buch\\p{L}*|statt|lieber|zweite\\p{L}*|über|per|auf|umstell\\p{L}*|stell\\p{L}*|kauf auf|akzeptier\\p{L}*|aktualisier\\p{L}*|ersetz\\p{L}*|geht|möglich',
      ),
    ],
    none: [
      word(
        'geburtstags\\p{L}*|glückwunsch\\p{L}*|gruß\\p{L}*|speicher(?:karte|karten)|sd|micro ?sd|sim|spielkarten|post(?:karte|karten)|land(?:karte|karten)|wander(?:karte|karten)|grafik(?:karte|karten)|visitenkarten|einladungs\\p{L}*|weihnachts\\p{L}*|pokemon\\p{L}*|eintrittskarten?|kartenspiel|sammelkarten|etui|halter|hülle|warum|wieso|weshalb|abgelehnt|nochmal|geschenkkarten?|tisch|hocker',
      ),
    ],
  },
  {
    tags: ['chat'],
    all: [
      word(
        'wer (?:hat|ist|war|gewinnt|wird|spielt|singt|erfand).*(?:gewonnen|präsident|kanzler\\p{L}*|meister|erfunden|weltmeister|chef von|spiel|tor)|wie (?:hoch|tief|weit|alt|groß) ist (?:der|die|das) (?:mond|sonne|erde|eiffelturm|zugspitze|mount everest|papst)|wie wird das wetter|wetter(?:bericht|vorhersage)?|regnet es|schneit es|scheint die sonne|erzähl\\p{L}* .*(?:witz|geschichte|märchen|rätsel)|sing\\p{L}* .*(?:lied|was)|gedicht|aufsatz|referat|hausaufgaben?|bewerbung|liebesbrief|übersetz\\p{L}*|was heißt .* auf (?:englisch|deutsch|spanisch|französisch|italienisch)|wie (?:koche?|backe?|mach|mache|repariere?|bind|binde) (?:ich|man)|hast du (?:gefühle|hunger|freunde|eine freundin|einen freund|kinder|schlecht geschlafen|urlaub|lust)|bist du (?:verheiratet|single|verliebt|müde|glücklich|traurig|einsam|religiös)|liebst du|glaubst du an|sinn des lebens|buch\\p{L}* .*(?:flug|hotel|tisch|taxi|zug|termin|friseur|reise)|(?:flug|hotel|zugticket|bahnticket|tisch|taxi|friseurtermin|arzttermin|termin) (?:buchen|reservieren|bestellen|machen)|mathe|rechne|bundesliga|spielstand|horoskop|nachrichten|aktien\\p{L}*|politik|bundestag|wahl(?:en)?',
      ),
    ],
    none: [
      word(
        'jacke|schuhe|brille|ball|trikot|buch|bücher|such\\p{L}*|brauch\\p{L}*|kaufen?|schirm|stiefel|wetterstation|globus|kleidung|heft|hefte|taschenrechner|spiel zum',
      ),
    ],
  },
]

/** Manners as whole clauses. */
export const manners: readonly ClausePattern[] = [
  {
    tags: ['help'],
    all: [
      word('wie|was|wozu|wofür|womit|wobei|erklär\\p{L}*|zeig mir wie|wer'),
      word(
        '(?:das|dies|dieser|die) (?:hier |ganze |alles |chat |app |seite |bot |ding )?(?:ganze |alles )?(?:funktioniert|funktionieren|geht|läuft|gehen|bedienen)|funktioniert (?:das|dieser|die app|der chat|ihr service|dein)|geht das hier|läuft das hier|(?:kannst|machst|bist|tust|weißt) (?:du|ihr)|(?:können|machen|sind|tun) sie|du (?:so |alles |eigentlich |denn )*(?:kannst|machst|drauf|bist)|kann (?:ich|man) (?:hier|dich|mit dir|sie|bei dir|von dir)|bedien\\p{L}*|benutz\\p{L}* (?:ich|man) (?:dich|das)|einkaufen hier|bist du da|sind sie da',
      ),
    ],
    none: [
      word(
        'finden|empfehlen|anbieten|bieten|zeigen|besorgen|bestellen|kaufen|suchen|maschine|paket|bestellung|karte|mixer|bewertung\\p{L}*|stornier\\p{L}*|zurück\\p{L}*|adresse|kostet|farbe|größe|für mich (?:suchen|finden|bestellen)|sagen|fehler',
      ),
    ],
  },
  {
    tags: ['help'],
    all: [
      word(
        '(?:bist|seid) (?:du|ihr) (?:ein|eine|echt|real|überhaupt|denn|eigentlich)|sind sie (?:ein|eine|echt|überhaupt|denn)|wer bist du|wer sind sie|mit wem (?:spreche|rede|schreibe|chatte|hab)|(?:rede|spreche|schreibe|chatte) ich (?:hier |gerade |da )*mit',
      ),
      word('bot|roboter|mensch|maschine|computer|ki|echt|person|programm|wer|wem|automat|chatbot'),
    ],
  },
  {
    tags: ['thank'],
    all: [
      word('dank\\p{L}*|merci|thx|bist|warst|hast|haben|war'),
      word(
        'hilfe|geholfen|weitergeholfen|hilfreich|schatz|engel|held|heldin|nett|lieb|super|spitze|klasse|toll|großartig|geduld|mühe|beste[rs]?|goldstück|lebensretter|perle|genial|freundlich\\p{L}*|sehr',
      ),
    ],
    none: [
      word(
        'nicht|nein|zeig\\p{L}*|will|brauch\\p{L}*|such\\p{L}*|aber|teuer|bestell\\p{L}*|kauf\\p{L}*|kannst|könnte\\p{L}*|wäre\\p{L}*|würde\\p{L}*|bewert\\p{L}*|da|ist',
      ),
    ],
  },
]
