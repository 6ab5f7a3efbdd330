export const scope2 = {
  'Created a Scope 2 report': 'Oprettede en Scope 2-rapport',
  'Deleted a Scope 2 report': 'Slettede en Scope 2-rapport',
  'Delete report': 'Slet rapport',
  'Delete this report?': 'Slet denne rapport?',
  'The report of {{period}}, made {{at}}, is gone with the emission factors it kept. A new one of the same days is made of today’s readings. The readings stay.':
    'Rapporten for {{period}}, lavet {{at}}, forsvinder med de emissionsfaktorer, den gemte. En ny for de samme døgn laves af dagens målinger. Målingerne bliver.',
  'Against a report that was deleted since. Changed days: {{days}}, changed hours of emission: {{hours}}.':
    'I forhold til en rapport, der er slettet siden. Ændrede døgn: {{days}}, ændrede timer med udledning: {{hours}}.',
  'Scope 2 reports and their files.': 'Scope 2-rapporter og deres filer.',
  'New report': 'Ny rapport',
  Site: 'Lokation',
  'All that are switched on': 'Alle, der er slået til',
  'Make report': 'Lav rapport',
  '{{count}} meters': '{{count}} målere',
  '{{count}} meters_one': '1 måler',
  'Scope 2, location-based': 'Scope 2, lokationsbaseret',
  'The report could not be loaded.': 'Rapporten kunne ikke hentes.',
  'By month': 'Pr. måned',
  'By CVR number': 'Pr. CVR-nummer',
  'By site': 'Pr. lokation',
  'By meter': 'Pr. måler',
  'What changed': 'Hvad er ændret',
  'Changed since': 'Ændret siden',
  'Download PDF': 'Hent PDF',
  'Download Excel by meter': 'Hent Excel pr. måler',
  'Mean factor used': 'Anvendt faktor i snit',
  'Time covered': 'Dækket tid',
  'Created {{at}} by {{who}}': 'Oprettet {{at}} af {{who}}',
  'Parts of the report': 'Rapportens dele',
  'No address': 'Ingen adresse',
  'Unknown area': 'Ukendt område',
  'No factor': 'Ingen faktor',
  'In the report before': 'I den forrige rapport',
  'In this report': 'I denne rapport',
  Reports: 'Rapporter',
  'The reports could not be loaded.': 'Rapporterne kunne ikke hentes.',
  'Choose a period and make the first one.': 'Vælg en periode, og lav den første.',
  'Each hour’s kWh is multiplied by the grid’s mean CO₂ emission in that hour, in the meter’s price area. Contracts and guarantees of origin do not count here: they belong to the market-based figure. What is unknown is never filled in.':
    'Hver times kWh ganges med nettets gennemsnitlige CO₂-udledning i timen i målerens prisområde. Kontrakter og oprindelsesgarantier tæller ikke her: de hører til det markedsbaserede tal. Det ukendte udfyldes aldrig.',
  'This report keeps the version of each day it used and each hourly factor. Checksum: {{hash}}':
    'Rapporten gemmer den version af hvert døgn, den har brugt, og hver timefaktor. Kontrolsum: {{hash}}',
  'Days of readings that changed after this report was made: {{days}}. Make it again to see what differs.':
    'Døgn, hvis aflæsninger er ændret efter denne rapport: {{days}}. Lav den igen for at se forskellen.',
  'Hours whose emission changed after this report was made: {{hours}}. Make it again to see what differs.':
    'Timer, hvis udledning er ændret efter denne rapport: {{hours}}. Lav den igen for at se forskellen.',
  'Meters deleted with their readings: {{meters}}. Their sums stay here; their hours are in no file any more.':
    'Målere, der er slettet med deres aflæsninger: {{meters}}. Deres summer bliver her; deres timer er ikke længere i nogen fil.',
  'Emission, known part': 'Udledning, kendt del',
  'Without factor: {{kwh}} kWh': 'Uden faktor: {{kwh}} kWh',
  'Not read: {{share}} %': 'Ikke aflæst: {{share}} %',
  'Meter-hours not read: {{hours}} ({{share}} %). Their consumption is unknown and not included.':
    'Målertimer uden aflæsning: {{hours}} ({{share}} %). Forbruget er ukendt og ikke medregnet.',
  'Meter-hours without an emission factor: {{hours}}, with {{kwh}} kWh. Their emission is unknown and not included.':
    'Målertimer uden emissionsfaktor: {{hours}} med {{kwh}} kWh. Udledningen er ukendt og ikke medregnet.',
  'Meter-hours estimated by the grid company: {{hours}} ({{share}} %).':
    'Målertimer estimeret af netselskabet: {{hours}} ({{share}} %).',
  'Meter-hours reported incomplete by the grid company: {{hours}} ({{share}} %).':
    'Målertimer meldt ufuldstændige af netselskabet: {{hours}} ({{share}} %).',
  'Against the report before: {{before}} kg CO₂ then, {{after}} kg CO₂ here. Changed days: {{days}}, changed hours of emission: {{hours}}.':
    'Mod den forrige rapport: {{before}} kg CO₂ dengang, {{after}} kg CO₂ her. Ændrede døgn: {{days}}, ændrede timer med udledning: {{hours}}.',
  'Every hour was read and has an emission factor.': 'Hver time er aflæst og har en emissionsfaktor.',
}
