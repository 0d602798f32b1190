/** What is said in many ways by the same few words: each way with each. A way may be empty. */
function ways(...lists: readonly string[]): string {
  return lists
    .map((list) => list.split(',').map((each) => each.trim()))
    .reduce((all, list) => all.flatMap((one) => list.map((other) => `${one} ${other}`.trim())))
    .join(', ')
}

/** A verb in each of its endings. */
function forms(stems: string, endings: string): string {
  const each = endings.split(',').map((ending) => ending.trim())
  return stems
    .split(',')
    .flatMap((stem) => each.map((ending) => stem.trim() + ending))
    .join(', ')
}

const ar = 'a, as, an, ar, ando, ara, aras, aran, ase, ases, asen, aría, arías, arían, ad, arás, arán'
const er = 'e, es, en, er, iendo, iera, ieras, ieran, iese, ieses, iesen, ería, erías, erían, erás, erán'
const subjunctive = 'e, es, en, éis'

const looking = [
  forms('busc, localiz, rastre, encontr, encuentr, suger, aconsej', ar),
  forms('busqu, localic, encuentr, aconsej, recomiend', subjunctive),
  'recomiende, recomiendes, recomienden, recomendara, recomendaras, recomendase, recomendaría, recomendarías, sugieres, sugieras, sugiera, sugieran, sugerirías, propones, propongas, proponga, encontrarme, buscarme, conseguirías',
].join(', ')
const showing = [forms('muestr, mostr, enseñ', ar), forms('muestr, enseñ', subjunctive)].join(', ')
const callingOff = [forms('cancel, anul', ar), forms('cancel, anul', subjunctive)].join(', ')
const givingBack = [
  forms('devuelv, devolv, reembols', er),
  'devuelvas, devuelvan, devolvamos, reembolsas, reembolsan, reembolse, reembolsen, reembolsaría',
].join(', ')

const notToPass = [
  ways(
    'sin',
    'pasarme de, pasarnos de, pasarse de, pasarte de, pasarme, exceder de, gastar más de, gastarme más de, pagar más de, subir de, llegar a',
  ),
  ways(
    'quita, quítame, fuera, descarta, descártame, elimina, saca, sácame, nada de, fuera con',
    'las de, los de, lo de, todo lo de, todas las de, todos los de',
    'más de, mas de, más de los',
  ),
  ways(
    'quita, quítame, quitame, descarta, descártame, elimina, saca, sácame, fuera, fuera de, omite, olvida, nada de, excluye',
    'las que, los que, todo lo que, lo que, todas las que, todos los que',
    'pasen de, pasan de, superen los, superan los, superen, superan, cuesten más de, cuestan más de, valgan más de, valen más de, suban de, suben de, pase de, supere, cueste más de',
  ),
  ways('no, que no sea, que no sean', 'más caro, más cara, más caros, más caras', 'de, que, de los'),
  ways(
    'no',
    'quiero, pienso, puedo, deseo, quisiera, voy a, me gustaría',
    'gastar, gastarme, pagar, soltar, dejarme',
    'más de, mas de',
  ),
  ways('no', 'quiero, pienso, puedo, quisiera', 'pasar de, pasarme de, subir de, superar los'),
  ways('no', 'pago, gasto, pagaría, gastaría, doy, suelto, me gasto', 'más de, mas de'),
  ways(
    'que no, q no, siempre que no, siempre y cuando no, mientras no, con tal de que no, que no me',
    'pase de, pasen de, suba de, suban de, se pase de, se pasen de, se vaya de, cueste más de, cuesten más de, valga más de, valgan más de, salga por más de, salga a más de, sobrepase los, supere los, llegue a, lleguen a, llegue a los, exceda los',
  ),
  ways('nada', 'por encima de, por encima de los, de más de, que pase de, que supere los, que suba de'),
  ways(
    'puedo, me puedo, puedo llegar a, tengo para, quiero, pensaba, pienso',
    'gastar, gastarme',
    'hasta, máximo, como mucho, unos,',
  ),
  'ni un euro más de, sin pasar de, sin pasarnos de, con tope de, con un tope de, de tope',
].join(', ')

const soon = ways(
  'que llegue, que lleguen, que me llegue, que me lleguen, lleguen, llegue, me llegue, que esté aquí, que lo tenga, que la tenga, que los tenga, tenerlo, tenerla, lo necesito, la necesito, los necesito, las necesito, me llega, me lleguen, lo quiero para, la quiero para',
  'mañana, hoy, hoy mismo, mañana mismo, pronto, prontito, ya, rápido, rapidito, enseguida, cuanto antes, lo antes posible, esta semana, antes del finde, antes del fin de semana, antes del lunes, antes del martes, antes del miércoles, antes del jueves, antes del viernes, antes del sábado, antes del domingo, antes de, el mismo día, en el día, en 24 horas, en un día, en dos días, volando, para mañana, para hoy, para ya, para el finde, para el viernes, para el sábado, para el domingo, para el lunes, urgente',
)

const notLiked = ways(
  'no me, no nos, ninguno me, ninguna me, ninguno de estos me, no me acaban de, no me acaba de, no me terminan de, no me termina de',
  'gusta, gustan, convence, convencen, gustar, convencer, llama, llaman, llaman la atención, llama la atención, sirve, sirven, cuadra, cuadran, late, laten, dicen nada, dice nada, encaja, encajan, sirvió, gustó, gustaron',
  'ninguno, ninguna, nada, mucho, del todo,',
)

const dearestFirst = ways(
  'de, del, de la, de los, de las, de lo',
  'más caro, más cara, más caros, más caras, caro, caros, cara, caras',
  'a, al, a la, a los, a las, a lo',
  'más barato, más barata, más baratos, más baratas, barato, baratos, barata, baratas',
)
const cheapestFirst = ways(
  'de, del, de la, de los, de las, de lo',
  'más barato, más barata, más baratos, más baratas, barato, baratos, barata, baratas, más económico, más económicos',
  'a, al, a la, a los, a las, a lo',
  'más caro, más cara, más caros, más caras, caro, caros, cara, caras',
)

const whereIsIt = [
  ways(
    'cuándo, cuando, qué día, que día, a qué hora, a que hora, para cuándo, para cuando, hoy, al final',
    'llega, llegan, llegará, llegarán, me llega, me llegan, me llegará, viene, vienen, me lo traen, me la traen, me los traen, lo traen, la traen, me traen, traen, lo entregan, la entregan, me lo entregan, lo recibo, la recibo, lo tendré, la tendré, lo mandan, me cae, cae, pasan, pasa el repartidor, está previsto, estará aquí, estará',
  ),
  ways(
    'me lo, me la, me los, me las, nos lo',
    'traen, entregan, mandan, envían, traerán',
    'hoy, mañana, ya, hoy o mañana, esta semana, o no',
  ),
  ways(
    'dónde, donde, por dónde, por donde',
    'anda, andan, para, paran, se metió, se ha metido, se quedó, se encuentra, se encuentran, queda, quedó, viene, ha ido a parar, está ya, estará, para ya, vendrá, sigue',
  ),
  ways('ya mero, ya merito, ya casi, ya mero me', 'llega, llegan, viene, vienen, está'),
  ways(
    'a dónde, a donde, adónde, adonde, dónde, donde',
    'fue a parar, ha ido a parar, se fue, ha ido, se ha ido, fue, lo mandaron, lo dejaron, dejaron',
  ),
  ways(
    'revisa, checa, verifica, mira, mírame, checame, chécame, consulta, comprueba, dime, ver',
    'mi pedido, el pedido, mi paquete, el paquete, mi compra, mi orden, mi envío, el envío, mis pedidos, mis compras',
  ),
  ways(
    'no ha, no me ha, todavía no ha, aún no ha, aun no ha, sigue sin, sin, sigo sin, sigue sin haber',
    'llegado, venido, aparecido, venido nadie, llegado nada, llegar, recibir, recibirlo, recibir nada, recibirla, aparecer, venir',
  ),
  ways(
    'ya, ya me, ya lo, ya la, ya los, todavía no, aún no, no',
    'salió, enviaron, enviaste, enviasteis, mandaron, mandasteis, despacharon, han enviado, han mandado, ha salido, salieron, llegaron, viene en camino, habéis enviado, habéis mandado, está en reparto, está de camino, va de camino',
  ),
  ways(
    'qué sabes de, se sabe algo de, se sabe algo del, sabes algo de, sabes algo del, hay noticias de, hay noticias del, alguna noticia de, alguna noticia del, cómo va lo de, cómo anda, cómo sigue, en qué quedó, en qué va, qué hay de, qué onda con, que onda con, qué tal va, qué pasa con, qué es de, qué fue de, por dónde va, por donde va',
    'mi pedido, mi paquete, mi compra, el pedido, el paquete, la compra, mi envío, el envío, lo mío, lo que pedí, lo que compré, mis cosas, mi encargo, la entrega, mi orden',
  ),
  'lo mío, en reparto, repartidor, el repartidor, al repartidor, mensajero, el mensajero, transportista, el transportista, se sabe algo, le falta mucho, falta mucho, le queda mucho, queda mucho para que llegue, cuánto le queda, cuánto queda para que llegue, cuántos días faltan, cuántos días más, en cuánto tiempo llega, tarda mucho en llegar, va a tardar, se ha perdido mi, se perdió mi, se ha perdido el paquete, se perdió el paquete, qué tengo pedido, qué tengo pendiente, qué tengo en camino, qué he gastado, cuánto he gastado, cuánto llevo gastado, cuánto gasté, en qué gasté, qué he ido comprando, qué compras tengo, mis compras, últimas compras, historial de compras, código de seguimiento, enlace de seguimiento, localízame el paquete, localiza mi paquete, localiza mi pedido, va retrasado, viene con retraso, se retrasó, se ha retrasado, con retraso, sigo esperando',
].join(', ')

const again = ways(
  'vuelve a, vuelva a, volvé a, vuelvan a, volver a, volvamos a, puedes volver a, prueba a',
  'lanzar, lanzarlo, pasar, pasarlo, pasarla, pasar la tarjeta, cobrar, cobrarlo, procesar, procesarlo, hacer, hacerlo, mandar, mandarlo, meter, probar, probarlo, intentar, intentarlo, tirar, ejecutar, ejecutarlo, darle, pagar, pagarlo, enviar, enviarlo, cargar, cargarlo, tramitar, tramitarlo, hacer el pago, hacer el pedido, hacer la compra',
)
const onceMore = ways(
  'inténtalo, intenta, intente, inténtelo, prueba, pruébalo, probá, intentá, hazlo, dale, repítelo, repite, lánzalo, pásalo, cóbralo, procésalo, tíralo, vamos, a ver, métele, échalo a andar, mándalo',
  'otra vez, de nuevo, una vez más, nuevamente, ahora, ya, otra vez porfa, ahora que, otra vez a ver, de nuevo a ver',
)

const elsewhere = [
  ways(
    'mándalo, mándala, mándamelo, mándamela, mándalos, envíalo, envíala, envíamelo, envíamela, entrégalo, entrégala, entrégamelo, llévalo, que lo manden, que me lo manden, que lo envíen, que me lo envíen, que lo dejen, que lo entreguen, que me lo entreguen, que llegue, que lo lleven, que me llegue, quiero recibirlo, recibirlo',
    'a casa de, en casa de, a la casa, a la oficina, en la oficina, al trabajo, en el trabajo, a mi casa, en mi casa, a mi trabajo, a otra casa, a otro sitio, a otro lado, a la calle, en la calle, a mi nueva casa, al pueblo, a la tienda, en la portería, al vecino, a otra dirección, a esta dirección, a mi otra dirección, con el vecino',
  ),
  'nueva dirección, mi dirección nueva, dirección nueva, cambio de domicilio, nuevo domicilio, me he cambiado de casa, me he cambiado de piso, nos hemos mudado, me acabo de mudar, me mudo, nos mudamos a, nueva casa, mi casa nueva, código postal nuevo, mis señas, las señas, ahora vivo, ya no vivo',
].join(', ')

const otherKinds = [
  ways(
    'otros, otro, en otros, en otro, más, mas, distintos, diferentes, demás',
    'colores, color, tonos, tono, diseños, diseño, estampados, tamaños, tamaño, modelos, modelo, estilos, estilo, tipos',
  ),
  ways(
    'otras, otra, en otras, en otra, más, mas, distintas, diferentes, demás',
    'tallas, talla, marcas, marca, medidas, medida, versiones, cosas, opciones, formas, tiendas',
  ),
].join(', ')

const tellMore = ways(
  'cuéntame, háblame, platícame, dime, explícame, descríbeme, contame, hablame, decime, cuénteme, hábleme, dígame, cuentame',
  'más, algo más, todo, un poco más, un poquito más, algo, más cosas,',
  'de, del, sobre, acerca de, de lo de',
)

const tooDear = ways(
  're, bien, súper, super, mega, recontra, requete, bastante, un poco, algo, medio, muy muy',
  'caro, cara, caros, caras, carito, carita, caritos, caritas',
)

const notToSend = ways(
  'no, ya no, mejor no, mejor ya no, que ya no, que no',
  'me, me lo, me la, me los, me las, lo, la, los, las, nos',
  'mandes, envíes, traigas, manden, envíen, traigan, despaches, despachen, mande, envíe, traiga, entreguen',
)

const mixedFeelings = ways(
  'me da, me dan, le da, nos da, me daba, me dio',
  'miedo, pereza, cosa, cosita, pena, vergüenza, rabia, asco, apuro, desconfianza, mala espina, yuyu, hueva, flojera, coraje, igual, lo mismo, mucha pena, mucho miedo, la risa, gusto, tristeza, corte',
)

const hadBought = ways(
  'hubiera, hubiese, habría, hubiéramos, hubieras, hubieran, haber',
  'comprado, llevado, pedido, pillado, cogido, encargado, aprovechado, sabido, ido, tenido, elegido, escogido',
)

const forSomeTime = ways(
  'desde hace, hace, llevo, llevamos, desde hace ya, llevo ya, hace ya',
  'días, unos días, varios días, semanas, varias semanas, meses, tiempo, mucho tiempo, rato, un rato, un buen rato, horas, años, dos días, tres días, dos semanas, tres semanas, un mes, una semana, siglos, toda la mañana, todo el día, toda la tarde',
)

const placing = ways(
  'haz, hazme, haznos, haga, hágame, realiza, realízame, realice, tramita, tramítame, tramite, formaliza, efectúa, haced',
  'el pedido, la compra, un pedido, una compra',
  'de, del,',
)

/** Phrases of Spanish that are made of parts, by their tags. */
export const turns = {
  placing,
  otherKinds,
  tellMore,
  tooDear,
  notToSend,
  mixedFeelings,
  hadBought,
  forSomeTime,
  looking,
  showing,
  callingOff,
  givingBack,
  max: notToPass,
  more: notLiked,
  follow: whereIsIt,
  retry: `${again}, ${onceMore}`,
  address: elsewhere,
  soon,
  dearestFirst,
  cheapestFirst,
}
