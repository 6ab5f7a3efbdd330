import { globSync } from 'node:fs'
import { join } from 'node:path'
import { planReasons } from '@gridmast/contract/planning/load-shifting.ts'
import type { RiskSlot } from '@gridmast/contract/trading/penalty-guard.ts'
import { languages } from '@gridmast/contract/people/user.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as alerts from '#delivery/alerts/mails.ts'
import * as auth from '#people/auth/mails.ts'
import * as bidRequests from '#trading/placing/mails.ts'
import * as dataHub from '#meters/data-hub/mails.ts'
import * as evCharging from '#charging/tags/mails.ts'
import * as loadShifting from '#planning/load-shifting/mails.ts'
import * as backups from '#operator/backup/mails.ts'
import * as profile from '#people/profile/mails.ts'
import * as reports from '#people/reports/mails.ts'
import * as statements from '#settlement/statements/mails.ts'
import * as supportNotes from '#people/support-notes/mails.ts'
import * as market from '#people/letters/mails.ts'
import { type InBoth, type Letter, letter, mailFor } from '#platform/messaging/mail.ts'
import type { Records } from '#platform/records/records.ts'
import { openTestWorld } from '#testing/records.ts'

const atMs = Date.parse('2026-11-20T13:00:00Z')
const link = 'https://portal.example/x?y=1'
const author = { name: 'Ada', company: 'North', email: 'ada@north.example' }
const note = { title: 'Meter gap', description: '12 kWh', released: '2026-11-20', enable: true }
const once = { triggers: 1, firstMs: atMs, extreme: 412.5 }
const alert = {
  name: 'Cold',
  instanceName: 'North Cold',
  isSimulated: false,
  value: 412.5,
  threshold: 400,
  tMs: atMs,
  link,
  ...once,
}
const activation = { market: 'FCR-D-INC', direction: 'increased', startMs: atMs, endMs: null, deltaLoad: 34.5 } as const
const decreased = { ...activation, direction: 'decreased', endMs: atMs + 5000 } as const
const attached = { name: 'Cold.xlsx', base64: '' }
const reportContents = [
  { kind: 'empty' },
  { kind: 'too-large' },
  { kind: 'file', file: attached, rows: 1000, isAll: false, omitted: 2 },
] as const
const activated = { instance: 'North Cold', isSimulated: true, pageLink: link, stopLink: `${link}&stop` }

const atRisk = {
  instance: 'Kold',
  market: 'FFR',
  link,
  support: { name: 'Vagt', phone: '+45 70 10 20 30', email: 'vagt@operator.example' },
}
const riskSlot: RiskSlot = {
  product: 'FFR',
  start: '2026-11-24T14:00:00.000Z',
  end: '2026-11-24T15:00:00.000Z',
  soldKw: 300,
  state: 'short',
  expectedKw: 260,
  usualErrorKw: 14.5,
  shortKw: 40,
  lossEur: '0.45',
  atStakeEur: '3.4',
}
const budget = {
  dkk: '500',
  kwh: null,
  warnPercent: 80,
  spentDkk: '400.00',
  spentKwh: '160.000',
  kwhWithoutCost: '0.000',
}
const bidDay = { market: 'FFR', auction: '', day: '2026-11-22' } as const
const gate = { ...bidDay, company: 'North', gateMs: atMs, mostMw: '0.2', name: 'bids.csv', content: 'a,b' }
const placed = { ...bidDay, instance: 'Kold', sent: 24, link }

const asLetter = ({ title, body }: Record<'title' | 'body', InBoth>) => letter({ subject: title, body: [body] })

const letters: Record<string, Record<string, Letter[]>> = {
  'delivery/alerts/mails.ts': {
    alertPush: [asLetter(alerts.alertPush({ ...alert, type: 'power', criteria: 'gt', unit: 'kW', isSimulated: true }))],
    alertTriggered: [
      alerts.alertTriggered({ ...alert, type: 'power', criteria: 'gt', unit: 'kW' }),
      alerts.alertTriggered({ ...alert, type: 'consumption', criteria: 'lt', unit: 'kWh', isSimulated: true }),
      alerts.alertTriggered({ ...alert, type: 'power', criteria: 'lt', unit: 'kW', triggers: 7 }),
    ],
  } satisfies Record<keyof typeof alerts, Letter[]>,
  'people/auth/mails.ts': {
    code: [auth.code('Ada', '123456')],
    passwordChanged: [auth.passwordChanged('Ada', 0), auth.passwordChanged('Ada', 2)],
    accountRequested: [auth.accountRequested({ ...author, message: '42' })],
    secondFactorRemoved: [auth.secondFactorRemoved('Ada')],
    recoveryCodeUsed: [auth.recoveryCodeUsed('Ada')],
  } satisfies Record<keyof typeof auth, Letter[]>,
  'trading/placing/mails.ts': {
    bidFile: [
      bidRequests.bidFile({ ...gate, bids: 1 }),
      bidRequests.bidFile({ ...gate, market: 'FCR-D-INC', auction: 'D-1 early', bids: 24 }),
    ],
    gateMissed: [bidRequests.gateMissed({ ...gate, instances: ['Kold', 'Lager'] })],
    bidResult: [
      bidRequests.bidResult({ ...placed, isCorrected: true, won: 7, mostMw: '0.2' }),
      bidRequests.bidResult({ ...placed, isCorrected: false, won: 0, mostMw: null }),
    ],
    soldAtRiskPush: [asLetter(bidRequests.soldAtRiskPush({ ...atRisk, slots: [riskSlot] }))],
    soldAtRisk: [
      bidRequests.soldAtRisk({ ...atRisk, slots: [riskSlot] }),
      bidRequests.soldAtRisk({ ...atRisk, slots: Array.from({ length: 30 }, () => riskSlot) }),
      bidRequests.soldAtRisk({ ...atRisk, slots: [{ ...riskSlot, state: 'unknown', expectedKw: null }] }),
    ],
  } satisfies Record<keyof typeof bidRequests, Letter[]>,
  'meters/data-hub/mails.ts': {
    tokenEnds: [dataHub.tokenEnds(atMs)],
  } satisfies Record<keyof typeof dataHub, Letter[]>,
  'charging/tags/mails.ts': {
    budgetReached: [
      evCharging.budgetReached({ name: 'Vans', budget: { ...budget, percent: 80, state: 'warned' }, link }),
      evCharging.budgetReached({ name: 'Vans', budget: { ...budget, percent: 100, state: 'spent' }, link }),
    ],
  } satisfies Record<keyof typeof evCharging, Letter[]>,
  'planning/load-shifting/mails.ts': {
    replannedMail: planReasons.map((reason) =>
      loadShifting.replannedMail({ name: 'Kold', version: 2, reason, saved_dkk: '12.5', to_at: new Date(atMs) }, link),
    ),
    replanFailedMail: planReasons.map((reason) => loadShifting.replanFailedMail({ name: 'Kold', reason }, link)),
  } satisfies Record<keyof typeof loadShifting, Letter[]>,
  'people/profile/mails.ts': {
    passwordChanged: [profile.passwordChanged(0, atMs), profile.passwordChanged(2, atMs)],
    secondFactorOn: [profile.secondFactorOn(atMs)],
    secondFactorOff: [profile.secondFactorOff(atMs)],
    emailCode: [profile.emailCode('Ada', '123456')],
    emailChanged: [profile.emailChanged('a@x.example', 'b@x.example', atMs)],
    emailTaken: [profile.emailTaken('a@x.example', 'b@x.example', link, atMs)],
    emailUndone: [profile.emailUndone(0, atMs), profile.emailUndone(2, atMs)],
  } satisfies Record<keyof typeof profile, Letter[]>,
  'people/reports/mails.ts': {
    reportMail: reportContents.map((content) =>
      reports.reportMail({
        name: 'Cold',
        company: 'North',
        owner: 'ada@north.example',
        every: 'monthly',
        time: '07:00',
        days: '01-10-2026 – 31-10-2026',
        isSimulated: true,
        content,
        link,
        stopLink: `${link}&stop`,
      }),
    ),
  } satisfies Record<keyof typeof reports, Letter[]>,
  'settlement/statements/mails.ts': {
    monthlyStatement: [0, 1, 2].map((unsettledDays) =>
      statements.monthlyStatement({
        company: 'North',
        month: '2026-10',
        isLeftOut: unsettledDays > 0,
        unsettledDays,
        link,
        stopLink: `${link}&stop`,
        en: { title: 'Settlement statement 2026-10', attachments: [] },
        da: { title: 'Afregningsopgørelse 2026-10', attachments: [] },
      }),
    ),
  } satisfies Record<keyof typeof statements, Letter[]>,
  'people/support-notes/mails.ts': {
    noteCreated: [supportNotes.noteCreated(author, note)],
    noteChanged: [supportNotes.noteChanged(author, { ...note, enable: false })],
  } satisfies Record<keyof typeof supportNotes, Letter[]>,
  'operator/backup/mails.ts': {
    backupFailed: [backups.backupFailed('s3://backups/north', 'connect ECONNREFUSED 127.0.0.1:9000')],
    backupOld: [backups.backupOld('s3://backups/north', 27)],
    drillFailed: [backups.drillFailed('s3://backups/north', 'connect ECONNREFUSED 127.0.0.1:9000')],
  } satisfies Record<keyof typeof backups, Letter[]>,
  'people/letters/mails.ts': {
    confirmAddress: [market.confirmAddress({ company: 'North', email: 'ops@else.example', days: 7, link })],
    activationPush: [asLetter(market.activationPush(activated, activation))],
    activationMail: [
      market.activationMail({ ...activated, activations: [activation] }),
      market.activationMail({
        ...activated,
        activations: Array.from({ length: 60 }, () => decreased),
      }),
    ],
  } satisfies Record<keyof typeof market, Letter[]>,
}

const all = Object.entries(letters).flatMap(([file, ofFile]) =>
  Object.entries(ofFile).flatMap(([name, forms]) =>
    forms.map((letter, i): [string, Letter] => [`${file} ${name} ${i + 1}`, letter]),
  ),
)

test('every file of mails is tested here', () => {
  const files = globSync('**/mails.ts', { cwd: join(import.meta.dirname, '../..') })
  expect(files.toSorted()).toEqual(Object.keys(letters).toSorted())
})

describe.each(all)('%s', (_, letter) => {
  const english = /\b(the|and|your|you|was|were|when|within|of|it)\b/i
  const danish = /[æøå]|\b(din|dit|blev|og|ikke|den|fra|til|har)\b/i

  test('each language has its own words', () => {
    const { en, da } = { en: `${letter.en.subject} ${letter.en.text}`, da: `${letter.da.subject} ${letter.da.text}` }
    expect(en).toMatch(english)
    expect(en).not.toMatch(danish)
    expect(da).toMatch(danish)
    expect(da).not.toMatch(english)
    expect(letter.en.subject).not.toBe(letter.da.subject)
  })

  test('both languages have the same figures, addresses and links', () => {
    const facts = ({ subject, text }: Letter['en']) =>
      `${subject} ${text}`.match(/https?:\S+|\S+@[\w-]+\.\w+|\d[\d.,:-]*/g)?.toSorted()
    expect(facts(letter.da)).toEqual(facts(letter.en))
    expect(letter.da.unsubscribe).toBe(letter.en.unsubscribe)
    for (const { subject, text } of languages.map((one) => letter[one]))
      expect(subject + text).not.toMatch(/undefined|NaN|\[object/)
  })
})

describe('language of a mail', () => {
  let records: Records
  beforeAll(async () => {
    records = await openTestWorld()
    await records.system(async (tx) => {
      const speaks = (email: string, language: string) =>
        tx.updateTable('app_user').set({ language }).where('email', '=', email).execute()
      await speaks('expert@north.example', 'da')
      await speaks('custom@west.example', 'da')
      await speaks('sudoer@west.example', 'en')
      await tx.updateTable('customer').set({ language: 'da' }).where('key', '=', 'west').execute()
    })
  })
  afterAll(() => records.close())

  test.each([
    ['an account with a language of its own', 'north', 'Expert@north.example', undefined, 'da'],
    ['an account without a language of its own', 'north', 'sudoer@north.example', undefined, 'en'],
    ['an account with another language than its company', 'west', 'sudoer@west.example', undefined, 'en'],
    ['an address without an account', 'west', 'ops@nowhere.example', undefined, 'da'],
    ['T1 an address with an account at another company', 'north', 'custom@west.example', undefined, 'en'],
    ['a new address of a user', 'north', 'new@north.example', 'da', 'da'],
    ['an address without a company', null, 'operator@x.example', undefined, 'en'],
  ])('%s', async (_, key, to, language, expected) => {
    const letter = { en: { subject: 'en', text: '' }, da: { subject: 'da', text: '' } }
    const mail = await records.system(async (tx) => {
      const found = await tx
        .selectFrom('customer')
        .select('customer_id')
        .where('key', '=', key ?? '')
        .executeTakeFirst()
      return mailFor(tx, { customerId: found?.customer_id ?? null, to, ...(language ? { language } : {}) }, letter)
    })
    expect(mail).toMatchObject({ to, subject: expected })
  })
})
