import { signalsOf } from '@gridmast/contract/grid/price-signals.ts'
import type { User } from '@gridmast/contract/people/user.ts'
import type { ComponentType } from 'react'
import { afterEach, expect, test } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import { answerCalls } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { someKey, somePowerCost, someSource } from '#testing/samples.ts'
import { showAt, Verified } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import RequiredStepDialog from '#shell/RequiredStepDialog.tsx'
import ApiKeys from '#people/api-keys/ApiKeys.tsx'
import AuditTrail from '#people/audit/AuditTrail.tsx'
import Company from '#people/customer/Company.tsx'
import Profile from '#people/profile/Profile.tsx'
import Security from '#people/security/Security.tsx'
import Webhooks from '#people/webhooks/Webhooks.tsx'
import DayAhead from '#grid/prices/DayAhead.tsx'
import RevenueCalculator from '#grid/revenue-calculator/RevenueCalculator.tsx'
import Economics from '#settlement/economics/Economics.tsx'
import {
  answerOf,
  formulaOf,
  idOf as settledId,
  lineOf,
  settlementOf,
} from '#settlement/economics/economics.fixture.ts'
import Market from '#trading/market/Market.tsx'

const id = '01930000-0000-7000-8000-000000000001'
const at = '2026-11-20T17:12:08Z'
const session = {
  _id: id,
  createdAt: at,
  lastUsedAt: at,
  remembered: true,
  wall: null,
  wallShow: null,
  userAgent: null,
  address: '192.0.2.7',
}
const hook = {
  _id: id,
  name: 'Control room',
  url: 'https://hooks.example/gridmast',
  events: ['alert'],
  enabled: true,
  createdAt: at,
  lastDelivery: { at, state: 'failed' },
}
const delivery = {
  _id: id,
  event: 'alert',
  test: true,
  createdAt: at,
  state: 'failed',
  attempts: 2,
  nextAttemptAt: null,
  deliveredAt: null,
  status: 503,
  error: 'The receiver answered 503',
  payload: '{"type":"alert","test":true}',
}
const entry = {
  entryNo: 7,
  at,
  userId: null,
  who: 'expert@nordhavn.example',
  action: 'customer.details',
  subject: 'Nordhavn Frost A/S',
  before: { primaryContactName: 'Mads Sørensen' },
  after: { primaryContactName: 'Kim Holm' },
  result: 'ok',
  answer: null,
  requestId: 'request-1',
}
const revenue = {
  totalRevenueInDkk: '1234.5',
  totalRevenueInEuro: '165.5',
  graphData: [],
  detailedRevenue: [{ date: '2026-05-01', revenueDkk: '1234.5', revenueEuro: '165.5', coverage: 100 }],
  downloadData: [{ month: '2026-05', revenueDkk: '1234.5', revenueEuro: '165.5', coverage: 100 }],
  coverage: 100,
  basis: {
    price: 'MW and block of 4 hours',
    auction: 'Total',
    dkk: 'rate of the day',
    dkkPerEur: { lowest: '7.4601', highest: '7.4745' },
    source: someSource(),
  },
}

/** A day with a penalty and an earlier version, the longest content of its dialog. */
const corrected = formulaOf({
  version: 2,
  penaltyEur: '-3.50',
  grossEur: '3.50',
  lines: [lineOf(11, { missedHours: 1, penaltyEur: '-3.5' }), lineOf(12, { won: false, capacityEur: '0' })],
  availability: {
    isJudged: true,
    missingShare: 0,
    notAvailable: [{ at: '2026-11-19T10:00:00.000Z', reason: 'silent' }],
  },
  versions: [
    { version: 2, madeAt: '2026-11-20T04:02:00.000Z', grossEur: '3.50', customerEur: '2.45' },
    { version: 1, madeAt: '2026-11-20T02:02:00.000Z', grossEur: '7.00', customerEur: '4.90' },
  ],
})
const settled = { of: '/eConomics?startDate=2026-11-01&endDate=2026-11-30', pattern: '/eConomics' }
const openSettled = () => press(/^How .* earned with/)

const mads = someUser({
  contact: '31234567',
  countryCode: '+45',
  customerId: {
    areas: ['DK2'],
    biddingMarkets: ['FCR-D-INC'],
    powerCost: [
      { _id: id, name: 'DK2', area: 'DK2' },
      { _id: '01930000-0000-7000-8000-000000000002', name: 'DK1', area: 'DK1' },
    ],
  },
})

const answersFor = (user: User): Parameters<typeof answerCalls>[0] => ({
  'GET /user/verify': () => ({ data: { user, due: null } }),
  'GET /client/live': () => ({ status: 403 }),
  'PUT /user/update-profile': () => ({ message: 'Saved', data: { user, emailToConfirm: 'new@nordhavn.example' } }),
  'GET /user/sessions': () => ({
    data: {
      sessions: [
        { ...session, current: false },
        { ...session, _id: id.replace(/1$/, '3'), current: true },
      ],
    },
  }),
  'POST /user/second-factor/begin': () => ({ data: { secret: 'ABCDEFGH', uri: 'otpauth://totp/x?secret=ABCDEFGH' } }),
  'POST /user/second-factor/confirm': () => ({ data: { recoveryCodes: ['AAAA-2222', 'BBBB-3333'] } }),
  'GET /client/api-key': () => ({ data: { keys: [someKey] } }),
  'POST /client/api-key': () => ({ message: 'Created', data: { key: someKey, token: 'gmk_only-shown-once-U9uQ' } }),
  'GET /client/webhook': () => ({ data: { webhooks: [hook] } }),
  'POST /client/webhook': () => ({ message: 'Saved', data: { webhook: hook, secret: 'whsec_b25seSBzaG93biBvbmNl' } }),
  [`GET /client/webhook/${id}/delivery`]: () => ({ data: { deliveries: [delivery], totalCount: 1 } }),
  'GET /client/audit': () => ({ data: { entries: [entry], totalCount: 1, actions: ['customer.details'] } }),
  'GET /client/data/power-cost': () => ({ data: somePowerCost() }),
  'GET /client/signalTypes': () => ({
    data: { groups: [{ market: 'FCR-D-INC', signals: signalsOf('FCR-D-INC', ['DK2']) }] },
  }),
  'GET /client/data/pricing/FCR-D-INC%3ADK2': () => ({
    data: { ...somePowerCost({ unit: 'DKK/MW' }), market: 'FCR-D-INC' },
  }),
  'GET /client/revenue-calculator': () => ({ data: revenue }),
  'GET /client/data/eConomics': () => ({ data: answerOf([settlementOf({ version: 2 })]) }),
  'GET /client/data/eConomics/license': () => ({ data: { licenses: [] } }),
  'GET /client/data/eConomics/instance': () => ({ data: { instances: [] } }),
  [`GET /client/data/eConomics/${settledId(1)}/2026-11-19/FCR-D-DEC`]: () => ({ data: corrected }),
})

const dialog = (name: string) => page.getByRole('dialog', { name })
const press = (name: string | RegExp) => userEvent.click(page.getByRole('button', { name, exact: true }))
const pick = (name: string) => userEvent.click(page.getByRole('menuitem', { name }))
const type = (name: string | RegExp, text: string) => userEvent.fill(page.getByRole('textbox', { name }), text)
const tick = (name: string | RegExp) => userEvent.click(page.getByRole('checkbox', { name }))
const password = async () => {
  await userEvent.fill(page.getByRole('dialog').getByLabelText(/^Current password/), 'gridmast-demo')
  await userEvent.keyboard('{Enter}')
}
const beginSecondFactor = async () => {
  await press('Set up')
  await password()
}
const endSecondFactor = async () => {
  await beginSecondFactor()
  await type('Code from the app', '123456')
  await userEvent.keyboard('{Enter}')
}
const ofHook = () => press('Actions for Control room')

type Opening = {
  name: string
  Page: ComponentType
  open?: () => Promise<void>
  shown: () => Locator
  user?: Partial<User>
  path?: { of: string; pattern: string }
}
/** Dialogs and menus of the features, one row each; those of `ui/` and the shell have tests of their own. */
const rows: Opening[] = [
  {
    name: 'a due password',
    Page: () => <RequiredStepDialog due="password" onDone={() => {}} />,
    shown: () => dialog('Update Password'),
  },
  {
    name: 'a due second factor',
    Page: () => <RequiredStepDialog due="second-factor" onDone={() => {}} />,
    shown: () => dialog('Set up two-step sign-in'),
  },
  {
    name: 'the email to confirm',
    Page: Profile,
    open: async () => {
      await type('Email', 'new@nordhavn.example')
      await press('Save changes')
    },
    shown: () => dialog('Confirm your new email'),
  },
  {
    name: 'setting up two steps: the password',
    Page: Security,
    open: () => press('Set up'),
    shown: () => dialog('Set up two-step sign-in'),
  },
  {
    name: 'setting up two steps: the picture to scan',
    Page: Security,
    open: beginSecondFactor,
    shown: () => page.getByRole('textbox', { name: 'Code from the app' }),
  },
  {
    name: 'setting up two steps: the recovery codes',
    Page: Security,
    open: endSecondFactor,
    shown: () => page.getByText('AAAA-2222'),
  },
  {
    name: 'turning two steps off',
    Page: Security,
    user: { secondFactor: true },
    open: () => press('Turn off'),
    shown: () => dialog('Turn off two-step sign-in?'),
  },
  {
    name: 'ending a session',
    Page: Security,
    open: () => press('Sign out Unknown browser'),
    shown: () => dialog('Sign out this session?'),
  },
  {
    name: 'two steps for everyone',
    Page: Company,
    open: () => userEvent.click(page.getByRole('switch', { name: /^Require two-step sign-in for everyone/ })),
    shown: () => dialog('Require two-step sign-in for everyone?'),
  },
  { name: 'a new API key', Page: ApiKeys, open: () => press('New key'), shown: () => dialog('New API key') },
  {
    name: 'the token of a new key',
    Page: ApiKeys,
    open: async () => {
      await press('New key')
      await type('Name', 'Energy report')
      await tick('Power')
      await password()
    },
    shown: () => dialog('Your new API key'),
  },
  {
    name: 'revoking a key',
    Page: ApiKeys,
    open: () => press('Revoke Energy report'),
    shown: () => dialog('Revoke this API key?'),
  },
  { name: 'a new webhook', Page: Webhooks, open: () => press('New webhook'), shown: () => dialog('New webhook') },
  {
    name: 'the secret of a new webhook',
    Page: Webhooks,
    open: async () => {
      await press('New webhook')
      await type('Name', 'Control room')
      await type('URL', hook.url)
      await tick(/^Alert/)
      await press('Add webhook')
    },
    shown: () => page.getByText('whsec_b25seSBzaG93biBvbmNl'),
  },
  { name: 'the menu of a webhook', Page: Webhooks, open: ofHook, shown: () => page.getByRole('menu') },
  {
    name: 'removing a webhook',
    Page: Webhooks,
    open: async () => {
      await ofHook()
      await pick('Remove')
    },
    shown: () => dialog('Remove this webhook?'),
  },
  {
    name: 'a delivery of a webhook',
    Page: Webhooks,
    open: async () => {
      await press('Deliveries of Control room')
      await userEvent.click(
        page
          .getByRole('dialog')
          .getByRole('row', { name: /Failed/ })
          .getByRole('button'),
      )
    },
    shown: () => page.getByRole('button', { name: 'Send again' }),
  },
  {
    name: 'an entry of the audit trail',
    Page: AuditTrail,
    open: () => press('Open entry 7: Edited the company profile'),
    shown: () => dialog('Edited the company profile'),
  },
  {
    name: 'the actions of the audit trail',
    Page: AuditTrail,
    open: () => userEvent.click(page.getByRole('combobox', { name: 'Action' })),
    shown: () => page.getByRole('listbox'),
  },
  {
    name: 'the taxes',
    Page: DayAhead,
    open: () => press('Update Tax'),
    shown: () => page.getByLabelText(/Tax of DK2/),
  },
  {
    name: 'the download of prices',
    Page: DayAhead,
    open: () => press('Download Price (Tax Included)'),
    shown: () => page.getByRole('dialog').getByRole('button', { name: 'Download' }),
  },
  {
    name: 'the download of a market',
    Page: Market,
    path: { of: '/demandResponse/FCR-D-INC?tab=market', pattern: '/demandResponse/$market' },
    open: () => press('Bulk Download Excel file'),
    shown: () => dialog('Bulk Download Excel file'),
  },
  {
    name: 'how a day was settled',
    Page: Economics,
    path: settled,
    open: openSettled,
    shown: () => page.getByRole('table', { name: 'Versions' }),
  },
  {
    name: 'the bid prices of a settled day',
    Page: Economics,
    path: settled,
    open: async () => {
      await openSettled()
      await userEvent.click(page.getByRole('tab', { name: 'Bidding Price (€)' }))
    },
    shown: () => page.getByText('Mean marginal price'),
  },
  {
    name: 'the export of the calculator',
    Page: RevenueCalculator,
    open: () => press('Export'),
    shown: () => page.getByRole('menuitem', { name: 'Months' }),
  },
]

const scheme = (name: 'light' | 'dark') => document.documentElement.setAttribute('data-mantine-color-scheme', name)
afterEach(() => scheme('light'))

const openRow = async ({ Page, open, shown, path, ...row }: Opening) => {
  answerCalls(answersFor({ ...mads, ...row.user }))
  const children = (
    <Verified>
      <Page />
    </Verified>
  )
  await showAt(path?.of ?? '/here', children, 'en', '', path?.pattern)
  await open?.()
  await expect.element(shown()).toBeVisible()
}

test.each(rows)('nothing that axe knows is wrong with $name open, light and dark', async (row) => {
  await openRow(row)
  await expectClean()
  scheme('dark')
  await expectClean('colours')
})

const typedInto = [
  'the email to confirm',
  'setting up two steps: the password',
  'setting up two steps: the picture to scan',
  'turning two steps off',
  'a new API key',
  'a new webhook',
  'the taxes',
]
test.each(rows.filter(({ name }) => typedInto.includes(name)))('$name asks before typed text is lost', async (row) => {
  await openRow(row)
  const field = page
    .getByRole('dialog')
    .elements()
    .flatMap((opened) => [
      ...opened.querySelectorAll<HTMLInputElement>('input:is([type=text], [type=password], :not([type]))'),
    ])
    .find((input) => input.checkVisibility() && !input.readOnly)
  field?.select()
  field?.focus()
  await userEvent.keyboard('123')
  // The set-up has two steps and is not closed half way by Escape.
  await (row.name.startsWith('setting up') ? press('Cancel') : userEvent.keyboard('{Escape}'))
  await expect.element(dialog('Leave without saving?')).toBeVisible()
  await userEvent.click(dialog('Leave without saving?').getByRole('button', { name: 'Keep editing' }))
  expect(field?.value).toContain('123')
})
