import { m } from '@gridmast/contract/messages.ts'
import { roleNames } from '@gridmast/contract/roles.ts'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { chooseLanguage, currentLanguage, startI18n, t, translateText } from '#lib/i18n.ts'
import { show } from '#testing/render.tsx'
import { OneTimeSecret } from '#ui/OneTimeSecret.tsx'
import { da, daOfPages } from './da.ts'
import { en } from './en.ts'

const parts = import.meta.glob<Record<string, Record<string, string>>>('./da/*.ts', { eager: true })
const sources = import.meta.glob<string>(
  [
    '/src/**/*.{ts,tsx}',
    '!/src/**/*.test.*',
    '!/src/i18n/**',
    '!/src/testing/**',
    // Reasons of failed sources, in the system overview.
    '/../server/src/connectors/fetch-text.ts',
    // The unit of a price in words.
    '/../server/src/charging/sites/site-curves.ts',
    '/../server/src/grid/prices/reserves.ts',
    '/../server/src/operator/system/routes.ts',
  ],
  { query: '?raw', import: 'default', eager: true },
)

const ofContract = new Set<string>([
  ...Object.values(m).flatMap((one) =>
    typeof one === 'function' && 'key' in one ? [one.key, String(one.one)] : String(one),
  ),
  ...Object.values(roleNames),
])

/** `{{count}} slots_one` is a form of `{{count}} slots`. */
const sentenceOf = (key: string) => key.replace(/_one$/, '')
const english = new Map(Object.entries(en))

test('each sentence of the dictionary is used', () => {
  const code = Object.values(sources).join('\n')
  const isUsed = (key: string) =>
    ofContract.has(key) || [`'${key.replaceAll("'", "\\'")}'`, `"${key}"`].some((text) => code.includes(text))
  expect(Object.keys(da).filter((key) => !isUsed(sentenceOf(key)))).toEqual([])
})

test('each sentence is in one file of the dictionary', () => {
  const keys = Object.values(parts).flatMap((file) =>
    Object.values(file).flatMap((sentences) => Object.keys(sentences)),
  )
  expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([])
  expect(keys.toSorted()).toEqual(Object.keys(da).toSorted())
})

test('the words of a page and of its dialogs are loaded with it', () => {
  const files = new Map(Object.entries(sources))
  const importsOf = (path: string) =>
    [
      ...(files.get(path) ?? '')
        .replaceAll(/^import type [^']*'[^']+'/gm, '')
        .replaceAll(/withWords\(\s*import\('[^']+'\)(?:,\s*'[\w-]+')*\s*\)/g, '') // has its own words
        .matchAll(/'([#.]\/?)([^']+\.tsx?)'/g),
    ].map(([, start, name]) => (start === '#' ? `/src/${name}` : `${path.slice(0, path.lastIndexOf('/'))}/${name}`))
  const closureOf = (path: string, seen = new Set<string>()): Set<string> => {
    if (!files.has(path) || seen.has(path)) return seen
    seen.add(path)
    for (const imported of importsOf(path)) closureOf(imported, seen)
    return seen
  }
  const { shared: _, ...parts } = daOfPages
  const usesOf = Object.entries(parts).flatMap(([part, sentences]) =>
    Object.keys(sentences).map((key) => {
      const texts = [`'${key.replaceAll("'", "\\'")}'`, `"${key}"`]
      return {
        part,
        key,
        paths: [...files].flatMap(([path, code]) => (texts.some((text) => code.includes(text)) ? path : [])),
      }
    }),
  )
  const pages = [...files.values()].flatMap((code) => [
    ...code.matchAll(/withWords\(\s*import\('#([^']+)'\)((?:,\s*'[\w-]+')*)/g),
  ])
  expect(pages.length).toBeGreaterThan(25)
  for (const [, page, names] of pages) {
    const closure = closureOf(`/src/${page}`)
    const late = usesOf.filter(
      ({ part, paths }) => !names?.includes(`'${part}'`) && paths.some((path) => closure.has(path)),
    )
    expect(
      late.map(({ part, key }) => `${part}: ${key}`),
      page,
    ).toEqual([])
  }
})

test('a translation keeps the placeholders', () => {
  const places = (text: string) => (text.match(/\{\{\w+\}\}/g) ?? []).toSorted()
  for (const [key, danish] of Object.entries(da)) expect(places(danish), key).toEqual(places(english.get(key) ?? key))
})

test('a sentence with a count has its singular in both languages', () => {
  const keys = Object.keys(da)
  const singular = keys.filter((key) => key.includes('{{count}}') && !key.endsWith('_one')).map((key) => `${key}_one`)
  expect(keys.filter((key) => key.endsWith('_one')).toSorted()).toEqual(singular.toSorted())
  expect([...english.keys()].toSorted()).toEqual(singular.toSorted())
  const neverOne = [
    'Last {{n}} days',
    '{{n}} of {{total}} quarters measured',
    '{{n}} of {{total}} hours measured',
    ...ofContract,
  ]
  const counts = keys.filter((key) => /\{\{(n|of|all|total)\}\} (\w+ )?[a-z]{2,}s\b/.test(key))
  expect(counts.filter((key) => !neverOne.includes(key) && !key.includes('{{n}} of the '))).toEqual([])
})

test('one uses the singular, many have the separators of numbers', async () => {
  const Slots = ({ count }: { count: number }) => t('{{count}} slots', { count })
  for (const [language, one, many] of [
    ['en', '1 slot', '1.234 slots'],
    ['da', '1 tidsrum', '1.234 tidsrum'],
  ] as const) {
    const { container, rerender } = await show(<Slots count={1} />, language)
    expect(container.textContent).toContain(one)
    rerender(<Slots count={1234} />)
    expect(container.textContent).toContain(many)
  }
  await chooseLanguage('en')
})

test('a sentence of the contract with a number is translated', async () => {
  await startI18n()
  await chooseLanguage('da')
  expect(translateText(m.shortest(8))).toBe('Skal være på mindst 8 tegn')
  expect(translateText(m.fewest(1))).toBe('Skal have mindst 1 post')
  expect(translateText(m.tooManyAttempts(30))).toBe('For mange forsøg. Prøv igen om 30 s.')
  expect(translateText('15 min')).toBe('15 min')
  for (const text of ['Kølehus 8', 'Pump $t(Delete)', 'Pump {{n}}']) expect(translateText(text)).toBe(text)
  await chooseLanguage('en')
  expect(translateText(m.shortest(8))).toBe('Must be at least 8 characters')
})

test('a language selected in one tab applies to all tabs', async () => {
  const Title = () => <>{t('Slots at risk')}</>
  const { container } = await show(<Title />)
  for (const [language, words] of [
    ['da', 'Tidsrum i fare'],
    ['en', 'Slots at risk'],
  ] as const) {
    localStorage.setItem('GM_LANGUAGE', language)
    window.dispatchEvent(new StorageEvent('storage', { key: 'GM_LANGUAGE', newValue: language }))
    await expect.poll(() => container.textContent).toContain(words)
    expect(document.documentElement.lang).toBe(language)
  }
})

test('a secret that is shown once stays when another tab changes the language; the language follows when the secret is closed', async () => {
  const Page = ({ isShown }: { isShown: boolean }) => (
    <>
      {t('Slots at risk')}
      {isShown && <OneTimeSecret label="Key" secret="gm-1" words="" onDone={() => {}} />}
    </>
  )
  const { container, rerender } = await show(<Page isShown />)
  await page.getByRole('checkbox').click()
  localStorage.setItem('GM_LANGUAGE', 'da')
  window.dispatchEvent(new StorageEvent('storage', { key: 'GM_LANGUAGE', newValue: 'da' }))
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(currentLanguage()).toBe('en')
  await expect.element(page.getByRole('checkbox')).toBeChecked()
  rerender(<Page isShown={false} />)
  await expect.poll(() => currentLanguage()).toBe('da')
  await expect.poll(() => container.textContent).toContain('Tidsrum i fare')
  await chooseLanguage('en')
})

/** Labels and messages that the specification writes with capitals. */
const labels = [
  'Activation Events | Add Account | Add Emails | Add Key | Alert Created | Alert Deleted | Alert Interval | Alert Updated | All ',
  'Chargers | All Instances | All Meters | Bid Result | Bidding Capacity (MW) | Bidding Price (€) | Bulk Download Excel file | ',
  'Carbon Emission | Command Log | Configuration Updated | Create Alerts | Create Request | Created At | Data Hub | Data Log | ',
  'Delta Load | Delta Load (%) | Demand Response | Details Updated | Diffrence between start Date and End Date should not greater ',
  'than 3 days | Download Price (Tax Included) | E3 Apps | E3 Dashboard | Edge Status | Edit Profile | Edit Request | Email ',
  'Subscriptions | Emission Prognosis | End Date | End Month | Energy Revenue | Equipment Testing | Estimated Consumption | ',
  'Excluded Count | Excluded Days | FCR Markets | FRR Markets | Greater Than | Group Deleted | Last Reported | Less Than | License ',
  'Type | Login Success | Logout All Accounts | Logout Success | Market Status | Max Setpoint | Meter Id | Meter Name | No Data ',
  'Found | No Records To Display | Oops! License Not Found | Redirecting To Right Portal | Request Bid | Revenue Euro | Revenue ',
  'Potential Calculator | Revenue Summary | Schedule End | Schedule Start | Schedule Start/End | Select Area | Select Currency | ',
  'Select Market | Set Point | Sold Capacity | Sold Capacity (kW) | Start Date | Start Month | Subscription Emails Added | Support ',
  'Notes | Switch User | System Overview | Tag Created Successfully | Tag Deleted | Tag Group Created Successfully | Tag Group ',
  'Deleted | Tag Group Updated Successfully | Tag Updated Successfully | Total Count | Triggered Alerts | Update Password | Update ',
  'Tax | Updated At | Version History ',
]
  .join('')
  .split('|')
  .map((label) => label.trim())
/** Names of apps, places, roles, tabs and other products. */
const names =
  /\b(Activation Events|All Chargers|CFM Tools|Charge Fleet Management|Data Hub|EV Charging|Load Shifting|Gridmast|Energinet|Eloverblik|MobilePay|Vipps|Nordpool|Excel|Scope|Statnett|Nordic|Continental|European Union|Europe\w*|Danish Bookkeeping Act|Danish Data Protection Agency|Datatilsynet|Danish|Denmark|Berlin|Sudoer|Expert|Standard Webhooks|Arrow|Ctrl|Hz|March|January|Kr|Node|Energi Data Service|East|West|Energy|Friday|Past|Pricing|For developers)\b/g

test('labels are sentence case, but for the words of the specification and names', () => {
  const isCapital = (word: string, before: string | undefined) =>
    before !== undefined && !/[.!?:·…;–]$/.test(before) && /^[A-Z][a-zæøå]/.test(word)
  const wrong = Object.keys(da).filter((key) => {
    if (key.includes('name the columns') || key.includes('with the columns')) return false // those of a file
    const rest = labels
      .toSorted((a, b) => b.length - a.length)
      .reduce((text, label) => text.replaceAll(label, '{{label}}'), key)
      .replaceAll(names, '{{name}}')
    const words = rest.replaceAll(/[“”()]/g, '').split(/\s+/)
    return words.some((word, i) => isCapital(word, words[i - 1]))
  })
  expect(wrong).toEqual([])
})
