import type { PluralSentence } from './da.ts'

/** English sentences are their own keys; here is what each of them says of one. */
export const en = {
  'Market data: {{done}} of {{count}} months_one': 'Market data: {{done}} of 1 month',
  'and {{count}} more today_one': 'and 1 more today',
  'Notifications: {{count}} new_one': 'Notifications: 1 new',
  '{{count}} mistakes_one': '1 mistake',
  '{{count}} slots, up to {{mw}} MW_one': '1 slot, up to {{mw}} MW',
  'Create {{count}} requests_one': 'Create 1 request',
  '{{count}} bid requests created_one': '1 bid request created',
  '{{count}} results imported_one': '1 result imported',
  'Import {{count}} results_one': 'Import 1 result',
  '{{count}} rows contradict the published prices._one': '1 row contradicts the published price.',
  '{{count}} bids sent_one': '1 bid sent',
  'The last {{count}} rows had no slot and were left out_one': 'The last row had no slot and was left out',
  '{{count}} slots_one': '1 slot',
  '{{count}} sold slots at risk_one': '1 sold slot at risk',
  '{{count}} sold slots to come are expected to be there._one': '1 sold slot to come is expected to be there.',
  'Of {{count}} sold slots nothing is known yet: a forecast takes three days of measurement._one':
    'Of 1 sold slot nothing is known yet: a forecast takes three days of measurement.',
  '{{done}} of {{count}} rows_one': '{{done}} of 1 row',
  'Save {{count}} tags_one': 'Save 1 tag',
  '{{count}} tags saved_one': '1 tag saved',
  'Its {{count}} chargers stay, and nothing limits what they draw together. The chart of {{name}} goes with it._one':
    'Its charger stays, and nothing limits what it draws. The chart of {{name}} goes with it.',
  '{{count}} days ago_one': '1 day ago',
  '{{count}} rows: The results have not been published yet_one': '1 row: The results have not been published yet',
  '{{count}} days are not final and may change the result._one': '1 day is not final and may change the result.',
  '{{month}} is not over: the first {{count}} days of both months are compared._one':
    '{{month}} is not over: the first day of both months is compared.',
  'All {{count}} other slots together: {{eur}} €_one': '1 other slot: {{eur}} €',
  'Stop {{count}} running sessions too?_one': 'Stop 1 running session too?',
  '{{count}} disturbances_one': '1 disturbance',
  '{{count}} instances_one': '1 instance',
  '{{count}} events_one': '1 event',
  '{{count}} gaps in telemetry_one': '1 gap in telemetry',
  '{{count}} faults_one': '1 fault',
  '{{count}} slots from {{at}}_one': '1 slot, {{at}}',
  '{{count}} meters without new readings_one': '1 meter without new readings',
  '{{count}} times today_one': 'once today',
  'All {{count}} instances_one': 'All instances',
  'On {{count}} days a better plan may exist. Together their plans cost at most {{dkk}} DKK more than the best._one':
    'On 1 day a better plan may exist. Its plan costs at most {{dkk}} DKK more than the best.',
  'Prices, and a week of them before to forecast from, are known from {{first}} on: {{count}} days are left out._one':
    'Prices, and a week of them before to forecast from, are known from {{first}} on: 1 day is left out.',
  'The cheapest hours would not have held {{count}} sold slots, which is not counted against them._one':
    'The cheapest hours would not have held 1 sold slot, which is not counted against them.',
  '{{name}} ({{count}} chargers)_one': '{{name}} (1 charger)',
  '{{count}} plans are calculated before this one._one': '1 plan is calculated before this one.',
  '{{count}} starts_one': '1 start',
  '{{count}} sold slots of {{product}} limit the plan between {{from}} and {{to}}: one kW less in each of them would save {{dkk}} DKK together._one':
    '1 sold slot of {{product}} limits the plan between {{from}} and {{to}}: one kW less in it would save {{dkk}} DKK.',
  '{{count}} slots of {{product}} from {{from}} on are sold, with up to {{kw}} kW, and must be held._one':
    '1 slot of {{product}} from {{from}} is sold, with up to {{kw}} kW, and must be held.',
  '{{done}} of {{count}} meters_one': '{{done}} of 1 meter',
  '{{count}} hours_one': '1 hour',
  '{{count}} quarters_one': '1 quarter',
  '{{count}} hours below zero, lowest {{lowest}}_one': '1 hour below zero, lowest {{lowest}}',
  '{{count}} quarters below zero, lowest {{lowest}}_one': '1 quarter below zero, lowest {{lowest}}',
  'Settle {{count}} differences_one': 'Settle 1 difference',
  '{{count}} rows are left out._one': '1 row is left out.',
  '{{count}} meters_one': '1 meter',
  '{{done}} of {{count}} months_one': '{{done}} of 1 month',
  '{{count}} months_one': '1 month',
  '{{count}} days_one': '1 day',
  'The trail is intact: {{count}} entries._one': 'The trail is intact: 1 entry.',
  '{{done}} of {{count}} days_one': '{{done}} of 1 day',
  '{{done}} of {{count}} days are planned_one': '{{done}} of 1 day is planned',
  'After {{done}} of {{count}} days._one': 'After {{done}} of 1 day.',
  '{{count}} quarters from {{from}} on have no published price yet. They are taken as the mean of the same weekday of four weeks._one':
    '1 quarter from {{from}} has no published price yet. It is taken as the mean of the same weekday of four weeks.',
  'on {{count}} edges, {{online}} reporting_one': 'on 1 edge, {{online}} reporting',
} satisfies Record<`${PluralSentence}_one`, string>
