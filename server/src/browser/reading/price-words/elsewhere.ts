import type { PriceWords } from './price-words.ts'

/** What an amount can be beside the price: delivery, a part, a deposit, a threshold, what is saved, a measure, what only some pay. */
export const other: PriceWords = {
  en: `shipping | delivery | postage | free gift | gift over | orders over | order over | when you spend | spend | over | above | with code | code
    | coupon | voucher | off | save | you save | saved | saving | savings | discount | per month | a month | monthly | month | months | mo | mth
    | per week | a week | weekly | per year | a year | yearly | annually | per day | a day | per night | installment | installments | instalment
    | instalments | interest free | payments | payments of | payment of | down payment | upfront | deposit | bottle deposit | refundable | crv
    | apr | financing | finance | klarna | afterpay | affirm | clearpay | zip | paypal credit | member | members | member price | members price
    | membership | loyalty | club | clubcard | nectar | club price | subscriber | subscribers | subscribe | subscription | with card | cardholders | vip | prime
    | insider | rewards | points | cashback | cash back | store credit | credit | gift card | trade in | with trade in | per kg | per litre
    | per liter | per 100 | unit price | per lb | per oz | per pound | per ounce | per metre | per meter | minimum order | minimum | fee | fees
    | handling | surcharge | warranty | protection plan | protection | insurance | installation | assembly | gift wrap | gift wrapping | engraving
    | extra | add | used | refurbished | pre owned | open box | renewed | student | students | senior | trade | bulk | wholesale | pack of
    | bid | current bid | starting bid | reserve | auction | goal | donation | tip | import | duty | duties | customs | tax | vat
    | rent | rental | rent for | lease | hire | buy 2 | buy two | 2 for | two for | 3 for | any 2 | set of | bundle | bundle price | tomorrow | price drops
    | get it for | bank offer | effective price | app price | in app | app only | new customers | new customer | first order | rebate | mail in | or more | lifetime | in store price | in store | pickup price | next bid | sold for | last sold | budget | preorder deposit | reservation | balance | due later | due on | today then | trial | free trial | free for | worth of`,
  de: `versand | versandkosten | neukundenpreis | neukunden | app preis | in der app | vorkasse | bei vorkasse | nachnahme | leihen | mieten | versandkostenfrei | lieferung | porto | gratis ab | geschenk | gratisgeschenk | bestellwert | mindestbestellwert
    | ab einem | mit code | gutschein | gutscheincode | code | rabatt | sie sparen | du sparst | sparen | ersparnis | gespart | monatlich | mtl | im monat
    | pro monat | monat | monate | monaten | rate | raten | ratenzahlung | monatsrate | anzahlung | pfand | mehrwegpfand | einwegpfand | kaution
    | finanzierung | finanzieren | mitglieder | mitgliederpreis | clubpreis | kundenkarte | mit karte | vorteilspreis | stammkunden | abo | im abo
    | abonnement | punkte | cashback | guthaben | inzahlungnahme | eintauschprämie | grundpreis | pro kg | pro liter | pro 100 | je kg | je liter | je 100
    | 1 kg | 1 l | 100 g | 100 ml | 1 liter | zuschlag | aufschlag | gebühr | garantie | versicherung | montage | geschenkverpackung | gravur
    | gebraucht | b ware | generalüberholt | studenten | staffelpreis | ab 2 stück | gebot | startgebot | spende | mwst | steuer | einfuhr | zoll
    | miete | leihgebühr | im set | set | pro woche | pro jahr | jährlich | pro tag | händlerpreis | rücknahme | trinkgeld | mindestbestellung | danach`,
  fr: `livraison | frais de port | expédition | port offert | dès d achat | d achat | cadeau | avec le code | code | bon | coupon | remise | économisez
    | vous économisez | économie | soit | par mois | mois | mensuel | mensualité | mensualités | sans frais | en 3 fois | en 4 fois | fois | acompte
    | consigne | caution | arrhes | financement | membres | prix membre | adhérent | adhérents | carte de fidélité | avec la carte | fidélité | abonnement
    | abonné | abonnés | prix abonné | abonne | points | cagnotte | cashback | reprise | le kilo | au kilo | le kg | le litre | au litre | prix au | les 100 | pour 100 | supplément
    | garantie | assurance | installation | emballage cadeau | occasion | reconditionné | étudiants | enchère | mise à prix | don | tva | taxe | douane
    | éco participation | dont éco participation | écotaxe | minimum de commande | commande minimum | par semaine | par an | par jour | location | le lot | pro | puis`,
  es: `envío | envío gratis | gastos de envío | regalo | compras superiores | superiores a | con el código | código | cupón | vale | descuento | ahorras
    | ahorra | ahorro | al mes | mes | meses | mensual | mensuales | cuota | cuotas | plazos | sin intereses | mensualidades | msi | entrada | depósito | fianza
    | señal | financiación | socios | precio socio | socio | miembros | tarjeta | con tarjeta | suscripción | suscriptores | puntos | cashback | saldo
    | por kilo | el kilo | por litro | precio por | kilo | litro | cada 100 | recargo | garantía | seguro | instalación | envoltorio | segunda mano | usado
    | reacondicionado | estudiantes | puja | donación | iva | impuestos | aduana | pedido mínimo | por semana | al año | por día | alquiler | lleva 2 | transferencia | efectivo | luego`,
  it: `spedizione | consegna | spese di spedizione | omaggio | regalo | ordini superiori | con il codice | codice | coupon | buono | sconto | risparmi
    | risparmio | al mese | mese | mesi | mensile | rata | rate | senza interessi | acconto | anticipo | cauzione | finanziamento | soci | prezzo soci
    | membri | carta fedeltà | con carta | abbonamento | abbonati | punti | cashback | permuta | al kg | al chilo | al litro | prezzo al | per 100 | all etto
    | supplemento | garanzia | assicurazione | installazione | confezione regalo | usato | ricondizionato | studenti | offerta minima | asta | donazione | iva | tasse | dogana
    | ordine minimo | a settimana | all anno | al giorno | noleggio | poi`,
  nl: `verzending | verzendkosten | bezorging | gratis verzending | cadeau | bij besteding | besteding | boven | met code | code | kortingscode | korting | je bespaart
    | bespaar | besparing | per maand | maand | maanden | termijn | termijnen | in delen | aanbetaling | statiegeld | borg | financiering | leden | ledenprijs
    | ledenvoordeel | met klantenkaart | abonnement | punten | cashback | tegoed | inruil | per kilo | per kg | per liter | per 100 | kiloprijs | literprijs | toeslag
    | garantie | verzekering | installatie | montage | cadeauverpakking | gebruikt | tweedehands | refurbished | studenten | bod | donatie | btw | belasting
    | douane | minimale bestelling | per week | per jaar | per dag | huur | bezorgkosten | daarna | recupel | verwijderingsbijdrage`,
  pt: `frete | envio | entrega | portes | frete grátis | brinde | compras acima | acima de | com o cupom | cupom | cupão | código | desconto | economize | economia
    | poupe | poupa | poupança | por mês | ao mês | mês | meses | mensal | mensais | parcela | parcelas | sem juros | prestação | prestações | x de | entrada | sinal | depósito | caução
    | tara | financiamento | membros | sócios | clube | cartão | com cartão | assinatura | assinantes | pontos | cashback | pix | no pix | boleto | por quilo | o quilo | por litro | kg
    | taxa | garantia | seguro | instalação | embalagem | usado | recondicionado | estudantes | lance | doação | imposto | impostos | pedido mínimo | por semana
    | por ano | por dia | aluguel | retoma | depois`,
  pl: `dostawa | wysyłka | przesyłka | darmowa dostawa | prezent | gratis przy | przy zamówieniu | zamówienia powyżej | powyżej | z kodem | kod | kupon | rabat | rabatu | oszczędzasz
    | oszczędność | taniej | miesięcznie | mies | miesiąc | miesięcy | rata | raty | rat | ratę | zaliczka | kaucja | kaucji | depozyt | finansowanie | klubowicz | klubowa | dla członków
    | z kartą | w aplikacji | subskrypcja | abonament | punkty | punktów | zwrot | za kg | za litr | za 100 | cena za kg | cena jednostkowa | 1 kg | 100 g | 1 l | dopłata | gwarancja
    | ubezpieczenie | montaż | pakowanie | używany | używane | odnowiony | studenci | licytacja | podatek | cło | minimalne zamówienie | tygodniowo | rocznie | dziennie | wynajem | koszt`,
  sv: `frakt | leverans | fraktfritt | fri frakt över | gåva | present | köp över | över | med kod | kod | rabattkod | rabatt | du sparar | spara | sparat | per månad | mån | månad | månader
    | delbetala | delbetalning | avbetalning | handpenning | pant | deposition | finansiering | medlem | medlemspris | medlemmar | klubbpris | prenumeration | poäng | bonus
    | per kilo | per kg | kg | per liter | jämförpris | jmf | jfr pris | jmf pris | per 100 | tillägg | garanti | försäkring | installation | montering | inslagning | begagnad | begagnat | studenter
    | bud | utropspris | moms | skatt | tull | minsta order | per vecka | per år | hyra | räntefritt | avgift | inbyte`,
  da: `fragt | levering | fri fragt | gave | køb over | over | med kode | kode | rabatkode | rabat | du sparer | spar | besparelse | pr måned | md | måned | måneder | rate | rater | afdrag
    | udbetaling | pant | depositum | finansiering | medlem | medlemspris | medlemmer | abonnement | point | bonus | pr kg | kg pris | pr liter | literpris | pr 100 | tillæg | gebyr | garanti
    | forsikring | installation | montering | gaveindpakning | brugt | studerende | bud | moms | skat | told | mindstekøb | om ugen | om året | leje | enhedspris`,
  no: `frakt | levering | fri frakt over | gave | kjøp over | over | med kode | kode | rabattkode | rabatt | du sparer | spar | per måned | mnd | pr mnd | måned | måneder | delbetaling | avdrag
    | pant | depositum | finansiering | medlem | medlemspris | medlemmer | abonnement | poeng | bonus | per kg | kilopris | per liter | literpris | pr liter | pr kg | per 100 | tillegg | gebyr | garanti
    | forsikring | installasjon | montering | innpakning | brukt | studenter | bud | mva | skatt | toll | minstekjøp | rentefritt`,
  fi: `toimitus | toimituskulut | toimitusmaksu | lahja | tilaukset yli | yli | koodilla | koodi | alennuskoodi | alennus | säästät | säästä | kuukaudessa | kk | kuukausi | erä | osamaksu
    | käsiraha | pantti | panttimaksu | sis pantin | rahoitus | jäsen | jäsenhinta | jäsenille | plussa | kortilla | tilaus | pisteet | bonus | kilohinta | litrahinta | vertailuhinta | kg | lisämaksu | takuu
    | vakuutus | asennus | lahjapaketointi | käytetty | opiskelijat | huuto | alv | vero | tulli | vähimmäistilaus | viikossa | vuodessa | vuokra`,
  cs: `doprava | doručení | poštovné | doprava zdarma | dárek | při nákupu | nad | s kódem | kód | kupón | sleva | slevy | ušetříte | ušetřete | úspora | měsíčně | měsíc | měsíců | splátka
    | splátky | splátek | záloha | vratná záloha | kauce | financování | člen | členové | členská | pro členy | s kartou | předplatné | body | bodů | za kg | za litr | za 100 | cena za | jednotková | příplatek | poplatek
    | záruka | pojištění | instalace | montáž | balení | použité | bazar | rozbalené | studenti | příhoz | daň | dph | clo | minimální objednávka | týdně | ročně | pronájem`,
  sk: `doprava | doručenie | poštovné | darček | pri nákupe | nad | s kódom | kód | kupón | zľava | zľavy | ušetríte | úspora | mesačne | mesiac | mesiacov | splátka | splátky | splátok | záloha | kaucia
    | financovanie | člen | členská | pre členov | s kartou | predplatné | body | bodov | za kg | za liter | za 100 | cena za | príplatok | poplatok | záruka | poistenie | montáž | použité | daň | dph | clo | týždenne | ročne`,
  hu: `szállítás | szállítási | kiszállítás | ajándék | feletti | felett | rendelés | kóddal | kód | kupon | kedvezmény | megtakarítás | megtakarít | havi | hónap | hó | részlet | részletre | előleg
    | betétdíj | kaució | letét | hitel | tag | tagoknak | klubár | klubtagoknak | kártyával | előfizetés | pont | pontok | egységár | kilogramm | liter | literenként | kg | felár | díj | garancia | biztosítás | telepítés | használt | licit | vám | heti | évi | bérlés`,
  ro: `livrare | transport | transport gratuit | cadou | comenzi peste | peste | cu codul | cod | cupon | voucher | reducere | economisești | economisiți | economie | pe lună | lună | luni | lunar | rată | rate | avans
    | garanție sgr | sgr | garanție | depozit | finanțare | membri | membru | card | cu cardul | abonament | puncte | pe kg | pe litru | kg | litru | preț unitar | taxă | asigurare | instalare | folosit | resigilat | licitație | tva | vamă | comandă minimă | săptămânal`,
  bg: `доставка | безплатна доставка | подарък | поръчки над | над | с код | код | купон | отстъпка | спестявате | спестяваш | на месец | месец | месечно | вноска | вноски | депозит | капаро | лизинг | членове
    | клуб | с карта | абонамент | точки | за кг | за литър | на килограм | такса | гаранция | застраховка | монтаж | употребяван | търг | мито | минимална поръчка`,
  el: `μεταφορικά | αποστολή | δωρεάν αποστολή | παράδοση | δώρο | αγορές άνω | άνω | παραγγελίες | με κωδικό | κωδικός | κουπόνι | έκπτωση | κερδίζεις | κερδίζετε | εξοικονομείς | το μήνα | τον μήνα | μήνα | μήνες | δόση | δόσεις | άτοκες | προκαταβολή
    | εγγύηση | χρηματοδότηση | μέλη | για μέλη | μέλος | κάρτα | συνδρομή | πόντοι | το κιλό | το λίτρο | τιμή κιλού | τιμή μονάδας | ανά | επιβάρυνση | ασφάλεια | εγκατάσταση | μεταχειρισμένο | προσφορά πλειστηριασμού | φπα | φόρος | ελάχιστη παραγγελία`,
  tr: `kargo | kargo bedava | teslimat | hediye | üzeri | ve üzeri | alışverişlerde | kod ile | kodu ile | kupon | indirim | indirimi | kazancınız | kazanç | tasarruf | aylık | ay | taksit | taksitle | peşinat | depozito | kapora | finansman | üye
    | üyelere | üyelere özel | üye fiyatı | kart ile | abonelik | puan | kg fiyatı | kilogram | litre | birim fiyat | birim fiyatı | ek ücret | ücret | ücreti | garanti | sigorta | kurulum | montaj | hediye paketi | ikinci el | yenilenmiş | öğrenci | teklif | kdv | vergi | gümrük | minimum sipariş | haftalık | yıllık | kiralık | premium`,
  ru: `доставка | бесплатная доставка | подарок | при заказе | при покупке | заказе от | заказы от | свыше | по промокоду | с промокодом | промокод | код | купон | скидка | скидку | экономия | вы экономите | экономьте | в месяц | мес | месяц | месяцев | платеж | платежа | рассрочка
    | в рассрочку | кредит | аванс | залог | депозит | предоплата | для членов | клубная | клуба | по карте | с картой | с картой лояльности | подписка | по подписке | баллов | баллы | бонусов | кэшбэк | за кг | за литр | за 100 | цена за кг | доплата | сбор | гарантия | страховка
    | установка | монтаж | упаковка | подарочная упаковка | бывший в употреблении | уценка | студентам | ставка | ндс | налог | пошлина | минимальный заказ | в неделю | в год | аренда | оптом | оптовая`,
  uk: `доставка | безкоштовна доставка | подарунок | при замовленні | замовлення від | понад | за промокодом | промокод | код | купон | знижка | знижку | економія | ви економите | на місяць | міс | місяць | місяців | платіж | платежів | розстрочка | оплата частинами | кредит
    | аванс | застава | депозит | передоплата | для членів | клубна | за карткою | підписка | балів | бонусів | кешбек | за кг | за літр | за 100 | доплата | збір | гарантія | страхування | монтаж | вживаний | студентам | ставка | пдв | податок | мито | оренда | опт`,
  ja: `アプリ限定価格 | アプリ | 予約金 | 送料 | 配送料 | 送料無料 | 以上 | プレゼント | クーポン | コード | 割引 | オフ | off | お得 | 節約 | 円引き | 引き | 月々 | 月額 | 毎月 | ヶ月 | か月 | カ月 | 分割 | 回払い | 分割払い | 頭金 | 手付金 | デポジット | 保証金 | 会員価格 | 会員 | 会員限定 | プレミアム | カード
    | 定期便 | 定期購入 | 定期 | 初回 | ポイント | 還元 | キャッシュバック | あたり | 当たり | 単価 | 100g | 1kg | 1l | 100ml | 手数料 | 保証 | 保険 | 設置 | 工事費 | ラッピング | 中古 | 学割 | 入札 | 落札 | 寄付 | 消費税 | 税 | 関税 | 最低注文 | 年額 | 年間 | 週 | レンタル | セット | まとめ買い | 下取り | 代引き | 買取`,
  zh: `运费 | 運費 | 包邮 | 免运 | 免運 | 满 | 滿 | 赠品 | 贈品 | 赠 | 优惠券 | 優惠券 | 券后价 | 券后 | 折扣码 | 折扣碼 | 减 | 減 | 立减 | 省 | 节省 | 節省 | 每月 | 月 | 期 | 分期 | 分期付款 | 免息 | 首付 | 订金 | 訂金 | 定金 | 押金 | 会员价 | 會員價 | 会员 | 會員 | 学生 | 學生 | plus | vip
    | 新人价 | 新人價 | 新客价 | 订阅 | 訂閱 | 积分 | 點數 | 返现 | 現金回饋 | 每公斤 | 每斤 | 每升 | 每100 | 每 | 公斤 | 手续费 | 手續費 | 保修 | 保险 | 保險 | 安装 | 安裝 | 包装 | 包裝 | 二手 | 竞拍 | 競標 | 起拍价 | 捐 | 税费 | 稅金 | 关税 | 起订 | 每年 | 每周 | 租 | 套装 | 件装 | 以旧换新 | 拼团价 | 批发价 | 尾款 | 预付`,
  ko: `앱 | 전용가 | 쿠폰가 | 첫구매 | 배송비 | 배송 | 무료배송 | 이상 | 구매 시 | 사은품 | 쿠폰 | 쿠폰적용가 | 코드 | 할인 | 절약 | 월 | 매월 | 개월 | 할부 | 무이자 | 계약금 | 보증금 | 선금 | 회원가 | 회원 | 멤버십 | 멤버 | 카드 | 카드할인가 | 정기배송 | 구독 | 적립 | 포인트 | 캐시백 | 당 | 100g당 | kg당 | 단위가격 | 수수료 | 추가금 | 보증 | 보험 | 설치비 | 포장 | 중고 | 리퍼 | 학생 | 입찰 | 기부 | 관세 | 최소주문 | 연간 | 주간 | 대여 | 세트 | 보상판매`,
  ar: `الشحن | التوصيل | شحن مجاني | توصيل | هدية | للطلبات | فوق | أكثر من | عند الشراء | مع الكود | كود | رمز | قسيمة | كوبون | خصم | وفر | توفير | وفّر | شهريا | شهرياً | شهر | في الشهر | قسط | أقساط | دفعات | تقسيط | دفعة مقدمة | عربون | وديعة | تأمين | تمويل | الأعضاء | للأعضاء
    | سعر الأعضاء | عضو | بطاقة | اشتراك | نقاط | استرداد نقدي | للكيلو | لكل كيلو | لكل لتر | لكل | للكيلوغرام | سعر الوحدة | رسوم | ضمان | تركيب | تغليف | مستعمل | طلاب | مزايدة | ضريبة | جمارك | الحد الأدنى | أسبوعيا | سنويا | إيجار`,
  he: `משלוח | משלוח חינם | דמי משלוח | מתנה | בקנייה מעל | בהזמנה מעל | מעל | עם קוד | קוד | קופון | הנחה | חיסכון | חסכת | חוסכים | לחודש | בחודש | חודשי | תשלומים | תשלום | ללא ריבית | מקדמה | פיקדון | פקדון | מימון | לחברי מועדון | מועדון | חברי מועדון | מחיר מועדון | כרטיס | מנוי | נקודות | לק ג | לקג
    | לקילו | לליטר | ל 100 | מחיר ליחידת מידה | תוספת | דמי | אחריות | ביטוח | התקנה | אריזה | משומש | סטודנטים | הצעה | מע מ | מס | מכס | מינימום | לשבוע | לשנה | השכרה`,
  hi: `बैंक ऑफ़र | बैंक ऑफर | ऑफ़र के साथ | शिपिंग | डिलीवरी | मुफ्त डिलीवरी | मुफ़्त | उपहार | से अधिक | से ऊपर | के ऑर्डर पर | कोड | कूपन | छूट | बचत | बचाएं | बचाएँ | प्रति माह | माह | महीना | महीने | किस्त | किश्त | ईएमआई | emi | जमा | अग्रिम | सदस्य | सदस्यों | सदस्य मूल्य | कार्ड | सदस्यता | अंक | कैशबैक | प्रति किलो | प्रति लीटर | प्रति | शुल्क | वारंटी | बीमा
    | स्थापना | पुराना | एक्सचेंज | छात्र | बोली | जीएसटी | कर | सीमा शुल्क | न्यूनतम | साप्ताहिक | वार्षिक | किराया`,
  th: `ค่าจัดส่ง | จัดส่ง | ส่งฟรี | จัดส่งฟรี | ขั้นต่ำ | เมื่อซื้อ | ครบ | ของแถม | ของขวัญ | โค้ด | คูปอง | ส่วนลด | ลด | ประหยัด | ต่อเดือน | เดือน | ผ่อน | งวด | ดอกเบี้ย | มัดจำ | เงินดาวน์ | ดาวน์ | สมาชิก | ราคาสมาชิก | บัตร | สมัคร | แต้ม | คะแนน | เงินคืน | ต่อกิโลกรัม | ต่อกก | กก | ต่อลิตร | ต่อ | ค่าธรรมเนียม | ประกัน | ติดตั้ง | ห่อ | มือสอง | นักศึกษา | ประมูล | ภาษี | ต่อปี | เช่า`,
  vi: `vận chuyển | phí vận chuyển | giao hàng | miễn phí vận chuyển | phí ship | đơn hàng từ | đơn từ | đơn hàng trên | trên | quà tặng | tặng | mã | với mã | nhập mã | phiếu | giảm | giảm giá | tiết kiệm | mỗi tháng | tháng | trả góp | kỳ | lãi suất | đặt cọc | cọc | trả trước | thành viên | giá thành viên | hội viên | thẻ | đăng ký | điểm | hoàn tiền | mỗi kg | kg | mỗi lít | lít | phí | bảo hành | bảo hiểm | lắp đặt | gói quà | cũ đã qua sử dụng | sinh viên | đấu giá | thuế | tối thiểu | năm | thuê | trả sau`,
  id: `ongkir | ongkos kirim | pengiriman | gratis ongkir | hadiah | minimal belanja | minimal | min belanja | min | pembelian | belanja di atas | di atas | kode | dengan kode | kupon | voucher | diskon | hemat | potongan | per bulan | bulan | bln | cicilan | angsuran | cicil | uang muka | dp | deposit | jaminan | member | harga member | anggota | kartu | langganan | poin | cashback | per kg | kg | per liter | liter | per 100 | biaya | garansi | asuransi | pemasangan | bungkus kado | bekas | pelajar | mahasiswa | lelang | pajak | ppn | bea | per minggu | per tahun | sewa | grosir | tukar tambah`,
  ms: `penghantaran | penghantaran percuma | hadiah | pembelian melebihi | melebihi | kod | baucar | diskaun | jimat | sebulan | bulan | ansuran | deposit | ahli | harga ahli | kad | langganan | mata | sekilo | per kg | liter | yuran | jaminan | insurans | pemasangan | terpakai | cukai | minimum | sewa`,
  hr: `dostava | poštarina | besplatna dostava | poklon | za narudžbe | iznad | preko | s kodom | kod | kupon | popust | ušteda | uštedite | štedite | mjesečno | mj | mjeseci | rata | rate | rati | kaucija | povratna naknada | polog | predujam | članovi | članska | za članove | kartica | s karticom | pretplata | bodovi | bodova | za kg | po kg | kg | litra | za litru | jedinična | naknada | jamstvo | osiguranje | montaža | rabljeno | licitacija | carina | porez | mesečno | najam`,
  sl: `dostava | poštnina | brezplačna dostava | darilo | nad | s kodo | koda | kupon | popust | prihranek | prihranite | mesečno | mesec | obrok | obroki | obrokov | kavcija | polog | člani | za člane | klub | kartica | naročnina | točke | za kg | kg | liter | doplačilo | garancija | zavarovanje | montaža | rabljeno | davek | najem`,
  lt: `pristatymas | siuntimas | dovana | užsakymams | virš | su kodu | kodas | kuponas | nuolaida | sutaupote | per mėnesį | mėn | mėnuo | įmoka | lizingas | užstatas | depozitas | nariams | nario | lojalumo | prenumerata | taškai | už kg | kg | litras | mokestis | garantija | draudimas | montavimas | naudotas | pvm`,
  lv: `piegāde | dāvana | pasūtījumiem | virs | ar kodu | kods | kupons | atlaide | ietaupi | ietaupījums | mēnesī | mēn | maksājums | līzings | depozīts | biedriem | kartes | abonements | punkti | par kg | kg | litrs | maksa | garantija | apdrošināšana | lietots | pvn | nomaksa`,
  et: `tarne | saatmine | kingitus | tellimused üle | üle | koodiga | kood | kupong | allahindlus | säästad | kuus | kuu | järelmaks | osamakse | sissemakse | pant | taara | tagatisraha | liikmetele | kliendikaardiga | liikmehind | tellimus | punktid | kg hind | kg | liiter | tasu | garantii | kindlustus | paigaldus | kasutatud | km`,
  fa: `ارسال | ارسال رایگان | هدیه | خرید بالای | کد | کوپن | تخفیف | صرفه جویی | ماهانه | ماه | قسط | اقساط | پیش پرداخت | ودیعه | اعضا | کارت | اشتراک | امتیاز | هر کیلو | کیلو | لیتر | هزینه | گارانتی | بیمه | نصب | دست دوم | مالیات`,
}
