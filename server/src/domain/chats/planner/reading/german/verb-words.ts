/** Stems of verbs that ask for nothing: what people do in the sentences around a thing. */
const stems = `
antwort, taug, bring, kapier, flacker, wackel, piep, brumm, ruckel, flimmer, quiek, aufräum, bastel, bedeut, begeister, begleit, berat, beschwer, besichtig, bewirk, brems, dauer, dien, dusch, eign, einricht, entdeck, entscheid, entschuldig, erfüll, ergänz, erklär, erlaub,
erledig, ermöglich, erneuer, erreich, erwart, folg, freu, fehl, feier, frier, fürcht, gehör, genieß, gestalt, google, hass, heirat, heiz, hoff, hör, interessier, irr, jogg, juck, kenn, kleb, kletter, klick, koch, kost, kotz,
kümmer, langweil, lauf, leb, lern, lob, lohn, lüft, mal, merk, miet, nerv, nutz, nütz, ordn, passier, pfleg, plag, probier, probiers, quietsch, rauch, rechn, red, reich, reinig, reis, renn, renovier, reparier, riech,
schad, schaff, schenk, schimpf, schimmel, schmeck, schnarch, schwitz, sammel, spar, spend, spinn, spiel, starr, steh, stink, stör, streik, studier, surf, tanz, tapezier, telefonier, töpfer, trainier, transportier, träum, trau, trenn,
trockn, tropf, übernacht, überrasch, überzeug, verbrauch, verdien, verlänger, verlob, vermiet, vermiss, verpass, verreis, verschenk, versorg, verstau, vertrau, verwend, verwöhn, vorbereit, wackel, wander, wasch, weiger, wein, wohn, wunder,
zahn, zeichn, zitter, zock, zweifel, regn, schnei, stürm, blüh, bell, kratz, knurr, krabbel, stolper, knirsch, knall, leck, rost, häkel, strick, stick, bügel, putz, back, grill, zelt, camp, angel, musizier, fotografier, mach, mein, brauch, leist, stell, wähl, dreh, pack, lieb, reit, kack, spuck, sabber, kleck, plan, gärtner, buddel, werkel, klopf, bohr, meckern, schwör, schau, tausch, bau, bekleb, bemal, umgewöhn, gewöhn, eil, dräng, lass, hak, klemm, wurm, chill, spazier, motz, schuft, schlepp, stress, entspann, gönn, verbring, frag, klau, fäll, verschleiß, vertrag, verzicht, verlier, benutz, benötig, besitz, bekomm, besprech, empfind, erfahr, erhalt, fall, fang, find, flieg, fahr, geh, geb, greif, halt, häng, heb, heiß, helf, hol, kling, klingel, komm, krieg, lad, lieg, les, les, nehm, renn, rat, ruf, schein, scheiter, schlaf, schlag, schließ, schneid, schreib, schrei, schwimm, seh, sing, sink, sitz, sprech, spring, sterb, stimm, streit, treff, trag, trink, tret, tu, üb, überleb, vergess, verlass, verschwind, verstopf, versteh, wachs, werf, wiss, wirk, zerbrech, zieh`

/** Their strong forms, separable ones and what is said short. */
const forms = `
geht, gehn, ging, gingen, gegangen, kam, kamen, gekommen, käme, kommts, gab, gaben, gegeben, gäbe, gestanden, gelegen, lag, lagen, liegt, fällt, fielen, fiel, gefallen, lässt, ließ, gelassen, läuft, lief, gelaufen, fährt, fährst, fuhr,
gefahren, trägt, trägst, trug, getragen, schläft, schlief, geschlafen, hält, hältst, hielt, gehalten, hieß, geheißen, saß, saßen, gesessen, isst, aß, gegessen, esse, essen wir, liest, gelesen, sieht, siehst, sah, sahen, gesehen, trifft,
traf, getroffen, spricht, sprach, gesprochen, hilft, half, geholfen, wirft, warf, geworfen, bricht, brach, gebrochen, zerbrochen, stirbt, starb, gestorben, wusste, wussten, gewusst, weißt, wisst, denkst, dachte, dachten, gedacht, bringt,
bringe, brachte, gebracht, bringst, brennt, brannte, gebrannt, kannte, gekannt, schrieb, geschrieben, blieb, geblieben, bleibt, bleibe, steigt, stieg, gestiegen, flog, geflogen, zog, gezogen, verlor, verloren, fror, gefroren, friert, roch,
gerochen, schloss, goss, gegossen, gießt, gieße, schnitt, geschnitten, riss, gerissen, zerrissen, biss, beißt, gebissen, leiht, leihe, lieh, geliehen, ausgeliehen, trank, getrunken, beginnt, beginne, begann, begonnen, gewinnt, gewinne, gewann, gewonnen,
schwamm, tat, taten, getan, täte, nennt, nannte, genannt, fängt, fing, gefangen, angefangen, hing, wächst, wuchs, gewachsen, wäscht, wusch, gewaschen, lädt, lud, geladen, aufgeladen, vergisst, vergaß, vergessen, misst, maß, gemessen,
bekam, kriegs, gefällt, gefiel, verschwunden, verschwand, stank, standen, ausgegangen, ausgeht, eingegangen, kaputtgegangen, kaputtgeht, kaputt gegangen, kaputt gemacht, kaputtgemacht, verreckt, hinüber, verschlissen,
durchgebrannt, abgefallen, abgerissen, ausgelaufen, umziehen, umzieht, einziehen, ausziehen, auszieht, einzieht, loslegen, losgeht, losgehen, losfahren, anfangen, anfängt, aufhören, aufhört, mitbringen, mitbringt, ausgebe, ausgibt, ausgeb,
anziehen, anzieht, anhaben, anhat, auskommen, auskomme, mitmachen, vorhaben, vorhabe, aussieht, aussehen, aussehn, hingehen, wegkommen, hingefallen, runtergefallen, runtergeschmissen, heruntergefallen, rausgefallen, aufgebraucht, abgelaufen, leergelaufen, geschmissen,
wollt, gedauert, gewünscht, gehört, gefragt, gehofft, gezeigt, gemeint, gemacht, gesagt, gespielt, gefreut, gefehlt, gekostet, gewohnt, gewesen, geworden, worden, gehabt, gewollt, gekonnt, gemusst, gesollt, bereitgestellt, zugestimmt, hingestellt, eingerichtet, vorgestellt,
geschieht, geschehen, geschah, riet, stahl, gestohlen, geklaut, verbrannt, verbogen, verkratzt, verschüttet, zerkratzt, zerbissen, zerfetzt, zerlegt, gefressen, frisst, friss, fraß, spinnt, klappert, eiert, zickt, hinkt, gammelt, siffts, muffelt, undicht, schlappgemacht, aufgegessen, leergetrunken,
eingezogen, ausgezogen, hingezogen, zugezogen, zugenommen, abgenommen, angenommen, aufgestellt, stehn, gehts, kennt ihr das, schlappt, zugesagt, zusagen, zusagt, hängts, weiterempfehlen, weiterempfohlen, beschreibt, interessiert, interessieren, interessant, gereicht, langt, langen, begeistert`

/** What looks as such a form and is the name of a thing, a material, or said for something else. */
const others = new Set(
  `google mal male grill grille reis reise rauch rauche leck lecke lauf laufen back backen bau bauen kleb klebe kletter angel angeln bügel bügeln camp campen zelt zelte rost roste roster strick stricken stick sticke sticken stress plan plane pläne
fall falle fallen fang fange halt halte hak haken   hängen liege liegen rat rate  rufe schlag schlage schlagen schlaf schlafe trag trage tret trete treter wein weine weinen zahn zahne dusch dusche duschen puppe spiel spiele spielen spend
spende spar dauer feier feiern heb hebe mein meine meinen meint meinte mach mache machen macht hol hole holen nehm nehme nehmen  lad lade laden schein scheine   such stell stelle stellen stellt tausch tausche tauschen wasch wäsche
pack packe packen brauch brauche brauchen braucht wurm wurme würmer fahr greif spring wander wandern wache find finde finden findet gönn gönnen lieb liebe lieben reit reiten kling klinge klingen klingel klingeln klemm klemme klemmen schrei tu seh sehen les streit
schließ bohr bohre bohren putz schlepp schuft wirk zieh drehe dreh leist leiste leisten brems bremse bremsen renn plane reich zahnen rechen  spinne spinnen motz kratz kratze chill tanz regn heiz musizier werf schneid schneide schneiden hör probierst versorg wähl antwort antworte antworten schwör schwören eil eile berat fotografier fäll fälle verschleiß vertrag vertrage vorbereit lad laden ladend sitz sitze sitzen benötig benötige benötigen dräng drängt verzichte verzicht halter kost koste kosten kostet geliebt
buddel backe schaff schafft erhalt nutz nutze entschuldige klau kack kacke lass lassen lobe krieg kriege kriegen heiße ordne ordnen ordnet dusch   surf surfe surfen jogg joggen tropfe tropfen kochen koch koche schminke grillen malen mach tanzen reisen zocken
klopf klopfe     helfe helfen         hält trau trauen ruft  tauscht bekomm hass freu schneidend fahrt fährt`.split(
    /\s+/,
  ),
)

function formsOf(stem: string): string[] {
  const link = /(?:[dt]|chn|ffn|gn|dn|kn)$/.test(stem) ? 'e' : ''
  const plural = /(?:el|[^i]er)$/.test(stem) ? 'n' : 'en'
  const found = [stem, 'e', plural, `${link}st`, `${link}t`, `${link}te`, `${link}ten`].map((end, at) =>
    at === 0 ? stem : stem + end,
  )
  const hasNoGe = /^(?:be|ver|er|ent|zer|über|ge)/.test(stem) || /ier$/.test(stem)
  return hasNoGe ? found : [...found, `ge${stem}${link}t`]
}

/** The phrases of all forms of verbs that ask for nothing. */
export const verbs: string = [
  ...stems.split(',').flatMap((stem) => formsOf(stem.trim())),
  ...forms.split(',').map((form) => form.trim()),
]
  .filter((form) => form.length > 2 && !others.has(form))
  .join(', ')
