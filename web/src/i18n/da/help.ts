export default {
  'Grid = site + battery + chargers, by the newest report of each edge and charger. Consumption that none of them measures is not included. Held: available kW of the sold instances, at most what is sold.':
    'Elnet = lokation + batteri + ladere efter den nyeste rapport fra hver edge-enhed og lader. Forbrug, som ingen af dem måler, er ikke med. Til rådighed: ledige kW på de solgte anlæg, højst det solgte.',
  'Your share of capacity revenue minus penalties, by the contract of each day. Capacity revenue: MW won × price of its auction, from Energi Data Service.':
    'Jeres andel af rådighedsbetaling minus bod efter dagens kontrakt. Rådighedsbetaling: vundne MW × auktionens pris, fra Energi Data Service.',
  'Gross = MW won × price of its auction − penalty for unavailable hours. Partner, SC and enablers receive percent of the gross by the contract of the day, the customer the rest.':
    'Brutto = vundne MW × auktionens pris − bod for timer uden rådighed. Partner, SC og enablere får procent af brutto efter dagens kontrakt, kunden resten.',
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
}
