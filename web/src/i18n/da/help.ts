export default {
  'Grid = site + battery + chargers, by the newest report of each edge and charger. Consumption that none of them measures is not included. Held: available kW of the sold instances, at most what is sold.':
    'Elnet = lokation + batteri + ladere efter den nyeste rapport fra hver edge-enhed og lader. Forbrug, som ingen af dem måler, er ikke med. Til rådighed: ledige kW på de solgte anlæg, højst det solgte.',
  'Your share of capacity revenue minus penalties, by the contract of each day. Capacity revenue: MW won × price of its auction, from Energi Data Service.':
    'Jeres andel af rådighedsbetaling minus bod efter dagens kontrakt. Rådighedsbetaling: vundne MW × auktionens pris, fra Energi Data Service.',
  'Gross = MW won × price of its auction − penalty for unavailable hours. Partner, SC (service company) and enablers receive percent of the gross by the contract of the day, the customer the rest.':
    'Brutto = vundne MW × auktionens pris − bod for timer uden rådighed. Partner, SC (servicevirksomheden) og enablere får procent af brutto efter dagens kontrakt, kunden resten.',
  'The difference between two months, divided into volume, win rate, price, availability, contract shares and rounding. Source: the settlements of both months.':
    'Forskellen mellem to måneder, fordelt på mængde, vinderandel, pris, rådighed, kontraktens andele og afrunding. Kilde: begge måneders afregninger.',
  'Difference = amount of the operator’s statement − own settlement, for each instance, day and product. Parts: volume, price, availability and share.':
    'Forskel = beløbet i operatørens opgørelse − egen afregning, for hvert anlæg, døgn og produkt. Dele: mængde, pris, rådighed og andel.',
  'The total of all settlements of the month, as in eConomics. Later corrections give the statement a new version.':
    'Summen af månedens afregninger, som i eConomics. Senere rettelser giver opgørelsen en ny version.',
  'Area, direction, reaction time, duration, power and energy are compared with Energinet’s requirements for each market. The first unmet requirement is the answer.':
    'Område, retning, reaktionstid, varighed, effekt og energi sammenlignes med Energinets krav til hvert marked. Det første krav, der ikke er opfyldt, er svaret.',
  'Revenue = capacity × published price, added up over all hours with a price. Source: Energi Data Service.':
    'Omsætning = kapacitet × offentliggjort pris, lagt sammen for alle timer med en pris. Kilde: Energi Data Service.',
  'Cost of the baseline − cost of the measured consumption, at the spot price, tariff and tax of each quarter.':
    'Baselinens omkostning − det målte forbrugs omkostning, med hvert kvarters spotpris, tarif og afgift.',
  'The cost of the plan and of the baseline: kWh of each quarter × its spot price, tariff and tax, and the other parts of the bill.':
    'Planens og baselinens omkostning: hvert kvarters kWh × spotpris, tarif og afgift, og regningens øvrige dele.',
  'Cost = kWh of each quarter × (spot price + tariff + tax), without VAT. Spot price and tariff: Energi Data Service.':
    'Omkostning = hvert kvarters kWh × (spotpris + tarif + afgift), uden moms. Spotpris og tarif: Energi Data Service.',
  'Sold: the won bids of each slot. Available: the last capacity that the instances reported. Margin = available − sold.':
    'Solgt: de vundne bud i hvert tidsrum. Til rådighed: den kapacitet, anlæggene senest har meldt. Margin = til rådighed − solgt.',
  'Power as the edge measured it. Consumption: the mean power of each hour × its length; unknown where a quarter has no sample.':
    'Effekten, som edge-enheden har målt den. Forbrug: hver times middeleffekt × timens længde; ukendt, når et kvarter ingen måling har.',
  'Frequency of the grid. Where the chart has more samples than points, each point keeps the lowest and the highest sample, so that no dip is lost.':
    'Nettets frekvens. Har grafen flere målinger end punkter, bevarer hvert punkt den laveste og den højeste måling, så intet dyk går tabt.',
  'Power cost = spot price + tax of the price signal. An hour is the mean of its quarters. Source: Energi Data Service.':
    'Elpris = spotpris + prissignalets afgift. En time er gennemsnittet af sine kvarterer. Kilde: Energi Data Service.',
  'Cost = metered kWh of each interval × (spot price + tariff + tax), without VAT. Emission = kWh × CO₂ of the grid in the hour. Intervals without a reading or price are not included.':
    'Omkostning = hvert intervals målte kWh × (spotpris + tarif + afgift), uden moms. Udledning = kWh × nettets CO₂ i timen. Intervaller uden måling eller pris er ikke med.',
  'Possible saving = cost of the hour − the same kWh at the price of the cheapest hour of that day.':
    'Mulig besparelse = timens omkostning − de samme kWh til prisen i døgnets billigste time.',
  'Emission = kWh of each interval × CO₂ of the grid in its area. Where either is unknown, the emission is unknown, not 0. Source: Energi Data Service.':
    'Udledning = hvert intervals kWh × nettets CO₂ i området. Er en af dem ukendt, er udledningen ukendt og ikke 0. Kilde: Energi Data Service.',
  'Emission = kWh of each hour × mean CO₂ of the grid in that hour, location-based. Hours without a reading or factor are listed, not estimated.':
    'Udledning = hver times kWh × nettets gennemsnitlige CO₂ i timen, lokationsbaseret. Timer uden måling eller faktor vises og anslås ikke.',
  'Total of the ended plans: cost of the stored baseline − cost of the measured consumption. A plan that was not measured is not included.':
    'Summen af de afsluttede planer: den gemte baselines omkostning − det målte forbrugs omkostning. En plan uden målinger er ikke med.',
  'Utilisation = time of running sessions ÷ time of all connectors. Energy = meter at the end − meter at the start of each session.':
    'Udnyttelse = tid med igangværende opladninger ÷ alle stiks tid. Energi = måler ved slut − måler ved start af hver opladning.',
  'Delta load = the largest requested power, in percent of the capacity. Delivered = the highest measured response, in percent of the same. Capacity: kW sold in the slot, otherwise the registered flexible kW. Consumption without meter readings is estimated from the power.':
    'Lastændring = den største ønskede effekt i procent af kapaciteten. Leveret = det højeste målte svar i procent af den samme. Kapacitet: solgte kW i tidsrummet, ellers de registrerede fleksible kW. Forbrug uden måleraflæsninger er anslået ud fra effekten.',
  'Delta load = the highest measured response, in percent of the capacity: kW sold in the slot, otherwise the registered flexible kW. Consumption without meter readings is estimated from the power.':
    'Lastændring = det højeste målte svar i procent af kapaciteten: solgte kW i tidsrummet, ellers de registrerede fleksible kW. Forbrug uden måleraflæsninger er anslået ud fra effekten.',
  'Available: the newest capacity that the edge reported; unknown after 15 minutes without a report. Sold: the won bids of this slot. Margin = available − sold.':
    'Til rådighed: den kapacitet, edge-enheden senest har meldt; ukendt efter 15 minutter uden en rapport. Solgt: de vundne bud i dette tidsrum. Margin = til rådighed − solgt.',
  'Missing = sold − expected kW in the worst hour of the slot. Expected: the mean of the same hour on the last 14 days, working days and weekends apart, adjusted by the last hour. Possible loss = the slot’s payment × missing ÷ sold.':
    'Mangler = solgte − forventede kW i tidsrummets dårligste time. Forventet: gennemsnittet af samme time i de sidste 14 dage, hverdage og weekender for sig, justeret efter den seneste time. Muligt tab = tidsrummets betaling × manglende ÷ solgte kW.',
  'Price = spot price + tax of the price signal. Average: each quarter counts equally. Spread = highest − lowest price. Cheapest 4 hours: the four hours in a row with the lowest average, from now on. Source: Energi Data Service.':
    'Pris = spotpris + prissignalets afgift. Gennemsnit: hvert kvarter tæller lige meget. Spænd = højeste − laveste pris. Billigste 4 timer: de fire sammenhængende timer med det laveste gennemsnit, fra nu af. Kilde: Energi Data Service.',
  'Average of the day’s published prices, each by the length of its slot. A price in EUR is converted at the day’s exchange rate. Source: Energi Data Service.':
    'Gennemsnit af døgnets offentliggjorte priser, vægtet med tidsrummets længde. En pris i EUR omregnes til dagens kurs. Kilde: Energi Data Service.',
  'CO₂ of the electricity consumed in the area, as Energinet publishes it. Average: all published values of the day. Greenest 4 hours: the four hours in a row with the lowest average, from now on.':
    'CO₂ fra den el, der forbruges i området, som Energinet offentliggør den. Gennemsnit: alle døgnets offentliggjorte værdier. Grønneste 4 timer: de fire sammenhængende timer med det laveste gennemsnit, fra nu af.',
  'Cost = kWh of each quarter × (spot price + tariff + tax), without VAT. Income = kWh × the price for drivers on the day when the session began. Margin = income − cost. CO₂ per kWh = emission ÷ energy of the sessions. A session counts in the month in which it began.':
    'Omkostning = hvert kvarters kWh × (spotpris + tarif + afgift), uden moms. Indtægt = kWh × prisen for chauffører den dag, opladningen begyndte. Avance = indtægt − omkostning. CO₂ pr. kWh = opladningernes udledning ÷ energi. En opladning tæller i den måned, den begyndte.',
  'Energy = the charger’s energy register at the end − at the start. Between two readings the energy is spread evenly. A jump that the connector cannot have delivered is not included.':
    'Energi = laderens tællerstand ved slut − ved start. Mellem to aflæsninger fordeles energien jævnt. Et spring, som stikket ikke kan have leveret, er ikke med.',
  'For charging = (limit of the site − reserve) × 230 V × 3 phases. Reserved: the most current that all chargers may draw now, also without contact. Power now: the sum of the measured chargers.':
    'Til opladning = (lokationens grænse − reserve) × 230 V × 3 faser. Reserveret: den største strøm, alle ladere må trække nu, også uden kontakt. Effekt nu: summen af de målte ladere.',
  'Saved = bill of the baseline − bill of the plan. Bill = kWh of each quarter × (spot price + tariff + tax), and the other parts below. CO₂ = kWh × the CO₂ prognosis of the quarter.':
    'Sparet = baselinens regning − planens regning. Regning = hvert kvarters kWh × (spotpris + tarif + afgift) og de øvrige dele nedenfor. CO₂ = kWh × kvarterets CO₂-prognose.',
  'Saved = bill without a plan − bill with the plan, by the prices and the consumption that came. Regret = bill with the plan − the lowest possible bill, had everything been known in advance.':
    'Sparet = regning uden plan − regning med plan, efter de faktiske priser og det faktiske forbrug. Kunne være sparet yderligere = regning med plan − den lavest mulige regning, hvis alt havde været kendt på forhånd.',
  'Required = capacity × activation signal. Delivered = the deviation of the measured power from the power without the activation; for FCR-D and FFR, the mean of the minute before it.':
    'Krævet = kapacitet × aktiveringssignal. Leveret = den målte effekts afvigelse fra effekten uden aktiveringen; for FCR-D og FFR middeleffekten i minuttet før.',
  'Used: what drivers pay for the sessions of this month, otherwise their cost of energy; and their kWh, with running sessions. A session counts in the month in which it began.':
    'Brugt: det, chaufførerne betaler for månedens opladninger, ellers deres energiomkostning, og deres kWh med de igangværende. En opladning tæller i den måned, den begyndte.',
}
