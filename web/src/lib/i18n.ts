import { figuresOf } from '@gridmast/contract/messages.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import type { Language } from '@gridmast/contract/people/user.ts'
import type { PluralSentence, Sentence } from '#i18n/da.ts'
import { en } from '#i18n/en.ts'
import { reloadFor } from './missing-files.ts'
import { deviceStorage, createStore, useStore } from './store.ts'
import { whenPageFree } from './unsaved.ts'

export const languageNames: Record<Language, string> = { en: 'English', da: 'Dansk' }

type Values = Record<string, string | number>
/** A sentence that `i18n/da/` lacks does not compile. `count` selects singular or plural and is formatted as a number. */
type TFunction = {
  (sentence: PluralSentence, values: Values & { count: number }): string
  (sentence: Sentence, values?: Values): string
}

const languageKey = 'GM_LANGUAGE'
const storedLanguage = (): Language => (deviceStorage.read(languageKey) === 'da' ? 'da' : 'en')

// English sentences are the keys; the English dictionary has singular forms only. Dates and numbers are Danish in both languages.
const dictionaries: Record<Language, Map<string, string>> = { en: new Map(Object.entries(en)), da: new Map() }
/** Danish files; every page requires `shared`. */
const parts = {
  first: () => import('#i18n/da-first.ts'),
  shared: () => import('#i18n/da/shared.ts'),
  annotations: () => import('#i18n/da/annotations.ts'),
  charging: () => import('#i18n/da/charging.ts'),
  'charging-fleet': () => import('#i18n/da/charging-fleet.ts'),
  charts: () => import('#i18n/da/charts.ts'),
  'contract-products': () => import('#i18n/da/contract-products.ts'),
  delivery: () => import('#i18n/da/delivery.ts'),
  'delivery-edges': () => import('#i18n/da/delivery-edges.ts'),
  energy: () => import('#i18n/da/energy.ts'),
  faults: () => import('#i18n/da/faults.ts'),
  'first-steps': () => import('#i18n/da/first-steps.ts'),
  grid: () => import('#i18n/da/grid.ts'),
  help: () => import('#i18n/da/help.ts'),
  'home-editor': () => import('#i18n/da/home-editor.ts'),
  meters: () => import('#i18n/da/meters.ts'),
  operator: () => import('#i18n/da/operator.ts'),
  palette: () => import('#i18n/da/palette.ts'),
  people: () => import('#i18n/da/people.ts'),
  'people-audit': () => import('#i18n/da/people-audit.ts'),
  'people-reports': () => import('#i18n/da/people-reports.ts'),
  planning: () => import('#i18n/da/planning.ts'),
  screens: () => import('#i18n/da/screens.ts'),
  security: () => import('#i18n/da/security.ts'),
  settlement: () => import('#i18n/da/settlement.ts'),
  trading: () => import('#i18n/da/trading.ts'),
  wall: () => import('#i18n/da/wall.ts'),
}
type Part = keyof typeof parts
const allParts = Object.keys(parts) as Part[] // the keys of a literal

const readDanish = async (names: readonly Part[]) => {
  for (const { default: sentences } of await Promise.all(names.map((name) => parts[name]())))
    for (const [sentence, danish] of Object.entries(sentences)) dictionaries.da.set(sentence, danish)
}

const languageStore = createStore<Language>('en')
export const currentLanguage = languageStore.get
export const useLanguage = () => useStore(languageStore)

let nextLanguage: Language = 'en'
const applyLanguage = async (language: Language, names: readonly Part[]) => {
  nextLanguage = language
  if (language === 'da') await readDanish(names)
  if (nextLanguage !== language) return // another language was chosen in the meantime
  document.documentElement.lang = language
  languageStore.set(language)
}

/** Loads a page with its Danish words; English needs none. */
export const withWords = async <P>(page: Promise<P>, ...names: Exclude<Part, 'first' | 'shared'>[]): Promise<P> =>
  (await Promise.all([page, nextLanguage === 'da' ? readDanish(['shared', ...names]) : null]))[0]

/** The Danish words of all pages, for content that a page opens later. */
export const readAllWords = async () => {
  if (nextLanguage === 'da') await readDanish(allParts)
}

export const startI18n = async () => {
  const followOtherTabs = ({ key }: StorageEvent) => {
    if (key === languageKey) whenPageFree(() => void applyLanguage(storedLanguage(), allParts).catch(reloadFor))
  }
  window.addEventListener('storage', followOtherTabs)
  if (storedLanguage() === 'da') await applyLanguage('da', ['first']).catch(reloadFor)
}

export const chooseLanguage = async (language: Language) => {
  deviceStorage.write(languageKey, language)
  await applyLanguage(language, allParts).catch(reloadFor)
}

const wordsOf = (sentence: string) => dictionaries[currentLanguage()].get(sentence)
const fill = (text: string, values: Values) =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))

/**
 * A text of the contract, the server or a device in the user's language, else unchanged. Never for customers' texts: a name may equal a
 * sentence.
 */
export const translateText = (text: string): string => {
  const figured = figuresOf(text)
  return figured ? fill(wordsOf(figured.key) ?? figured.key, figured.values) : (wordsOf(text) ?? text)
}

const plurals = { en: new Intl.PluralRules('en'), da: new Intl.PluralRules('da') }

/** Never call it while a module loads: the language is chosen later and may change. */
export const t: TFunction = (sentence: Sentence | PluralSentence, filled?: Values) => {
  const values = filled ?? {}
  const { count } = values
  if (typeof count !== 'number') return fill(wordsOf(sentence) ?? sentence, values)
  const singular = plurals[currentLanguage()].select(count) === 'one' ? wordsOf(`${sentence}_one`) : undefined
  return fill(singular ?? wordsOf(sentence) ?? sentence, { ...values, count: formatNumber(count, { decimals: 0 }) })
}
